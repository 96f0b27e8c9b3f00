"""The run's line in the wiki's log: a function of the run's records, so that anyone can recompute it."""

from __future__ import annotations

from collections.abc import Iterable

from gitops.runs.records import Operation, RunRecord

HEADER = "# Log\n"
_SHOWN = 8


def line(run: RunRecord, operations: Iterable[Operation]) -> str:
    """One list item: day, type, what was read, what was written, which run; of an eval run what it measured."""
    done = list(operations)
    if run.run_type == "eval":
        return measured(run)
    pages = [f"{_MARK[step.op]}{step.path}" for step in done[:_SHOWN]]
    more = f" and {len(done) - _SHOWN} more" if len(done) > _SHOWN else ""
    read = f" {', '.join(run.sources)}" if run.sources else ""
    return f"- {run.started_at[:10]} {run.run_type}{_plain(read)}: {_plain(', '.join(pages))}{more} (run {run.run_id})"


def measured(run: RunRecord) -> str:
    """The same of a run that measured and wrote nothing: day, type, what it measured, which run."""
    return f"- {run.started_at[:10]} {run.run_type}: {_plain(run.reason)} (run {run.run_id})"


_MARK = {"create": "+", "update": "", "delete": "-"}


def _plain(text: str) -> str:
    """Names are shown, never read: no mark-up, no line breaks, whatever a file is called."""
    return "".join(char if char.isprintable() and char not in "[]<>`*|\\" else "_" for char in text)


def appended(log: bytes | None, added: str) -> bytes:
    """The log with one more line, or several, at its end; a log that is not there begins with its heading."""
    if log is None:
        return f"{HEADER}\n{added}\n".encode()
    gap = b"" if log.endswith(b"\n") or not log else b"\n"
    return log + gap + added.encode() + b"\n"
