from __future__ import annotations

import pytest

from gitops.runs.gold_file import BadGold, Fault, read

DEEP = "- query: " + "[" * 100_000


def faults(text: str | bytes, name: str = "gold/queries.yaml") -> list[tuple[int, str]]:
    data = text.encode() if isinstance(text, str) else text
    return [(fault.line, fault.message) for fault in read(data, name).faults]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("query: How?\n", 1, "a list of entries is wanted"),
        ("- How?\n", 1, "an entry is wanted"),
        ("- query: How?\n- [a]\n", 2, "an entry is wanted"),
        ("- query: {a: b}\n", 1, "text, or a list of it"),
        ("- query: How?\n  topics:\n  - a\n  - [b]\n", 4, "text is wanted in this list"),
        ("- ? [a]\n  : b\n", 1, "the name of a field"),
        ("- query: How?\n  query: Who?\n", 2, "'query' stands twice"),
        ("- query: &a How?\n- query: *a\n", 1, "anchors, aliases and tags"),
        ("- query: !!binary SG93\n", 1, "anchors, aliases and tags"),
        ("- &a {query: How?}\n", 1, "anchors, aliases and tags"),
        ("- query: How?\n  topics: &a [b]\n", 2, "anchors, aliases and tags"),
        ("- query: How?\n---\n- query: Who?\n", 2, "a second document"),
        ("- query: How?\n  topics: [a\n", 3, "not YAML"),
        ("- query: a: b\n", 1, "not YAML"),
        ("- query: How\x07?\n", 1, "not YAML"),
    ],
)
def test_what_is_no_list_of_plain_entries_is_told_with_its_line(text: str, line: int, said: str) -> None:
    found = faults(text)
    assert found, text
    assert found[0][0] == line
    assert said in found[0][1]


def test_bytes_that_are_no_text_are_told_with_their_line() -> None:
    assert faults(b"- query: a\n  id: \xff\n") == [(2, "this is not UTF-8")]


def test_a_document_nested_a_hundred_thousand_deep_is_refused() -> None:
    assert faults(DEEP)[-1] == (1, "nested too deeply")


def test_every_fault_is_told_and_what_is_sound_is_read() -> None:
    read_ = read(b"- query: {a: b}\n  id: x\n- 5\n- query: How?\n", "queries.yaml")
    assert [fault.line for fault in read_.faults] == [1, 3]
    assert [sorted(entry.fields) for entry in read_.found] == [["id"], ["query"]]


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "[]\n", "--- []\n...\n"])
def test_a_file_without_an_entry_holds_none(text: str) -> None:
    read_ = read(text.encode(), "queries.yaml")
    assert (read_.found, read_.faults) == ([], [])


def test_values_stay_as_they_are_written_each_with_its_line() -> None:
    text = "﻿# gold\n- query: 'No: why?'\n  topics: [2019, no, null]\n  at: 2026-11-22\n  other:\n  - 1e3\n"
    [entry] = read(text.encode(), "queries.yaml").found
    assert entry.line == 2
    assert {name: (written.value, written.line) for name, written in entry.fields.items()} == {
        "query": ("No: why?", 2),
        "topics": (("2019", "no", "null"), 3),
        "at": ("2026-11-22", 4),
        "other": (("1e3",), 6),
    }


@pytest.mark.parametrize(
    ("text", "column"), [("- query: a\n", 0), ("  - query: a\n", 2), ("[{query: a}]\n", None), ("# c\n- query: a\n", 0)]
)
def test_where_the_dashes_stand_is_told(text: str, column: int | None) -> None:
    assert read(text.encode(), "queries.yaml").column == column


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "a list of entries is wanted"),
        ('{"query": "a"}', 1, "a list of entries is wanted"),
        ('[\n{"query": "a"}\n', 3, "not JSON: expecting ','"),
        ('[\n{"query": "a"} {"query": "b"}]', 2, "not JSON"),
        ('[\n{"query": }]', 2, "not JSON"),
        ('[{"query": "a"}]\nmore', 2, "not JSON: more after"),
        ("[\n\n5]", 3, "an entry is wanted"),
        ('[{"a": "b"},\n{"query": 5}]', 2, "'query' is neither text nor a list"),
        ('[{"a": "b"},\n{"a": ["b", 5]}]', 2, "'a' is neither text nor a list"),
        ('[\n{"a": "b",\n"a": "c"}]', 2, "'a' stands twice"),
        ("[" * 100_000, 1, "nested too deeply"),
        ("[\n" + "9" * 5000 + "]", 1, "not JSON: Exceeds the limit"),
    ],
)
def test_what_is_wrong_with_json_is_told_with_its_line(text: str, line: int, said: str) -> None:
    found = faults(text, "queries.json")
    assert found, text
    assert found[0][0] == line
    assert said in found[0][1]


def test_json_is_read_with_all_that_yaml_would_not_take() -> None:
    text = '\t[\n\t{"query": "How \\ud83d\\ude00?", "topics": ["a", "b"]},\n\n\t{"query": "b", "topics": []}\n]\n'
    read_ = read(text.encode(), "queries.json")
    assert [entry.line for entry in read_.found] == [2, 4]
    assert read_.found[0].fields["query"].value == "How 😀?"
    assert [entry.fields["topics"].value for entry in read_.found] == [("a", "b"), ()]
    assert read_.faults == []


def test_the_first_fault_is_told_with_how_many_more_there_are() -> None:
    error = BadGold("q.yaml", [Fault(9, "late"), Fault(2, "early"), Fault(2, "early")])
    assert error.message == "q.yaml:2: early (and 1 more)"
    assert [fault.line for fault in error.faults] == [2, 9]
