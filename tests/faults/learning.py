"""Faults in what learns: rules, decisions, scorers and the loops."""

from .fault import Fault

ORACLES = ("papers/test_oracles.py", "algorithms/test_exact_runs.py")
LATER = ("papers/test_later_oracles.py", "algorithms/test_noprank.py", "algorithms/test_rommaprank.py")
LISTS = ("papers/test_list_oracles.py", "algorithms/test_lists_exact.py")
PREDTRON = ("papers/test_predtron_oracles.py", "algorithms/test_predtron_exact.py")

RULES = [
    Fault(
        "ranktron/algorithms/prank.py",
        "side * scores[r] <= 0.0",
        "side * scores[r] < 0.0",
        "PRank leaves a threshold alone that the projection lies on",
        ORACLES,
    ),
    Fault(
        "ranktron/algorithms/siprank.py",
        "r = prediction - 1 if above else prediction",
        "r = prediction if above else prediction - 1",
        "Si-PRank moves the threshold on the wrong side of the projection",
        ORACLES,
    ),
    Fault(
        "ranktron/algorithms/noprank.py",
        "return total / (1.0 + norm * active)",
        "return total / (1.0 + active)",
        "No-PRank's step ignores the length of the row",
        LATER,
    ),
    Fault(
        "ranktron/algorithms/noprank.py",
        "(label - r if label > r else r + 1 - label)",
        "(label - r if label > r else r - label)",
        "No-PRank's margin by distance counts one rank too few above the label",
        LATER,
    ),
    Fault(
        "ranktron/algorithms/muprank.py",
        "/ (2 * thresholds)",
        "/ thresholds",
        "Mu-PRank's step by theory is twice that of Corollary 2",
        ("algorithms/test_muprank.py",),
    ),
    Fault(
        "ranktron/algorithms/rommaprank.py",
        "over = (factor - 1.0) * square",
        "over = factor * square",
        "ROMMA solves for another hypothesis than the one closest to the past",
        LATER,
    ),
    Fault(
        "ranktron/algorithms/multiclass_perceptron.py",
        "correction[r] /= errors",
        "correction[r] /= scores.shape[0]",
        "uniform updates are shared among all classes, not those that are in error",
        ("papers", "algorithms/test_exact_runs.py"),
    ),
    Fault(
        "ranktron/algorithms/widrow_hoff.py",
        "((label + 1.0) - scores[last])",
        "(label - scores[last])",
        "Widrow-Hoff learns ranks from 0",
        ("papers", "algorithms/test_exact_runs.py"),
    ),
    Fault(
        "ranktron/algorithms/arowprank.py",
        "1.0 / (variance + rule.r)",
        "1.0 / (variance + rule.r * rule.r)",
        "AROW squares its parameter r",
        ("algorithms/test_second_order.py", "core/scorers", "papers/test_later_oracles.py"),
    ),
    Fault(
        "ranktron/algorithms/ordinal_logit.py",
        "best = mode(side * score, scale * variance)",
        "best = mode(side * score, variance)",
        "the sample weight does not lengthen the step to the mode",
        ("algorithms/test_ordinal_logit.py", "algorithms/test_second_order.py", "estimators/test_sample_weight.py"),
    ),
    Fault(
        "ranktron/algorithms/slam.py",
        "rule.margin + scores[k] - scores[i] > 0.0",
        "scores[k] - scores[i] > 0.0",
        "SLAM learns misordered pairs only, without its margin",
        LISTS,
    ),
    Fault(
        "ranktron/algorithms/listnet.py",
        "correction[i] / total)",
        "correction[i])",
        "ListNet's chances by scores do not add up to 1",
        LISTS,
    ),
    Fault(
        "ranktron/algorithms/minimax_rank.py",
        "scores[j] - scores[i] > scores[worse] - scores[better]",
        "scores[j] - scores[i] >= scores[worse] - scores[better]",
        "of pairs that are equally wrong MinimaxRank takes the last one",
        LISTS,
    ),
    Fault(
        "ranktron/algorithms/predtron.py",
        "correction[r] *= rule.step * loss",
        "correction[r] *= rule.step",
        "loss-driven Predtron does not weigh its step by the loss",
        PREDTRON,
    ),
    Fault(
        "ranktron/algorithms/predtron.py",
        "smallest_loss / 4.0 / self.radius / self.radius",
        "smallest_loss / 4.0 / self.radius",
        "Predtron's step by theory divides by the radius only once",
        ("algorithms/test_predtron_exact.py", "models/predtron/test_learning.py", "bounds/test_predtron_model.py"),
    ),
    Fault(
        "ranktron/algorithms/voted.py",
        '"survival": -1',
        '"survival": 0',
        "votes by survival are counted from 1, as in survival+1",
        ("algorithms/test_voted.py",),
    ),
]

DECISIONS = [
    Fault(
        "ranktron/core/decisions.py",
        "reached += scores[r] >= 0.0",
        "reached += scores[r] > 0.0",
        "a projection on a threshold is ranked below it",
        ORACLES,
    ),
    Fault(
        "ranktron/core/decisions.py",
        "if scores[r] > scores[best]:",
        "if scores[r] >= scores[best]:",
        "of classes with the same score the last one wins",
        ORACLES,
    ),
    Fault(
        "ranktron/core/reject.py",
        "return 2.0 * abs(scores[0])",
        "return abs(scores[0])",
        "the lead of one of two classes is half of what it is",
        ("core/test_reject.py",),
    ),
    Fault(
        "ranktron/core/conformal.py",
        "- (1.0 - LEVELS[level])))",
        "- LEVELS[level]))",
        "prediction intervals miss as often as they should cover",
        ("core/test_conformal.py", "core/test_coverage.py", "models/test_intervals.py"),
    ),
    Fault(
        "ranktron/core/conformal.py",
        "members[np.arange(len(sums)), predicted] = True",
        "pass",
        "an interval may lack the rank that is predicted",
        ("core/test_conformal.py", "models/test_intervals.py"),
    ),
    Fault(
        "ranktron/core/calibration.py",
        "gradient += (chance - (1.0 if label > r else 0.0)) * z",
        "gradient += (chance - (1.0 if label >= r else 0.0)) * z",
        "probabilities are calibrated to labels one rank too high",
        ("core/test_calibration.py", "algorithms/test_ordinal_logit_slope.py"),
    ),
]

SCORERS = [
    Fault(
        "ranktron/core/scorers/thresholded.py",
        "add_both(X, i, push, scorer.w, age * push, scorer.lag)",
        "add_both(X, i, push, scorer.w, (age + 1) * push, scorer.lag)",
        "averages leave out the first row that a hypothesis was held for",
        ("algorithms/test_exact_runs.py", "algorithms/test_answers.py", "papers/test_oracles.py"),
    ),
    Fault(
        "ranktron/core/scorers/thresholded.py",
        "lowest = max(lowest, b[r] - correction[r])\n        b[r] = lowest",
        "b[r] = b[r] - correction[r]",
        "rounding may put thresholds out of order",
        ("algorithms/test_order.py",),
    ),
    Fault(
        "ranktron/core/scorers/multiplicative.py",
        "minus = math.exp(-exponent - top) if signed else 0.0",
        "minus = math.exp(exponent - top) if signed else 0.0",
        "signed Mu-PRank has no negative weights",
        ("algorithms/test_muprank.py", "papers/test_later_oracles.py"),
    ),
    Fault(
        "ranktron/core/scorers/gaussian.py",
        "reach -= along * reaches[s]",
        "pass",
        "a second-order step forgets what earlier thresholds of the row have settled",
        ("core/scorers/test_gaussian.py", "algorithms/test_second_order.py"),
    ),
    Fault(
        "ranktron/core/kernel_rows.py",
        "place = (new + 1) % (X.budget + 1)",
        "place = new % (X.budget + 1)",
        "a full budget drops the newest row, not the oldest",
        ("algorithms/test_kernels.py",),
    ),
    Fault(
        "ranktron/core/kernel_rows.py",
        "one.damage[1] += (a * factor + d) * factor",
        "one.damage[1] += a * factor * factor",
        "the Forgetron counts less damage than it does",
        ("algorithms/test_kernels.py", "papers/test_later_oracles.py"),
    ),
    Fault(
        "ranktron/core/moments.py",
        "squares += step * away * (x - mean)",
        "squares += step * away * away",
        "the running variance is too large",
        ("core/test_moments.py", "models/test_scaling.py"),
    ),
    Fault(
        "ranktron/core/moments.py",
        "moments.tally[WEIGHT], moments.tally[NEXT] = old[5, 0], old[5, 1]\n\n\n@standardise.on(CSR)",
        "pass\n\n\n@standardise.on(CSR)",
        "a dense row that is refused counts in the moments of features all the same",
        ("core/test_moments.py", "models/test_scaling.py", "models/test_bad_rows.py"),
    ),
    Fault(
        "ranktron/core/grades.py",
        "grades.weights[grades.by_gain[place]] /= total",
        "pass",
        "SLAM's weights by NDCG are not divided by the ideal DCG",
        LISTS,
    ),
    Fault(
        "ranktron/core/hashed_random.py",
        "np.arange(first, first + len(counts), dtype=np.uint32)",
        "np.arange(len(counts), dtype=np.uint32)",
        "the members of every thread see the same rows as those of the first",
        ("core/test_hashed_random.py", "algorithms/test_oap.py"),
    ),
    Fault(
        "ranktron/core/loops.py",
        "                due = next_calibration_row(decision, age + 1)",
        "                due = next_calibration_row(decision, age + 2)",
        "of the rows that intervals are learned from every second one is left out",
        ("core/test_conformal.py", "models/test_intervals.py"),
    ),
    Fault(
        "ranktron/core/loops.py",
        "loss += 0.0 if math.isnan(value) else 1.0 - value",
        "loss += 1.0 if math.isnan(value) else 1.0 - value",
        "a list without a relevant document counts as a loss of 1",
        ("models/rankers/test_answers.py", "models/rankers/test_grades.py", "algorithms/test_lists_exact.py"),
    ),
    Fault(
        "ranktron/core/native/rows.py",
        "        total += values[p] * (age * w[j0] - lag[j0])\n    return total\n",
        "        total += values[p] * (age * w[j0] + lag[j0])\n    return total\n",
        "compiled code adds what should be taken away, for the last entries of a sparse row",
        ("core/test_rows.py",),
    ),
]
FAULTS = [*RULES, *DECISIONS, *SCORERS]
