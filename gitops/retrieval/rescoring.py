"""Scores a run again from what was kept of it: formulas may have changed since, or golden queries been mended."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.retrieval import measuring, recalling, workflow
from gitops.retrieval.model import Results
from gitops.retrieval.running import Gold, looked_up, looked_up_in_wiki, scored_by
from gitops.retrieval.scoring import Scored
from gitops.retrieval.stores import Store
from gitops.runs import evalruns
from gitops.runs import workspace as workspaces
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement


@dataclass(frozen=True, slots=True)
class Rescored:
    """A run as it was measured last, and as it is scored now. `is_known`: the notes of this repository have it."""

    before: Measurement
    now: Measurement
    scored: Scored
    results: Results
    is_known: bool

    @property
    def is_other(self) -> bool:
        """Whether another outcome is to be recorded, or the same one by other golden queries."""
        before, now = ((one.details["aggregate"], one.instrument.get("gold")) for one in (self.before, self.now))
        return before != now


def rescored(
    context: Context,
    named: Measurement,
    gold: Gold | None,
    store: Store | None = None,
    *,
    other_chunker: bool = False,
) -> Rescored:
    """Score again the run of a measurement: by the golden queries of its last one, or by others.

    Hits and answers are those of its first measurement: one by other golden queries may lack some. Others are looked up
    in the chunks of the wiki at that commit, where it was the wiki that was asked, else in the store that is given.
    """
    history = recalling.history(context, named)
    first, before = (history[0], history[-1]) if history else (named, named)
    results = measuring.stored(first)[1]
    own = Gold(before.suite, measuring.stored(before)[0])
    gold = own if gold is None else _looked_up(context, first, gold, store, other_chunker)
    scored = scored_by(gold, results, has_store=measuring.has_store(first))
    now = measuring.scored_again(before, scored, results, gold.suite, context.now)
    return Rescored(before, now, scored, results, bool(history))


def _looked_up(context: Context, run: Measurement, gold: Gold, store: Store | None, other_chunker: bool) -> Gold:
    if store is None and run.subject.get("system") == workflow.NAME:
        workspace = workspaces.find(context.repository, run.commit, run.workspace)
        return looked_up_in_wiki(context, workspace, run.commit, gold, other_chunker=other_chunker)[0]
    return looked_up(gold, store, other_chunker=other_chunker)


def keep(context: Context, made: Rescored) -> Measurement:
    """Record what it comes to now, on the commit that was measured: from now on this counts."""
    measuring.refuse_too_large(context, made.now)
    return evalruns.record_again(context, made.now)
