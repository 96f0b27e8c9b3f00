from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.yaml_values import load


def test_a_fault_knows_its_line_and_column() -> None:
    (fault,) = load("a: 1\nb: [1, 2\nc: 3\n").faults
    assert (fault.result, fault.line) == ("unparsable_frontmatter", 2)


def test_a_billion_laughs_are_refused_at_once() -> None:
    rows = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    rows += [
        f"{after}: &{after} [{', '.join(['*' + name] * 10)}]"
        for name, after in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    begin = time.monotonic()
    found = load("\n".join(rows))
    assert time.monotonic() - begin < 5
    assert "expand" in found.faults[0].message


def test_a_value_that_holds_itself_is_refused() -> None:
    assert "within itself" in load("a: &a [*a]").faults[0].message


@pytest.mark.parametrize(
    "source",
    ["a: " + "[" * 60_000 + "]" * 60_000, "- " * 60_000 + "x", "? " * 60_000 + "x", "{a: " * 60_000],
    ids=["flow", "sequence", "key", "mapping"],
)
def test_a_depth_that_overflows_the_c_stack_is_refused(source: str) -> None:
    assert load(source).faults[0].result == "unparsable_frontmatter"


@pytest.mark.parametrize(
    "source",
    [
        "!!int ''",
        "!!bool x",
        "!!float x",
        "!!timestamp x",
        "!!python/name:os.system",
        "!!binary é",
        "!!set [a]",
        "a: \x01",
        "? {a: b}\n: c",
        "1" * 5000,
        "!!omap a",
        "--- a\n--- b",
        "&a",
        "*a",
        "<<: 1",
        "!",
        "%YAML 9.9\n---\na",
    ],
)
def test_whatever_a_constructor_raises_is_a_fault_or_a_value(source: str) -> None:
    found = load(source)
    json.dumps(found.value, allow_nan=False)
    assert all(fault.result == "unparsable_frontmatter" for fault in found.faults)


def test_a_key_written_twice_is_told_where_it_stands_and_the_last_is_kept() -> None:
    found = load("a: 1\nb: {c: 1,\n  c: 2}\na: 3\n")
    assert found.value == {"a": 3, "b": {"c": 2}}
    assert sorted((fault.result, fault.line, fault.column) for fault in found.faults) == [
        ("duplicate_key", 2, 2),
        ("duplicate_key", 3, 0),
    ]


def test_a_string_and_a_number_are_different_keys() -> None:
    assert load("1: a\n'1': b").faults == ()


def test_dates_stay_as_written_even_those_that_do_not_exist() -> None:
    assert load("a: 2024-02-30\nb: 2024-01-05\nc: 2024-01-05 10:00:00").value == {
        "a": "2024-02-30",
        "b": "2024-01-05",
        "c": "2024-01-05 10:00:00",
    }


def test_values_that_json_lacks_become_strings() -> None:
    assert load("a: .nan\nb: !!binary aGk=\n2: true\nc: !!set {x}").value == {
        "a": "nan",
        "b": "aGk=",
        "2": True,
        "c": ["x"],
    }


def test_merge_keys_are_no_doubles() -> None:
    assert load("a: &a {x: 1}\nb: {<<: *a, x: 2}\nc: {<<: *a, <<: *a}").faults == ()


def test_an_empty_document_has_no_value() -> None:
    assert load("# nothing\n") == load("")


@given(st.text(alphabet=st.sampled_from("ab:-[]{}&*!|>%@`\"'# \n\t?,.0123<é\x00\x85\ufeff"), max_size=60))
def test_no_yaml_raises_and_every_value_is_json(source: str) -> None:
    json.dumps(load(source).value, allow_nan=False)
