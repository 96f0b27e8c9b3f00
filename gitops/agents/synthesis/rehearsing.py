"""What the verifier would refuse of a synthesis, asked before it is asked in earnest: nothing is recorded or spent."""

from __future__ import annotations

from collections.abc import Iterable

from gitops.agents.synthesis.digest import Digest
from gitops.runs import candidate, deciding, judging, staging, store
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.seating import Asking
from gitops.verify.finding import Finding
from gitops.wiki.dated import normalised


def objections(context: Context, run: Run, path: str) -> list[Finding]:
    """The new errors and warnings on the page at `path`, by the checks and by judges that cost nothing."""
    base, workspace = deciding.base_of(context, run)
    made = candidate.build(context, run, workspace, base, staging.head_of(context, run), context.now)
    judgement = judging.judge_candidate(context, run, workspace, made, Asking(only_free=True))
    return [finding for finding in judging.gating(judgement.findings) if finding.path == path]


def refused_before(context: Context, attempts: Iterable[Run]) -> frozenset[str]:
    """The words of the claims for which earlier attempts were refused: a judge that was paid says the same again."""
    found: set[str] = set()
    for run in attempts:
        for commit in dict.fromkeys(state.candidate for state in run.states if state.candidate):
            for verdict in store.verdicts_on(context, commit):
                gating = judging.gating(verdict.findings)
                found.update(normalised(finding.claim) for finding in gating if finding.claim)
    return frozenset(found)


def meant(made: Digest, findings: Iterable[Finding]) -> frozenset[str]:
    """The statements, by their normalised words, that findings are about."""
    wrong = {normalised(finding.claim) for finding in findings if finding.claim}
    return frozenset(words for each in made.statements if (words := normalised(each.text)) in wrong)
