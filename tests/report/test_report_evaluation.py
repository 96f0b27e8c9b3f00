from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gitops.evals.due import Due
from gitops.evals.reporting import Report, told
from gitops.report.evaluation import one, sparkline, synthesis, words
from gitops.runs.measurements import Uncertain
from tests.report.eval_reports import COMMIT, NOW, ack_of, measurement, report, series

Print = Callable[..., str]
DAY = timedelta(days=1)


def lines(printed: str) -> list[str]:
    """The lines with their columns a space apart."""
    return [" ".join(line.split()) for line in printed.splitlines()]


def test_where_nothing_was_measured_the_command_that_does_is_told(in_pipe: Print) -> None:
    said = lines(in_pipe(words(report([]))))
    assert said == ["Workspace: beverages", "", "No metric has been measured here yet: git assay eval run"]


def test_a_metric_that_was_never_run_says_how_to(in_pipe: Print) -> None:
    said = lines(in_pipe(words(report([measurement("M1", NOW, 0.97)]))))
    at = said.index("M2 cascade coverage – (not measured) never run")
    assert said[at + 1] == "run `git assay eval run --metric M2`"
    assert "M2, M3, M5 not measured; M1 healthy. Scheduled synthesis off until M2 has been healthy once." in said


def test_what_could_not_be_measured_says_why(in_pipe: Print) -> None:
    failed = measurement("M3", NOW, None, "not_measured", n=0, reason="there are no gold queries: \x1b[2J add some")
    said = lines(in_pipe(words(report([failed]))))
    at = said.index("M3 retroactive benchmark – (not measured) last tried 2026-04-16")
    assert said[at + 1] == "not measured on 2026-04-16: there are no gold queries: ␛[2J add some"


def test_a_number_that_stands_though_the_last_attempt_failed_says_so(in_pipe: Print) -> None:
    said = lines(in_pipe(words(report())))
    assert "M5 self-consistency 0.91 (degraded) last run 2026-04-07" in said
    assert "not measured on 2026-04-14: no topic has two pages; the number of 2026-04-07 stands" in said


def worked_example() -> Report:
    """Week 12 of alexandria 14's worked example."""
    now = datetime(2026, 4, 16, 12, tzinfo=UTC)
    scores = {"M1": (0.96, 0.97, 0.97, 0.97), "M2": (0.91, 0.93, 0.94, 0.93), "M5": (0.95, 0.96, 0.96, 0.96)}
    days = {"M1": 14, "M2": 16, "M5": 14}
    every = [
        measurement(metric, datetime(2026, 4, days[metric], 6, tzinfo=UTC) - (3 - week) * 7 * DAY, value, instrument={})
        for metric, values in scores.items()
        for week, value in enumerate(values)
    ]
    every.append(measurement("M3", datetime(2026, 4, 1, 6, tzinfo=UTC), 0.84))
    estimated = {"estimated_week": 19}
    every.append(measurement("M4", datetime(2026, 4, 16, 6, tzinfo=UTC), None, details=estimated))
    every.append(measurement("M6", datetime(2026, 4, 16, 6, tzinfo=UTC), 1.0))
    coming = {"M3": Due("M3", None, datetime(2026, 5, 1, tzinfo=UTC))}
    every.sort(key=lambda each: each.completed_at)
    found = told("beverages", COMMIT, (now - 30 * DAY, now), every, [], coming)
    return Report(
        "research",
        found.commit,
        found.at,
        found.since,
        tuple(each for each in found.standings if each.id in ("M1", "M2", "M3", "M4", "M5")),
        (),
    )


def test_the_worked_example_of_the_specification(in_pipe: Print) -> None:
    printed = in_pipe(words(worked_example()))
    assert (
        re.sub(r" +[▁-█]+$", "", printed, flags=re.MULTILINE)
        == """\
Workspace: research
Eval runs in the last 30 days:

M1  citation fidelity       0.97  (healthy)   last run 2026-04-14
M2  cascade coverage        0.93  (healthy)   last run 2026-04-16
M3  retroactive benchmark   0.84  (healthy)   last run 2026-04-01, next 2026-05-01
M4  cost crossover          week 19 (est.)    last updated 2026-04-16
M5  self-consistency        0.96  (healthy)   last run 2026-04-14

All metrics healthy. Scheduled synthesis enabled.

Trend (last 4 weeks):
  M1: 0.96 → 0.97 → 0.97 → 0.97
  M2: 0.91 → 0.93 → 0.94 → 0.93
  M5: 0.95 → 0.96 → 0.96 → 0.96
"""
    )


def test_a_broken_metric_says_what_is_blocked_why_and_how_to_go_on(in_pipe: Print) -> None:
    said = lines(in_pipe(words(report())))
    at = said.index("M1 citation fidelity 0.81 (BROKEN) last run 2026-04-15")
    assert said[at + 1 : at + 8] == [
        "n 47, 95 %: 0.68–0.90",
        "uncertain: the interval holds the cut at 0.85; a sample of about 313 would settle it",
        "judged by offline/2: balanced accuracy 0.77 on wice-dev, 0.86 on begin-wow-dev, 0.70 on faithdial-audit "
        "(docs/judges.md)",
        "5 from unverified runs and 1 let in by an override and 3 without a vote are among the samples",
        "→ scheduled synthesis is BLOCKED",
        "→ run `git assay eval report M1 --details` to see failing claims",
        '→ override with `git assay eval ack M1 --reason "…"` if you know why',
    ]
    assert "M1 broken; M2, M5 degraded; M3, M9 healthy. Scheduled synthesis BLOCKED by M1." in said


def test_ingests_that_are_held_up_are_told_with_what_mends_it(in_pipe: Print) -> None:
    said = lines(in_pipe(words(report([measurement("M2", NOW, 0.5, "broken"), measurement("M5", NOW, 0.8, "broken")]))))
    assert "→ ingests, cascades and scheduled synthesis are BLOCKED" in said
    assert "→ ingests and cascades are BLOCKED" in said
    assert "→ run `git assay lint --resolve-contradictions`" in said


def test_who_acknowledged_what_and_why_is_told_twice(in_pipe: Print) -> None:
    broken = next(each for each in reversed(series()) if each.suite == "M1")
    told = report(series(), [ack_of(broken)])
    said = lines(in_pipe(words(told)))
    where = "→ acknowledged by Ada Writer on 2026-04-16: the old guide was scanned badly; "
    assert f"{where}scheduled synthesis may go on until the next measurement" in said
    assert said[-2:] == [
        "Acknowledged:",
        "2026-04-16 M1 of c0ffee0000 by Ada Writer <ada@example.org>: the old guide was scanned badly",
    ]
    assert any(line.startswith("M1 (acknowledged) broken;") for line in said)
    assert synthesis(told) == "Scheduled synthesis enabled."


def test_a_product_that_is_uncertain_names_no_sample(in_pipe: Print) -> None:
    unsure = measurement("M3", NOW, 0.78, "degraded", interval=(0.6, 0.9), uncertain=Uncertain(cut=0.8))
    assert "holds the cut at 0.80; a larger sample may settle it" in in_pipe(words(report([unsure])))
    unsure = measurement("M1", NOW, 0.95, interval=(0.6, 0.99), uncertain=Uncertain(cut=0.95))
    assert "holds the cut at 0.95; no sample there is would settle it" in in_pipe(words(report([unsure])))


def test_one_metric_alone_has_its_trend(in_pipe: Print) -> None:
    told = report()
    printed = in_pipe(one(told, told.standings[0]))
    assert "M2" not in printed
    assert "  M1: 0.98 → 0.96 → 0.94 → 0.81   █▇▇▅" in printed


def test_a_week_without_a_number_is_a_dash(in_pipe: Print) -> None:
    every = [measurement("M6", NOW - 15 * DAY, 0.99), measurement("M6", NOW, 0.9)]
    assert "M6: – → 0.99 → – → 0.90" in in_pipe(words(report(every)))


def test_a_clock_that_goes_on_meanwhile_changes_nothing(in_pipe: Print) -> None:
    within = (NOW - 7 * DAY, NOW + timedelta(seconds=2))
    assert "Eval runs in the last 7 days:" in in_pipe(words(told("beverages", COMMIT, within, series(), [], {})))


def test_another_span_is_told_by_its_day(in_pipe: Print) -> None:
    every = series()
    found = told("beverages", COMMIT, (datetime(2026, 4, 1, tzinfo=UTC), NOW), every, [], {})
    assert "Eval runs since 2026-04-01:" in in_pipe(words(found))


def test_a_preset_at_the_floor_is_warned_of(in_pipe: Print) -> None:
    told = replace(report(), floor="preset 'small' is below the capability floor\x1b[2J")
    assert lines(in_pipe(words(told)))[-1] == "preset 'small' is below the capability floor␛[2J"
    assert "capability floor" not in in_pipe(words(report()))


def test_what_people_and_notes_say_cannot_steer_the_terminal(on_terminal: Print) -> None:
    broken = next(each for each in reversed(series()) if each.suite == "M1")
    printed = on_terminal(words(report(series(), [ack_of(broken, reason="\x1b]0;x\x07\u202egone")])))
    assert "\x1b]" not in printed
    assert "\u202e" not in printed


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ([], ""),
        ([1.0], "█"),
        ([0.5, 0.75, 1.0], "▁▅█"),
        ([0.0, 1.0], "▁█"),
        ([12.0, 19.0], "▁█"),
        ([7.0, 7.0], "▁▁"),
        ([-1e308, 1e308], "▁█"),
        ([0.99] * 30, "█" * 24),
    ],
)
def test_bars_of_shares_stand_on_one_scale(values: list[float], bars: str) -> None:
    assert sparkline(values) == bars
