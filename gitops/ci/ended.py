"""How a check ended, by GitHub's word, beside what its job left behind: the change could have written that.

Results that say otherwise than their job ended are told as that; and where none came, or none that counts, so is that.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitops import __version__
from gitops.ci import artifact
from gitops.ci import comment_parts as parts
from gitops.ci.comment import ADDRESS, marker
from gitops.ci.pull_requests import PullRequest
from gitops.ci.result import Baseline, Outcome, Result
from gitops.ci.workflow_run import WorkflowRun
from gitops.errors import AssayError
from gitops.llm.failures import one_line

_MOST = 1_000
UNKNOWN = "git-assay.check"
"""Stands for a suite where none is known: no result came, and no comment says which suites there are."""


def confronted(results: Sequence[Result], conclusion: str | None) -> list[Result]:
    """Results, held against how their job ended.

    A job of several suites ends as the worst of them. Where none of them says why it did not succeed, none is told as
    passed, and each is told.
    """
    said = {each.outcome for each in results}
    if conclusion == "success":
        told = "the check itself ended as success, and its result says that it failed"
        return [_altered(each, "failed", told) if each.outcome == "failed" else each for each in results]
    if said == {"passed"}:
        told = f"the check itself ended as {conclusion or 'it should not'}, and its result says that it passed"
        return [_altered(each, "neutral", told) for each in results]
    return [each if "failed" in said else each.model_copy(update={"is_touched": True}) for each in results]


def _altered(result: Result, outcome: Outcome, told: str) -> Result:
    cause = one_line(f"{told}: {result.cause}", _MOST)
    return result.model_copy(update={"outcome": outcome, "cause": cause, "is_touched": True})


def silence(run: WorkflowRun, refused: AssayError | None) -> str:
    """What to say of a suite of which the check tells nothing, or nothing that counts."""
    ended = f"The check of {run.head_sha[:10]} ended as {run.conclusion or 'it should not'}"
    if refused is None:
        return f"{ended}, and tells nothing of this suite."
    if isinstance(refused, artifact.Absent):
        return f"{ended}, and left no result behind."
    return f"{ended}, and what it left behind does not count: {refused.message}."


def nothing(suite: str, pull: PullRequest, at: str, why: str) -> Result:
    """What stands in the place of a result: nothing was found wrong, and nothing was looked at."""
    return Result(
        suite=suite,
        version=__version__,
        created_at=at,
        workspace="",
        base=pull.base.sha,
        head=pull.head.sha,
        outcome="neutral",
        cause=one_line(why, _MOST),
        decision="none",
        baseline=Baseline(source="none"),
        reproduce=f"git assay ci check --base {pull.base.sha}",
    )


def told(nothing: Result, url: str) -> str:
    """The comment that says so, and where to look."""
    log = f"[the check's log]({url})" if ADDRESS.fullmatch(url) else ""
    head = f"{marker(nothing.suite)}\n> [!WARNING]\n> {parts.sentence(nothing)}"
    return f"{head}\n\n{parts.footer(nothing, log).head}\n"
