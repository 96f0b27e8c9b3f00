from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.stats.rules import AbsoluteDrop, Bar, Direction, RelativeRise, Rule, Seen, StatusFlip, failing, flipped

NOTHING = Seen(None)


def seen(value: float | None, direction: Direction = "higher") -> Seen:
    return Seen(value, direction)


def samples(**statuses: str) -> Seen:
    return Seen(0.5, statuses=statuses)


@pytest.mark.parametrize("rule", [AbsoluteDrop(0.1), RelativeRise(0.5), StatusFlip()])
@pytest.mark.parametrize(("before", "after"), [(NOTHING, seen(1)), (seen(1), NOTHING), (NOTHING, NOTHING)])
def test_of_what_was_not_measured_a_rule_says_nothing(rule: Rule, before: Seen, after: Seen) -> None:
    assert rule.judged(before, after).is_kept is None


def test_a_bar_asks_for_the_later_value_alone() -> None:
    assert Bar(">=", 0.9).judged(seen(1.0), NOTHING).is_kept is None
    assert Bar(">=", 0.9).judged(NOTHING, seen(0.95)).is_kept is True


@pytest.mark.parametrize(
    ("op", "value", "is_kept"),
    [
        (">=", 0.89, False),
        (">=", 0.9, True),
        ("<=", 0.91, False),
        ("<=", 0.9, True),
        ("==", 0.9001, False),
        ("==", 0.3 * 3, True),
    ],
)
def test_a_bar(op: Any, value: float, is_kept: bool) -> None:
    told = Bar(op, 0.9).judged(NOTHING, seen(value))
    assert told.is_kept is is_kept
    assert told.rule == f"{op} 0.9"


@pytest.mark.parametrize(
    ("before", "after", "direction", "is_kept"),
    [
        (0.9, 0.79, "higher", False),
        (0.9, 0.8, "higher", True),
        (0.8, 0.95, "higher", True),
        (0.1, 0.25, "lower", False),
        (0.1, 0.2, "lower", True),
        (0.9, 0.1, "lower", True),
    ],
)
def test_a_drop_goes_the_way_that_is_worse(before: float, after: float, direction: Direction, is_kept: bool) -> None:
    assert AbsoluteDrop(0.1).judged(seen(before, direction), seen(after, direction)).is_kept is is_kept


@pytest.mark.parametrize(
    ("before", "after", "is_kept"),
    [(100, 151, False), (100, 150, True), (100, 20, True), (0, 0, True), (0, 5, None), (-1, 5, None)],
)
def test_a_rise_is_a_part_of_what_was_before(before: float, after: float, is_kept: bool | None) -> None:
    told = RelativeRise(0.5).judged(seen(before, "lower"), seen(after, "lower"))
    assert told.is_kept is is_kept
    assert told.rule == "up by at most 50%"


@pytest.mark.parametrize("failed", ["fail", "error", "timeout"])
def test_a_sample_that_passed_and_fails_is_a_flip(failed: str) -> None:
    told = StatusFlip().judged(samples(a="pass", b="pass"), samples(a="pass", b=failed))
    assert told.is_kept is False
    assert told.told == "1 of 2: b"


@pytest.mark.parametrize("status", ["abstained", "skipped"])
def test_a_sample_of_which_nothing_is_known_is_no_flip(status: str) -> None:
    told = StatusFlip().judged(samples(a="pass", b="pass"), samples(a="pass", b=status))
    assert told.is_kept is True
    assert told.told == "0 of 1"
    assert StatusFlip().judged(samples(b="pass"), samples(b=status)).is_kept is None


def test_samples_that_one_side_lacks_are_no_flips() -> None:
    assert flipped({"a": "pass", "b": "pass"}, {"b": "fail", "c": "fail"}) == ("b",)


def test_samples_that_are_new_and_fail_are_named() -> None:
    assert failing({"a": "fail", "c": "error", "b": "fail", "d": "abstained"}, {"a": "pass"}) == ("b", "c")


def test_so_many_flips_as_are_allowed_keep_the_rule() -> None:
    before, after = samples(a="pass", b="pass", c="fail"), samples(a="fail", b="fail", c="pass")
    assert StatusFlip(2).judged(before, after).is_kept is True
    assert StatusFlip(1).judged(before, after).is_kept is False


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_what_stays_as_it_is_keeps_every_rule(value: float, limit: float) -> None:
    for rule in (AbsoluteDrop(limit), RelativeRise(limit)):
        assert rule.judged(seen(value), seen(value)).is_kept is True
