from __future__ import annotations

from itertools import pairwise

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.metrics import log_loss as their_log_loss

from gitops.eviction import predicting, trying
from gitops.eviction.features import Row, first_seen, rows
from gitops.eviction.heuristic import BUILT_IN, Weights
from gitops.eviction.predicting import auroc, bands, brier, log_loss, measured
from gitops.eviction.simulating import RETURNING
from tests.eviction.resolutions import candidate, many, resolved

SCORED = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5001, 0.9, 1.0]), st.booleans()), min_size=2)


@given(SCORED)
def test_the_measures_are_those_of_scikit_learn_ties_and_all(scored: list[tuple[float, bool]]) -> None:
    scores, labels = [score for score, _ in scored], [label for _, label in scored]
    if len(set(labels)) == 1:
        assert auroc(scores, labels) is None
    else:
        assert auroc(scores, labels) == pytest.approx(roc_auc_score(labels, scores))
    assert brier(scores, labels) == pytest.approx(brier_score_loss(labels, scores))
    clipped = numpy.clip(scores, 1e-6, 1 - 1e-6)
    assert log_loss(scores, labels) == pytest.approx(their_log_loss(labels, clipped, labels=[False, True]))


def learned_from() -> list[Row]:
    return first_seen(rows(trying.feedback(RETURNING, range(5))))


def test_weights_that_foretell_as_well_differ_by_nothing() -> None:
    for one in measured(learned_from(), BUILT_IN, BUILT_IN):
        assert (one.difference, one.interval, one.reading) == (0, None, "no_difference_shown")


@pytest.mark.slow
def test_weights_that_have_it_the_wrong_way_round_are_worse_in_everything() -> None:
    turned = Weights.of({name: -value for name, value in BUILT_IN.named().items()})
    found = {one.name: one for one in measured(learned_from(), BUILT_IN, turned)}
    assert {name: one.reading for name, one in found.items()} == dict.fromkeys(predicting.NAMES, "worse")
    one = found["auroc"]
    assert one.before is not None
    assert one.after == pytest.approx(1 - one.before)
    assert one.interval is not None
    assert one.interval[1] < 0


def test_where_all_were_kept_back_nothing_ranks() -> None:
    found = {one.name: one for one in measured(rows(many(10, 10)), BUILT_IN, BUILT_IN)}
    assert (found["auroc"].before, found["auroc"].reading) == (None, "no_difference_shown")
    assert found["brier"].before is not None


def test_bands_hold_about_as_many_each_and_never_part_what_scores_alike() -> None:
    found = bands(learned_from(), BUILT_IN)
    counts = [band.n for band in found]
    assert len(found) == 5
    assert max(counts) - min(counts) <= max(counts) // 5
    assert all(one.high <= other.low for one, other in pairwise(found))
    alike = rows([resolved([candidate(f"{at}") for at in range(9)], ["1", "2"])])
    [only] = bands(alike, BUILT_IN)
    assert (only.n, only.low) == (9, only.high)
    assert only.observed == pytest.approx(2 / 9)
