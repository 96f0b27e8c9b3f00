"""Suites as files in words: what they hold, and which skills have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.suites.loading import Loaded
from gitops.suites.model import Difficulty

COLUMNS = ("suite", "target", "asked by", "cases", "folder")
ORDER = get_args(Difficulty)


def checked(suites: Sequence[Loaded], skills: Iterable[str], wrong: int = 0) -> RenderableType:
    """A row for each suite that is in order, how many those are (`wrong` more are not), and a line for each skill that
    has none.
    """
    parts: list[RenderableType] = []
    if suites:
        cases = sum(len(one.suite.cases) for one in suites)
        counted = f"{_counted(len(suites), 'suite')}, {_counted(cases, 'case')}"
        count = f"{counted} in order, {wrong:,} not" if wrong else f"{counted}, all in order"
        parts += [text.table(COLUMNS, [_row(one) for one in suites]), Text(), Text(count)]
    parts += [Text(f"the skill {inline(name)} has no benchmarks", style="yellow") for name in skills]
    return Group(*parts)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _row(one: Loaded) -> list[RenderableType]:
    suite = one.suite
    counts = Counter[str](case.difficulty for case in suite.cases)
    told = ", ".join(f"{counts[name]} {name}" for name in ORDER if counts[name])
    asked = suite.runs.kind if suite.runs is not None else "nobody knows: no runs"
    return [Text(inline(cell)) for cell in (suite.suite_id, suite.target, asked, told, one.folder)]
