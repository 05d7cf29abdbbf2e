"""Faults in the command line, and in the cache of compiled code."""

from .fault import Fault

CHECKPOINTS = ("cli/learn/test_checkpoint.py", "cli/learn/test_checkpoint_ends.py")

FAULTS = [
    Fault(
        "ranktron/cli/learn/checkpoint.py",
        "run.rows - self._rows_then >= self.rows",
        "run.rows >= self.rows",
        "from the first checkpoint on every block is one",
        CHECKPOINTS,
    ),
    Fault(
        "ranktron/cli/learn/checkpoint.py",
        '(was["size"], was["mtime_ns"]) != (now["size"], now["mtime_ns"])',
        '(was["size"],) != (now["size"],)',
        "a run goes on with a file that was edited since",
        CHECKPOINTS,
    ),
    Fault(
        "ranktron/cli/learn/run.py",
        'self.start, self.pass_start = state["start"], state["pass_start"]',
        'self.start, self.pass_start = state["start"], state["start"]',
        "the loss of a pass that is resumed has that of the passes before it",
        CHECKPOINTS,
    ),
    Fault(
        "ranktron/cli/learn/run.py",
        "return [part.part(0, row), part.part(row + 1, len(part))]",
        "return [part.part(0, row), part.part(row + 2, len(part))]",
        "after a bad row another one is skipped",
        ("cli/learn/test_refused.py", "cli/learn/test_learn.py"),
    ),
    Fault(
        "ranktron/cli/learn/run.py",
        "prepend=self.rows // self.plan.every",
        "prepend=0",
        "the curve has points at the beginning of every block",
        ("cli/learn/test_learn.py",),
    ),
    Fault(
        "ranktron/cli/learn/job.py",
        'taken = {os.path.realpath(path): "DATA"',
        'taken = {path: "DATA"',
        "the model may be written over the data by another name of the file",
        ("cli/learn/test_refused.py", "cli/learn/test_learn.py"),
    ),
    Fault(
        "ranktron/cli/predict/answers.py",
        "if label.isprintable() else",
        "if label else",
        "a label with a line end breaks the lines of predictions",
        ("cli/predict/test_predict.py", "cli/predict/test_tables.py"),
    ),
    Fault(
        "ranktron/cli/evaluate/tallies.py",
        "self.n_empty += int((~is_counted).sum())",
        "self.n_empty += int(is_counted.sum())",
        "lists with a relevant document are counted as those without",
        ("cli/evaluate/test_evaluate.py",),
    ),
    Fault(
        "ranktron/cli/evaluate/tallies.py",
        "table[rank[label], rank[predicted]] = count",
        "table[rank[predicted], rank[label]] = count",
        "the table of labels is turned over",
        ("cli/evaluate/test_evaluate.py",),
    ),
    Fault(
        "ranktron/cli/shared/figures.py",
        "abs(true - answer) * count, rows + count",
        "abs(true - answer) * count, rows + 1",
        "the loss by label is divided by the kinds of answers",
        ("cli/shared/test_figures.py", "cli/evaluate/test_evaluate.py"),
    ),
    Fault(
        "ranktron/cli/shared/figures.py",
        "np.append(False, qid[1:] != qid[:-1])",
        "np.append(False, qid[1:] > qid[:-1])",
        "a list whose id is lower than that of the one before belongs to it",
        ("cli/shared/test_figures.py", "cli/learn/test_learn.py"),
    ),
    Fault(
        "ranktron/files.py",
        "        os.replace(file.name, path)\n",
        "        path.write_bytes(Path(file.name).read_bytes())\n",
        "a file is written in place, where a kill leaves half of it",
        ("test_leftovers.py", "cli/learn/test_kill.py", "models/test_file_safety.py"),
    ),
    Fault(
        "ranktron/compile/cache.py",
        "_digest(key, name, content[_DIGEST_SIZE:]) != content[:_DIGEST_SIZE]",
        "len(content) < _DIGEST_SIZE",
        "compiled code that somebody has changed is run",
        ("compile/test_cache.py", "compile/test_cache_guard.py"),
    ),
    Fault(
        "ranktron/compile/cache.py",
        "found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not is_sticky",
        "found.st_mode & stat.S_IWOTH and not is_sticky",
        "a cache that a group can write to is trusted",
        ("compile/test_cache.py", "compile/test_cache_guard.py"),
    ),
    Fault(
        "ranktron/compile/cache.py",
        "elif entry.name not in NOT_COMPILED and entry.is_dir():",
        'elif entry.name not in (*NOT_COMPILED, "scorers") and entry.is_dir():',
        "an edited scorer runs the code that was compiled before",
        ("compile/test_package_digest.py",),
    ),
]
