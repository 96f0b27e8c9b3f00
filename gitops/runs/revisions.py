"""Judges revisions that are not (or not yet) landed: any commit, any branch, what is staged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gitops.errors import CannotRun, UsageError
from gitops.git import commits, history, merging
from gitops.git.snapshot import IndexSnapshot, TreeSnapshot
from gitops.git.treediff import changed
from gitops.runs import evalruns, judging, logline, names, store
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.seating import Asking
from gitops.runs.workspace import Workspace
from gitops.verify.verdict import Verdict, reasoning, said
from gitops.verify.view import RunFacts

_PLAIN = RunFacts(is_run=False)


def default_base(context: Context, rev: str, head: str) -> str:
    """What a revision is judged against when nobody says: a run's target, else the first parent."""
    run = _run_of(context, rev)
    if run is not None:
        return run.record.target
    parents = context.commit(head).parents
    if _is_cut_off(context, head):
        told = f"{head[:10]} is where this clone was cut off, so what it began from is not here"
        raise CannotRun(told, "git fetch --unshallow, or say --base REV")
    if not parents:
        raise UsageError(f"{head[:10]} is the first commit: there is nothing to judge it against", "say --base REV")
    return parents[0]


def judge_revision(
    context: Context,
    workspace: Workspace,
    base: str,
    head: str,
    rev: str,
    asking: Asking | None = None,
) -> Verdict:
    """Judge `head`, merged into `base` as landing would merge it. `asking` says how the judges are asked, and knows
    afterwards what came of it.
    """
    repository = context.repository
    merged = merging.merge(repository, base, head)
    if merged.tree is None:
        raise CannotRun(
            f"{rev} conflicts with {base[:10]} in {', '.join(merged.conflicts[:5])}", "merge or rebase first"
        )
    between = list(history.between(repository, base, head))
    run = _run_of(context, rev)
    facts = judging.facts_of(run, workspace, frozenset()) if run is not None else _PLAIN
    facts = replace(facts, is_run=run is not None or _is_run_branch(context, rev))
    facts = replace(facts, log_lines=log_lines(context, workspace, between))
    tree = TreeSnapshot(repository, merged.tree)
    run_id = run.id if run is not None else ""
    judgement = judging.judge(context, workspace, base, tree, between, facts, asking or Asking(), run_id)
    return _stated(context, workspace, base, head, merged.tree, judgement, run)


def judge_staged(context: Context, workspaces: Sequence[Workspace], base: str, *, fresh: bool = False) -> list[Verdict]:
    """Judge the index against a commit, as it would be committed: each workspace that has something staged.

    Where none has, each gets a verdict that says so.
    """
    tree = IndexSnapshot(context.repository)
    before = context.tree(base).tree_id

    def is_touched(workspace: Workspace) -> bool:
        return any(True for _ in changed(context.repository, before, tree.tree_id, workspace.layout.root))

    touched = [workspace for workspace in workspaces if is_touched(workspace)]
    if not touched:
        return [_with_nothing_staged(_judged_staged(context, each, base, tree, fresh)) for each in workspaces]
    return [_judged_staged(context, each, base, tree, fresh) for each in touched]


def _judged_staged(context: Context, workspace: Workspace, base: str, tree: TreeSnapshot, fresh: bool) -> Verdict:
    judgement = judging.judge(context, workspace, base, tree, (), _PLAIN, Asking(fresh=fresh))
    return _stated(context, workspace, base, base, tree.tree_id, judgement, None)


def _with_nothing_staged(verdict: Verdict) -> Verdict:
    reasons = f"nothing is staged in workspace {verdict.workspace}"
    return verdict.model_copy(update={"reasoning": reasons, "summary": f"{verdict.verdict}: {reasons}"}).named()


def _is_cut_off(context: Context, commit: str) -> bool:
    """Whether a commit is at the edge of a shallow clone: git lists those in `shallow` (gitrepository-layout(5))."""
    if not context.repository.is_shallow:
        return False
    return commit in (context.repository.common_dir / "shallow").read_text().split()


def _stated(
    context: Context,
    workspace: Workspace,
    base: str,
    head: str,
    tree: str,
    judgement: judging.Judgement,
    run: Run | None,
) -> Verdict:
    judging.demand_votes(workspace, judgement)
    findings = judgement.findings
    reasons = reasoning(findings, judgement.judged.claims)
    return Verdict(
        summary=f"{judgement.decision}: {reasons}",
        run_id=run.id if run is not None else "",
        workspace=workspace.name,
        target=run.record.target if run is not None else "",
        base=base,
        head=head,
        candidate=head,
        tree=tree,
        policy=workspace.policy,
        verifier=judging.VERIFIER,
        verdict=judgement.decision,
        reasoning=reasons,
        per_claim_findings=tuple(f for f in findings if f.scope == "claim"),
        per_page_findings=tuple(f for f in findings if f.scope == "page"),
        findings=said(findings),
        judge=judgement.judge,
        counts=judging.counted(judgement),
        tokens_used=judging.tokens(judgement.used),
        created_at=context.now,
    ).named()


def _branch_of(context: Context, rev: str) -> str:
    if rev == "HEAD":
        return context.repository.head_branch() or ""
    return rev if rev.startswith("refs/") else f"refs/heads/{rev}"


def _is_run_branch(context: Context, rev: str) -> bool:
    return _branch_of(context, rev).startswith(names.BRANCHES)


def _run_of(context: Context, rev: str) -> Run | None:
    """The run whose branch a revision names, if it is one and has records."""
    run_id = _branch_of(context, rev).removeprefix(names.BRANCHES)
    if not _is_run_branch(context, rev) or not names.is_id(run_id):
        return None
    return store.exact(context, run_id)  # a branch that nobody has adopted yet is judged as a run without a past


def log_lines(context: Context, workspace: Workspace, between: Iterable[str]) -> frozenset[str]:
    """The lines that landings among these commits, and `log sync`, added to the log, recomputed from their records."""
    lines: set[str] = set()
    unknown: list[str] = []
    for commit in between:
        trailers = commits.trailers(context.commit(commit).message)
        named = [run_id for key in ("Assay-Run", "Assay-Eval", "Assay-Log") for run_id in trailers.get(key, [])]
        landed = store.landed_runs(context, commit)
        if landed:  # made elsewhere, with a message that names no evaluation
            lines.update(_lines_of_evaluations(context, workspace, commit))
        for run_id in dict.fromkeys([*filter(names.is_id, named), *landed]):
            run = store.exact(context, run_id)
            # No record, no line: what the log gained is then told as a finding.
            if run is not None and evalruns.is_measuring(run):
                lines.add(evalruns.line(run))
            elif run is not None and run.status == "rejected" and run_id in trailers.get("Assay-Log", []):
                continue  # `log sync` writes no line of a run that did not land, and nobody else may
            elif run is not None and run.plan is not None:
                lines.add(logline.line(run.record, run.plan.operations))
            elif run is None and "Assay-Policy" in trailers:
                unknown.append(f"{commit[:10]} (run {run_id})")
    if unknown:
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        context.warn_once(
            f"this clone has no record of the landing {unknown[0]}{more}, so its line in the log counts as foreign; "
            "fetch the records: git fetch REMOTE 'refs/notes/assay/*:refs/notes/assay/*'"
        )
    return frozenset(lines)


def _lines_of_evaluations(context: Context, workspace: Workspace, commit: str) -> Iterator[str]:
    """The lines of eval runs that the log names at a commit and not at its first parent, recomputed."""
    log = workspace.layout.log
    trees = [context.tree(each) for each in (commit, *context.commit(commit).parents[:1])]
    now, *before = (evalruns.named(tree.read(log)) if tree.blob(log) is not None else set() for tree in trees)
    for run_id in sorted(filter(names.is_id, now.difference(*before))):
        run = store.exact(context, run_id)
        if run is not None and evalruns.is_measuring(run):
            yield evalruns.line(run)
