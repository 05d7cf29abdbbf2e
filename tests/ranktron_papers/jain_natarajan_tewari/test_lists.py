"""The lists of Predtron's Figure 1: how they are drawn, what is measured of them, and when claims hold."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from ranktron import bounds, metrics
from ranktron.algorithms import Predtron
from ranktron.tasks import SubsetRanking
from ranktron_papers.jain_natarajan_tewari import figure_1, links, lists
from ranktron_papers.results import Results

SMALL: dict[str, Any] = {"documents": 4, "features": 3, "counts": tuple(range(1, 11)), "marks": (6, 10), "tests": 8}


def given(heights: Any, y: Any) -> lists.DrawnLists:
    """Lists of one feature, which is the height."""
    heights = np.asarray(heights, float)
    return lists.DrawnLists(heights.reshape(-1, 1), np.ravel(y), np.repeat(np.arange(len(heights)), heights.shape[1]), heights)


@pytest.mark.parametrize("centres", lists.CENTRES)
def test_grades_are_the_papers(centres: str) -> None:
    m = 6
    [drawn] = lists.drawn(3, centres, m, 4, (40,))
    for height, grade in zip(drawn.heights.ravel(), drawn.y):
        j = m - grade  # ζ_{j+1} ≤ height ≤ ζ_j, where ζ_1 and ζ_{m+1} are infinite
        assert (1 / (j + 1) if j < m else -np.inf) <= height <= (1 / j if j > 1 else np.inf)
    w = np.linalg.lstsq(drawn.X, drawn.heights.ravel())[0]
    assert w @ w == pytest.approx(1.0)
    assert drawn.X @ w == pytest.approx(drawn.heights.ravel())


def test_lists_of_one_seed_share_a_direction_and_seeds_differ() -> None:
    train, test = lists.drawn(0, "centres at 0", 5, 3, (30, 30))
    [other] = lists.drawn(1, "centres at 0", 5, 3, (30,))
    w, again, else_ = (np.linalg.lstsq(each.X, each.heights.ravel())[0] for each in (train, test, other))
    assert again == pytest.approx(w)
    assert abs(w - else_).max() > 0.01
    assert (train.heights != test.heights).all()


def test_centres_stand_where_their_names_say() -> None:
    m, many = 5, 4000
    means = {name: lists.drawn(0, name, m, 3, (many,))[0].heights.mean(axis=0) for name in lists.CENTRES}
    assert means["centres at 0"] == pytest.approx(np.zeros(m), abs=0.1)
    assert means["centres in a row"] == pytest.approx([1, 0.75, 0.5, 0.25, 0], abs=0.03)
    ends = [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 0]
    assert means["a centre a grade"] == pytest.approx([(a + b) / 2 for a, b in itertools.pairwise(ends)], abs=0.03)
    assert means["centres at random"].std() > 0.2


@pytest.mark.parametrize("power", lists.POWERS.values())
def test_the_margin_by_gaps_is_lemma_4s_where_no_grade_comes_twice(power: float) -> None:
    random = np.random.default_rng(0)
    heights = random.permuted(np.sort(random.normal(size=(9, 5)), axis=1), axis=1)
    drawn = given(heights, heights.argsort(axis=1).argsort(axis=1))
    assert lists.compatible(drawn) == 1.0
    lemma = bounds.predtron_list_margin(np.ones(1), drawn.X, drawn.y, drawn.qid, power)
    assert lists.gap_margin(drawn, power) == pytest.approx(lemma)
    R = max(np.linalg.norm(each) for each in heights)
    assert lists.corollary_5(drawn, power) == pytest.approx(bounds.predtron_ndcg_loss(5, 4, R, lemma))


def test_lists_with_a_grade_twice_are_not_compatible() -> None:
    assert lists.compatible(given([[3, 2, 1], [3, 2, 1], [1, 2, 3], [1, 2, 3]], [2, 1, 0, 2, 2, 0, 0, 0, 1, 0, 1, 2])) == 0.5


def test_neighbours_in_wrong_order_are_counted_by_their_grades() -> None:
    drawn = given([[3.0, 2.0, 1.0, 0.0]] * 2, [3, 2, 1, 0, 3, 3, 1, 1])
    model = Predtron(SubsetRanking(), average=False)
    model.learn_pair([1.0], [0.0])
    assert lists.wrong_neighbours(model, drawn) == (0.0, 0.0)
    backwards = Predtron(SubsetRanking(), average=False)
    backwards.learn_pair([-1.0], [0.0])
    assert lists.wrong_neighbours(backwards, drawn) == (1.0, 1.0)


def test_curves_are_those_of_lists_learned_one_after_the_other() -> None:
    numbers = lists.learning(2, **SMALL)
    train, test = lists.drawn(2, "centres in a row", 4, 3, (10, 8))
    for name, power in lists.POWERS.items():
        for ties in lists.TIES:
            model = Predtron(SubsetRanking(power=power, ties=ties), average=False).fit(train.X, train.y, train.qid)
            expected = 1 - metrics.ndcg(test.y, model.predict(test.X), test.qid)
            curve = numbers[f"{name}, centres in a row, ties by {ties}"]
            assert curve[-1] == pytest.approx(expected) == numbers[f"{name}, centres in a row, ties by {ties}, 10 lists"]
            assert curve[5] == numbers[f"{name}, centres in a row, ties by {ties}, 6 lists"]
            assert all(0 <= value < 1 for value in curve)


@pytest.mark.parametrize(
    "trial",
    [
        lambda seed: lists.learning(seed, **SMALL),
        lambda seed: lists.lengthening(seed, lengths=(2, 3, 4, 5, 6), features=3, lists=4, tests=5),
        lambda seed: links.sparse(seed, widths=(5, 6, 7, 8, 9), sparsities=(1, 2, 3, 4, 5, 6), wide=8, lists=3, tests=3),
    ],
)
def test_trials_depend_on_their_seed_only(trial: Any) -> None:
    assert trial(4) == trial(4)
    assert trial(4) != trial(5)


def test_lengths_are_learned_apart_and_the_longest_without_loss_is_found() -> None:
    numbers = lists.lengthening(1, lengths=(2, 5), features=3, lists=6, tests=7)
    train, test = lists.drawn(1, "centres at 0", 5, 3, (6, 7))
    model = Predtron(SubsetRanking(power=2.0, ties="score"), average=False).fit(train.X, train.y, train.qid)
    expected = 1 - metrics.ndcg(test.y, model.predict(test.X), test.qid)
    assert numbers["-i^2, centres at 0, ties by score"][1] == pytest.approx(expected)
    assert numbers["margin, -i^2, centres at 0"][1] == lists.gap_margin(train, 2.0)
    assert lists.longest((5, 10, 20), (0.0, 0.004, 0.3)) == 10
    assert lists.longest((5, 10, 20), (0.1, 0.2, 0.3)) == 0


# Claims


def curves(values: dict[str, list[float]], places: int = 10, trials: int = 5, is_quick: bool = False) -> Results:
    """The same losses in every reading, a little different in every trial; one number stands for a whole curve."""
    random = np.random.default_rng(0)
    means_text = {f"{name}, {reading}": curve for name, curve in values.items() for reading in figure_1.READINGS}
    return Results(
        [
            {name: [value + 1e-5 * random.random() for value in np.resize(curve, places)] for name, curve in means_text.items()}
            for _ in range(trials)
        ],
        is_quick,
    )


def test_figure_1a_as_it_is_described_holds_and_turned_round_does_not() -> None:
    described = curves({"1/i": [0.05], "-i^1.1": [0.002], "-i^2": [0.001]})
    turned = curves({"1/i": [0.001], "-i^1.1": [0.05], "-i^2": [0.06]})
    for judge in (figure_1.more_accurate, figure_1.almost_0, figure_1.still_large):
        assert figure_1.by_reading(described, judge).word == "holds"
        assert figure_1.by_reading(turned, judge).word == "does not hold"
    assert figure_1.all_in_one(described).word == "holds"
    assert figure_1.all_in_one(turned).word == "does not hold"


def test_one_reading_that_fits_is_named() -> None:
    described = curves({"1/i": [0.05], "-i^1.1": [0.002], "-i^2": [0.001]})
    fitting, *others = figure_1.READINGS
    for trial in described.trials:
        trial |= {f"-i^2, {reading}": [0.5] * 10 for reading in others}
    verdict = figure_1.all_in_one(described)
    assert verdict.word == "holds"
    assert fitting in verdict.reason
    assert "other 7" in verdict.reason
    assert figure_1.by_reading(described, figure_1.almost_0).word == "depends"
    assert figure_1.all_in_one(Results(described.trials[:1], is_quick=True)).word == "undecided"


def test_margins_compatibility_and_tightness_are_judged_by_their_numbers() -> None:
    def results(first: float, others: float, share: float, reached: float) -> Results:
        numbers: dict[str, Any] = {f"lists that w* is compatible with, {centres}": share for centres in lists.CENTRES}
        numbers |= {f"total loss over the bound, {reading}": reached for reading in figure_1.READINGS}
        for centres in lists.CENTRES:
            numbers |= {f"margin, {name}, {centres}": first if name == "1/i" else others for name in lists.POWERS}
        return Results([numbers] * 3, is_quick=False)

    assert figure_1.larger_margins(results(0.1, 0.2, 1.0, 0.5)).word == "holds"
    assert figure_1.larger_margins(results(0.2, 0.1, 1.0, 0.5)).word == "does not hold"
    assert figure_1.separable(results(0.1, 0.2, 1.0, 0.5)).word == "holds"
    assert figure_1.separable(results(0.1, 0.2, 0.9, 0.5)).word == "does not hold"
    assert figure_1.tight(results(0.1, 0.2, 1.0, 0.5)).word == "holds"
    assert figure_1.tight(results(0.1, 0.2, 1.0, 1e-6)).word == "does not hold"


def test_mistakes_down_the_list_are_compared_with_those_above() -> None:
    def results(high: float, low: float) -> Results:
        return Results(
            [{f"{half} grades in wrong order, {reading}": value for half, value in (("high", high), ("low", low))
              for reading in figure_1.READINGS}] * 3,
            is_quick=False,
        )  # fmt: skip

    assert figure_1.by_reading(results(0.1, 0.3), figure_1.worse_below).word == "holds"
    assert figure_1.by_reading(results(0.3, 0.1), figure_1.worse_below).word == "does not hold"


def test_a_rise_with_the_length_has_to_be_one_of_all_functions() -> None:
    up, down = [0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.04, 0.03, 0.02, 0.01]
    rising = curves({"1/i": up, "-i^1.1": up, "-i^2": up}, 5)
    dented = curves({"1/i": up, "-i^1.1": [0.01, 0.02, 0.015, 0.04, 0.05], "-i^2": up}, 5)
    mixed = curves({"1/i": up, "-i^1.1": down, "-i^2": up}, 5)
    assert figure_1.by_reading(rising, figure_1.rises).word == "holds"
    assert figure_1.by_reading(mixed, figure_1.rises).word == "does not hold"
    assert figure_1.by_reading(dented, figure_1.rises).word == "does not hold"  # between its ends
    for trial in rising.trials:
        trial |= {f"margin, {name}, {centres}": down for name in lists.POWERS for centres in lists.CENTRES}
    assert figure_1.margins_fall(rising).word == "holds"
    for trial in rising.trials:
        trial["margin, 1/i, centres at 0"] = up
    assert figure_1.margins_fall(rising).word == "depends"


def test_lists_without_loss_have_to_be_longer_for_both_other_functions() -> None:
    def results(*found: float) -> Results:
        pairs = [(name, value, reading) for name, value in zip(lists.POWERS, found) for reading in figure_1.READINGS]
        return Results([{f"longest lists without loss, {name}, {reading}": value for name, value, reading in pairs}] * 3, False)

    assert figure_1.by_reading(results(5, 40, 30), figure_1.longer_without_loss).word == "holds"
    assert figure_1.by_reading(results(5, 40, 5), figure_1.longer_without_loss).word == "does not hold"


# Figure 1(c)


def test_a_link_is_tested_on_lists_that_it_has_not_learned() -> None:
    numbers = links.sparse(0, widths=(6, 12), more_widths=(6, 12, 24), sparsities=(2, 3), wide=8, lists=5, tests=6)
    X, y, qid = links.separable.sparse_lists(11, 10, 12, 5, seed=0)
    model = Predtron(SubsetRanking(ties="index"), link="l1", step=0.1, average=False).fit(X[:50], y[:50], qid[:50])
    expected = 1 - metrics.ndcg(y[50:], model.predict(X[50:]), qid[50:])
    assert numbers["ℓ1, ties by index, step 0.1"][1] == pytest.approx(expected)
    assert numbers["ℓ1, ties by index, step 0.1, 12 features"] == numbers["ℓ1, ties by index, step 0.1"][1]
    X, y, qid = links.separable.sparse_lists(11, 10, 8, 3, seed=0)
    model = Predtron(SubsetRanking(ties="score"), average=False).fit(X[:50], y[:50], qid[:50])
    expected = 1 - metrics.ndcg(y[50:], model.predict(X[50:]), qid[50:])
    assert numbers["ℓ2 by sparsity, ties by score, step 1"][1] == pytest.approx(expected)


def test_radii_of_matrices_of_ones_grow_as_can_be_reckoned() -> None:
    ones = np.ones((3 * links.DOCUMENTS, 16))
    sparse, plain = links._squared_radii(ones, 16)
    assert plain == pytest.approx(10 * 16)  # one singular value, the root of the number of entries
    assert sparse == pytest.approx(10 * bounds.predtron_link_radius(1.0, 16) ** 2)


def linked(narrow: tuple[float, float], wide: tuple[float, float], powers: tuple[float, float], trials: int = 3) -> Results:
    """Losses of ℓ1 and ℓ2 with few features and with many; by sparsity they are those of many."""
    numbers: dict[str, Any] = {}
    for link, low, high, power in zip(links.LINKS, narrow, wide, powers):
        numbers |= {f"{link}, {reading}": [low, low, low, low, high] for reading in links.READINGS}
        numbers |= {f"{link} by sparsity, {reading}": [high] * 6 for reading in links.PLAIN}
        numbers[f"power of p₀ in the bound, {link}"] = power
        numbers[f"R² of the bound, {link}"] = [width**power for width in links.MORE_WIDTHS]
    return Results([numbers] * trials, is_quick=False)


def test_claims_of_figure_1c_follow_the_losses() -> None:
    described, level = linked((0.01, 0.02), (0.02, 0.2), (0.3, 0.5)), linked((0.01, 0.02), (0.2, 0.2), (0.7, 0.9))
    for judge in (links.more_accurate, links.rises_little, links.whatever_the_sparsity):
        assert judge(described).word == "holds", judge
        assert judge(level).word == "does not hold", judge
    assert links.root_of_features(described).word == "consistent"
    assert links.root_of_features(level).word == "does not hold"


def test_a_small_power_is_no_logarithm() -> None:
    """The bound of ℓ1 was once said to grow like log p₀ since it grows like p₀ to the power of .32, which is below ½."""
    power = linked((0.01, 0.02), (0.02, 0.2), (0.32, 0.5))
    assert links.slower_bound(power).word == "does not hold"
    log = [{**trial, "R² of the bound, ℓ1": [100 * math.log(width) for width in links.MORE_WIDTHS]} for trial in power.trials]
    verdict = links.slower_bound(Results(log, False))
    assert verdict.word == "consistent"
    assert verdict.reason.startswith("from 25 to 3,200 a + b log p₀ is off by 0.0%, and the power p₀^0.19 by ")


def test_a_loss_that_does_not_rise_is_no_significantly_higher_one() -> None:
    assert links.rises_little(linked((0.1, 0.2), (0.05, 0.19), (0.3, 0.5))).word == "does not hold"
