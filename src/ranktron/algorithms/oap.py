"""OAP: an ensemble of copies of a ranker, each of which learns from a random part of the stream."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from ..core import hashed_random
from ..core.decisions import FirstUnmet
from ..core.scorers.ensemble import NoLeader, PolledEnsemble, PooledEnsemble, with_stack
from ..core.scorers.lanes import lanes
from ..core.scorers.per_class import PerClass
from ..core.scorers.protocol import hypothesis, without_layout
from ..core.scorers.stack import CORRECT, CORRECTIONS, EQUAL, SCORES, SURVIVAL, VOTES, Stack, stacked, with_reports
from ..core.scorers.thresholded import Thresholded
from ..core.scorers.voted import MEAN, SHARES
from ..models.features import Features
from ..models.kinds.ensemble import Aggregate, one_hypothesis
from ..models.kinds.ordinal import OrdinalModel
from ..models.labels import Labels
from ..models.learners.concurrency import reads
from ..models.learners.ensemble import EnsembleLearner
from ..models.learners.parts import Parts
from ..models.learners.row import RowLearner
from ..models.order import seed_of
from ..models.parameters import choice, estimator_or_none, jobs, seed, share, whole
from .prank import PRank

# Up to this number of columns, divided by the share of the members that learn a row, members are faster as lanes than one by one.
WIDEST_LANES = 200


@dataclass(eq=False, repr=False)
class OAP(Aggregate):
    """Online Aggregate PRank (Harrington 2003): combines many copies of a ranker that each see a random part of the stream.

    Of the papers' algorithms it generalises best without averaging over time; one averaged :class:`PRank` is nearly as good and
    much cheaper. With ``combine="bpm"`` the combination is one direction with thresholds, so it predicts as fast as PRank.

    ``n_updates_`` is the sum over the members, and ``cumulative_loss_`` the loss of the combined prediction. ``coef_`` and
    ``thresholds_`` are the means of the members', which ``predict`` uses with ``"bpm"``. An averaged member is averaged over the
    whole stream, including rows that it does not see.

    Examples
    --------
    >>> from ranktron import OAP
    >>> from ranktron.data import synthetic
    >>> X, y = synthetic.crammer_singer(1_000, seed=1)
    >>> model = OAP(n_members=20).partial_fit(X, y)
    >>> model.coef_.shape, model.members_coef_.shape, model.members_thresholds_.shape
    ((6,), (20, 6), (20, 4))

    References
    ----------
    Harrington, E. F. (2003). Online ranking/collaborative filtering using the perceptron algorithm. ICML.
    """

    estimator: Any = estimator_or_none(
        one_hypothesis,
        "None or an ordinal estimator of one hypothesis, such as PRank()",
        help="""
        The ordinal estimator that is copied; it must have one hypothesis. None is the paper's ``PRank(average=False)``. Only its
        algorithm's parameters and its kernel are used; pass ``classes``, ``epochs`` and the like to OAP itself. With a kernel all
        members share one support and one budget.
        """,
    )
    _: KW_ONLY
    n_members: int = whole(
        100,
        at_least=1,
        at_most=1_000_000,
        is_size=True,
        help="The number N of members. More members give more stable predictions and cost more time and memory.",
    )
    tau: float = share(
        0.3,
        help="The probability τ that a member sees a row. With a smaller one the members differ more and learn more slowly.",
    )
    combine: str = choice(
        "bpm",
        "bagging",
        "voting",
        help="""
        How the members are combined: ``"bpm"`` predicts with the mean of their hypotheses (Algorithm 2, the Bayes point machine),
        ``"bagging"`` with the mean of their ranks, and ``"voting"`` with that mean weighted by votes. Means of ranks are rounded
        to the nearest rank, halves up.
        """,
    )
    votes: str = choice(
        "correct",
        "survival",
        help="""
        The votes of a member with ``combine="voting"``: the number of its rows that it ranked correctly, in all (``"correct"``)
        or since its last update (``"survival"``).
        """,
    )
    sampling: str = choice(
        "bernoulli",
        "poisson",
        help="""
        How often a member sees a row: ``"bernoulli"`` once with probability ``tau``; ``"poisson"`` a Poisson number of times with
        mean 1 (Oza 2001), and ``tau`` has no effect.
        """,
    )
    n_jobs: int | None = jobs(
        help="""
        The number of threads that learn; -1 is one per core, None is 1. The result does not depend on it. With a kernel or
        ``scale`` one thread is used.
        """
    )
    random_state: Any = seed(
        help="""
        The seed of the random choice of rows for each member; None is 0. The choice depends only on the seed and on the numbers
        of the row and the member. It is also the seed of ``shuffle``, whose order differs from run to run with None.
        """
    )

    def _base(self) -> OrdinalModel:
        return PRank(average=False) if self.estimator is None else self.estimator

    @property
    def _averages(self) -> bool:
        return bool(self._base().average)

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        parts = self._member_parts(n_features, n_ranks)
        members = self._members(parts, n_ranks)
        if self.combine != "bpm":
            return parts._replace(scorer=_polled(members, MEAN), decision=FirstUnmet())
        if without_layout(members).report == SCORES:
            return parts._replace(scorer=_polled(members, MEAN))
        return parts._replace(scorer=PooledEnsemble(members, parts.scorer, False, np.zeros(2, np.int64)))

    def _members(self, parts: Parts, n_ranks: int) -> Any:
        share = 1.0 if self.combine != "bpm" or self.sampling == "poisson" else float(self.tau)
        by_lanes = isinstance(parts.scorer, Thresholded) and len(parts.scorer.w) <= WIDEST_LANES * share
        count = int(self.n_members)
        report = CORRECTIONS if isinstance(parts.scorer, Thresholded | PerClass) else SCORES
        stack = Stack(
            copies=stacked(parts.scorer, count, by_lanes),
            decision=parts.decision,
            steps=hashed_random.poisson() if self.sampling == "poisson" else hashed_random.bernoulli(float(self.tau)),
            seed=np.array([seed_of(self.random_state)], np.uint64),
            first=0,
            shown=np.zeros(count, np.uint32),
            right=np.zeros(count, np.int64),
            voice={"correct": CORRECT, "survival": SURVIVAL}[self.votes] if self.combine == "voting" else EQUAL,
            report=report if self.combine == "bpm" else VOTES,
            reports=np.zeros((0, 0, 0)),
            start=np.zeros(1, np.int64),
        )
        stack = with_reports(stack, 1, n_ranks)
        return lanes(stack) if by_lanes else stack

    def _new_learner(self, n_features: int, features: Features, labels: Labels) -> RowLearner:
        return EnsembleLearner(self._calibrated_parts(n_features, len(labels)), features, labels, self._plan())

    def _learn(self, learner: RowLearner, *rows: Any) -> None:
        learner.n_jobs = self.n_jobs  # type: ignore[attr-defined]
        super()._learn(learner, *rows)

    def _voters(self, combine: int) -> PolledEnsemble:
        members = self._learned.scorer.members
        voices = with_reports(without_layout(members)._replace(report=VOTES), 1, len(self._labels))
        return _polled(with_stack(members, voices), combine)

    @reads
    def project(self, X: Any) -> np.ndarray:
        """The projection of every row by the mean rule, or the mean rank by votes: what to sort by."""
        return type(self._base()).project(self, X) if self.combine == "bpm" else super().project(X)

    @reads
    def decision_function(self, X: Any) -> np.ndarray:
        """How far inside the interval of each label a row is, as for the estimator."""
        return type(self._base()).decision_function(self, X) if self.combine == "bpm" else super().decision_function(X)

    @reads
    def predict_proba(self, X: Any) -> np.ndarray:
        """The share of the members' votes that each label gets; the most popular one need not be what ``predict`` says."""
        return self.vote_shares(X)

    @reads
    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """The same for one example, as a mapping from labels."""
        learner = self._learned
        table, _ = learner.features.row(x, self.missing)
        shares = self._polled_table(learner, table, SHARES)
        return dict(zip(learner.labels.names, (shares[0][0] / shares[1]).tolist()))

    # What was learned

    @property
    @reads
    def members_coef_(self) -> np.ndarray:
        """The direction of every member, (N, d); with a kernel, its coefficients, one per row of the support."""
        return self._of_members().coef

    @property
    @reads
    def members_thresholds_(self) -> np.ndarray:
        """The thresholds of every member, (N, k - 1)."""
        return self._of_members().thresholds

    @property
    @reads
    def members_votes_(self) -> np.ndarray:
        """The votes of every member, (N,), counted as ``votes`` says; 1 where they do not vote."""
        stack = without_layout(self._learned.scorer.members)
        return np.ones_like(stack.right) if self.combine != "voting" else stack.right.copy()

    def _of_members(self) -> Any:
        learner = self._learned
        stack = without_layout(learner.scorer.members)
        return learner.in_order(hypothesis(stack, len(learner.labels), learner.age))


def _polled(members: Any, combine: int) -> PolledEnsemble:
    return PolledEnsemble(members, NoLeader(), combine, False, np.zeros(2, np.int64))
