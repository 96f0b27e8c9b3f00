from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from gitops.evals.cost_curve import WEEK, crossover, curve, estimated, is_negative, rows, sound_crossover, week_ends
from gitops.evals.spending import Amount, Kind
from gitops.usage import Usage

START = datetime(2024, 1, 3, 15, 30, tzinfo=UTC)
MIDNIGHT = datetime(2024, 1, 3, tzinfo=UTC)


def amount(week: int, kind: Kind, tokens: int, queries: int = 0) -> Amount:
    return Amount(MIDNIGHT + WEEK * (week - 1) + timedelta(hours=20), kind, Usage(output=tokens, calls=1), queries)


def made(amounts: list[Amount], weeks: int, corpora: list[int] | None = None, context: int = 1_000) -> Any:
    ends = week_ends(START, MIDNIGHT + WEEK * weeks - timedelta(hours=1))
    assert len(ends) == weeks
    return curve(START, ends, amounts, corpora or [10] * weeks, context)


def test_weeks_begin_at_the_midnight_before_the_first_run() -> None:
    assert week_ends(START, START) == [START]
    assert week_ends(START, MIDNIGHT + WEEK) == [MIDNIGHT + WEEK, MIDNIGHT + WEEK]
    here = START.astimezone(timezone(timedelta(hours=9)))
    assert week_ends(here, MIDNIGHT + timedelta(days=8)) == [MIDNIGHT + WEEK, MIDNIGHT + timedelta(days=8)]


def test_a_clock_that_went_back_before_the_first_run_has_one_week() -> None:
    earlier = START - timedelta(days=30)
    assert week_ends(START, earlier) == [earlier]


def test_nothing_asked_never_crosses_over() -> None:
    weeks = made([], 3)
    assert (crossover(weeks), sound_crossover(weeks), estimated(weeks)) == (None, None, None)


def test_the_formulas_by_hand() -> None:
    amounts = [
        amount(1, "ingest", 300), amount(1, "cascade", 50), amount(1, "verifier", 150), amount(1, "synthesis", 7),
        amount(1, "query", 20, 1),
        amount(2, "query", 10, 1), amount(2, "ingest", 100), amount(2, "query", 4),
    ]  # fmt: skip
    first, second = made(amounts, 2, [20, 30], context=25)
    assert (first.ingest, first.query, first.queries) == (500, 20, 1)
    assert (second.ingest, second.query, second.queries) == (600, 34, 2)
    # average tokens per query x number of queries x tokens of the sources
    assert first.hypothetical == 20 / 1 * 1 * 20
    assert second.hypothetical == 34 / 2 * 2 * 30 == 1020
    assert (first.sound, second.sound) == (20, 20 + 25)
    assert crossover([first, second]) == 2
    assert sound_crossover([first, second]) is None
    assert second.tokens["synthesis"] == 7


def test_amounts_of_before_the_first_week_count_in_it_and_order_changes_nothing() -> None:
    amounts = [amount(2, "query", 5, 1), amount(-3, "ingest", 1), amount(1, "ingest", 2)]
    weeks = made(amounts, 2)
    assert [week.ingest for week in weeks] == [3, 3]
    assert [week.query for week in weeks] == [0, 5]
    assert made(amounts[::-1], 2) == weeks


def test_what_cost_nothing_is_dearer_than_nothing_only() -> None:
    offline = made([amount(2, "query", 1, 1)], 2)
    assert [week.ingest < week.hypothetical for week in offline] == [False, True]
    assert crossover(offline) == 2


def test_the_trend_of_the_last_four_whole_weeks_tells_when() -> None:
    # Corpus 1: hypothetical = tokens of queries. Gaps 1000, 900, 800, 700, 600 | 590: the line falls by 100 a week.
    amounts = [amount(1, "ingest", 1_000), *(amount(week, "query", 100, 1) for week in range(2, 6))]
    weeks = made([*amounts, amount(6, "query", 10, 1)], 6, [1] * 6)
    assert [week.ingest - week.hypothetical for week in weeks] == [1000, 900, 800, 700, 600, 590]
    assert crossover(weeks) is None
    # 600 at week 5 is zero at week 11, and below it at week 12.
    assert estimated(weeks) == 12


def test_a_single_jump_is_smoothed_by_least_squares() -> None:
    # Gaps 900, 900, 900, 500: mean 800 at 2.5, slope -120, so zero at 2.5 + 6.67 = 9.17, and below it at week 10.
    weeks = made([amount(1, "ingest", 900), amount(4, "query", 400, 1)], 5, [1] * 5)
    assert estimated(weeks) == 10


@pytest.mark.parametrize("weeks", [1, 2])
def test_fewer_than_two_whole_weeks_are_no_trend(weeks: int) -> None:
    assert estimated(made([amount(1, "ingest", 9), amount(1, "query", 1, 1)], weeks, [1] * weeks)) is None


def test_a_gap_that_grows_or_takes_a_lifetime_is_no_estimate() -> None:
    growing = [amount(week, "ingest", 100) for week in range(1, 5)]
    assert estimated(made(growing, 5, [1] * 5)) is None
    assert not is_negative(made(growing, 5, [1] * 5))  # who asks nothing has nothing to compare with
    assert is_negative(made([*growing, amount(1, "query", 1, 1)], 5, [1] * 5))
    assert not is_negative(made([*growing, amount(5, "query", 10**6, 1)], 5, [1] * 5))
    slow = [amount(1, "ingest", 10**9), *(amount(week, "query", 1, 1) for week in range(1, 5))]
    assert estimated(made(slow, 5, [1] * 5)) is None


def test_an_estimate_lies_ahead() -> None:
    # Whole weeks fall fast enough to have crossed, this week's ingest holds it up.
    amounts = [amount(1, "ingest", 100), amount(2, "query", 95, 1), amount(3, "ingest", 1_000)]
    weeks = made(amounts, 3, [1] * 3)
    assert crossover(weeks) is None
    assert estimated(weeks) == 4


def test_weeks_in_which_nothing_changed_are_left_out_of_the_rows() -> None:
    weeks = made([amount(1, "ingest", 5), amount(3, "query", 1, 1)], 6)
    told = rows(weeks)
    assert [row["week"] for row in told] == [1, 3, 6]
    assert told[1] == {
        **{"week": 3, "from": "2024-01-17", "ingest": 5, "query": 1, "queries": 1, "corpus": 10, "hypothetical": 10},
        **{"sound": 10, "usd": 0.0, "tokens": {"ingest": 5, "query": 1}},
    }
