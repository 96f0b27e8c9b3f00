"""A metric over the history of a wiki: what it was at each commit of the first-parent line that changed the wiki."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from gitops.errors import CannotRun, UsageError
from gitops.evals.metric import Metric
from gitops.evals.revisiting import At, Revisiting
from gitops.evals.running import Measured, Wanted
from gitops.evals.wiki_commits import WikiCommit, wiki_commits
from gitops.git.history import first_parent
from gitops.index.cache import Cache
from gitops.runs import measurements
from gitops.runs.context import CACHE, Context
from gitops.runs.measurements import Measurement
from gitops.runs.measurements import Metric as Number
from gitops.runs.workspace import Workspace

LIMIT = 20
"""So many commits are measured where nobody says how many."""
Keep = Callable[[Measured], None]


@dataclass(frozen=True, slots=True)
class Step:
    """A commit, and what the metric was at it."""

    brought: WikiCommit
    name: str
    measured: At

    @property
    def number(self) -> Number:
        """The number, or that there is none."""
        return self.measured.measurement.metrics[self.name]

    @property
    def measurement(self) -> Measurement:
        """The whole measurement."""
        return self.measured.measurement

    def record(self) -> dict[str, Any]:
        """The step as plain JSON."""
        commit, number = self.brought.commit, self.number
        return {
            "commit": commit.id,
            "time": commit.time,
            "author": f"{commit.author.name} <{commit.author.email}>",
            "subject": self.brought.subject,
            "run": self.brought.run_id,
            "pages": list(self.brought.pages),
            "others": list(self.brought.others),
            "value": number.value,
            "interval": number.interval,
            "n": number.n,
            "status": number.status,
            "reason": self.measurement.reason,
            "kept": self.measured.is_kept,
        }


@dataclass(frozen=True, slots=True)
class History:
    """The steps, newest first; `is_cut` says that there are older ones, which were not asked for."""

    workspace: str
    name: str
    metric: Metric
    steps: tuple[Step, ...]
    is_cut: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing was measured at any commit."""
        return all(step.number.value is None for step in self.steps)

    def record(self) -> dict[str, Any]:
        """The history as `--json` prints it."""
        return {
            "schema": "assay/eval-history/1",
            "workspace": self.workspace,
            "metric": self.name,
            "is_cut": self.is_cut,
            "steps": [step.record() for step in self.steps],
        }


@contextmanager
def revisiting(
    context: Context, workspace: Workspace, wanted: Wanted, keep: Keep | None = None
) -> Iterator[Revisiting]:
    """What measures the commits of a workspace by the one metric that is wanted."""
    [name] = wanted.metrics
    # Held open throughout: SQLite writes its log back whenever the last who has the file open leaves it.
    with Cache(context.folder / CACHE):
        yield Revisiting(context, workspace, name, wanted, measurements.everything(context), keep)


def history(
    context: Context,
    workspace: Workspace,
    wanted: Wanted,
    tip: str,
    stop: str | None = None,
    limit: int = LIMIT,
    keep: Keep | None = None,
) -> History:
    """Measure the newest commits from `tip` down to just before `stop`, the oldest of them first.

    `workspace` is the one at the tip, `wanted` names one metric. CannotRun where no commit changed the wiki, UsageError
    where `stop` is not on the first-parent line of `tip`.
    """
    if stop is not None:
        demand_on_line(context, stop, tip)
    found = list(islice(wiki_commits(context, workspace, tip, stop), limit + 1))
    if not found:
        raise CannotRun(f"no commit there changed the wiki of {workspace.name}", "name another range with --rev")
    [(name, metric)] = wanted.metrics.items()
    asked = found[:limit]
    with revisiting(context, workspace, wanted, keep) as by:
        steps = measure(context, by, asked)
    return History(workspace.name, name, metric, tuple(steps), len(found) > limit)


def demand_on_line(context: Context, commit: str, tip: str) -> None:
    """UsageError where a commit is not on the first-parent line of another."""
    if commit not in first_parent(context.repository, tip):
        told = f"{commit[:10]} is not on the first-parent line of {tip[:10]}"
        raise UsageError(told, f"git log --first-parent --oneline {tip[:10]} shows which commits are")


def measure(context: Context, by: Revisiting, found: Sequence[WikiCommit]) -> list[Step]:
    """Measure some commits, newest first: from the oldest on, for a trend looks back, and the index ends at the tip."""
    old_first = list(reversed(found))
    steps = [Step(one, by.name, by.at(one.id)) for one in context.progress("measuring", old_first, len(old_first))]
    return steps[::-1]
