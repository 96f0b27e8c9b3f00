from __future__ import annotations

from typing import Any

import pytest

from gitops.runs import gold
from gitops.runs.gold import GoldQuery
from gitops.runs.gold_file import BadGold
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import SYMLINK, MemorySnapshot

ENTRY: dict[str, Any] = {
    "query": "How hot?",
    "expected_topics": "[tea]",
    "expected_citations": "[raw/tea.md]",
    "authored_at": "2026-11-22",
}


def spelt(*changed: dict[str, Any]) -> bytes:
    lines = []
    for change in changed:
        fields = {name: value for name, value in {**ENTRY, **change}.items() if value is not None}
        lines += [f"{'- ' if not at else '  '}{name}: {value}" for at, (name, value) in enumerate(fields.items())]
    return "\n".join(lines).encode()


def refused(data: bytes) -> list[tuple[int, str]]:
    with pytest.raises(BadGold) as caught:
        gold.parse(data, "gold/queries.yaml")
    return [(fault.line, fault.message) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"query": None}, "'query' is missing"),
        ({"expected_topics": None}, "'expected_topics' is missing"),
        ({"authored_at": None}, "'authored_at' is missing"),
        ({"expected_citation": "[a]"}, "unknown key 'expected_citation'; did you mean expected_citations"),
        ({"flavour": "a"}, "unknown key 'flavour'"),
        ({"query": "'?!'"}, "'query' holds no word"),
        ({"query": "[a]"}, "'query' must be text"),
        ({"expected_topics": "tea"}, "'expected_topics' must be a list"),
        ({"expected_citations": "['']"}, "'expected_citations' holds an empty text"),
        ({"expected_answer_topics": "[tea]"}, "are two names of one field"),
        ({"id": "a b"}, "'a b' is no id"),
        ({"authored_at": "yesterday"}, "'yesterday' is no date or moment"),
        ({"authored_at": "2026-13-01"}, "'2026-13-01' is no date or moment"),
        ({"authored_at": "20261122"}, "'20261122' is no date or moment"),
        ({"authored_by": "Ada"}, "authored_by must be 'user' or 'auto', not 'Ada'"),
    ],
)
def test_an_entry_that_is_not_as_it_must_be_is_refused(change: dict[str, Any], said: str) -> None:
    [(line, told)] = refused(spelt(change))
    assert said in told
    assert line >= 1


def test_each_fault_has_its_own_line() -> None:
    data = spelt({"id": "a", "authored_by": "me"}, {"id": "b", "query": "Who?", "kind": "x"})
    assert [line for line, _ in refused(data)] == [6, 12]


@pytest.mark.parametrize("again", ["how   HOT", "How hot？", "Ｈow hot!", "How hot"])
def test_a_query_that_is_there_already_is_refused_however_it_is_spelt(again: str) -> None:
    [(line, told)] = refused(spelt({"id": "a"}, {"id": "b", "query": f"'{again}'"}))
    assert line == 6
    assert told == "the same query is there already (line 1): How hot?"


def test_an_id_that_is_there_already_is_refused() -> None:
    [(line, told)] = refused(spelt({"id": "a"}, {"id": "a", "query": "How cold?"}))
    assert (line, told) == (6, "the id 'a' is taken already (line 1)")


def test_queries_that_differ_in_what_matters_are_two() -> None:
    assert len(gold.parse(spelt({"query": "What is C?"}, {"query": "'What is C++?'"}), "q.yaml")) == 2


def test_an_entry_is_read_with_either_name_of_its_topics() -> None:
    data = spelt({"expected_topics": None, "expected_answer_topics": "[tea, tea, green]"})
    [one] = gold.parse(data, "gold/queries.yaml")
    assert one.topics == ("tea", "green")
    assert one.record()["expected_topics"] == ["tea", "green"]


def test_what_an_entry_leaves_out_has_its_default() -> None:
    [one] = gold.parse(spelt({}), "gold/queries.yaml")
    assert (one.authored_by, one.line) == ("user", 1)
    assert one.id == gold.derived_id("how  HOT")
    assert one.id.startswith("how-hot-")


@pytest.mark.parametrize("query", ["どこ？", "How " + "very " * 100 + "hot?", "ä?"])
def test_every_derived_id_is_an_id(query: str) -> None:
    [one] = gold.parse(spelt({"id": gold.derived_id(query)}), "gold/queries.yaml")
    assert one.id == gold.derived_id(query)


@pytest.mark.parametrize("at", ["2026-11-22T08:30:00Z", "'2026-11-22 08:30'", "2026-11-22T08:30:00.5+01:00"])
def test_moments_of_every_precision_are_taken(at: str) -> None:
    assert gold.parse(spelt({"authored_at": at}), "q.yaml")[0].authored_at == at.strip("'")


def test_a_query_that_expects_nothing_is_to_be_refused() -> None:
    [one] = gold.parse(spelt({"expected_topics": "[]", "expected_citations": "[]"}), "q.yaml")
    assert one.is_to_be_refused


def query(name: str, *topics: str, at: str = "2026-11-22") -> GoldQuery:
    return GoldQuery(name, f"What of {name}?", topics, ("raw/b.md", "raw/a.md"), at)


def test_the_digest_follows_what_is_expected_and_nothing_else() -> None:
    same = gold.digest_of([query("a", "x", "y"), query("b")])
    assert gold.digest_of([query("b", at="2020-01-01"), query("a", "y", "x")]) == same
    assert gold.digest_of([query("a", "x"), query("b")]) != same
    assert gold.digest_of([query("a", "x", "y")]) != same


def test_rows_have_the_tables_columns_and_ids_that_two_workspaces_share_are_told_apart() -> None:
    rows = gold.rows({"tea": [query("a"), query("b", "x")], "coffee": [query("a")]})
    assert [row["id"] for row in rows] == ["coffee/a", "tea/a", "b"]
    assert rows[2] == {
        "id": "b",
        "workspace": "tea",
        "query": "What of b?",
        "expected_topics": ["x"],
        "expected_citations": ["raw/b.md", "raw/a.md"],
        "authored_at": "2026-11-22",
        "authored_by": "user",
    }


def test_a_workspace_without_the_file_has_no_queries_and_one_with_it_has_its_own() -> None:
    layout = Layout("plant")
    assert gold.at(MemorySnapshot({}), layout) == []
    assert [one.query for one in gold.at(MemorySnapshot({"plant/gold/queries.yaml": spelt({})}), layout)] == [
        "How hot?"
    ]


def test_a_link_in_a_commit_is_told_to_be_one() -> None:
    path = "plant/gold/queries.yaml"
    with pytest.raises(BadGold, match=r"plant/gold/queries\.yaml:1: this is a symbolic link"):
        gold.at(MemorySnapshot({path: b"../elsewhere.yaml"}, {path: SYMLINK}), Layout("plant"))
