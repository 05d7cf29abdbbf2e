"""Chaudhuri & Tewari, Figures 2 and 3: lists of search engines, the paper's own if the user has them, and two stand-ins."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ranktron.data import sets

from ..experiment import Claim, DataSet, Experiment, Printed
from ..judging import Verdict, at_most_consistent, less
from ..results import Results
from ..rules import by_case, every, part
from .drawing import draw_search
from .search import GIVEN, MEASURES, SCALED, STEPS, axes_of, concatenated, made_trial, stream_trial, with_relevant

# A learner is competitive if it is at most this far behind: the difference that the paper calls slightly worse.
CLOSE = 0.01
BOTH = (GIVEN, SCALED)
# The number of queries in the smaller of two sets of that name.
WEB10K = 10_000

# Loading


def load_mq2008() -> sets.Lists:
    """All 784 queries of MQ2008."""
    root = os.environ.get("RANKTRON_DATA")
    return concatenated(sets.load_letor(Path(root, "letor_mq2008") if root else None))


def load_mslr() -> sets.Lists:
    """All 10,000 queries of MSLR-WEB10K: each of its folds holds them all."""
    fold = sets.load_mslr()
    count = sum(len(set(lists.qid.tolist())) for lists in fold)
    if count > WEB10K:
        raise sets.MissingData(
            f"MSLR-WEB10K is not there: the folder mslr in RANKTRON_DATA has {count:,} queries, not {WEB10K:,}"
        )
    return concatenated(fold)


def load_yahoo() -> sets.Lists:
    """The 19,944 training queries of Yahoo's first set."""
    return with_relevant(sets.load_yahoo().train)


def load_yandex() -> sets.Lists:
    """The 9,124 training queries of Yandex's set."""
    return with_relevant(sets.load_yandex().train)


# Claims

Rule = Callable[[Results], Verdict]


def in_all(rule: Rule, readings: tuple[str, ...] = (GIVEN,)) -> Callable[[Results], Verdict]:
    """A rule that judges both measures in all readings."""

    def judge(results: Results) -> Verdict:
        cases = {}
        for reading in readings:
            for title in MEASURES:
                case = f"{title}, features {reading}" if len(readings) > 1 else title
                cases[case] = rule(part(part(results, reading), title, ", "))
        return by_case(cases)

    return judge


def competitive(results: Results) -> Verdict:
    """Whether SLAM is at most a hundredth behind ListNet."""
    return less(results, "ListNet", "SLAM", by=-CLOSE)


def ahead(results: Results) -> Verdict:
    """Whether SLAM is above ListNet."""
    return less(results, "ListNet", "SLAM")


def slightly(results: Results) -> Verdict:
    """Whether SLAM is below ListNet by at most a hundredth."""
    return every([less(results, "SLAM", "ListNet"), competitive(results)])


def level(results: Results) -> Verdict:
    """Whether neither is ahead by more than a hundredth."""
    return every([competitive(results), less(results, "SLAM", "ListNet", by=-CLOSE)])


def poor(results: Results) -> Verdict:
    """Whether MinimaxRank is more than a hundredth behind SLAM."""
    return less(results, "MinimaxRank", "SLAM", by=CLOSE)


def is_why(results: Results) -> Verdict:
    """Whether MinimaxRank stays behind if both predict with averaged hypotheses, so that only their surrogates differ.

    That does not show which difference of the surrogates is the reason.
    """
    return at_most_consistent(less(results, "MinimaxRank averaged", "SLAM averaged"))


def common(readings: tuple[str, ...] = (GIVEN,)) -> tuple[Claim, ...]:
    """The claims about all data sets."""
    return (
        Claim(
            "Algorithm 2 shows competitive performance with a strong baseline, online ListNet.",
            "Section 8, second item",
            in_all(competitive, readings),
        ),
        Claim(
            "On data that are not separable Algorithm 3 has significantly worse performance than Algorithm 2.",
            "Section 6.2, comparison; section 1",
            in_all(poor, readings),
        ),
        Claim(
            "A possible reason for Algorithm 3's poor performance is that its surrogate is not listwise.",
            "Section 8, on the commercial data",
            in_all(is_why, readings),
        ),
    )


def printed(values: dict[str, float]) -> tuple[Printed, ...]:
    """The printed numbers, compared in both readings."""
    source = "Section 8: the average over last ten iterations"
    return tuple(Printed(f"{reading}: {name}", value, source) for reading in BOTH for name, value in values.items())


GRID = f"steps from {STEPS[0]:g} to {STEPS[-1]:g} in half powers of ten, over the mean squared length of a document"
ABOUT = (
    "Each list is ranked, and then learned. Shown is the measure averaged over the lists so far, or at the end over the last "
    f"ten, as in the paper. As in the paper, the steps of SLAM and of ListNet are those that are best at the end: {GRID}. For "
    "AP every grade above 0 is relevant. Lists without a relevant document are left out."
)
PAPERS_DATA = "MSLR-WEB10K, Yahoo's and Yandex's lists"

MQ2008 = Experiment(
    name="chaudhuri-tewari-mq2008",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, Figures 2 and 3 on a stand-in: LETOR's MQ2008",
    about="The paper uses the lists of three search engines. Here they are replaced by the public MQ2008: 564 queries with a "
    "relevant document, 19 documents per query, 46 features that are already scaled within each query. A trial is an order of "
    f"the queries, so intervals describe other orders, not other queries. {ABOUT}",
    trial=stream_trial,
    trials=30,
    quick=10,
    seconds=0.5,
    claims=common(),
    draw=draw_search,
    axes=axes_of(),
    load=load_mq2008,
    data_set=DataSet(PAPERS_DATA, "LETOR's MQ2008"),
)

MADE = Experiment(
    name="chaudhuri-tewari-made-search",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, Figures 2 and 3 on a stand-in: made lists of a search engine's size",
    about="These lists are generated, as long and as wide as those of MSLR-WEB10K, with a search engine's shares of the five "
    "grades: 1,000 lists of 120 documents with 136 normal features. A ranker explains a fifth of the variance behind the "
    f"grades, and the rest is noise. {ABOUT}",
    trial=made_trial,
    trials=10,
    quick=3,
    seconds=5.0,
    claims=common(),
    draw=draw_search,
    axes=axes_of(),
    data_set=DataSet(PAPERS_DATA, "made lists"),
)

READ_BOTH = (
    "The paper does not say whether features were scaled, so both are run: features as given, and scaled within each list."
)


def on_engine(
    short: str, title: str, about: str, seconds: float, claims: tuple[Claim, ...], load: Callable[[], sets.Lists], **more: Any
) -> Experiment:
    """The experiment on the lists of one of the paper's three search engines, in both readings."""
    return Experiment(
        name=f"chaudhuri-tewari-{short}",
        paper="chaudhuri-tewari",
        title=f"Chaudhuri & Tewari, Figures 2 and 3: {title}",
        about=f"{about} A trial is an order of the queries. {ABOUT} {READ_BOTH}",
        trial=functools.partial(stream_trial, readings=BOTH),
        trials=5,
        quick=0,
        seconds=seconds,
        claims=(*claims, *common(BOTH)),
        draw=draw_search,
        axes=axes_of(BOTH),
        load=load,
        **more,
    )


FIGURES = "Section 8, Figures 2 and 3"
MSLR = on_engine(
    "mslr",
    "MSLR-WEB10K",
    "10,000 queries of Microsoft's search engine, 120 documents a query, 136 features (the paper says 245, as of Yandex).",
    150.0,
    (Claim("Algorithm 2 performs better than ListNet on MSLR-WEB.", FIGURES, in_all(ahead, BOTH)),),
    load_mslr,
    printed=printed({"NDCG@10, SLAM": 0.25, "NDCG@10, ListNet": 0.22, "AP, SLAM": 0.49, "AP, ListNet": 0.37}),
    data_set=DataSet("MSLR-WEB10K"),
)
YAHOO = on_engine(
    "yahoo",
    "Yahoo's learning to rank challenge",
    "19,944 queries of Yahoo's search engine, 24 documents a query, 700 features. The paper calls Algorithm 2 slightly worse "
    "than ListNet, but names the larger numbers first, where Algorithm 2's stand for the other data. They are read here as the "
    "sentence says.",
    150.0,
    (
        Claim("Algorithm 2 performs slightly worse than ListNet on Yahoo.", FIGURES, in_all(slightly, BOTH)),
        Claim("Algorithm 3 performs quite poorly on Yahoo.", FIGURES, in_all(poor, BOTH)),
    ),
    load_yahoo,
    printed=printed({"NDCG@10, SLAM": 0.74, "NDCG@10, ListNet": 0.75, "AP, SLAM": 0.87, "AP, ListNet": 0.875}),
    data_set=DataSet("Yahoo's learning to rank challenge"),
)
YANDEX = on_engine(
    "yandex",
    "Yandex",
    "9,124 queries of Yandex's search engine, 245 features.",
    30.0,
    (
        Claim("Algorithm 2 and ListNet have overlapping performance on Yandex.", FIGURES, in_all(level, BOTH)),
        Claim("Algorithm 3 performs quite poorly on Yandex.", FIGURES, in_all(poor, BOTH)),
    ),
    load_yandex,
    data_set=DataSet("Yandex's set"),
)
