"""Training: planted errors are errors, folds part no group, and a gate asks what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks import judge_rate
from benchmarks.judge import fitting, gating, labelled, mutants, planting, tables
from benchmarks.judge.labelled import Claim
from benchmarks.timing import Options
from gitops.errors import CannotRun

CLAIMS = [
    Claim("made", f"c{number}", claim, source, label, number // 2)
    for number, (claim, label, source) in enumerate(
        [
            ("Ships of the line were built in 1805.", "supports", "Ships of the line were built in 1805 by Nelson."),
            ("Nobody was there to see it burn.", "does_not_support", "Ships of the line were built in 1805 by Nelson."),
            ("Some of the walls are high.", "supports", "Some of the walls are high, some are low."),
            ("All of the doors are open.", "does_not_support", "Some of the walls are high, some are low."),
        ]
        * 10
    )
]


def test_a_folder_without_claims_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match=r"wice-dev\.jsonl"):
        labelled.claims(tmp_path)


@pytest.mark.parametrize("plant", planting.PLANTS)
def test_what_is_planted_changes_the_claim_or_nothing(plant: object) -> None:
    assert callable(plant)
    for claim in CLAIMS:
        assert plant(claim.claim, claim) != claim.claim


def test_an_error_is_planted_in_supported_claims_alone() -> None:
    made = list(planting.planted(CLAIMS))
    assert {each.label for each in made} == {"supports", "does_not_support"} or {each.label for each in made} == {
        "does_not_support"
    }
    assert made == list(planting.planted(CLAIMS))


def test_no_fold_parts_what_shares_a_source() -> None:
    table = tables.of_claims(CLAIMS)
    for train, test in fitting.folds(table, 4, 0):
        assert not set(table.groups[train]) & set(table.groups[test])


def test_what_speaks_against_never_speaks_for() -> None:
    table = tables.of_claims([*CLAIMS, *planting.planted(CLAIMS)])
    fitted = fitting.fit(table, 0.1)
    for name in table.against:
        weight = fitted.weights[name]
        assert isinstance(weight, float)
        assert weight <= 0
    assert fitted.sums(table).shape == table.truth.shape
    assert np.isfinite(fitted.sums(table)).all()


def test_a_gate_stands_where_enough_votes_are_right() -> None:
    confidence = [0.9, 0.8, 0.7, 0.6]
    assert fitting.precise_from(confidence, [True, True, False, True], 0.95, 1) == 0.8
    assert fitting.precise_from(confidence, [False, True, True, True], 0.95, 1) is None
    assert fitting.precise_from(confidence, [True] * 4, 0.95, 5) is None


SENTENCES = [
    Claim(
        "made",
        f"s{number}",
        f"The tower of Leeds was {10 + number} metres high in {1900 + number} and all of its bells were rung.",
        f"The tower of Leeds was {10 + number} metres high in {1900 + number} and all of its bells were rung. "
        f"Many people of York never heard of it.",
        "supports",
        number,
        f"The tower of Leeds was {10 + number} metres high in {1900 + number} and all of its bells were rung.",
    )
    for number in range(60)
]


def test_a_mutant_differs_from_its_sentence_and_is_the_same_every_time() -> None:
    made = list(mutants.cases(SENTENCES))
    assert made == list(mutants.cases(SENTENCES))
    true = {case.question.claim for case in made if case.kind == mutants.CONTROL}
    wrong = [case for case in made if case.kind not in (mutants.CONTROL, mutants.SWAPPED)]
    assert {case.kind for case in wrong} >= {"number", "unit", "date", "negation", "quantifier"}
    assert all(case.question.claim not in true for case in wrong)


@pytest.mark.parametrize("kind", mutants.MUTATIONS)
def test_no_mutant_is_made_where_there_is_no_place_for_it(kind: str) -> None:
    assert mutants.MUTATIONS[kind]("Boats row", "Boats row", []) == ""


def test_a_kind_gates_only_where_it_is_precise_and_spares_what_is_true() -> None:
    def cases(wrong: int, true: int) -> list[gating.Seen]:
        told = [(True, {"date": 0.9})] * wrong + [(False, {"date": 0.7})] * true + [(False, {})] * 2000
        return [gating.Seen("made", "readers", is_wrong, at, found) for at, (is_wrong, found) in enumerate(told)]

    assert gating.levels(cases(19, 0))["date"] is None  # too few
    assert gating.levels(cases(40, 0))["date"] == 0.6
    assert gating.levels(cases(200, 5))["date"] == 0.75  # below, it refuses too much that is true
    assert gating.levels(cases(200, 5))["name"] is None


@pytest.mark.slow
def test_what_is_planted_is_refused_across_folds_and_its_sentences_are_not() -> None:
    seen = gating.seen(SENTENCES)
    measured = gating.cross_validated(seen)
    assert measured["by error"]["control, claims"]["hits"] == 0
    assert measured["by error"]["date, claims"]["share"] > 0.9
    gates = gating.gates(seen, measured)
    assert gates["date"] is not None
    assert 0.95 <= gates["date"]["precision"] < 1
    assert gates["hedge"] is None


def test_the_rate_is_measured_over_sources_of_their_own(tmp_path: Path) -> None:
    [ratio] = judge_rate.run(Options(tmp_path, rounds=1, scale=0.01))
    assert ratio.size == 6
    asked = judge_rate.questions(6)
    assert len({question.source for question in asked}) == 6
    assert all(5_000 <= len(question.source) < 5_600 for question in asked)
