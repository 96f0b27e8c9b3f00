"""Puts a change before the verifier: trees become views, the record becomes facts, findings become a verdict."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gitops import __version__
from gitops.errors import CannotRun
from gitops.git import commits, history
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import Entry, changed
from gitops.runs.authority import Authority
from gitops.runs.candidate import Candidate
from gitops.runs.context import Context
from gitops.runs.keeping import is_replayed
from gitops.runs.records import Run
from gitops.runs.seating import Asking, Seat, seated
from gitops.runs.shared_votes import SharedVotes
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify import verdict as verdicts
from gitops.verify.finding import Finding
from gitops.verify.registry import registry
from gitops.verify.verdict import Counts, Decision, Verdict
from gitops.verify.verifier import Judged, verify
from gitops.verify.view import RunFacts
from gitops.wiki.snapshot import REGULAR, Change, CommitChange, Touched

VERIFIER = f"git-assay/{__version__}"
NOBODY = "none"
"""The verifier that a verdict names where none was asked (`--no-verify`)."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was found, and by what decision it ends."""

    judged: Judged
    decision: Decision
    judge: str = "none"
    judges: tuple[verdicts.Member, ...] = ()
    used: Usage = NOTHING
    """What the judges spent on it."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, evidence of what is right included."""
        return self.judged.findings


def judge(
    context: Context,
    workspace: Workspace,
    base: str,
    head: TreeSnapshot,
    commits_in: Iterable[str],
    facts: RunFacts,
    asking: Asking,
    run_id: str = "",
) -> Judgement:
    """Judge a tree against a base commit, with the commits that led to it.

    CannotRun, with no judgement, where a judge that has to be asked gives no answer; `asking` then knows what it spent.
    """
    with Bench(context, workspace, base) as bench:
        before = bench.base_view()
        touched = tuple(Touched(*entry) for entry in changed(context.repository, bench.base_tree.tree_id, head.tree_id))
        steps = tuple(step(context, workspace, base, commit) for commit in commits_in)
        change = Change(before.snapshot, head, touched, before.history, steps)
        after = bench.head_view(before, head, change)
        corpus = bench.corpus() if facts.sources else None
        folder, clock = context.folder, context.clock
        seat = Seat(workspace, folder, clock, facts.run_type, run_id, "landing", before, after, bench.source_corpus())
        panel = seated(context, seat, bench.cache, asking, SharedVotes(Authority(context, workspace.name, base)))
        judged = verify(before, after, change, facts, corpus, panel)
    name = f"{panel.name} (replayed)" if is_replayed() and not all(one.is_free for one in panel.judges) else panel.name
    seats = tuple(verdicts.Member(**one) for one in panel.seats)
    return Judgement(judged, verdicts.fold(judged.findings), name, seats, panel.used)


def judge_candidate(
    context: Context, run: Run, workspace: Workspace, candidate: Candidate, asking: Asking
) -> Judgement:
    """Judge what a run would land."""
    between = history.between(context.repository, candidate.base, candidate.head)
    facts = facts_of(run, workspace, frozenset(candidate.log_lines))
    tree = TreeSnapshot(context.repository, candidate.tree)
    return judge(context, workspace, candidate.base, tree, between, facts, asking, run.id)


def facts_of(run: Run, workspace: Workspace, log_lines: frozenset[str]) -> RunFacts:
    """What the checks may know of a run."""
    budget = workspace.config.llm.budgets.of(run.record.run_type)
    return RunFacts(
        run_type=run.record.run_type,
        sources=run.record.sources,
        reason=run.record.reason,
        budget=budget.model_dump(),
        used=None if run.record.adopted else run.state.used,
        log_lines=log_lines,
    )


def state(
    context: Context,
    run: Run,
    workspace: Workspace,
    candidate: Candidate,
    judgement: Judgement,
    decision: Decision | None = None,
    why: str = "",
    unverified: bool = False,
    supersedes: tuple[str, ...] = (),
    followed: tuple[verdicts.Followed, ...] = (),
) -> Verdict:
    """The verdict on a candidate, ready to be recorded."""
    decision = decision or judgement.decision
    findings = judgement.findings
    claims = judgement.judged.claims
    reasons = why or verdicts.reasoning(findings, claims)
    counts = Counts(unverified=claims) if unverified else counted(judgement)
    return Verdict(
        summary=f"{decision}: {reasons}",
        run_id=run.id,
        workspace=workspace.name,
        target=run.record.target,
        base=candidate.base,
        head=candidate.head,
        candidate=candidate.commit,
        tree=candidate.tree,
        policy=workspace.policy,
        verifier=NOBODY if unverified else VERIFIER,
        judge=judgement.judge,
        judges=judgement.judges,
        verdict=decision,
        reasoning=reasons,
        per_claim_findings=tuple(f for f in findings if f.scope == "claim"),
        per_page_findings=tuple(f for f in findings if f.scope == "page"),
        findings=verdicts.said(findings),
        counts=counts,
        tokens_used=tokens(judgement.used),
        created_at=context.now,
        supersedes=supersedes,
        measurements=followed,
    ).named()


def is_unverified(verdict: Verdict) -> bool:
    """Did this change land without a verifier's yes, as somebody asked?"""
    return verdict.verifier == NOBODY or verdict.counts.unverified > 0


def counted(judgement: Judgement) -> Counts:
    """Of the claims that the change brings in and whose sources are here: how many have a vote."""
    judged = judgement.judged
    return Counts(judged=judged.voted, unjudged=judged.asked - judged.voted)


def tokens(used: Usage) -> dict[str, float]:
    """What a verdict says its judges spent."""
    return {"input": float(used.read), "output": float(used.output), "usd": round(used.usd, 6)}


def demand_votes(workspace: Workspace, judgement: Judgement) -> None:
    """CannotRun where the policy wants more claims voted on than were: then there is no verdict at all.

    What the checks refuse needs no vote.
    """
    judged, wanted = judgement.judged, workspace.config.verify.wanted
    # In whole claims: 0.56 of 25 is 14, and 14.000000000000002 in floating point.
    if judgement.decision != "reject" and judged.voted < math.ceil(wanted * judged.asked - 1e-9):
        had = f"{judged.voted} of {judged.asked} claims have a vote"
        told = f"no verdict: {had}, and [verify] min_judged wants {wanted:.0%}"
        if judged.unread:
            told += f"; {judged.unread} cite{'s' * (judged.unread == 1)} what cannot be read here"
            raise CannotRun(
                told, f"cite sources that are here, or lower [verify] min_judged in {workspace.layout.config}"
            )
        raise CannotRun(told, f"name a judge in {workspace.layout.config} that votes, or lower [verify] min_judged")


def sealed_only(judgement: Judgement) -> tuple[Finding, ...]:
    """The new findings that nothing can override."""
    sealed = {name for name, registered in registry().items() if registered.check.sealed}
    return tuple(f for f in judgement.findings if f.check in sealed and f.new)


def step(context: Context, workspace: Workspace, base: str, commit: str) -> CommitChange:
    """What one commit brings in itself, against all of its parents, as the checks see it.

    The policy of `base` says whether it takes a signature to renew sources, and whose.
    """
    entries = tuple(Touched(*entry) for entry in history.introduced(context.repository, commit))
    subject = commits.read(context.repository, commit).message.split("\n", 1)[0]
    made = CommitChange(commit, subject, entries, is_intake(workspace, entries))
    renewed = {each.path for each in entries if each.old_mode is not None and workspace.layout.is_source(each.path)}
    if not renewed:
        return made
    from gitops.runs import renewing

    found = renewing.attested(Authority(context, workspace.name, base), commit, renewed)
    return replace(made, renewed_by=found.signer, unsigned=found.why)


def is_intake(workspace: Workspace, entries: Iterable[Touched | Entry]) -> bool:
    """Does a commit only add what may be a source, and touch nothing else? Trailers don't count."""
    seen = False
    for entry in entries:
        seen = True
        if entry.old_mode is not None or entry.new_mode != REGULAR:
            return False
        if workspace.layout.source_objection(entry.path) is not None:
            return False
    return seen


def gating(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The new errors and warnings: what the decision rests on."""
    return (f for f in findings if f.new and f.level in ("error", "warning"))
