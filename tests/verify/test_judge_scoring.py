"""Balanced accuracy, AUROC and calibration, held against scikit-learn where it knows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from gitops.verify.judge_scoring import Scored, auroc, balanced_accuracy, calibration_error, figures

CASES = st.lists(
    st.builds(Scored, st.booleans(), st.booleans(), st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0])), max_size=40
)


def test_of_one_side_alone_nothing_is_told() -> None:
    cases = [Scored(True, True, 0.9)]
    assert balanced_accuracy(cases) is None
    assert auroc(cases) is None
    assert calibration_error([]) is None
    assert figures([])["auroc"].interval is None


@given(CASES.filter(lambda cases: {case.label for case in cases} == {True, False}))
@pytest.mark.slow
def test_they_are_what_scikit_learn_says(cases: list[Scored]) -> None:
    labels = [case.label for case in cases]
    assert auroc(cases) == pytest.approx(roc_auc_score(labels, [case.probability for case in cases]))
    assert balanced_accuracy(cases) == pytest.approx(balanced_accuracy_score(labels, [case.vote for case in cases]))


def test_calibration_is_the_gap_between_what_is_said_and_what_is_so() -> None:
    assert calibration_error([Scored(True, True, 0.75)] * 3 + [Scored(False, True, 0.75)]) == pytest.approx(0.0)
    assert calibration_error([Scored(False, True, 0.75)] * 4) == pytest.approx(0.75)


def test_the_interval_holds_the_figure_and_is_the_same_again() -> None:
    cases = [Scored(number % 3 == 0, number % 4 == 0, number % 10 / 10) for number in range(120)]
    told = figures(cases, 200)
    assert told == figures(cases, 200)
    for figure in told.values():
        assert figure.value is not None
        assert figure.interval is not None
        assert figure.interval[0] < figure.interval[1]
