"""Faults in readers, writers and sets of data."""

from .fault import Fault

SVMLIGHT = ("data/svmlight/test_reader.py", "data/svmlight/test_blocks.py")

FAULTS = [
    Fault(
        "ranktron/data/svmlight/line.py",
        "if index <= last or index > limits.most:",
        "if index < last or index > limits.most:",
        "a feature may stand twice in a line",
        SVMLIGHT,
    ),
    Fault(
        "ranktron/data/svmlight/line.py",
        'tokens = line.partition(b"#")[0].split()',
        'tokens = line.partition(b" #")[0].split()',
        "a comment without a space before it is read as data",
        SVMLIGHT,
    ),
    Fault(
        "ranktron/data/svmlight/reader.py",
        "table.indices[:] -= 1",
        "table.indices[:] -= 0",
        "files that count from 1 are read as those that count from 0",
        SVMLIGHT,
    ),
    Fault(
        "ranktron/data/svmlight/reader.py",
        "np.flatnonzero(qid[1:] != qid[:-1]) + 1",
        "np.flatnonzero(qid[1:] != qid[:-1])",
        "a block ends within a list",
        SVMLIGHT,
    ),
    Fault(
        "ranktron/data/svmlight/writer.py",
        'f"{column + 1}:{shortest(value)}"',
        'f"{column}:{shortest(value)}"',
        "LETOR files are written with features from 0",
        ("data/svmlight/test_writer.py",),
    ),
    Fault(
        "ranktron/data/svmlight/writer.py",
        "np.lexsort((-scores,",
        "np.lexsort((scores,",
        "a run for trec_eval begins with the worst document",
        ("data/svmlight/test_writer.py",),
    ),
    Fault(
        "ranktron/data/svmlight/text.py",
        "begun.append(piece[stop:])",
        "begun = [piece[stop:]]",
        "a line of a compressed file that is longer than two pieces loses its beginning",
        ("data/test_compressed.py", "data/svmlight/test_reader.py"),
    ),
    Fault(
        "ranktron/data/streams/records.py",
        "% 2 == 0] for places in (newlines, signs))",
        "% 2 == 1] for places in (newlines, signs))",
        "line ends inside quotes end a record of CSV",
        ("data/streams/test_records.py", "data/streams/formats/test_csv.py"),
    ),
    Fault(
        "ranktron/data/streams/records.py",
        """field[1:-1].replace(b'""', b'"')""",
        "field[1:-1]",
        "a doubled quote in a field stays doubled",
        ("data/streams/test_records.py", "data/streams/formats/test_csv.py"),
    ),
    Fault(
        "ranktron/data/streams/formats/jsonlines.py",
        'yield from _features(f"{name}.{key}", item, ignored, text)',
        "yield from _features(key, item, ignored, text)",
        "nested mappings lose the name that they stand under",
        ("data/streams/formats/test_jsonlines.py",),
    ),
    Fault(
        "ranktron/data/streams/formats/jsonlines.py",
        "if value is None or name in ignored:",
        "if value is None:",
        "the target is among the features if it is not a float",
        ("data/streams/formats/test_jsonlines.py",),
    ),
    Fault(
        "ranktron/data/streams/cells.py",
        "bad.update((int(row), None) for row in np.flatnonzero(np.isnan(values)))",
        "pass",
        "rows without a label are learned from",
        ("data/streams/formats/test_csv.py", "data/streams/formats/test_csv_refused.py", "data/streams/formats/test_parquet.py"),
    ),
    Fault(
        "ranktron/data/streams/shuffle.py",
        "np.random.PCG64([seed, epoch])",
        "np.random.PCG64([seed, 0])",
        "every pass over a file has the same order",
        ("data/streams/test_shuffle.py", "cli/compare/test_orders.py"),
    ),
    Fault(
        "ranktron/data/streams/shuffle.py",
        "leaving.append(pool[place])",
        "leaving.append(pool[0])",
        "rows are lost in the buffer of a shuffle",
        ("data/streams/test_shuffle.py",),
    ),
    Fault(
        "ranktron/data/streams/block.py",
        "stored = np.repeat(np.isin(np.arange(len(sizes)), kept), sizes)",
        "stored = np.repeat(np.isin(np.arange(len(sizes)), kept[:-1]), sizes)",
        "the last row of a sparse block without its bad rows is lost",
        ("data/streams/test_block.py",),
    ),
    Fault(
        "ranktron/data/streams/text_blocks.py",
        "for begin, end in self.records.rows(rest, len(rest), ended):",
        "for begin, end in __import__('itertools').pairwise([0, *self.records.ends(rest, len(rest), ended)]):",
        "a comment within a list ends a block",
        ("data/streams/test_open.py", "data/streams/formats/test_svmlight.py", "data/streams/test_limits.py"),
    ),
    Fault(
        "ranktron/data/synthetic.py",
        "root * x1 * x2",
        "x1 * x2",
        "the quadratic map is not that of the kernel",
        ("data/test_synthetic.py",),
    ),
    Fault(
        "ranktron/data/separable.py",
        "np.maximum(scores[rows, y], others + margin)",
        "np.maximum(scores[rows, y], others)",
        "classes that should be separable have no margin",
        ("data/test_separable.py",),
    ),
]
