"""What a push would bring to a remote, looked at as it is committed: every ref line, never the work tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gitops.errors import UsageError
from gitops.git import commits, history, objects, refs
from gitops.git.process import git
from gitops.git.snapshot import TreeSnapshot, resolve
from gitops.git.treediff import changed
from gitops.runs import judging, names, revisions, store
from gitops.runs.context import Context
from gitops.runs.proof import LETS
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace, at, roots
from gitops.verify.finding import Finding
from gitops.verify.verdict import Verdict, called, shown
from gitops.verify.verifier import sealed
from gitops.verify.view import RunAt, RunFacts
from gitops.wiki.snapshot import Change, Touched

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


@dataclass(frozen=True, slots=True)
class Examined:
    """What is to be said of one branch: whether it may go, why, and what was found."""

    ref: str
    passes: bool
    why: str
    findings: tuple[Finding, ...] = ()


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
    touched = [each for each in workspaces if _is_touched(context, each, base, head)]
    new = list(history.between(context.repository, base, head))
    if line.remote_ref.startswith(names.BRANCHES) or line.remote_ref not in _targets(context, remote):
        is_run = line.remote_ref.startswith(names.BRANCHES)
        return _guarded(context, line.remote_ref, touched, base, head, new, is_run)
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


def _is_touched(context: Context, workspace: Workspace, base: str, head: str) -> bool:
    before, after = context.tree(base).tree_id, context.tree(head).tree_id
    return any(True for _ in changed(context.repository, before, after, workspace.layout.root))


def _guarded(
    context: Context, ref: str, workspaces: Iterable[Workspace], base: str, head: str, new: list[str], is_run: bool
) -> Examined:
    """Where a branch writes: the rules that nobody can override, over every commit that is pushed."""
    found: list[Finding] = []
    for workspace in workspaces:
        lines = frozenset() if is_run else revisions.log_lines(context, workspace, new)
        facts = RunFacts(is_run=is_run, log_lines=lines)
        found += _sealed(context, workspace, base, head, new, facts)
    wrong = tuple(judging.gating(found))
    why = (
        f"{_commits(len(new))}, {'the first refused for ' + called(wrong[0]) if wrong else 'nothing sealed is touched'}"
    )
    return Examined(ref, not wrong, why, wrong)


def _sealed(
    context: Context, workspace: Workspace, base: str, head: str, new: Iterable[str], facts: RunFacts
) -> list[Finding]:
    tree = TreeSnapshot.at(context.repository, head)
    with Bench(context, workspace, base) as bench:
        before = bench.base_view()
        entries = changed(context.repository, bench.base_tree.tree_id, tree.tree_id)
        steps = tuple(judging.step(context, workspace, commit) for commit in new)
        change = Change(before.snapshot, tree, tuple(Touched(*entry) for entry in entries), before.history, steps)
        return sealed(RunAt(before, bench.head_view(before, tree, change), change, facts, None))


def _judged(
    context: Context, ref: str, workspaces: Iterable[Workspace], base: str, head: str, new: list[str]
) -> Examined:
    """A target's new commits: landed ones and intakes stand; with anything else among them, the whole is verified."""
    touched = list(workspaces)
    own = [commit for commit in _mainline(context, head, set(new)) if not _stands(context, touched, commit)]
    if not own or not touched:
        return Examined(ref, True, f"{_commits(len(new))}, landed with a verdict or intakes" if touched else "")
    judged = [revisions.judge_revision(context, each, base, head, head) for each in touched]
    worst = next((each for each in judged if each.verdict != "commit"), judged[0])
    findings = tuple(finding for verdict in judged for finding in _gating(verdict))
    return Examined(ref, worst.verdict == "commit", f"{worst.verdict}: {worst.reasoning}", findings)


def _mainline(context: Context, head: str, new: set[str]) -> Iterator[str]:
    """The new commits along first parents: what stood at the branch's tip one after the other."""
    for commit in history.first_parent(context.repository, head):
        if commit not in new:
            return
        yield commit


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


def _commits(count: int) -> str:
    return "1 commit" if count == 1 else f"{count:,} commits"
