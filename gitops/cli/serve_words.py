"""What came of a pushed run, in the words of its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitops.runs.outcome import Outcome
    from gitops.runs.serving import Answer

_RESULTS = {
    "not_landed": "verified, not landed",
    "no_verdict": "no verdict",
    "ended": "nothing to do",
    "draft": "not judged",
}


def in_words(answer: Answer, now: str) -> str:
    """What came of a run as its log has it: what was found, and last of all the outcome on one line."""
    from gitops.cli import one_line

    lines = []
    if answer.outcome is not None:
        lines.append(_told(answer.outcome))
    if answer.hint:
        lines.append(f"  {one_line(answer.hint)}")
    ended = _RESULTS.get(answer.result, answer.result)
    why = answer.message.removeprefix(f"{ended}: ")
    told = f": {one_line(why)}" if why else ""
    if answer.outcome is not None and answer.outcome.result == "landed":
        target = answer.outcome.run.record.target.removeprefix("refs/heads/")
        told = f" on {target} as {answer.outcome.commit[:10]}"
    lines.append(f"{now} run {answer.run_id}: {ended}{told}")
    return "\n".join(lines)


def _told(outcome: Outcome) -> str:
    """The findings with their mends, as `run finish` prints them into a pipe."""
    import io
    from contextlib import redirect_stdout

    from gitops.report.runs import outcome as words
    from gitops.report.text import show

    with redirect_stdout(io.StringIO()) as said:
        show(words(outcome.result, outcome.run, outcome.verdict, outcome.commit, outcome.signer))
    return said.getvalue()
