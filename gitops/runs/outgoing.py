"""What a push would bring to a remote, looked at as it is committed: every ref line, never the work tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gitops.errors import UsageError
from gitops.git import commits, history, objects, refs
from gitops.git.process import git
from gitops.git.snapshot import resolve
from gitops.runs import judging, names, revisions, store
from gitops.runs.context import Context
from gitops.runs.guarding import guarded
from gitops.runs.proof import LETS
from gitops.runs.reflines import Examined as Examined
from gitops.runs.reflines import are_touched, commits_told, mainline
from gitops.runs.workspace import Workspace, at, roots
from gitops.verify.finding import Finding
from gitops.verify.verdict import Verdict, shown

HEADS = "refs/heads/"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of what git tells a pre-push hook: what is pushed, and what stands at the remote under that name."""

    local_ref: str
    local: str
    remote_ref: str
    remote: str

    @property
    def is_branch(self) -> bool:
        """Whether a branch is made or moved; what is deleted, and tags and notes, bring no pages."""
        return self.remote_ref.startswith(HEADS) and set(self.local) != {"0"}


def parse(text: str) -> list[Line]:
    """The ref lines on a pre-push hook's standard input. UsageError for anything else."""
    lines = [line.split(" ") for line in text.splitlines() if line]
    if any(len(fields) != 4 or not all(fields) for fields in lines):
        what = "a ref line is: local ref, its object, remote ref, its object"
        raise UsageError(f"this is no ref line: {text.splitlines()[0][:60]!r}", what)
    return [Line(*fields) for fields in lines]


def examine(context: Context, remote: str, line: Line) -> Examined | None:
    """Look at one branch that is pushed: None where it holds no workspace, so that it is nobody's business here.

    A run's commits, each against every parent, may write pages and nothing else. A target's new commits are landed with
    a verdict, intakes, or a change that verifies. Any other branch may not touch what is sealed. CannotRun where there
    is no verdict.
    """
    head = resolve(context.repository, line.local)
    base = _base(context, remote, line, head)
    policies = list(roots(context.tree(base))) if base is not None else []
    if base is None or not policies:
        brings = next(roots(context.tree(head)), None) is not None
        why = f"{remote} has no policy yet to judge it by" if brings else ""
        return Examined(line.remote_ref, True, why) if brings else None
    workspaces = [at(context.tree(base), root, base) for root in policies]
    new = list(history.between(context.repository, base, head))
    touched = are_touched(context, workspaces, base, head, new)
    if line.remote_ref.startswith(names.BRANCHES) or line.remote_ref not in _targets(context, remote):
        is_run = line.remote_ref.startswith(names.BRANCHES)
        return guarded(context, line.remote_ref, touched, base, head, new, is_run)
    return _judged(context, line.remote_ref, touched, base, head, new)


def _base(context: Context, remote: str, line: Line, head: str) -> str | None:
    """What the pushed commits began from: for a run where it was begun, else what the remote has of its history."""
    repository = context.repository
    if line.remote_ref.startswith(names.BRANCHES):
        run_id = line.remote_ref.removeprefix(names.BRANCHES)
        run = store.exact(context, run_id) if names.is_id(run_id) else None
        if run is not None and objects.exists(repository, run.record.base):
            return run.record.base
    elif set(line.remote) != {"0"} and objects.exists(repository, line.remote):
        return history.merge_base(repository, line.remote, head)
    known = refs.listed(repository, f"refs/remotes/{remote}")
    there = sorted({tip for ref, tip in known.items() if not ref.startswith(f"refs/remotes/{remote}/run/")})
    done = git(repository, "merge-base", head, *there, check=False) if there else None
    return done.text.split("\n")[0] if done is not None and done.code == 0 else None


def _targets(context: Context, remote: str) -> set[str]:
    """The branches that runs land on: the configured one and the remote's own, else the one that HEAD is on."""
    repository = context.repository
    configured = repository.git_config("assay.target")
    follows = git(repository, "symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD", check=False).text
    found = {configured if configured.startswith("refs/") else HEADS + configured} if configured else set()
    if follows:
        found.add(HEADS + follows.removeprefix(f"refs/remotes/{remote}/"))
    return found or {repository.head_branch() or ""}


def _judged(
    context: Context, ref: str, workspaces: Iterable[Workspace], base: str, head: str, new: list[str]
) -> Examined:
    """A target's new commits: landed ones and intakes stand; with anything else among them, the whole is verified."""
    touched = list(workspaces)
    own = [commit for commit in mainline(context, head, set(new)) if not _stands(context, touched, commit)]
    if not own or not touched:
        return Examined(ref, True, f"{commits_told(len(new))}, landed with a verdict or intakes" if touched else "")
    judged = [revisions.judge_revision(context, each, base, head, head) for each in touched]
    worst = next((each for each in judged if each.verdict != "commit"), judged[0])
    findings = tuple(finding for verdict in judged for finding in _gating(verdict))
    return Examined(ref, worst.verdict == "commit", f"{worst.verdict}: {worst.reasoning}", findings)


def _stands(context: Context, workspaces: Iterable[Workspace], commit: str) -> bool:
    """Whether a commit needs no further judgement: it landed with a verdict on just this step, or it is an intake."""
    there = commits.read(context.repository, commit)
    verdict = store.standing(store.verdicts_on(context, commit), commit)
    if verdict is not None and verdict.verdict in LETS:
        return verdict.tree == there.tree and there.parents[:1] == (verdict.base,)
    entries = history.introduced(context.repository, commit)
    return len(there.parents) == 1 and any(judging.is_intake(each, entries) for each in workspaces)


def _gating(verdict: Verdict) -> Iterator[Finding]:
    return judging.gating(shown(verdict))
