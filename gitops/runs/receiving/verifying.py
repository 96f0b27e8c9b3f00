"""What nobody has vouched for yet, verified where it arrives: by the checks, and the judges that need no model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gitops.config import FREE_JUDGES
from gitops.errors import CannotRun
from gitops.git import history
from gitops.runs import guarding, judging, revisions
from gitops.runs.context import Context
from gitops.runs.reflines import Examined, are_touched
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.verify.finding import Finding
from gitops.verify.verdict import Verdict, shown

_RECORDS = "git assay sync REMOTE brings the records that say what landed; then push again"


def guarded(context: Context, ref: str, workspaces: list[Workspace], base: str, head: str) -> Examined:
    """Hold a branch that nothing lands on to what nobody can override."""
    new = list(history.between(context.repository, base, head))
    touched = are_touched(context, workspaces, base, head, new)
    found = guarding.guarded(context, ref, touched, base, head, new, is_run=False)
    return replace(found, mend=_mend(found.findings))


def judged(context: Context, ref: str, workspaces: list[Workspace], base: str, head: str) -> Examined:
    """Verify a step whole: it passes where the verdict on every workspace that it touches is a yes."""
    verdicts = [_verdict(context, each, base, head) for each in workspaces]
    worst = next((each for each in verdicts if each.verdict != "commit"), None)
    if worst is None:
        return Examined(ref, True, "; ".join(f"{each.verdict}: {each.reasoning}" for each in verdicts))
    every = tuple(finding for each in verdicts for finding in judging.gating(shown(each)))
    return Examined(ref, False, f"{worst.verdict}: {worst.reasoning}", every, _mend(every))


def settle(context: Context, workspaces: Iterable[Workspace], commit: str) -> None:
    """Leave the cached link graph at a commit that stands here whatever becomes of the push.

    One of a commit that is refused would have to be made anew from every page.
    """
    for each in workspaces:
        with Bench(context, each, commit) as bench:
            bench.base_view()


def _verdict(context: Context, workspace: Workspace, base: str, head: str) -> Verdict:
    """The verdict of the judges that need no model. Where the policy wants votes of others, there is none.

    CannotRun then: a change that only a model can judge comes as a run, or with a signed verdict.
    """
    verify = workspace.config.verify
    free = {"judge": tuple(name for name in verify.judge if name in FREE_JUDGES), "min_judged": verify.wanted}
    config = workspace.config.model_copy(update={"verify": verify.model_copy(update=free)})
    there = replace(context, seating=None)
    try:
        return revisions.judge_revision(there, replace(workspace, config=config), base, head, head)
    except CannotRun as error:
        run = f"git push REMOTE {head[:10]}:refs/heads/run/ID"
        raise CannotRun(error.message, f"push it as a run, which is judged once it is taken: {run}") from error


def _mend(findings: Iterable[Finding]) -> str:
    """What else mends it than the findings say: a line of the log is foreign where its records have not come."""
    return _RECORDS if any((each.check, each.result) == ("path_acl", "log") for each in findings) else ""
