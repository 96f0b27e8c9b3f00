"""A metric over history in words: a line for each commit, and the commit that made it worse."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.evals.bisecting import Bisected
from gitops.evals.history import History, Step
from gitops.report import text
from gitops.report.eval_run import STYLES
from gitops.report.evaluation import sparkline
from gitops.report.visible import inline

_SHOWN = 10
"""So many pages and samples are named; `--json` has all."""


def history_words(found: History) -> RenderableType:
    """The table, newest first; the line that the numbers draw, oldest first; what is not shown."""
    values = [step.number.value for step in reversed(found.steps) if step.number.value is not None]
    parts: list[RenderableType] = [Text(f"{found.name} {found.metric.title}, {inline(found.workspace)}", style="bold")]
    parts.append(text.table(("commit", "day", "score", "change", "95 %", "n", "status", "by"), list(_rows(found))))
    if len(values) > 1:
        parts.append(Text.assemble("\n", sparkline(values), f"  {values[0]:.2f} → {values[-1]:.2f}, oldest first"))
    for why in dict.fromkeys(step.measurement.reason for step in found.steps if step.number.value is None):
        parts.append(Text(f"not measured: {inline(why)}", style="dim"))
    if found.is_cut:
        parts.append(Text("older commits are left out: --limit N", style="dim"))
    return Group(*parts)


def _rows(found: History) -> Iterator[list[RenderableType]]:
    for at, step in enumerate(found.steps):
        number = step.number
        interval = f"{number.interval[0]:.2f}–{number.interval[1]:.2f}" if number.interval else "-"
        status = Text(number.status.replace("_", " "), style=STYLES.get(number.status, ""))
        score = "-" if number.value is None else f"{number.value:.2f}"
        before = next((one.number.value for one in found.steps[at + 1 :] if one.number.value is not None), None)
        change = "" if before is None or number.value is None else f"{number.value - before:+.2f}"
        cells = [step.brought.id[:10], _day(step), score, change.replace("+0.00", "").replace("-0.00", ""), interval]
        yield [*map(Text, (*cells, str(number.n))), status, Text(_by(step))]


def _day(step: Step) -> str:
    return f"{datetime.fromtimestamp(step.brought.commit.time, UTC):%Y-%m-%d}"


def _by(step: Step) -> str:
    """What the commit brought, in few words."""
    brought = step.brought
    pages, others = len(brought.pages), len(brought.others)
    counts = [f"{pages} page{'s' * (pages != 1)}"] if pages else []
    counts += [f"{others} other file{'s' * (others != 1)}"] if others else []
    return f"{inline(brought.subject)[:60]} ({', '.join(counts)})"


def bisect_words(found: Bisected) -> RenderableType:
    """The commit that made it worse, with its run, author and pages, and the samples that turned."""
    bad = found.bad
    who = bad.brought.commit.author
    many = f"one of {len(found.skipped) + 1} commits" if found.skipped else "the first commit"
    lines = [
        Text(f"{bad.brought.id} is {many} at which {found.line}", style="bold"),
        Text(f"  {inline(bad.brought.subject)}"),
        Text(f"  {inline(who.name)} <{inline(who.email)}>, {_day(bad)}"),
        Text(f"  {_run(found)}"),
        Text(f"  {found.name}: {_score(found.good)} → {_score(bad)}"),
    ]
    lines += [Text(f"  changed {inline(path)}") for path in _some([*bad.brought.pages, *bad.brought.others])]
    if found.turned:
        lines.append(Text(f"\n{len(found.turned)} sample{'s' * (len(found.turned) != 1)} turned:"))
        lines += [
            Text(f"  {inline(line)}") for line in _some([f"{one.told} ({one.was or 'new'})" for one in found.turned])
        ]
    lines += [Text(f"not measurable: {one.id}", style="dim") for one in found.skipped]
    lines.append(Text(f"{len(found.tried)} commits were measured", style="dim"))
    return Group(*lines)


def _run(found: Bisected) -> str:
    origin, verdict = found.origin, found.origin.verdict
    if origin.run_id is None:
        return origin.told or "not by a run"
    return f"run {origin.run_id}, {verdict.verdict if verdict is not None else origin.told}"


def _score(step: Step) -> str:
    return f"{step.number.value:.2f} {step.number.status} at {step.brought.id[:10]}"


def _some(lines: list[str]) -> list[str]:
    left = len(lines) - _SHOWN
    return lines if left <= 0 else [*lines[:_SHOWN], f"and {left} more: --json has them"]
