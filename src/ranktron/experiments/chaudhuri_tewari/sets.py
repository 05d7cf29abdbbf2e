"""Chaudhuri & Tewari, Figures 2 and 3: search engines' lists, the paper's own where the user has them, and two stand-ins."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path

from ranktron.data import sets

from ..experiment import Claim, DataSet, Experiment, Printed
from ..judging import Verdict, at_most_consistent, less
from ..results import Results
from .drawing import draw_search
from .judging import every, part, sorted_out
from .search import GIVEN, MEASURES, SCALED, STEPS, axes_of, made_trial, relevant, stream_trial, whole

CLOSE = 0.01
"""Competitive is who is at most so far behind: what the paper's two differ by on the data where it calls one slightly worse."""
BOTH = (GIVEN, SCALED)
WEB10K = 10_000
"""Queries of the smaller of two sets of that name."""

# Loading


def load_mq2008() -> sets.Lists:
    """All 784 queries of MQ2008."""
    root = os.environ.get("RANKTRON_DATA")
    return whole(sets.load_letor(Path(root, "letor_mq2008") if root else None))


def load_mslr() -> sets.Lists:
    """All 10,000 queries of MSLR-WEB10K: each of its folds holds them all."""
    fold = sets.load_mslr()
    count = sum(len(set(lists.qid.tolist())) for lists in fold)
    if count > WEB10K:
        raise sets.MissingData(
            f"MSLR-WEB10K is not there: what RANKTRON_DATA holds as mslr has {count:,} queries, not {WEB10K:,}"
        )
    return whole(fold)


def load_yahoo() -> sets.Lists:
    """The 19,944 queries that Yahoo's first set is learned from."""
    return relevant(sets.load_yahoo().train)


def load_yandex() -> sets.Lists:
    """The 9,124 queries that Yandex's set is learned from."""
    return relevant(sets.load_yandex().train)


# Claims

Rule = Callable[[Results], Verdict]


def over(rule: Rule, readings: tuple[str, ...] = (GIVEN,)) -> Callable[[Results], Verdict]:
    """A rule for both measures and all readings."""

    def judge(results: Results) -> Verdict:
        cases = {}
        for reading in readings:
            for title in MEASURES:
                case = f"{title}, features {reading}" if len(readings) > 1 else title
                cases[case] = rule(of_measure(part(results, reading), title))
        return sorted_out(cases)

    return judge


def of_measure(results: Results, title: str) -> Results:
    """The single numbers of a measure, by the learner's name."""
    lead = f"{title}, "
    return Results(
        [{name.removeprefix(lead): value for name, value in one.items() if name.startswith(lead)} for one in results.trials],
        results.is_quick,
    )


def competitive(results: Results) -> Verdict:
    """Whether SLAM is at most a hundredth behind ListNet."""
    return less(results, "ListNet", "SLAM", by=-CLOSE)


def ahead(results: Results) -> Verdict:
    """Whether SLAM has more than ListNet."""
    return less(results, "ListNet", "SLAM")


def slightly(results: Results) -> Verdict:
    """Whether SLAM has less than ListNet, but not by more than a hundredth."""
    return every([less(results, "SLAM", "ListNet"), competitive(results)])


def level(results: Results) -> Verdict:
    """Whether neither is ahead by more than a hundredth."""
    return every([competitive(results), less(results, "SLAM", "ListNet", by=-CLOSE)])


def poor(results: Results) -> Verdict:
    """Whether MinimaxRank is more than a hundredth behind SLAM."""
    return less(results, "MinimaxRank", "SLAM", by=CLOSE)


def is_why(results: Results) -> Verdict:
    """Whether MinimaxRank stays behind where both predict with the mean of their hypotheses, so that only surrogates differ.

    That does not show which difference of the surrogates is the reason.
    """
    return at_most_consistent(less(results, "MinimaxRank averaged", "SLAM averaged"))


def common(readings: tuple[str, ...] = (GIVEN,)) -> tuple[Claim, ...]:
    """What the paper says of all its data."""
    return (
        Claim(
            "Algorithm 2 shows competitive performance with a strong baseline, online ListNet.",
            "Section 8, second item",
            over(competitive, readings),
        ),
        Claim(
            "On data that are not separable Algorithm 3 has significantly worse performance than Algorithm 2.",
            "Section 6.2, comparison; section 1",
            over(poor, readings),
        ),
        Claim(
            "A possible reason for Algorithm 3's poor performance is that its surrogate is not listwise.",
            "Section 8, on the commercial data",
            over(is_why, readings),
        ),
    )


def printed(values: dict[str, float]) -> tuple[Printed, ...]:
    """What the paper prints, to be compared with either reading."""
    source = "Section 8: the average over last ten iterations"
    return tuple(Printed(f"{reading}: {name}", value, source) for reading in BOTH for name, value in values.items())


GRID = f"steps from {STEPS[0]:g} to {STEPS[-1]:g} in half powers of ten, over the mean squared length of a document"
ABOUT = (
    "Each list is ranked, then learned; shown is the measure averaged over the lists so far, at the end over the last ten, as in "
    f"the paper. The steps of SLAM and of ListNet are what turns out best at the end, as in the paper: {GRID}. For AP every "
    "grade above 0 is relevant. Lists without a relevant document are left out."
)
PAPERS_DATA = "MSLR-WEB10K, Yahoo's and Yandex's lists"

MQ2008 = Experiment(
    name="chaudhuri-tewari-mq2008",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, Figures 2 and 3 on a stand-in: LETOR's MQ2008",
    about="The paper learns from three search engines' lists. This is none of them but the public MQ2008: 564 queries with a "
    "relevant document, 19 documents a query, 46 features that come scaled within each query. A trial is an order of the "
    f"queries, so intervals speak of other orders, not of other queries. {ABOUT}",
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
    about="Lists that anybody can make, as long and as wide as MSLR-WEB10K's, with a search engine's shares of the five grades: "
    "1,000 of 120 documents with 136 normal features, where a ranker explains a fifth of what the grades depend on and the rest "
    f"is noise. {ABOUT}",
    trial=made_trial,
    trials=10,
    quick=3,
    seconds=5.0,
    claims=common(),
    draw=draw_search,
    axes=axes_of(),
    data_set=DataSet(PAPERS_DATA, "made lists"),
)

READ_BOTH = " The paper does not say whether features were scaled, so they are taken as given and scaled within each list."

MSLR = Experiment(
    name="chaudhuri-tewari-mslr",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, Figures 2 and 3: MSLR-WEB10K",
    about="10,000 queries of Microsoft's search engine, 120 documents a query, 136 features (the paper says 245, as of Yandex). "
    f"A trial is an order of the queries. {ABOUT}{READ_BOTH}",
    trial=functools.partial(stream_trial, readings=BOTH),
    trials=5,
    quick=0,
    seconds=150.0,
    printed=printed({"NDCG@10, SLAM": 0.25, "NDCG@10, ListNet": 0.22, "AP, SLAM": 0.49, "AP, ListNet": 0.37}),
    claims=(
        Claim("Algorithm 2 performs better than ListNet on MSLR-WEB.", "Section 8, Figures 2 and 3", over(ahead, BOTH)),
        *common(BOTH),
    ),
    draw=draw_search,
    axes=axes_of(BOTH),
    load=load_mslr,
    data_set=DataSet("MSLR-WEB10K"),
)

YAHOO = Experiment(
    name="chaudhuri-tewari-yahoo",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, Figures 2 and 3: Yahoo's learning to rank challenge",
    about="19,944 queries of Yahoo's search engine, 24 documents a query, 700 features. The paper calls Algorithm 2 slightly "
    "worse than ListNet, yet names the larger numbers first, where Algorithm 2's stand for the other data; they are read here as "
    f"the sentence says. A trial is an order of the queries. {ABOUT}{READ_BOTH}",
    trial=functools.partial(stream_trial, readings=BOTH),
    trials=5,
    quick=0,
    seconds=150.0,
    printed=printed({"NDCG@10, SLAM": 0.74, "NDCG@10, ListNet": 0.75, "AP, SLAM": 0.87, "AP, ListNet": 0.875}),
    claims=(
        Claim(
            "Algorithm 2 performs slightly worse than ListNet on Yahoo.",
            "Section 8, Figures 2 and 3",
            over(slightly, BOTH),
        ),
        Claim("Algorithm 3 performs quite poorly on Yahoo.", "Section 8, Figures 2 and 3", over(poor, BOTH)),
        *common(BOTH),
    ),
    draw=draw_search,
    axes=axes_of(BOTH),
    load=load_yahoo,
    data_set=DataSet("Yahoo's learning to rank challenge"),
)

YANDEX = Experiment(
    name="chaudhuri-tewari-yandex",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, Figures 2 and 3: Yandex",
    about=f"9,124 queries of Yandex's search engine, 245 features. A trial is an order of the queries. {ABOUT}{READ_BOTH}",
    trial=functools.partial(stream_trial, readings=BOTH),
    trials=5,
    quick=0,
    seconds=30.0,
    claims=(
        Claim("Algorithm 2 and ListNet have overlapping performance on Yandex.", "Section 8, Figures 2 and 3", over(level, BOTH)),
        Claim("Algorithm 3 performs quite poorly on Yandex.", "Section 8, Figures 2 and 3", over(poor, BOTH)),
        *common(BOTH),
    ),
    draw=draw_search,
    axes=axes_of(BOTH),
    load=load_yandex,
    data_set=DataSet("Yandex's set"),
)
