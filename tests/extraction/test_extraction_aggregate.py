"""Numbers worked out by hand, and what each planted error moves: its own metrics by the expected amount, no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.extraction.aggregate import Aggregate, aggregate
from gitops.extraction.metrics import BY_NAME, NAMES, TABLE
from gitops.extraction.model import CaseScore, ClaimStatus, Counts, Faithfulness, RationaleClaim, Scored
from gitops.okf.model import Atom, Bundle, Fault, Sentence
from tests.extraction.atoms_by_hand import atom, bundle, scored

INTAKE = atom("intake", "process", edges=[("owner", "head"), ("uses", "desk"), ("produces", "ticket")])
TRIAGE = atom("triage", "process", edges=[("owner", "head")])
REPAIR = atom("repair", "process")
CARE = atom("care", "workflow", edges=[("stages", "intake"), ("stages", "triage"), ("stages", "repair")])
HEAD, DESK = atom("head"), atom("desk", "system")
TICKET, WHY = atom("ticket", "artifact"), atom("why", "decision")
GOLD = bundle(INTAKE, TRIAGE, REPAIR, CARE, HEAD, DESK, TICKET, WHY)
"""Eight atoms and seven edges, three of which are stages of the one workflow."""
PERFECT = {name: 1.0 for name in NAMES if BY_NAME[name].unit == "share"} | {"graph_errors": 0.0, "graph_warnings": 0.0}
NO_CLAIM = ("faithfulness", "faithfulness_macro")


def claims(**counts: int) -> Faithfulness:
    """So many sentences of each status."""
    statuses: Sequence[ClaimStatus] = ("grounded", "omitted", "fabricated", "unjudged")
    return Faithfulness(
        tuple(
            RationaleClaim(status, Sentence("So it is.", 9), "why", "why.md")
            for status in statuses
            for _ in range(counts.get(status, 0))
        )
    )


def of(*cases: CaseScore) -> Aggregate:
    return aggregate(Scored(cases))


def one(emitted: Bundle, gold: Bundle = GOLD, said: Faithfulness | None = None) -> Aggregate:
    return of(scored(gold, emitted, claims=said))


def without(*ids: str) -> Bundle:
    return bundle(*(each for each in GOLD.atoms if each.id not in ids))


def instead(*atoms: Atom) -> Bundle:
    """The gold with some atoms in the place of those of their ids."""
    new = {each.id: each for each in atoms}
    return bundle(*(new.get(each.id, each) for each in GOLD.atoms))


def moved(found: Aggregate) -> dict[str, float | None]:
    """What is not as it is of a perfect extraction; the means, which of one case are the same, left out."""
    names = [name for name in NAMES if not name.endswith("_macro")]
    assert all(found.value(f"{name}_macro") == found.value(name) for name in names if f"{name}_macro" in NAMES)
    return {name: found.value(name) for name in names if found.value(name) != PERFECT[name]}


def both(**numbers: float) -> dict[str, float | None]:
    """Numbers that the strict variant has too."""
    return {**numbers, **{f"{name}_strict": number for name, number in numbers.items() if f"{name}_strict" in NAMES}}


def approx(numbers: Mapping[str, float | None]) -> Mapping[str, object]:
    return {name: None if number is None else pytest.approx(number) for name, number in numbers.items()}


def test_of_no_case_nothing_is_measured() -> None:
    found = of()
    assert set(found.values) == set(NAMES)
    assert [found.value(name) for name in NAMES] == [None] * len(NAMES)
    assert [found.n(name) for name in NAMES] == [0] * len(NAMES)


def test_the_gold_itself_is_perfect() -> None:
    assert moved(one(GOLD, said=claims(grounded=2))) == {}


def test_an_atom_dropped_moves_recall_and_f1() -> None:
    """7 of 8 found: R 7/8, F1 14/15. It has no edge, so that no edge is missed with it."""
    assert moved(one(without("why"), said=claims(grounded=1))) == approx(both(atom_recall=7 / 8, atom_f1=14 / 15))


def test_an_atom_dropped_with_its_edges_moves_those_too_and_edges_to_it_are_still_right() -> None:
    """`triage` has one edge of seven; the stage that leads to it names it, and now dangles."""
    expected = both(atom_recall=7 / 8, atom_f1=14 / 15, edge_recall=6 / 7, edge_f1=12 / 13) | {"graph_errors": 1}
    assert moved(one(without("triage"), said=claims(grounded=1))) == approx(expected)


def test_an_atom_invented_moves_precision_and_f1() -> None:
    """8 of 9 right: P 8/9, F1 16/17."""
    found = one(bundle(*GOLD.atoms, atom("ghost")), said=claims(grounded=1))
    assert moved(found) == approx(both(atom_precision=8 / 9, atom_f1=16 / 17))


def test_a_type_swapped_moves_type_accuracy() -> None:
    found = one(instead(replace(HEAD, type="system")), said=claims(grounded=1))
    assert moved(found) == approx(both(type_accuracy=7 / 8))
    assert (found.by_type["atoms"]["role"], found.by_type["atoms"]["system"]) == (Counts(0, 0, 1), Counts(1, 1, 0))


def test_an_edge_reversed_moves_the_edges() -> None:
    """6 of 7 edges are right, and one is too many: P, R and F1 6/7."""
    turned = instead(replace(TRIAGE, edges=()), atom("head", edges=[("owner", "triage")]))
    expected = both(edge_precision=6 / 7, edge_recall=6 / 7, edge_f1=6 / 7)
    assert moved(one(turned, said=claims(grounded=1))) == approx(expected)


def test_an_edge_dropped_and_one_invented_move_recall_or_precision() -> None:
    fewer = instead(replace(TRIAGE, edges=()))
    assert moved(one(fewer, said=claims(grounded=1))) == approx(both(edge_recall=6 / 7, edge_f1=12 / 13))
    more = instead(atom("repair", "process", edges=[("owner", "head")]))
    assert moved(one(more, said=claims(grounded=1))) == approx(both(edge_precision=7 / 8, edge_f1=14 / 15))


def test_two_stages_exchanged_move_the_stages_and_with_them_the_edges() -> None:
    """LCS 2 of 3: one stage is missed and one too many, so 6 of 7 edges; 2 · 2 / (3 + 3)."""
    first, second, third = CARE.edges
    expected = both(edge_precision=6 / 7, edge_recall=6 / 7, edge_f1=6 / 7, stages_exact=0, stages_lcs=2 / 3)
    found = one(instead(replace(CARE, edges=(second, first, third))), said=claims(grounded=1))
    assert moved(found) == approx(expected)
    assert found.counts("stages_lcs") == {"common": 2, "gold": 3, "extracted": 3}


def test_another_spelling_of_an_id_and_another_title_move_the_strict_ones_alone() -> None:
    """`Head` is no `head`, letter for letter: 7 of 8 atoms, and 5 of 7 edges."""
    intake = atom("intake", "process", edges=[("owner", "Head"), ("uses", "desk"), ("produces", "ticket")])
    triage = atom("triage", "process", edges=[("owner", "Head")])
    respelled = bundle(*without("intake", "triage", "head").atoms, intake, triage, atom("Head", title="Chief"))
    atoms = dict.fromkeys(("atom_precision_strict", "atom_recall_strict", "atom_f1_strict"), 7 / 8)
    edges = dict.fromkeys(("edge_precision_strict", "edge_recall_strict", "edge_f1_strict"), 5 / 7)
    assert moved(one(respelled, said=claims(grounded=1))) == approx(atoms | edges)


def test_a_reason_made_up_and_one_left_out_move_faithfulness() -> None:
    assert moved(one(GOLD, said=claims(grounded=3, fabricated=1))) == {"faithfulness": 3 / 4}
    assert moved(one(GOLD, said=claims(grounded=2, omitted=1))) == {"faithfulness": pytest.approx(2 / 3)}


def test_what_nobody_could_judge_counts_as_nothing_until_it_is_the_most() -> None:
    assert one(GOLD, said=claims(grounded=1, fabricated=1, unjudged=2)).value("faithfulness") == 1 / 2
    found = one(GOLD, said=claims(grounded=1, fabricated=1, unjudged=3))
    assert (found.value("faithfulness"), found.value("faithfulness_macro"), found.n("faithfulness")) == (None, None, 2)
    assert found.counts("faithfulness") == {"grounded": 1, "fabricated": 1, "omitted": 0, "unjudged": 3}


def test_files_that_hold_no_valid_atom_move_validity() -> None:
    wrong = Fault("profile", "error", "no_title", "it has no title", "why.md")
    broken = instead(
        replace(WHY, faults=(wrong, replace(wrong, level="note"))),
        replace(HEAD, faults=(replace(wrong, level="warning"),)),
    )
    assert moved(one(broken, said=claims(grounded=1))) == approx({"validity": 7 / 8})
    unread = replace(GOLD, unread=("notes.md", "more.md"))
    assert moved(one(unread, said=claims(grounded=1))) == approx({"validity": 8 / 10})


def test_errors_of_the_graph_and_warnings_are_counted_apart() -> None:
    orphan = one(bundle(*GOLD.atoms, atom("log", "artifact")), said=claims(grounded=1))
    assert (orphan.value("graph_errors"), orphan.value("graph_warnings")) == (0, 1)
    itself = one(instead(atom("repair", "process", edges=[("uses", "repair")])), said=claims(grounded=1))
    assert (itself.value("graph_errors"), itself.n("graph_errors"), itself.counts("graph_errors")) == (
        1,
        8,
        {"faults": 1, "atoms": 8},
    )


def test_a_case_with_nothing_in_it_counts_in_no_mean_but_what_is_invented_there_counts_in_the_pool() -> None:
    full, empty = scored(GOLD, GOLD, "full"), scored(bundle(), bundle(), "empty")
    found = of(full, empty)
    assert (found.value("atom_f1"), found.value("atom_f1_macro"), found.n("atom_f1_macro")) == (1, 1, 1)
    assert found.by_case["empty"]["atom_f1"] is None
    invented = of(full, scored(bundle(), bundle(atom("ghost")), "empty"))
    assert invented.value("atom_precision") == pytest.approx(8 / 9)
    assert invented.value("atom_f1") == pytest.approx(16 / 17)
    # F1 of the case is 0 now, and its recall still a share of nothing.
    assert (invented.value("atom_f1_macro"), invented.value("atom_recall_macro")) == (1 / 2, 1)


def test_where_nothing_was_extracted_all_is_missed_and_the_rest_not_measured() -> None:
    found = one(bundle())
    assert (found.value("atom_recall"), found.value("atom_f1"), found.value("edge_f1")) == (0, 0, 0)
    assert (found.value("stages_exact"), found.value("stages_lcs")) == (0, 0)
    unmeasured = ("atom_precision", "type_accuracy", "edge_precision", "validity", "graph_errors", "faithfulness")
    assert [found.value(name) for name in unmeasured] == [None] * len(unmeasured)


def test_micro_pools_and_macro_shows_the_single_bad_case() -> None:
    """8 of 8 and 0 of 2: pooled 16/18, on average 1/2."""
    pair = bundle(atom("a"), atom("b"))
    found = of(scored(GOLD, GOLD, "good"), scored(pair, bundle(), "bad"))
    assert found.value("atom_f1") == pytest.approx(16 / 18)
    assert found.value("atom_f1_macro") == 1 / 2
    assert (found.n("atom_f1"), found.n("atom_f1_macro"), found.counts("atom_f1_macro")) == (10, 2, {"cases": 2})
    assert (found.by_case["good"]["atom_f1"], found.by_case["bad"]["atom_f1"]) == (1, 0)
    assert found.counts("atom_f1") == {"tp": 8, "fp": 0, "fn": 2}


def test_types_are_counted_apart_and_those_that_are_none_of_ours_together() -> None:
    found = one(bundle(*without("why").atoms, atom("x", "team"), atom("y", "squad")))
    assert list(found.by_type["atoms"]) == ["process", "role", "system", "workflow", "decision", "artifact", "other"]
    assert (found.by_type["atoms"]["process"], found.by_type["atoms"]["decision"]) == (Counts(3), Counts(0, 0, 1))
    assert found.by_type["atoms"]["other"] == Counts(0, 2, 0)
    assert (found.by_type["edges"]["owner"], found.by_type["edges"]["stages"]) == (Counts(2), Counts(3))
    assert "other" not in one(GOLD).by_type["atoms"]


def test_samples_say_what_each_case_adds() -> None:
    found = of(scored(GOLD, without("why"), "a", claims(grounded=1)), scored(bundle(), bundle(), "b"))
    added = {name: [each[name] for each in found.samples.values()] for name in NAMES}
    assert list(found.samples) == ["a", "b"]
    assert added["atom_f1"] == [(14, 15), (0, 0)]
    assert added["atom_f1_macro"] == [(14 / 15, 1), (0, 0)]
    assert added["graph_errors"] == [(0, 1), (0, 1)]


atoms = st.lists(
    st.tuples(
        st.sampled_from("abcd"),
        st.sampled_from(["role", "workflow", "artifact", "team"]),
        st.lists(st.tuples(st.sampled_from(["owner", "stages", "produces"]), st.sampled_from("abcx")), max_size=3),
    ),
    max_size=4,
).map(lambda every: bundle(*(atom(id, type, edges=some, path=f"{at}.md") for at, (id, type, some) in enumerate(every))))
judged = st.builds(claims, grounded=st.integers(0, 2), omitted=st.integers(0, 2), unjudged=st.integers(0, 2))
cases = st.lists(st.tuples(atoms, atoms, judged), max_size=4).map(
    lambda every: [scored(gold, emitted, f"case{at}", said) for at, (gold, emitted, said) in enumerate(every)]
)


@pytest.mark.slow
@settings(deadline=None)
@given(cases)
def test_every_number_is_the_ratio_of_the_sums_of_its_samples(every: list[CaseScore]) -> None:
    found = of(*every)
    for metric in TABLE:
        above, below = (sum(each[metric.name][at] for each in found.samples.values()) for at in (0, 1))
        number = found.value(metric.name)
        if number is None:
            assert found.n(metric.name) == 0 or metric.base == "faithfulness"
        else:
            assert number == pytest.approx(above if metric.unit == "faults" else above / below)
            assert 0 <= number <= (1 if metric.unit == "share" else number)


@pytest.mark.slow
@settings(deadline=None)
@given(cases)
def test_the_order_of_the_cases_changes_no_number(every: list[CaseScore]) -> None:
    found, turned = of(*every), of(*every[::-1])
    assert (found.values, found.by_case, found.samples) == (turned.values, turned.by_case, turned.samples)
    assert [found.n(name) for name in NAMES] == [turned.n(name) for name in NAMES]
