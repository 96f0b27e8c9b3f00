from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.extraction.edges import score
from gitops.extraction.matching import match
from gitops.extraction.model import VARIANTS, Counts, EdgeScore, Link, Stages, Variant
from gitops.okf.model import EDGE_TYPES, Atom, Bundle
from tests.extraction.atoms_by_hand import atom, bundle

HEAD, SHOP = atom("head"), atom("shop", "system")


def edges(gold: Bundle, emitted: Bundle, variant: Variant = "canonical") -> EdgeScore:
    return score(gold, emitted, match(gold, emitted, variant), variant)


def with_edges(*pairs: tuple[str, str]) -> Bundle:
    return bundle(atom("p", "process", edges=pairs), HEAD, SHOP)


def stages(*targets: str) -> Bundle:
    return bundle(atom("w", "workflow", edges=[("stages", to) for to in targets]), *(atom(to) for to in "abcd"))


def test_without_edges_every_type_is_there_with_nothing() -> None:
    found = edges(bundle(), bundle())
    assert list(found.by_type) == list(EDGE_TYPES)
    assert (found.counts, found.counts.f1, found.stages) == (Counts(), None, ())


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_missing_edge_and_one_too_many_are_told_with_their_places(variant: Variant) -> None:
    gold = with_edges(("owner", "head"), ("uses", "shop"))
    found = edges(gold, with_edges(("owner", "head"), ("produces", "shop")), variant)
    assert found.counts == Counts(1, 1, 1)
    assert found.missed == (Link("p", "uses", "shop", "p.md", 6),)
    assert found.spurious == (Link("p", "produces", "shop", "p.md", 6),)


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_edge_the_other_way_round_is_one_missed_and_one_too_many(variant: Variant) -> None:
    gold = with_edges(("owner", "head"))
    turned = bundle(atom("p", "process"), atom("head", edges=[("owner", "p")]), SHOP)
    assert edges(gold, turned, variant).by_type["owner"] == Counts(0, 1, 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_sets_have_no_order_and_what_is_written_twice_counts_once(variant: Variant) -> None:
    gold = with_edges(("owner", "head"), ("uses", "shop"))
    assert edges(gold, with_edges(("uses", "shop"), ("owner", "head"), ("uses", "shop")), variant).counts == Counts(2)


def test_an_edge_of_no_known_type_is_none() -> None:
    assert edges(with_edges(("owner", "head")), with_edges(("owned_by", "head"))).counts == Counts(0, 0, 1)


def test_atoms_that_were_matched_are_the_golds_whatever_they_are_called() -> None:
    gold = with_edges(("owner", "head"))
    emitted = bundle(atom("p1", "process", "P", edges=[("owner", "boss")]), atom("boss", title="HEAD"))
    assert edges(gold, emitted).counts == Counts(1)
    assert edges(gold, emitted, "strict").counts == Counts(0, 1, 1)


def test_a_target_that_was_not_extracted_is_the_golds_of_that_name() -> None:
    gold = with_edges(("owner", "head"), ("uses", "shop"))
    for target in ("head", "Head", "roles/head.md", "role-head"):
        emitted = bundle(atom("p", "process", edges=[("owner", target)]))
        assert edges(gold, emitted).by_type["owner"] == Counts(1), target
        assert edges(gold, emitted, "strict").by_type["owner"].tp == (target == "head")


def test_a_target_that_nobody_knows_is_an_edge_too_many() -> None:
    found = edges(with_edges(("owner", "head")), with_edges(("owner", "nobody")))
    assert (found.counts, found.spurious[0].target) == (Counts(0, 1, 1), "nobody")


def test_a_target_is_found_by_its_path() -> None:
    role = atom("head", path="roles/head-of-all.md")
    gold = bundle(atom("p", "process", edges=[("owner", "head")]), role)
    for target in ("/roles/head-of-all.md", "roles/head-of-all.md", "roles/head-of-all"):
        emitted = bundle(atom("p", "process", edges=[("owner", target)]), role)
        for variant in VARIANTS:
            assert edges(gold, emitted, variant).counts == Counts(1), (target, variant)


def test_an_atom_that_is_spurious_is_nothing_that_the_gold_has() -> None:
    """Only its words are: of two that could be it, the other was matched."""
    gold = bundle(atom("role-a", "role"), atom("p", "process", edges=[("owner", "role-a")]))
    emitted = bundle(
        atom("a", "role"), atom("role-a", "system"), atom("p", "process", edges=[("owner", "role-a"), ("uses", "x")])
    )
    found = edges(gold, emitted)
    assert match(gold, emitted, "canonical").spurious[0].type == "system"
    assert found.by_type["owner"] == Counts(0, 1, 1)
    assert found.spurious[0].target == "role-a (extracted)"


def test_a_spurious_file_whose_id_is_that_of_a_matched_one_is_the_same_end() -> None:
    gold = with_edges(("owner", "head"))
    for id in ("head", "Head", "roles/head.md"):
        emitted = bundle(atom("p", "process", edges=[("owner", id)]), HEAD, SHOP, atom(id, title="Else", path="z.md"))
        assert [left.path for left in match(gold, emitted, "canonical").spurious] == ["z.md"]
        assert edges(gold, emitted).counts == Counts(1), id


def test_a_target_in_another_spelling_than_its_atoms_id_is_another_letter_for_letter() -> None:
    gold = with_edges(("owner", "head"))
    assert edges(gold, with_edges(("owner", "Head"))).counts == Counts(1)
    assert edges(gold, with_edges(("owner", "Head")), "strict").counts == Counts(0, 1, 1)


def test_of_files_of_one_id_that_were_matched_the_first_says_what_another_of_it_is() -> None:
    gold = bundle(atom("a", edges=[("owner", "x")]), atom("b", title="Else"), atom("x"))
    three = (atom("a", path="1.md"), atom("a", title="Else", path="2.md"))
    emitted = bundle(*three, atom("a", title="More", path="3.md", edges=[("owner", "x")]), atom("x"))
    assert edges(gold, emitted).counts == Counts(1)


def test_the_stages_that_count_are_those_of_the_file_that_was_matched() -> None:
    gold = stages("a", "b")
    other = atom("w", "process", path="0.md", edges=[("stages", "b"), ("stages", "a")])
    for variant in VARIANTS:
        found = edges(gold, bundle(other, *gold.atoms), variant)
        assert found.stages == (Stages("w", ("a", "b"), ("a", "b"), 2), Stages("w", (), ("b", "a"), 0))


def test_a_file_that_is_there_twice_adds_no_edge() -> None:
    gold = with_edges(("owner", "head"), ("stages", "shop"))
    process = gold.atoms[0]
    twice = bundle(*gold.atoms, atom("p", "process", path="again.md", edges=[("owner", "head"), ("stages", "shop")]))
    for variant in VARIANTS:
        found = edges(gold, twice, variant)
        assert (found.counts, len(found.stages)) == (Counts(2), 1), variant
    other = bundle(*gold.atoms, atom(process.id, "process", path="z.md", edges=[("stages", "head")]))
    assert edges(gold, other).stages == (Stages("p", ("shop",), ("shop",), 1), Stages("p", (), ("head",), 0))


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_stages_exchanged_are_one_missed_and_one_too_many(variant: Variant) -> None:
    found = edges(stages("a", "b", "c", "d"), stages("a", "c", "b", "d"), variant)
    assert found.by_type["stages"] == found.counts == Counts(3, 1, 1)
    assert found.stages == (Stages("w", ("a", "b", "c", "d"), ("a", "c", "b", "d"), 3),)
    assert not found.stages[0].is_exact
    assert found.missed[0].target == found.spurious[0].target


def test_a_stage_that_is_repeated_counts_as_often_as_it_stands() -> None:
    assert edges(stages("a", "b"), stages("a", "b", "a")).counts == Counts(2, 1, 0)


def test_stages_of_one_side_alone_are_a_workflow_that_is_not_exact() -> None:
    none = stages()
    assert edges(stages("a", "b"), none).stages == (Stages("w", ("a", "b"), (), 0),)
    found = edges(none, stages("a", "b"))
    assert (found.counts, found.stages) == (Counts(0, 2, 0), (Stages("w", (), ("a", "b"), 0),))


def test_stages_are_told_by_the_golds_ids() -> None:
    emitted = bundle(
        atom("w", "workflow", edges=[("stages", "first"), ("stages", "extra")]), atom("first", title="A"), atom("extra")
    )
    assert edges(stages("a", "b"), emitted).stages == (Stages("w", ("a", "b"), ("a", "extra"), 1),)


names = st.sampled_from(["a", "b", "Roles/A.md", "c"])
made = st.lists(
    st.tuples(
        names,
        st.sampled_from(["role", "workflow"]),
        st.lists(st.tuples(st.sampled_from(EDGE_TYPES), names), max_size=4),
    ),
    max_size=5,
).map(lambda every: bundle(*(atom(id, type, edges=some, path=f"{at}.md") for at, (id, type, some) in enumerate(every))))


@pytest.mark.slow
@settings(deadline=None)
@given(made, made, st.sampled_from(VARIANTS))
def test_the_order_of_files_and_of_edges_changes_nothing(gold: Bundle, emitted: Bundle, variant: Variant) -> None:
    turned = edges(bundle(*gold.atoms[::-1]), bundle(*map(_turned, emitted.atoms[::-1])), variant)
    found = edges(gold, emitted, variant)
    assert turned.by_type == found.by_type
    assert sorted(turned.stages, key=repr) == sorted(found.stages, key=repr)
    assert {(link.source, link.rel, link.target) for link in turned.missed} == {
        (link.source, link.rel, link.target) for link in found.missed
    }


def _turned(one: Atom) -> Atom:
    """Its edges the other way round, but for the stages, whose order is what they say."""
    sets = [edge for edge in one.edges if edge.rel != "stages"]
    path = [edge for edge in one.edges if edge.rel == "stages"]
    return Atom(one.id, one.type, one.title, one.path, (*path, *sets[::-1]))


@pytest.mark.slow
@settings(deadline=None)
@given(made, made, st.sampled_from(VARIANTS))
def test_counts_are_those_of_what_is_told(gold: Bundle, emitted: Bundle, variant: Variant) -> None:
    found = edges(gold, emitted, variant)
    assert (len(found.missed), len(found.spurious)) == (found.counts.fn, found.counts.fp)
    assert found.by_type["stages"].tp == sum(one.common for one in found.stages)


@pytest.mark.slow
@settings(deadline=None)
@given(made, st.sampled_from(VARIANTS))
def test_the_gold_itself_is_right_where_its_ids_are_its_own(gold: Bundle, variant: Variant) -> None:
    ids = {"a": 1, "roles/a.md": 1, "b": 2, "c": 3}
    first = {ids[one.id.lower()]: one for one in reversed(gold.atoms)}
    own = bundle(*first.values())
    found = edges(own, own, variant)
    assert (found.counts.fp, found.counts.fn) == (0, 0)
    assert all(one.is_exact for one in found.stages)
