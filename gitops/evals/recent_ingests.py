"""The ingests of the seven days before a moment, each with how far it reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from gitops.evals import cascades
from gitops.evals.cascades import Cascade, LeftOut
from gitops.evals.landings import Landing, Landings, landings, recorded_at
from gitops.evals.subject import Subject
from gitops.runs import store

DAYS = 7
_SKEW = timedelta(days=1)
"""So far ahead the clock of another machine may be; what is dated later was dated by a wrong clock, then or now."""


@dataclass(frozen=True, slots=True)
class Week:
    """The ingests that were measured, those of which nothing can be measured, and when the last one landed, if any."""

    made: tuple[Cascade, ...]
    left_out: tuple[LeftOut, ...]
    last: datetime | None

    def missed(self) -> Mapping[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
        """By the sources of an ingest the pages that it missed, with the terms that they mention."""
        found: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
        for each in self.made:
            if each.missed:
                found.setdefault(each.sources, {}).update({page: each.mentioning[page] for page in each.missed})
        return found


def week(subject: Subject) -> Week:
    """The ingests of the week before the subject's moment that its commit has in its history. What is left out is told.

    A run that landed before, and is dated after the moment, was dated by a wrong clock: it cannot be said whether it
    is of the week.
    """
    context, root = subject.context, subject.workspace.layout.root
    found = landings(context, root, subject.commit, store.all_runs(context).values())
    recent, left_out = _recent(subject, found)
    measured = [cascades.of(subject, ingest, found.known) for ingest in recent]
    left_out += [each for each in measured if isinstance(each, LeftOut)]
    for each in left_out:
        context.warn_once(f"M2 leaves out ingest {each.run_id}: {each.why}")
    last = max((each.at for each in found.known if each.run.record.run_type == "ingest"), default=None)
    return Week(tuple(each for each in measured if isinstance(each, Cascade)), tuple(left_out), last)


def _recent(subject: Subject, found: Landings) -> tuple[list[Landing], list[LeftOut]]:
    since, until = subject.moment - timedelta(days=DAYS), subject.moment + _SKEW
    ingests = [each for each in found.known if each.run.record.run_type == "ingest" and each.at >= since]
    late = [each for each in ingests if each.at > until]
    absent = [run for run in found.absent if run.record.run_type == "ingest" and since <= recorded_at(run) <= until]
    told = [LeftOut(each.id, f"dated {each.at:%Y-%m-%d}, after the moment measured") for each in late]
    told += [LeftOut(run.id, f"its commit {run.state.candidate[:10]} is not in this clone") for run in absent]
    return [each for each in ingests if each.at <= until], told
