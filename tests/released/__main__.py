"""Write the present version's files; they are never written again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import ranktron
from ranktron.kernels import Gaussian
from tests.family import NAMES, make, stream, weights_of

FOLDER = Path(__file__).parent / ranktron.__version__


def main() -> None:
    """One file an algorithm and one with a kernel, and beside each the predictions and weights before and after ten rows more."""
    FOLDER.mkdir(exist_ok=True)
    X, y = stream(60, 4, seed=11)
    labels = np.array(["awful", "bad", "fair", "good", "great"])
    kernels = {"PRank on a budget": make("PRank", kernel=Gaussian(0.1), budget=20, policy="forgetron")}
    for name, model in ({name: make(name) for name in NAMES} | kernels).items():
        model.set_params(classes=labels.tolist()).partial_fit(X[:50], labels[y[:50] - 1])
        model.save(FOLDER / f"{name}.ranktron")
        before = [model.predict(X).tolist(), weights_of(model).tolist()]
        model.partial_fit(X[50:], labels[y[50:] - 1])
        after = [model.predict(X).tolist(), weights_of(model).tolist()]
        (FOLDER / f"{name}.json").write_text(json.dumps({"before": before, "after": after}) + "\n")


if __name__ == "__main__":
    main()
