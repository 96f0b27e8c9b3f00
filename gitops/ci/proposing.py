"""A verified candidate put up as a pull request, where nobody but a person may move the branch that runs land on.

Its branch is `assay/ID`, which the tool alone writes: a candidate that a newer one replaces is one that the run's own
records name. Merged by a merge commit or by squash, it is just what was verified.
"""

from __future__ import annotations

from collections.abc import Iterable

from gitops.ci import pull_requests
from gitops.ci.github import GitHub
from gitops.ci.pull_requests import PullRequest
from gitops.ci.taming import code, said
from gitops.errors import CannotRun
from gitops.git import remotes
from gitops.runs import pushing
from gitops.runs.context import Context
from gitops.runs.outcome import Outcome
from gitops.runs.records import Operation, Run
from gitops.verify.verdict import Verdict

BRANCHES = "refs/heads/assay/"
_PAGES = 20


def branch(run_id: str) -> str:
    """The branch from which a run's candidate is put up."""
    return BRANCHES + run_id


def standing(context: Context, remote: str, run_id: str) -> str | None:
    """What stands on that branch at the remote."""
    return remotes.listed(context.repository, remote, (branch(run_id),)).get(branch(run_id))


def propose(context: Context, remote: str, github: GitHub, outcome: Outcome) -> tuple[PullRequest, bool]:
    """Have an open pull request show this candidate, and whether it is new."""
    run = outcome.run
    head, base = _ends(context, remote, run)
    _push(context, remote, run, outcome.commit)
    return pull_requests.opened(github, head, base, f"Land run {run.id}", body(run, outcome.verdict, outcome.commit))


def was_proposed(context: Context, remote: str, github: GitHub, run: Run) -> bool:
    """Whether a pull request came of the branch: who was cut short between the two left the branch alone."""
    return pull_requests.was_opened(github, *_ends(context, remote, run))


def _ends(context: Context, remote: str, run: Run) -> tuple[str, str]:
    """The branch that a run is put up from, and the one that it is to go to."""
    upstream = pushing.upstream(context, run.record.target)
    if upstream is None:
        short = run.record.target.removeprefix("refs/heads/")
        told = f"{short} follows no branch of {remote}"
        raise CannotRun(told, f"git branch --set-upstream-to={remote}/{short} {short}")
    return branch(run.id).removeprefix("refs/heads/"), upstream[1].removeprefix("refs/heads/")


def _push(context: Context, remote: str, run: Run, commit: str) -> None:
    ref, there = branch(run.id), standing(context, remote, run.id)
    if there == commit:
        return
    if there is None:
        refused = remotes.push(context.repository, remote, {ref: commit})
    elif there in {state.candidate for state in run.states}:
        refused = remotes.replace(context.repository, remote, ref, commit, there)
    else:
        told = f"assay/{run.id} at {remote} stands at {there[:10]}, which is no candidate of run {run.id}"
        raise CannotRun(told, f"git push {remote} --delete assay/{run.id}, once you know whose that is")
    if refused:
        raise CannotRun(f"{remote} does not take assay/{run.id} either: {refused}", "permissions: contents: write")


def body(run: Run, verdict: Verdict | None, commit: str) -> str:
    """What the pull request says. Names and reasons in it are foreign, and do nothing."""
    target = run.record.target.removeprefix("refs/heads/")
    parts = [
        f"Run {code(run.id)} is verified, and nothing but a person may move {code(target)}. Merge it with a merge "
        "commit or by squash: that leaves just what was verified. A rebase, or a newer base, is to be verified again.",
        f"{code(run.state.base[:10])} → {code(commit[:10])}, of {code(run.state.head[:10])} by {said(_who(run), 100)}",
    ]
    if verdict is not None:
        voted = f"{verdict.counts.judged} of {verdict.counts.judged + verdict.counts.unjudged} claims judged"
        parts.append(
            f"Verdict {code(verdict.verdict)} by {said(verdict.verifier)}, judge {code(verdict.judge)}, {voted}:"
        )
        parts.append(f"> {said(verdict.reasoning, 1_000)}")
    if run.plan is not None and run.plan.operations:
        parts.append("".join(_pages(run.plan.operations)).rstrip())
    parts.append("<sub>By git-assay. The verdict itself is in refs/notes/assay/verdicts.</sub>")
    return "\n\n".join(parts) + "\n"


def _who(run: Run) -> str:
    return run.record.author.name or run.record.author.email


def _pages(operations: tuple[Operation, ...]) -> Iterable[str]:
    yield from (f"- {each.op} {code(each.path)}\n" for each in operations[:_PAGES])
    if len(operations) > _PAGES:
        yield f"- and {len(operations) - _PAGES:,} more\n"
