"""From a draft to a verdict: what the verifier finds goes back to the writer as a new turn, until nothing gates.

How often a writer may revise is counted where runs are decided (`[verify] max_loops`); here it is only asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from gitops.canonical import dumps
from gitops.errors import CannotRun, OutOfBudget
from gitops.runs import abandoning, endings, landing, staging, store
from gitops.runs.context import Context
from gitops.runs.outcome import NotLanded, Options, Outcome
from gitops.runs.owning import WRITER_WAITS_S, owned
from gitops.runs.records import FINAL, Run, added_up
from gitops.usage import Usage
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import Verdict


class Writer(Protocol):
    """Writes into one pending run."""

    @property
    def used(self) -> Usage:
        """What its model has used so far."""
        ...

    def draft(self) -> None:
        """Stage what is to be written."""
        ...

    def revise(self, verdict: Verdict) -> bool:
        """Mend what a verdict found; False where it can do no more about it."""
        ...


def carry_through(context: Context, run: Run, writer: Writer, options: Options, say: Callable[[str], None]) -> Outcome:
    """Draft, verify, revise as often as the policy lets it, land; `say` is told what is being done.

    OutOfBudget abandons the run, its head kept. Any other CannotRun, and Ctrl-C, leave it pending and say how to go on.
    """
    with _kept_account(context, run, writer):
        writer.draft()
    if staging.head_of(context, run) == run.record.root:
        return _nothing(context, run)
    say(f"verifying run {run.id}")
    outcome = _finished(context, run, options)
    while outcome.result == "revise" and outcome.verdict is not None:
        before = staging.head_of(context, run)
        say(f"revising run {run.id}: {outcome.verdict.reasoning}")
        with _kept_account(context, run, writer):
            is_mended = writer.revise(outcome.verdict)
        if not is_mended or staging.head_of(context, run) == before:
            return outcome
        outcome = _finished(context, run, options)
    return outcome


def _nothing(context: Context, run: Run) -> Outcome:
    """A writer that wrote nothing found nothing to write: its run comes to nothing."""
    return Outcome("draft", abandoning.abandon(context, run.id, "the writer found nothing to write"))


def _finished(context: Context, run: Run, options: Options) -> Outcome:
    with _told_how_to_go_on(context, run):
        return landing.finish(context, run.id, options)


@contextmanager
def _kept_account(context: Context, run: Run, writer: Writer) -> Iterator[None]:
    """Book what the writer uses on the run, however its turn ends."""
    before = writer.used
    with _told_how_to_go_on(context, run):
        try:
            yield
        finally:  # before the run is abandoned: to what has ended nothing is added
            _book(context, run, writer.used, since=before)


@contextmanager
def _told_how_to_go_on(context: Context, run: Run) -> Iterator[None]:
    try:
        yield
    except (NotLanded, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt):
            context.warn(f"run {run.id} is pending: {_ways_on(run)}")
        raise
    except OutOfBudget as error:
        if _is_open(context, run):
            abandoning.abandon(context, run.id, f"the writer's budget ran out: {error.message}")
            error.message = f"run {run.id} is abandoned, its content is kept: {error.message}"
        raise
    except CannotRun as error:
        if _is_open(context, run):
            error.message = f"{error.message} (run {run.id} is pending)"
            error.hint = f"{error.hint}; then {_ways_on(run)}" if error.hint else _ways_on(run)
        raise


def _ways_on(run: Run) -> str:
    return f"git assay run finish {run.id}, or git assay run abandon {run.id}"


def _is_open(context: Context, run: Run) -> bool:
    known = store.exact(context, run.id)
    return known is not None and known.status not in FINAL


def _book(context: Context, run: Run, used: Usage, since: Usage) -> None:
    """Record the writer's totals in the run's state, so that a clone has them and the budget check reads them."""
    if used.calls == since.calls:
        return
    added = Usage(
        used.input - since.input,
        used.output - since.output,
        used.cache_read - since.cache_read,
        used.cache_write - since.cache_write,
        used.usd - since.usd,
        used.calls - since.calls,
    )
    with owned(context, run.id, wait=WRITER_WAITS_S):
        known = store.exact(context, run.id) or run
        if known.status in FINAL:  # a replacement that did not fit has rejected it
            return
        spent = added_up(known.state.spent, "writer", added)
        fields = {"used": used.record(), "spent": spent, "reason": known.state.reason}
        head = staging.head_of(context, known)
        endings.record(context, known, endings.next_state(context, known, known.status, head=head, **fields))


def findings_turn(verdict: Verdict) -> str:
    """What gates, as one JSON object a line: where it stands, what is wrong, how to mend it."""
    return "\n".join(dumps(_plain(finding)) for finding in gating(verdict))


def gating(verdict: Verdict) -> list[Finding]:
    """The new errors and warnings of a verdict."""
    return [one for one in verdict.findings if one.new and one.level in (Level.ERROR, Level.WARNING)]


def _plain(finding: Finding) -> dict[str, Any]:
    told = {
        "path": finding.path,
        "line": finding.line,
        "check": f"{finding.check}/{finding.result}",
        "level": finding.level.value,
        "message": finding.message,
        "claim": finding.claim,
        "source": finding.source,
        "repair": finding.repair,
    }
    return {name: value for name, value in told.items() if value}
