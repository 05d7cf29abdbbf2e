"""The constants of aggregates: with them, directions and thresholds say what the mean rule predicts."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron import OAP, MulticlassPerceptron, PRank, Voted, WidrowHoff

from ..family import stream


def test_the_mean_of_widrow_hoffs_projects_with_its_constant() -> None:
    X, y = stream(80)
    model = OAP(estimator=WidrowHoff(step=0.05, fit_intercept=True, average=False), n_members=7).fit(X, y)
    assert isinstance(model.intercept_, float)
    np.testing.assert_allclose(model.project(X), X @ model.coef_ + model.intercept_, rtol=1e-9)


def test_the_mean_of_multiclass_perceptrons_scores_with_its_constants() -> None:
    X, y = stream(80)
    model = OAP(estimator=MulticlassPerceptron(fit_intercept=True, average=False), n_members=7).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), X @ model.coef_.T + model.intercept_, rtol=1e-9, atol=1e-12)
    assert (OAP(estimator=MulticlassPerceptron(), n_members=2).fit(X, y).intercept_ == 0.0).all()


def test_a_vote_of_one_has_the_constant_of_its_hypothesis() -> None:
    X, y = stream(80)
    model = Voted(estimator=WidrowHoff(step=0.05, fit_intercept=True), limit=1).fit(X, y)
    last = WidrowHoff(step=0.05, fit_intercept=True, average=False).fit(X, y)
    assert model.intercept_ == pytest.approx(last.intercept_)


@pytest.mark.parametrize("kind", [OAP, Voted])
def test_without_a_constant_there_is_none(kind: type) -> None:
    X, y = stream(80)
    assert not hasattr(kind(estimator=PRank()).fit(X, y), "intercept_")
