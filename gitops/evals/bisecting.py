"""Finds the commit since which a metric is worse: a binary search along the first-parent line, as `git bisect` does it.

It takes it that what got worse stayed so. Both ends are measured first. A commit at which nothing can be measured is
passed over as by `git bisect skip`, and the answer may then be one of several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gitops.comparing.measured import told
from gitops.errors import CannotRun, UsageError
from gitops.evals.history import Step, demand_on_line
from gitops.evals.revisiting import Revisiting
from gitops.evals.wiki_commits import WikiCommit, brought, wiki_commits
from gitops.git import history
from gitops.runs.context import Context
from gitops.runs.garbage import uncollected
from gitops.runs.measurements import Measurement, Metric
from gitops.runs.provenance import Origin, origins

_RANK = {"broken": 0, "degraded": 1, "healthy": 2}


@dataclass(frozen=True, slots=True)
class Turned:
    """A sample that the commit made worse: where it stands and what it says, what became of it before and after."""

    id: str
    told: str
    was: str | None
    now: str


@dataclass(frozen=True, slots=True)
class Bisected:
    """The last commit that is good, the first that is bad, and those between them at which nothing could be measured.

    `line` says what was taken for bad; `tried` are all steps, in the order in which they were measured.
    """

    name: str
    good: Step
    bad: Step
    skipped: tuple[WikiCommit, ...]
    line: str
    origin: Origin
    turned: tuple[Turned, ...]
    tried: tuple[Step, ...]

    def record(self) -> dict[str, Any]:
        """The answer as `--json` prints it."""
        verdict = self.origin.verdict
        return {
            "schema": "assay/eval-bisect/1",
            "metric": self.name,
            "line": self.line,
            "first_bad": self.bad.record()
            | {
                "run": self.origin.run_id or self.bad.brought.run_id,
                "verdict": verdict.verdict if verdict is not None else None,
                "told": self.origin.told,
            },
            "last_good": self.good.record(),
            "skipped": [one.id for one in self.skipped],
            "turned": [{"id": one.id, "told": one.told, "was": one.was, "now": one.now} for one in self.turned],
            "tried": [{"commit": step.brought.id, "value": step.number.value} for step in self.tried],
        }


def bisect(context: Context, by: Revisiting, bad: str, good: str) -> Bisected:
    """The first commit behind `good`, up to `bad`, since which the metric of `by` is worse.

    UsageError where `good` is not on the first-parent line of `bad`, or the metric is not worse at `bad`; CannotRun
    where it cannot be measured at one of the two.
    """
    demand_on_line(context, good, bad)
    search = _Search(context, by)
    first, last = search.end(brought(context, by.workspace, good)), search.end(_last(context, by, good, bad))
    is_bad, line = _told_apart(by.name, first, last)
    between = list(wiki_commits(context, by.workspace, last.brought.id, first.brought.id))[:0:-1]
    before, after, skipped = search.narrowed(first, last, between, is_bad)
    with uncollected():
        origin = origins(context, bad, [after.brought.id])[after.brought.id]
    gone = tuple(_turned(before.measurement, after.measurement))
    return Bisected(by.name, before, after, skipped, line, origin, gone, tuple(search.tried))


@dataclass
class _Search:
    context: Context
    by: Revisiting
    tried: list[Step] = field(default_factory=list)

    def step(self, commit: WikiCommit) -> Step:
        found = Step(commit, self.by.name, self.by.at(commit.id))
        self.tried.append(found)
        return found

    def end(self, commit: WikiCommit) -> Step:
        found = self.step(commit)
        if found.number.value is None:
            why = found.measurement.reason
            raise CannotRun(f"{self.by.name} cannot be measured at {commit.id[:10]}: {why}", "name another commit")
        return found

    def narrowed(
        self, good: Step, bad: Step, between: Sequence[WikiCommit], is_bad: Callable[[Metric], bool]
    ) -> tuple[Step, Step, tuple[WikiCommit, ...]]:
        """Halve what lies between, oldest first, until there is nothing left that can be measured."""
        skipped: set[str] = set()
        left = list(between)
        while open_ones := [at for at, one in enumerate(left) if one.id not in skipped]:
            at = min(open_ones, key=lambda number: abs(number - len(left) // 2))
            found = self.step(left[at])
            if found.number.value is None:
                skipped.add(left[at].id)
            elif is_bad(found.number):
                bad, left = found, left[:at]
            else:
                good, left = found, left[at + 1 :]
        return good, bad, tuple(left)


def _last(context: Context, by: Revisiting, good: str, bad: str) -> WikiCommit:
    """The newest commit behind `good` that made the wiki what it is at `bad`; where none did, `bad` itself.

    `good` is measured as it is: a source that it adds may be all that makes it better than the commits before.
    """
    return next(wiki_commits(context, by.workspace, bad, good), None) or brought(context, by.workspace, bad)


def _told_apart(name: str, good: Step, bad: Step) -> tuple[Callable[[Metric], bool], str]:
    """What is bad, as a question and in words: a status below the good one's; of one status, nearer the worse score."""
    first, last = good.number, bad.number
    assert first.value is not None
    assert last.value is not None
    least = _RANK.get(first.status)
    if least is not None and _RANK.get(last.status, least) < least:
        return lambda number: _RANK.get(number.status, least) < least, f"{name} is no longer {first.status}"
    higher, middle = first.direction == "higher", (first.value + last.value) / 2
    if last.value == first.value or (last.value < first.value) != higher:
        where = f"{first.value:.2f} at {good.brought.id[:10]}, {last.value:.2f} at {bad.brought.id[:10]}"
        raise UsageError(f"{name} has not got worse: {where}", f"git assay eval history {name} shows where it did")

    def is_bad(number: Metric) -> bool:
        return number.value is not None and (number.value < middle) == higher

    return is_bad, f"{name} is {'below' if higher else 'above'} {middle:.3f}, halfway between the two"


def _turned(before: Measurement, after: Measurement) -> list[Turned]:
    """The samples that fail and did not before, those that were there before first."""
    was = {one.id: one for one in before.samples}
    found = [
        Turned(one.id, told(one), was[one.id].status if one.id in was else None, one.status)
        for one in after.samples
        if one.status == "fail" and (one.id not in was or was[one.id].status != "fail")
    ]
    return sorted(found, key=lambda one: (one.was is None, one.told))


def known_good(context: Context, by: Revisiting, bad: str) -> str:
    """The newest commit before `bad` that the notes call better. UsageError where they know none."""
    mine = [one for one in by.known if one.is_of(by.name, by.workspace.name)]
    healthy = {one.commit for one in mine if one.metrics[by.name].status == "healthy"}
    line = history.first_parent(context.repository, bad)
    found = next((commit for commit in line if commit in healthy and commit != bad), None)
    if found is None:
        hint = f"name one with --good REV; git assay eval history {by.name} shows what it was"
        raise UsageError(f"{by.name} was healthy at no commit that was measured", hint)
    return found
