from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gitops.comparing.measured import Comparison, compared
from gitops.comparing.recalling import Recalled, key
from gitops.report.comparison import words
from gitops.runs.measurements import Bar, Measurement
from tests.evals.scores import passing, product, scored, share

Print = Callable[..., str]


def comparison(*sides: tuple[Measurement, ...] | Measurement, **options: Any) -> Comparison:
    made = []
    for name, side in zip(("main~1", "main", "work"), sides, strict=False):
        found: dict[str, tuple[Measurement, ...]] = {}
        for one in side if isinstance(side, tuple) else (side,):
            for metric in one.metrics:
                found[key(one, metric)] = (*found.get(key(one, metric), ()), one)
        made.append(Recalled(name, found))
    return compared(made, **options)


@pytest.fixture
def printed(on_terminal: Print) -> Callable[[Comparison], list[str]]:
    def lines(made: Comparison) -> list[str]:
        return [line.rstrip() for line in on_terminal(words(made), width=400, colour=False).splitlines()]

    return lines


def row(lines: list[str], metric: str) -> list[str]:
    return next(line.split("  ") for line in lines if line.startswith(f"{metric} "))


def test_what_is_not_compared_stands_below_with_both_values(printed: Callable[[Comparison], list[str]]) -> None:
    other = passing(
        9, 10, instrument={"metrics": {"M1": 2}, "judges": [{"id": "claude", "version": "1", "digest": "f" * 64}]}
    )
    lines = printed(comparison(passing(9, 10), other))
    [told] = [line for line in lines if line.startswith("not compared")]
    assert told.startswith(
        "not compared: M1: another instrument: judges offline/3 1f2e3d4c5b6a → claude/1 ffffffffffff; "
    )
    assert "metrics.M1 1 → 2; sample.seed 0 → none" in told
    assert not any("Holm" in line for line in lines)


def test_metrics_that_lack_a_score_for_the_same_reason_are_told_together(
    printed: Callable[[Comparison], list[str]],
) -> None:
    lines = printed(comparison((passing(1, 2), scored("M4", 3.0), scored("M6", 0.9)), passing(1, 2)))
    assert "not compared: M4, M6: has no score at main" in lines


def test_a_long_reason_is_cut(printed: Callable[[Comparison], list[str]]) -> None:
    lines = printed(comparison(passing(1, 2), scored("M1", None, reason="because " * 100)))
    [told] = [line for line in lines if line.startswith("not compared")]
    assert told.endswith("…")
    assert len(told) < 250


def test_a_share_with_what_shows_that_it_fell(printed: Callable[[Comparison], list[str]]) -> None:
    lines = printed(comparison(passing(18, 20), passing(10, 20)))
    cells = [cell.strip() for cell in row(lines, "M1") if cell.strip()]
    assert cells == [
        "M1",
        "0.900",
        "0.500",
        "-0.400",
        "-0.602 … -0.141",
        "0.008",
        "0.008",
        "20",
        "0.383",
        "worse",
    ]
    assert "M1: passed and fails now: wiki/0010.md:3 Claim 0010." in lines
    assert "better, worse: p ≤ 0.05 after Holm's correction for all tests that could come to it" in lines


def test_of_many_samples_that_flipped_ten_are_named(printed: Callable[[Comparison], list[str]]) -> None:
    lines = printed(comparison(passing(0, 20), passing(15, 20)))
    assert sum("failed and passes now: wiki/" in line for line in lines) == 10
    assert "M1: failed and passes now: 5 more (--json has them)" in lines


def test_samples_of_one_side_alone_are_told_with_their_score(printed: Callable[[Comparison], list[str]]) -> None:
    lines = printed(
        comparison(share({"a": True, "b": True, "old": True}), share({"a": True, "b": False, "new": False}))
    )
    assert "M1: 2 samples are on both sides, their score 1.000 → 0.500 (p 1.000, not adjusted)" in lines
    assert "M1: 1 sample is on the side of main~1 alone, its score 1.000" in lines
    assert "M1: 1 sample is on the side of main alone, its score 0.000" in lines
    assert "M1: new, and fails: wiki/new.md:3 Claim new." in lines


def test_a_score_that_cannot_be_tested_says_why(printed: Callable[[Comparison], list[str]]) -> None:
    weeks = (scored("M4", each, unit="week", direction="lower") for each in (12.0, 19.0))
    lines = printed(comparison(*weeks))
    assert [cell.strip() for cell in row(lines, "M4") if cell.strip()][:4] == ["M4", "12", "19", "+7"]
    assert "M4: not tested: the score is not one of samples that could be paired" in lines


def test_a_difference_that_no_number_holds_is_told_all_the_same(printed: Callable[[Comparison], list[str]]) -> None:
    lines = printed(comparison(*(scored("M4", each, unit="week") for each in (-1e308, 1e308))))
    assert "+inf" in [cell.strip() for cell in row(lines, "M4")]


def test_repeats_stand_with_their_deviation(printed: Callable[[Comparison], list[str]]) -> None:
    lines = printed(comparison(passing(9, 10), (passing(6, 10), passing(8, 10, repeat=1))))
    assert "0.700 ± 0.141 (2)" in row(lines, "M1")


def test_a_bar_says_whether_it_is_kept(printed: Callable[[Comparison], list[str]]) -> None:
    bar = Bar(op=">=", value=0.9)
    assert "M1: >= 0.9: not kept (0.8)" in printed(comparison(passing(9, 10, bar=bar), passing(8, 10, bar=bar)))


def test_each_further_side_has_a_table_of_its_own(printed: Callable[[Comparison], list[str]]) -> None:
    lines = printed(comparison(passing(9, 10), passing(8, 10), passing(7, 10)))
    assert [line for line in lines if line.startswith(("reference ", "compared "))] == [
        "reference  main~1",
        "compared   main",
        "compared   work",
    ]
    assert sum(line.startswith("metric ") for line in lines) == 2


def test_what_the_subjects_differ_in_is_told_once(printed: Callable[[Comparison], list[str]]) -> None:
    queries = {f"q{at}": (1.0, at / 8) for at in range(8)}
    one, other = (product(queries, subject={"model": model}) for model in ("opus", "haiku"))
    lines = printed(comparison(one, other))
    assert "what was measured differs in model opus → haiku" in lines


def test_what_a_file_holds_cannot_steer_the_terminal(on_terminal: Print) -> None:
    evil = share({"a\x1b[2J": True}), share({"a\x1b[2J": False})
    assert "\x1b[2J" not in on_terminal(words(comparison(*evil)), colour=False)
