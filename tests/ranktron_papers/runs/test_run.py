"""Runs in processes: what is kept is not run again, what fails stops nothing else, and nothing outlives a run."""

from __future__ import annotations

import functools
import os
import random
import signal
import threading
import time
from multiprocessing import Pipe

import pytest

from ranktron_papers import DataSet
from ranktron_papers.runs import worker
from ranktron_papers.runs.run import LEFT_OUT, ONE_THREAD, Observer, Run, Workers, _signals_deferred
from ranktron_papers.runs.trials import TrialFolder
from tests.waiting import until

from .. import madeup
from ..madeup import COIN, CONSTANT, DATA_SET, LONG

ALL = (COIN, DATA_SET, CONSTANT, LONG)


class Recorder(Observer):
    """Records what happens in a run."""

    def __init__(self):
        self.kept, self.trials, self.ends = {}, [], []

    def begun(self, experiment, kept, wanted):
        self.kept[experiment.name] = (kept, wanted)

    def trial_done(self, experiment):
        self.trials.append(experiment.name)

    def ended(self, outcome):
        self.ends.append(outcome.experiment.name)


def done(folder, *experiments, quick=False, jobs=2):
    """The outcomes by name, and what happened on the way."""
    record = Recorder()
    outcomes = Run(experiments or ALL, quick, jobs, folder).do(record)
    assert [one.experiment.name for one in outcomes] == [one.name for one in experiments or ALL]
    assert sorted(record.ends) == sorted(one.experiment.name for one in outcomes)
    return {one.experiment.name: one for one in outcomes}, record


@pytest.fixture
def data(tmp_path, monkeypatch):
    """The file that an experiment reads."""
    path = tmp_path / "number.txt"
    path.write_text("7.5")
    monkeypatch.setenv(madeup.DATA, str(path))
    return path


def test_everything_is_run(tmp_path, data):
    found, record = done(tmp_path / "trials")
    expected = [madeup.coin(seed, None) for seed in range(12)]
    assert found["coin"].results.trials == expected
    assert found["data-set"].results.values("value").tolist() == [7.5, 8.5, 9.5, 10.5]
    assert {name: len(one.results) for name, one in found.items()} == {"coin": 12, "data-set": 4, "constant": 1, "long": 5}
    assert not any(one.has_failed or one.why or one.results.is_quick for one in found.values())
    assert len(record.trials) == 22
    assert record.kept == {"coin": (0, 12), "data-set": (0, 4), "constant": (0, 1), "long": (0, 5)}


def test_a_quick_run_takes_the_first_trials_and_a_full_one_goes_on_from_there(tmp_path, data):
    quick, _ = done(tmp_path, quick=True)
    assert [quick[name].results and quick[name].results.is_quick for name in ("coin", "data-set", "constant")] == [
        True,
        True,
        False,
    ]
    assert (quick["long"].results, quick["long"].why, quick["long"].has_failed) == (None, LEFT_OUT, False)
    full, record = done(tmp_path)
    assert record.kept == {"coin": (3, 12), "data-set": (2, 4), "constant": (1, 1), "long": (0, 5)}
    assert full["coin"].results.trials[:3] == quick["coin"].results.trials
    again, record = done(tmp_path)
    assert record.trials == []
    assert [one.results.trials for one in again.values()] == [one.results.trials for one in full.values()]
    assert again["coin"].kept == 12


def test_other_settings_and_other_data_have_their_own_trials(tmp_path, data):
    done(tmp_path, COIN, DATA_SET)
    data.write_text("8.5")
    other = COIN._replace(trial=functools.partial(madeup.coin, bias=0.75))
    found, record = done(tmp_path, other, DATA_SET)
    assert record.kept == {"coin": (0, 12), "data-set": (0, 4)}
    assert found["data-set"].results.values("value")[0] == 8.5
    assert len(list((tmp_path / "coin").iterdir())) == len(list((tmp_path / "data-set").iterdir())) == 2


def test_missing_data_are_no_failure(tmp_path, monkeypatch):
    monkeypatch.delenv(madeup.DATA, raising=False)
    found, _ = done(tmp_path, CONSTANT, DATA_SET)
    missing = found["data-set"]
    assert (missing.results, missing.has_failed) == (None, False)
    assert missing.why == "the numbers of Nobody are not there: get them from nowhere"
    assert [row.verdict for row in missing.claims] == ["not run"]
    assert found["constant"].results is not None


def test_data_that_are_bad_are_a_failure(tmp_path, data):
    data.write_text("seven")
    found, _ = done(tmp_path, CONSTANT, DATA_SET)
    assert found["data-set"].has_failed
    assert found["data-set"].why == "ValueError: could not convert string to float: 'seven'"


def test_a_trial_that_fails_is_told_with_its_seed_and_the_others_go_on(tmp_path, monkeypatch):
    monkeypatch.setenv(madeup.FAILING, "4")
    found, _ = done(tmp_path, COIN, CONSTANT)
    coin = found["coin"]
    assert (coin.results, coin.has_failed) == (None, True)
    assert coin.why == "the trial of seed 4 failed: ValueError: the coin fell on its edge"
    assert 'raise ValueError("the coin fell' in coin.trace
    assert {row.verdict for row in coin.claims} == {"not run"}
    assert found["constant"].results is not None
    monkeypatch.delenv(madeup.FAILING)
    again, record = done(tmp_path, COIN, CONSTANT)
    assert again["coin"].results.trials == [madeup.coin(seed, None) for seed in range(12)]
    assert record.kept["coin"][0] >= 1  # what came before it is kept


def test_numbers_that_cannot_be_judged_are_a_failure(tmp_path):
    found, _ = done(tmp_path, CONSTANT._replace(printed=COIN.printed), LONG)
    assert found["constant"].has_failed
    assert found["constant"].why.startswith("its numbers cannot be judged: ValueError: fair is printed (Table 1, row 1)")
    assert found["long"].results is not None


def test_a_trial_that_no_process_can_be_told_is_a_failure(tmp_path):
    found, _ = done(tmp_path, CONSTANT._replace(trial=lambda seed, data: {"pi": 1.0}), LONG)
    assert found["constant"].has_failed
    assert "lambda" in found["constant"].why
    assert found["long"].results is not None


def test_a_damaged_file_is_run_again(tmp_path):
    done(tmp_path, CONSTANT)
    [path] = tmp_path.rglob("0.json")
    path.write_text("{")
    found, record = done(tmp_path, CONSTANT)
    assert record.kept == {"constant": (0, 1)}
    assert found["constant"].results.trials == [{"pi": 3.25}]


def dying(seed, data):
    """What happens to a process for want of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_ends_the_run_with_a_sentence(tmp_path):
    with pytest.raises(ValueError, match=r"^a worker process was killed, .* repeat the command with fewer --jobs, it continues"):
        done(tmp_path, CONSTANT._replace(trial=dying))


def threads(seed, data):
    """What the libraries are record."""
    return {name: float(os.environ[name]) for name in ONE_THREAD}


def test_processes_have_one_thread_each_and_ours_is_as_before(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    found, _ = done(tmp_path, CONSTANT._replace(trial=threads, printed=(), claims=()))
    assert set(found["constant"].results.trials[0].values()) == {1.0}
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert "MKL_NUM_THREADS" not in os.environ


def sleeping(_):
    """Longer than any test."""
    time.sleep(1000)


def interrupted():
    """A run that ends when its processes have begun."""
    with Workers(2) as workers:
        futures = [workers.submit(sleeping, number) for number in range(3)]
        processes.extend(workers._pool._processes.values())
        until(lambda: all(future.running() for future in futures[:2]))
        raise KeyError


processes = []


def test_processes_end_at_once_with_a_run_that_fails():
    with pytest.raises(KeyError):
        interrupted()
    assert len(processes) == 2
    assert not any(process.is_alive() for process in processes)


def interrupted_at_a_start(steps):
    """What starts a process, when Ctrl-C comes in the middle."""
    with _signals_deferred():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        steps.append("whole")


def test_a_process_is_started_whole_before_a_signal_takes_effect():
    """Also where another thread receives the signal: the one that starts processes has blocked it."""
    ends, steps = threading.Event(), []
    other = threading.Thread(target=ends.wait)
    other.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted_at_a_start(steps)
    finally:
        ends.set()
        other.join()
    assert steps == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# What processes do, in this one


@pytest.fixture(autouse=True)
def _nothing_is_loaded():
    worker._loaded.clear()
    yield
    worker._loaded.clear()


def test_a_trial_is_kept_before_it_is_told(tmp_path):
    trial = worker.run(worker.TrialTask(madeup.coin, None, 5, str(tmp_path)))
    assert trial.numbers == madeup.coin(5, None)
    assert TrialFolder(tmp_path).read(5) == trial


def test_data_are_loaded_once_and_only_the_last(data):
    loads = []

    def load(number):
        loads.append(number)
        return number

    one, other = functools.partial(load, 1), functools.partial(load, 2)
    mine = DataSet("mine")
    assert worker.inspect(one, mine) == worker.inspect(functools.partial(load, 1), mine) != worker.inspect(other, mine)
    assert loads == [1, 2]
    assert worker.inspect(one, mine) == worker.DataInfo(worker.digest_of(1))
    assert loads == [1, 2, 1]


def test_failures_are_sentences(tmp_path, monkeypatch):
    monkeypatch.delenv(madeup.DATA, raising=False)
    monkeypatch.setenv(madeup.FAILING, "2")
    failed = worker.run(worker.TrialTask(madeup.coin, None, 2, str(tmp_path)))
    assert (failed.sentence, failed.is_missing) == ("the trial of seed 2 failed: ValueError: the coin fell on its edge", False)
    missing = worker.run(worker.TrialTask(madeup.measured, madeup.loaded, 0, str(tmp_path)))
    assert (missing.sentence, missing.is_missing) == (worker.inspect(madeup.loaded, madeup.DATA_SET.data_set).sentence, True)
    assert worker.failure_of(KeyError()).sentence == "KeyError"


def test_a_process_leaves_ctrl_c_to_the_run_and_ends_when_the_line_is_closed(monkeypatch):
    ends, signals = [], {}
    monkeypatch.setattr(os, "_exit", ends.append)
    monkeypatch.setattr(signal, "signal", signals.__setitem__)
    monkeypatch.setattr("warnings.simplefilter", lambda action: None)
    started = []
    monkeypatch.setattr("threading.Thread.start", lambda thread: started.append(thread))
    listener, line = Pipe(duplex=False)
    worker.start(listener)
    line.close()
    [thread] = started
    thread.run()
    assert (ends, signals) == ([1], {signal.SIGINT: signal.SIG_IGN})
    listener.close()


def test_the_order_of_trials_does_not_matter(tmp_path):
    seeds = list(range(12))
    random.Random(0).shuffle(seeds)
    folder = tmp_path / "coin" / "x"
    for seed in seeds:
        worker.run(worker.TrialTask(COIN.trial, None, seed, str(folder)))
    found = [TrialFolder(folder).read(seed).numbers for seed in range(12)]
    assert found == [madeup.coin(seed, None) for seed in range(12)]
