from __future__ import annotations

from typing import Any

import pytest

from gitops.report.figures import Figures, figures, p_value
from gitops.stats.comparison import Compared
from gitops.stats.series import Side


def compared(metric: str = "mrr", one: float | None = 0.5, other: float | None = 0.5, **more: Any) -> Compared:
    difference = None if one is None or other is None else other - one
    known: dict[str, Any] = {"difference": difference, "reading": "not_tested", "direction": "higher"} | more
    return Compared(metric, reference=Side("a", one), other=Side("b", other), **known)


def written(one: Compared, unit: str, *others: Compared) -> tuple[str, str, str]:
    number = figures([(one, unit), *((each, unit) for each in others)])[one.metric]
    return number.plain(one.reference.value), number.plain(one.other.value), number.signed(one.difference)


def test_what_there_is_not_is_a_dash() -> None:
    assert written(compared(one=None, other=None), "share") == ("-", "-", "-")
    assert written(compared(one=None, other=None), "ms") == ("-", "-", "-")
    assert p_value(None) == "-"


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (0.9, 0.5, ("0.900", "0.500", "-0.400")),
        (0.5, 0.5, ("0.500", "0.500", "+0.000")),
        (0.5, 0.5 - 1e-17, ("0.500", "0.500", "+0.000")),
        (0.5, 0.49996, ("0.500", "0.500", "+0.000")),
        (0.4962, 0.4961, ("0.4962", "0.4961", "-0.0001")),
        (1.0, 0.9994, ("1.000", "0.999", "-0.001")),
    ],
)
def test_shares_have_three_digits_or_four_where_three_would_hide_a_difference(
    one: float, other: float, told: tuple[str, str, str]
) -> None:
    assert written(compared(one=one, other=other), "share") == told


def test_all_shares_of_a_table_have_the_same_digits() -> None:
    near = compared("hit@1", 0.4962, 0.4961)
    assert written(compared(one=0.9, other=0.5), "product", near) == ("0.9000", "0.5000", "-0.4000")


@pytest.mark.parametrize(("interval", "digits"), [((0.0002, 0.02), 4), ((-0.0002, 0.02), 3), ((-0.02, -0.0004), 4)])
def test_on_which_side_of_nought_an_interval_lies_can_be_seen(interval: tuple[float, float], digits: int) -> None:
    assert figures([(compared(other=0.51, interval=interval), "share")])["mrr"] == Figures(digits)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (1234.5, 1062.5, ("1,234", "1,062", "-172")),
        (812.34, 806.94, ("812.3", "806.9", "-5.4")),
        (812.0, 812.3, ("812.00", "812.30", "+0.30")),
        (812.0, 812.0, ("812", "812", "+0")),
        (0.0, 0.0, ("0.0", "0.0", "+0.0")),
        (1.0, 1.00004, ("1.000", "1.000", "+0.000")),
        (-1e308, 1e308, None),
    ],
)
def test_milliseconds_and_tokens_show_two_digits_of_their_difference(
    one: float, other: float, told: tuple[str, str, str] | None
) -> None:
    for unit in ("ms", "tokens"):
        made = written(compared(one=one, other=other), unit)
        assert made == told if told else made[2] == "+inf"


def test_what_else_is_counted_is_as_short_as_it_is() -> None:
    assert written(compared(one=12.0, other=19.0), "week") == ("12", "19", "+7")
    assert written(compared(one=0.12345678, other=0.5), "USD") == ("0.1235", "0.5", "+0.3765")


@pytest.mark.parametrize(("p", "told"), [(0.0002, "<0.001"), (0.001, "0.001"), (1.0, "1.000")])
def test_p_has_three_digits(p: float, told: str) -> None:
    assert p_value(p) == told
