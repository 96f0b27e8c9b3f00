"""From a draft to a verdict: what the verifier finds goes back to the writer as a new turn, until nothing gates.

How often a writer may revise is counted where runs are decided (`[verify] max_loops`); here it is only asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from gitops.canonical import dumps
from gitops.errors import AssayError, OutOfBudget
from gitops.git import refs
from gitops.runs import abandoning, endings, landing, names, staging, store
from gitops.runs.context import Context
from gitops.runs.outcome import NotLanded, Options, Outcome
from gitops.runs.owning import WRITER_WAITS_S, owned
from gitops.runs.records import FINAL, Run, added_up
from gitops.usage import Usage
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import Verdict

_AGAIN = ", then run the command again"
Told = TypeVar("Told", bound=AssayError)


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

    OutOfBudget abandons the run, its head kept. Any other error, and Ctrl-C, leave it pending and say how to go on.
    """
    with _told_how_to_go_on(context, run):
        return _carried(context, run, writer, options, say)


def _carried(context: Context, run: Run, writer: Writer, options: Options, say: Callable[[str], None]) -> Outcome:
    with _kept_account(context, run, writer):
        writer.draft()
    if staging.head_of(context, run) == run.record.root:
        return _nothing(context, run)
    say(f"verifying run {run.id}")
    outcome = landing.finish(context, run.id, options)
    while outcome.result == "revise" and outcome.verdict is not None:
        before = staging.head_of(context, run)
        say(f"revising run {run.id}: {outcome.verdict.reasoning}")
        with _kept_account(context, run, writer):
            is_mended = writer.revise(outcome.verdict)
        if not is_mended or staging.head_of(context, run) == before:
            return outcome
        outcome = landing.finish(context, run.id, options)
    return outcome


def _nothing(context: Context, run: Run) -> Outcome:
    """A writer that wrote nothing found nothing to write: its run comes to nothing."""
    return Outcome("draft", abandoning.abandon(context, run.id, "the writer found nothing to write"))


@contextmanager
def _kept_account(context: Context, run: Run, writer: Writer) -> Iterator[None]:
    """Book what the writer uses on the run, however its turn ends."""
    before = writer.used
    try:
        yield
    finally:  # before the run is abandoned: to what has ended nothing is added
        _book(context, run, writer.used, since=before)


@contextmanager
def _told_how_to_go_on(context: Context, run: Run) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        context.warn(f"run {run.id} is pending: {_ways_on(context, run)}")
        raise
    except OutOfBudget as error:
        if not _is_open(context, run):
            raise
        abandoning.abandon(context, run.id, f"the writer's budget ran out: {error.message}")
        raise retold(error, f"run {run.id} is abandoned, its content is kept: {error.message}", error.hint) from error
    except AssayError as error:
        if not _is_open(context, run):
            raise
        # Run again, a command that writes would begin another run; this one only has to be finished.
        mend = error.hint.removesuffix(_AGAIN)
        ways = f"git assay run finish {run.id}" if isinstance(error, NotLanded) else _ways_on(context, run)
        hint = f"{mend}; then {ways}" if mend else ways
        raise retold(error, f"{error.message} (run {run.id} is pending)", hint) from error


def retold(error: Told, message: str, hint: str) -> Told:
    """An error of the same kind, with all that it carries, in other words."""
    told = type(error).__new__(type(error))
    vars(told).update(vars(error))
    AssayError.__init__(told, message, hint)
    return told


def _ways_on(context: Context, run: Run) -> str:
    """The commands that go on with it; a run that holds nothing yet is only in the way."""
    if refs.read(context.repository, names.branch(run.id)) == run.record.root:
        return f"git assay run abandon {run.id}, which holds nothing yet, and begin again"
    return f"git assay run finish {run.id}, or git assay run abandon {run.id}"


def _is_open(context: Context, run: Run) -> bool:
    known = store.exact(context, run.id)
    return known is not None and known.status not in FINAL


def _book(context: Context, run: Run, used: Usage, since: Usage) -> None:
    """Record the writer's totals in the run's state, so that a clone has them and the budget check reads them."""
    if used.calls == since.calls:
        return
    added = used - since
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
