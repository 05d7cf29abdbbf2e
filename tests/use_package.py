"""Use the installed package as a newcomer would; run by ``make package`` where nothing but the package is installed.

It runs with ``python -P``, for beside it are folders of tests that have names of packages.
"""

from __future__ import annotations

import tempfile
from importlib.metadata import version
from pathlib import Path


def main() -> None:
    """Learn, save, load, go on."""
    import numpy as np

    import ranktron
    from ranktron.data import synthetic
    from ranktron.kernels import Gaussian

    assert "site-packages" in ranktron.__file__, ranktron.__file__
    assert version("ranktron") == ranktron.__version__
    assert (Path(ranktron.__file__).parent / "py.typed").exists()

    X, y = synthetic.crammer_singer(60_000, seed=0)
    model = ranktron.PRank()
    told = model.predict_then_learn(X, y)
    assert abs(told - y).mean() < 0.2, "one averaged pass over the papers' problem"
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model.ranktron")
        loaded = ranktron.load(Path(folder) / "model.ranktron")
    assert (loaded.predict(X) == model.predict(X)).all()
    loaded.learn_one(X[0], y[0])
    assert loaded.n_seen_ == 60_001
    oap = ranktron.OAP(n_jobs=2).partial_fit(X[:5_000], y[:5_000])
    kernel = ranktron.PRank(kernel=Gaussian(1.0), budget=100, average=False).partial_fit(X[:5_000], y[:5_000])
    assert len(oap.members_coef_) == len(kernel.support_) == 100
    lists = ranktron.Predtron(ranktron.tasks.SubsetRanking()).fit(X[:500], y[:500], qid=np.arange(500) // 5)
    assert 0 < lists.n_updates_ < 100, "scipy solves its assignment problems"
    import ranktron_papers

    assert len(ranktron_papers.chosen()) > 30, "the papers' experiments are in the package"
    print(f"ranktron {ranktron.__version__}: learned {loaded.n_seen_:,} rows, progressive loss {abs(told - y).mean():.4f}")


if __name__ == "__main__":
    main()
