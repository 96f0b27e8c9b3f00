"""Each mode on its own: what it says yes to, what it says no to, and of what it cannot tell."""

from __future__ import annotations

import json
import pkgutil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.suites import modes
from gitops.suites.grading import faults
from gitops.suites.model import MODES, BenchmarkExpected
from gitops.suites.modes import exact
from gitops.suites.modes.mode import Asked, Grade, briefly, mode, value_of
from gitops.suites.target import Attempt
from gitops.verify.criteria import Scored
from tests.suites.suite_runs import a_case


def asked(name: str, value: Any, attempt: Attempt | str, **more: Any) -> Asked:
    """An attempt, or its output, held to one mode."""
    found = Attempt(output=attempt) if isinstance(attempt, str) else attempt
    thresholds = more.pop("thresholds", None)
    expected = {"mode": name, "value": value, "metric_thresholds": thresholds}
    return Asked(a_case("a", expected=expected), found, value, **more)


def held(name: str, value: Any, attempt: Attempt | str, **more: Any) -> Grade:
    """What the mode says."""
    return mode(name).grade(asked(name, value, attempt, **more))


def test_every_mode_of_the_specification_is_a_file_and_every_file_that_grades_is_one() -> None:
    files = {module.name for module in pkgutil.iter_modules(modes.__path__)} - {"mode"}
    assert files == set(MODES)
    for name in MODES:
        assert callable(mode(name).grade)
        assert callable(mode(name).check)


def test_there_is_no_other_mode() -> None:
    with pytest.raises(ValueError, match="there is no mode 'regex'"):
        mode("regex")


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("yes", "yes"),
        ("yes", "yes\n\n"),
        ("yes\n", "yes"),
        ("a\nb", "a\r\nb\r\n"),
        ("caf\u00e9", "cafe\u0301"),
        ("", "\n"),
        ({"a": 1, "b": [True, None]}, '{"b": [true, null], "a": 1.0}'),
        ({"json": [1, 2]}, "[1, 2]\n"),
        ({"json": None}, "null"),
        ({"json": {"json": 1}}, '{"json": 1}'),
        ({"json": "caf\u00e9"}, '"cafe\u0301"'),
    ],
)
def test_the_same_output_is_exact(value: Any, output: str) -> None:
    assert held("exact", value, output) == Grade(True)


@pytest.mark.parametrize(
    ("value", "output", "told", "category"),
    [
        ("yes", "Yes", "line 1: 'Yes', expected 'yes'", "wrong_output"),
        ("yes", " yes", "line 1: 'yes', but with other spaces", "wrong_output"),
        ("yes", "yes \n", "line 1: 'yes', but with other spaces", "wrong_output"),
        ({"json": "yes"}, '"yes "', "the value is 'yes', but with other spaces", "wrong_output"),
        ("a\nb", "a\nc", "line 2", "wrong_output"),
        ("yes", "", "line 1: '', expected 'yes'", "wrong_output"),
        ({"json": True}, "1", "the value is 1, expected true", "wrong_output"),
        ({"json": 1}, "true", "the value is true, expected 1", "wrong_output"),
        ({"a": {"b": [1, 2]}}, '{"a": {"b": [1, 3]}}', "a.b[1] is 3, expected 2", "wrong_output"),
        ({"a": 1}, "{}", "the value lacks 'a'", "wrong_output"),
        ({"a": 1}, '{"a": 1, "b": 2}', "the value has 'b' besides", "wrong_output"),
        ({"json": [1]}, "[]", "the value has 0 items, expected 1", "wrong_output"),
        ({"json": [1]}, "{}", "the value is a table, expected a list", "wrong_output"),
        ({"json": 1}, "1e999", "the value is Infinity, expected 1", "wrong_output"),
        ({"a": 1}, "a: 1", "the output is no JSON", "invalid_json"),
        ({"a": 1}, '{"a": 1, "a": 1}', "the output is no JSON: a name occurs twice", "invalid_json"),
        ({"a": 1}, "[" * 100_000, "the output is no JSON", "invalid_json"),
        ({"json": 1}, "NaN", "the output is no JSON: NaN", "invalid_json"),
    ],
)
def test_another_output_is_not_and_it_is_said_where(value: Any, output: str, told: str, category: str) -> None:
    grade = held("exact", value, output)
    assert (grade.holds, grade.category) == (False, category)
    assert told in grade.reason
    assert "\n" not in grade.reason


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_every_json_value_is_itself_however_it_is_spelt(value: Any) -> None:
    spelt = json.dumps(value, indent=2, sort_keys=True)
    assert held("exact", {"json": value}, spelt) == Grade(True)


@given(_JSON, _JSON)
def test_values_differ_one_way_as_the_other(one: Any, other: Any) -> None:
    assert (exact.differs(one, other) is None) == (exact.differs(other, one) is None)


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("two fifths", "It fell by two fifths in 2019."),
        ("caf\u00e9", "the cafe\u0301"),
        ("a\nb", "x a\r\nb"),
        ({"all": ["a", "b"]}, "b a"),
        ({"any": ["x", "b"]}, "b a"),
        ({"none": ["x"]}, "b a"),
        ({"all": ["a"], "any": ["q", "b"], "none": ["x"]}, "b a"),
        ({"all": ["STRASSE"], "ignore_case": True}, "die Stra\u00dfe"),
    ],
)
def test_what_stands_in_the_output_is_found(value: Any, output: str) -> None:
    assert held("contains", value, output) == Grade(True)


@pytest.mark.parametrize(
    ("value", "output", "told"),
    [
        ("Two fifths", "two fifths", "the output lacks 'Two fifths'"),
        ({"all": ["a", "y", "z"]}, "a", "the output lacks 'y' (and 1 more)"),
        ({"any": ["x", "y"]}, "a", "the output has none of 'x', 'y'"),
        ({"none": ["a", "b"]}, "ab", "the output has 'a', which it must not (and 1 more)"),
        ({"none": ["A"], "ignore_case": True}, "a", "which it must not"),
    ],
)
def test_what_does_not_stand_there_is_told(value: Any, output: str, told: str) -> None:
    grade = held("contains", value, output)
    assert (grade.holds, grade.category) == (False, "wrong_output")
    assert told in grade.reason


@pytest.mark.parametrize(
    ("score", "bar", "holds"),
    [(0.5, None, True), (0.49, None, False), (0.7, 0.7, True), (0.69, 0.7, False), (1.0, 1.0, True)],
)
def test_a_score_is_held_to_its_bar(score: float, bar: float | None, holds: bool) -> None:
    value = "is polite" if bar is None else {"criteria": "is polite", "min_score": bar}
    grade = held("llm_judge", value, "Please.", scored=Scored(score, "It says please."))
    assert grade.holds is holds
    assert grade.category == ("" if holds else "judge")
    assert "It says please." in grade.reason


@pytest.mark.parametrize("scored", [None, Scored(None, "no key")])
def test_where_no_judge_could_tell_nobody_can(scored: Scored | None) -> None:
    assert held("llm_judge", "is polite", "Please.", scored=scored).holds is None


def test_bounds_are_upper_ones_and_lower_ones_by_name() -> None:
    attempt = Attempt("x", latency_ms=120, tokens=900, usd=0.02, retries=1, metrics={"recall": 0.8})
    held_to = {"latency_ms": 120, "token_cost": 900, "usd": 0.02, "retries": 1, "recall_min": 0.8}
    assert held("metric_threshold", None, attempt, thresholds=held_to) == Grade(True)
    for name, bound in {"latency_ms": 119, "token_cost": 899, "usd": 0.01, "retries": 0, "recall_min": 0.81}.items():
        grade = held("metric_threshold", None, attempt, thresholds={**held_to, name: bound})
        assert (grade.holds, grade.category) == (False, "threshold")
        assert name.removesuffix("_min") in grade.reason


def test_a_metric_that_nobody_told_says_nothing_unless_another_says_no() -> None:
    attempt = Attempt("x", tokens=900, metrics={"recall": float("nan")})
    assert held("metric_threshold", None, attempt, thresholds={"token_cost": 900, "recall_min": 0.1}).holds is None
    assert held("metric_threshold", None, attempt, thresholds={"token_cost": 1, "recall_min": 0.1}).holds is False


def test_a_target_does_not_tell_what_is_measured_here() -> None:
    attempt = Attempt("x", latency_ms=500, metrics={"latency_ms": 1.0})
    assert held("metric_threshold", None, attempt, thresholds={"latency_ms": 100}).holds is False


def test_replayed_latency_is_held_to_nothing() -> None:
    attempt = Attempt("x", latency_ms=500, tokens=5)
    both = {"latency_ms": 100, "token_cost": 10}
    assert held("metric_threshold", None, attempt, thresholds=both, is_timed=False) == Grade(True)
    assert held("metric_threshold", None, attempt, thresholds={"latency_ms": 900}, is_timed=False).holds is None


def test_a_person_decides_and_until_then_nobody_can_tell() -> None:
    assert held("human", None, "x").holds is None
    assert held("human", None, "x", label="pass").holds is True
    assert held("human", None, "x", label="fail") == Grade(False, "a person says fail", "human")


@pytest.mark.parametrize(
    ("mode_name", "value", "thresholds", "told"),
    [
        ("exact", None, None, "mode exact needs a 'value'"),
        ("contains", None, None, "mode contains needs a 'value'"),
        ("contains", "", None, "mode contains needs a 'value'"),
        ("contains", {}, None, "names no text that is to be looked for"),
        ("contains", {"all": [""]}, None, "or an empty one"),
        ("contains", {"every": ["a"]}, None, "mode contains: every: there is no such field; known: all, any, none"),
        ("contains", {"al": ["a"]}, None, "mode contains: al: there is no such field; did you mean all"),
        ("contains", {"all": "a"}, None, "mode contains: all: input should be a valid array (it is 'a')"),
        ("llm_judge", None, None, "mode llm_judge needs a 'value'"),
        ("llm_judge", "  ", None, "needs criteria or statements"),
        ("llm_judge", {"criteria": "x", "min_score": 1.5}, None, "min_score"),
        ("llm_judge", {"criteria": "x", "min_score": "0.7"}, None, "min_score: input should be a valid number"),
        ("llm_judge", {"criteria": "x", "min_score": True}, None, "min_score: input should be a valid number"),
        ("llm_judge", {"statements": [" "]}, None, "has an empty statement"),
        ("metric_threshold", None, None, "needs 'metric_thresholds'"),
        ("metric_threshold", None, {"latency_ms": float("nan")}, "no finite number"),
        ("metric_threshold", None, {"_min": 1.0}, "names no metric"),
        ("metric_threshold", "yes", {"latency_ms": 1.0}, "'value' is held by no mode"),
        ("exact", "yes", {"latency_ms": 1.0}, "'metric_thresholds' are held by no mode of 'exact'"),
        ("exact+human", "yes", {"latency_ms": 1.0}, '"mode": "exact+human+metric_threshold"'),
        ("exact+contains", "yes", None, "a table with the keys exact, contains"),
        ("exact+contains", {"exact": "yes"}, None, "a table with the keys exact, contains"),
        ("exact+contains", {"exact": "yes", "contains": ""}, None, "mode contains needs a 'value'"),
    ],
)
def test_what_no_output_could_be_held_to_is_told_in_one_line(
    mode_name: str, value: Any, thresholds: dict[str, float] | None, told: str
) -> None:
    expected = {"mode": mode_name, "value": value, "metric_thresholds": thresholds}
    found = faults(a_case("a", expected=expected))
    assert found
    assert all("\n" not in line and line.startswith("case a: ") for line in found)
    assert told in found[0]


@pytest.mark.parametrize(
    ("mode_name", "value", "thresholds"),
    [
        ("exact", "", None),
        ("exact", {"a": 1}, None),
        ("human", None, None),
        ("human", "is it kind?", None),
        ("exact+metric_threshold", "yes", {"latency_ms": 1.0}),
        ("exact+contains+human", {"exact": "yes", "contains": {"all": ["y"]}}, None),
    ],
)
def test_what_an_output_can_be_held_to_has_no_fault(mode_name: str, value: Any, thresholds: Any) -> None:
    assert faults(a_case("a", expected={"mode": mode_name, "value": value, "metric_thresholds": thresholds})) == []


def test_several_modes_find_their_values_in_a_table() -> None:
    expected = BenchmarkExpected(mode="exact+llm_judge+human", value={"exact": "yes", "llm_judge": "is polite"})
    assert [value_of(expected, name) for name in ("exact", "llm_judge")] == ["yes", "is polite"]
    alone = BenchmarkExpected(mode="contains+human", value={"all": ["x"]})
    assert value_of(alone, "contains") == {"all": ["x"]}


@given(st.text(max_size=400))
def test_a_text_told_briefly_is_one_short_line(text: str) -> None:
    told = briefly(text)
    assert len(told) <= 63
    assert len(told.splitlines()) == 1
