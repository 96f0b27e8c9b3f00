"""Edges told together: each that is wrong is told once, in words that say what stands in its place."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.extraction.mislinked import mislinked
from gitops.extraction.model import EdgeScore, Link, Stages


def lost(source: str, rel: str, target: str, line: int = 1) -> Link:
    return Link(source, rel, target, f"gold/{source}.md", line)


def extra(source: str, rel: str, target: str, line: int = 2) -> Link:
    return Link(source, rel, target, f"out/{source}.md", line)


@pytest.mark.parametrize(
    ("gone", "more", "told"),
    [
        (("a", "uses", "b"), ("b", "uses", "a"), "a uses b was extracted the other way round: b uses a"),
        (("a", "uses", "b"), ("a", "owner", "b"), "a uses b was extracted as owner"),
        (("a", "uses", "b"), ("a", "uses", "c"), "a uses b was extracted as leading to c"),
    ],
)
def test_one_edge_in_the_place_of_another_is_one_mistake_with_both_places(
    gone: tuple[str, str, str], more: tuple[str, str, str], told: str
) -> None:
    [one] = mislinked(EdgeScore({}, (lost(*gone),), (extra(*more),)))
    assert (one.what, one.gold, one.gold_line) == (told, "gold/a.md", 1)
    assert (one.path, one.line) == (f"out/{more[0]}.md", 2)


def test_edges_of_atoms_that_are_wrong_themselves_are_told_with_these() -> None:
    score = EdgeScore({}, (lost("a", "uses", "b"), lost("c", "uses", "d")), (extra("e", "uses", "f"),))
    assert [one.what for one in mislinked(score, {"a"}, {"out/e.md"})] == ["c uses d was not extracted"]


def test_stages_are_told_as_sequences_with_the_first_place_of_each() -> None:
    stages = (Stages("w", ("a", "b"), ("b", "a"), 1), Stages("v", ("a",), (), 0), Stages("u", ("a",), ("a",), 1))
    score = EdgeScore(
        {}, (lost("w", "stages", "b", 7), lost("v", "stages", "a")), (extra("w", "stages", "a", 9),), stages
    )
    first, second = mislinked(score)
    assert first.what == "w: stages b → a were extracted, the gold has a → b"
    assert (first.path, first.line, first.gold, first.gold_line) == ("out/w.md", 9, "gold/w.md", 7)
    assert second.what == "v: no stages were extracted, the gold has a"


EDGES = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["uses", "owner"]), st.sampled_from("abcd")), unique=True
)


@given(EDGES, EDGES)
def test_each_edge_is_told_exactly_once(gone: list[tuple[str, str, str]], more: list[tuple[str, str, str]]) -> None:
    missed = tuple(lost(*edge) for edge in gone if edge not in more)
    spurious = tuple(extra(*edge) for edge in more if edge not in gone)
    found = mislinked(EdgeScore({}, missed, spurious))
    paired = sum(bool(one.path) and bool(one.gold) for one in found)
    assert len(found) + paired == len(missed) + len(spurious)
    assert sum(bool(one.gold) for one in found) == len(missed)
    assert sum(bool(one.path) for one in found) == len(spurious)


def test_many_wrong_edges_take_no_time_that_grows_with_their_square() -> None:
    many = 20_000
    missed = tuple(lost(f"a{at}", "uses", "b") for at in range(many))
    spurious = tuple(extra(f"c{at}", "uses", "b") for at in range(many))
    begun = time.process_time()
    assert len(mislinked(EdgeScore({}, missed, spurious))) == 2 * many
    assert time.process_time() - begun < 5
