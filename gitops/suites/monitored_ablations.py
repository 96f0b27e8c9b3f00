"""What a monitoring system is told of ablations: of the newest one of each suite, how each variant did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gitops.runs import measurements, names, noted
from gitops.runs.context import Context, epoch_of
from gitops.runs.exposed import Family, family
from gitops.runs.measurements import ABLATION

_MARK = f'"kind":"{ABLATION}"'
_Row = tuple[str, str, str, str, str, str, int, int]
"""Workspace, suite, agent, when it ended, its run, the variant; how many cases passed of how many that were tried."""


def families(context: Context, workspace: str | None = None) -> Iterator[Family]:
    """All that is told of the ablations of one workspace, or of all."""
    newest: dict[tuple[str, ...], list[_Row]] = {}
    for row in sorted(_rows(context)):
        if workspace in (None, row[0]):
            there = newest.setdefault(row[:3], [])
            if there and there[0][4] != row[4]:
                there.clear()
            there.append(row)
    told = [({**_labels(row), "variant": row[5]}, row) for rows in newest.values() for row in _summed(rows)]
    rate = "The share of tried cases that passed, by variant, in the newest ablation of a suite"
    points = [(at, row[6] / row[7] if row[7] else None) for at, row in told]
    yield family("assay_ablation_pass_rate", "gauge", rate, points)
    moments = [(_labels(rows[-1]), float(epoch_of(rows[-1][3]))) for rows in newest.values()]
    when = "When the newest ablation of a suite ended"
    yield family("assay_ablation_timestamp_seconds", "gauge", when, moments, "seconds")


def _labels(row: _Row) -> dict[str, str]:
    return {"workspace": row[0], "suite": row[1], "agent": row[2]}


def _summed(rows: list[_Row]) -> Iterator[_Row]:
    """One row for each variant."""
    for variant in sorted({row[5] for row in rows}):
        mine = [row for row in rows if row[5] == variant]
        yield (*mine[-1][:6], sum(row[6] for row in mine), sum(row[7] for row in mine))


def _rows(context: Context) -> Iterator[_Row]:
    every = noted.noted(context, names.EVALS, "ablations", "1", lambda *note: _told(context, *note))
    for rows in every.values():
        for workspace, suite, agent, at, run, variant, passed, tried in rows:
            yield str(workspace), str(suite), str(agent), str(at), str(run), str(variant), int(passed), int(tried)


def _told(context: Context, commit: str, lines: list[str]) -> list[Any]:
    """A row for each repeat of each ablation on one commit."""
    numbered = [(number, line) for number, line in enumerate(lines, 1) if _MARK in line]
    found = [one for one in measurements.read_lines(context, commit, numbered) if one.kind == ABLATION]
    rows = []
    for one in {each.id: each for each in found}.values():
        tried = [each for each in one.samples if each.status not in ("skipped", "abstained")]
        passed = sum(each.status == "pass" for each in tried)
        agent = str(one.subject.get("agent", ""))
        rows.append([one.workspace, one.suite, agent, one.completed_at, one.run_id, one.variant, passed, len(tried)])
    return sorted(rows)
