"""``ranktron export``: a linear model as text that a search engine reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .shared.options import FILE, listed, model_argument, option, options
from .shared.reading import ReadingOptions
from .startup.commands import Command

TARGETS = ("elasticsearch", "opensearch", "solr", "ranklib", "json")
# The largest number of rows of a sample that are read.
SAMPLED = 100_000

_FEATURES = (
    "The names of the features there, separated by commas, in the order of the columns; by default the names that the model "
    "learned, or f1, f2, …"
)
_SAMPLE = f"Typical rows; a constant is added so that the scores of the first {SAMPLED:,} are above 0."


@click.command(cls=Command, no_args_is_help=True)
@model_argument
@option("--to", required=True, metavar="|".join(TARGETS), help="The program that will read the model.")
@option("--name", default="ranktron", metavar="NAME", help="The name of the model there.")
@option("--features", multiple=True, metavar="NAMES", help=_FEATURES)
@option("--sample", type=FILE, metavar="DATA", help=_SAMPLE)
@option("--output", "-o", type=FILE, metavar="FILE", help="Write to this file, which is complete or not there at all.")
@options(reading=ReadingOptions)
def export(
    model: str,
    to: str,
    name: str,
    features: Sequence[str],
    sample: str | None,
    output: str | None,
    reading: ReadingOptions,
) -> None:
    """Write a linear model as text, so that a search engine, RankLib or another program computes the same scores.

    elasticsearch and opensearch: the body of POST _ltr/_featureset/NAME/_createmodel; solr: of PUT schema/model-store; ranklib: a
    model file; json: weights, thresholds and labels. Lucene does not allow scores below 0: give it typical rows with --sample.

    Examples:

        ranktron export search.ranktron --to elasticsearch --name shop-2 --sample train.letor -o model.json
    """
    from ..exports import export as exported
    from .shared.algorithms import load_model
    from .shared.output import written

    if to not in TARGETS:
        raise ValueError(f"--to should be {', '.join(TARGETS[:-1])} or {TARGETS[-1]}, not {to!r}")
    loaded = load_model(model)
    rows = None if sample is None else _rows(loaded, sample, reading)
    text = exported(loaded, to, name=name, feature_names=listed(features) or None, sample=rows)
    with written(output) as file:
        file.write(f"{text}\n".encode())


def _rows(model: Any, path: str, reading: ReadingOptions) -> Any:
    """The first rows of a file, as a matrix of the features of the model."""
    import numpy as np
    from scipy import sparse

    from ..core.rows import CSR
    from ..models import streaming
    from .shared.reading import answered, opened_for

    def part(block: Any) -> Any:
        table = model._read(streaming.known_part(model, streaming.as_table(block)), model._learned)
        shape = (table.n_rows, table.n_columns)
        rows = table.rows
        return (
            sparse.csr_array((rows.values, rows.indices, rows.indptr), shape=shape) if isinstance(rows, CSR) else np.asarray(rows)
        )

    stream = opened_for(model, [path], reading, labelled=False, lists=False)
    parts: list[Any] = []
    for _, matrix in answered(model, stream, part, reading.on_error == "skip"):
        parts.append(matrix)
        if sum(one.shape[0] for one in parts) >= SAMPLED:
            break
    return sparse.vstack(parts).tocsr()[:SAMPLED] if any(sparse.issparse(one) for one in parts) else np.vstack(parts)[:SAMPLED]
