"""The verdict on a change, as its base's policy gives it; what landed with a signed verdict is not judged again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from gitops.ci.findings import Lines, lines, strict
from gitops.ci.spans import Span
from gitops.errors import Blocked, CannotRun
from gitops.git import commits, history
from gitops.runs import examining, judging, revisions, trusting
from gitops.runs.context import Context
from gitops.runs.seating import Asking
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify.finding import Finding
from gitops.verify.statement import PASSES
from gitops.verify.verdict import Verdict, fold, reasoning, shown

Decision = Literal["commit", "reject", "revise", "none"]
UNSIGNED = "nothing is signed: tamper-evident at best"


@dataclass(frozen=True, slots=True)
class Judged:
    """What is decided on a change, and what is to be told of it. `decision` is `none` where there is no verdict, and
    `reasoning` then says why and `mend` what to do.
    """

    decision: Decision
    reasoning: str
    mend: str = ""
    verdict: Verdict | None = None
    findings: tuple[Finding, ...] = ()
    intakes: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    trust: str = UNSIGNED
    lines: Lines = field(default_factory=Lines)
    used: Usage = NOTHING
    """What judges spent, also where they came to nothing."""
    cache_hits: int = 0
    """So many questions they had answered before."""


def judged(context: Context, workspace: Workspace, span: Span, *, asks: bool = False) -> Judged:
    """Judge a change by the workspace's policy at its base. Judges that cost something are asked only with `asks`;
    else they say what they have said before.
    """
    asking = Asking(only_kept=not asks)
    try:
        if (stood := _stands(context, workspace, span)) is not None:
            return stood
        verdict = revisions.judge_revision(context, workspace, span.base, span.head, span.rev, asking)
    except (CannotRun, Blocked) as error:
        return Judged(
            "none",
            error.message,
            error.hint,
            intakes=_intakes(context, workspace, span),
            used=asking.used,
            cache_hits=asking.recalled,
        )
    found = strict(shown(verdict))
    decision = fold(found)
    told = verdict.reasoning if decision == verdict.verdict else reasoning(found, verdict.counts.judged)
    return Judged(
        decision,
        told,
        verdict=verdict,
        findings=tuple(judging.gating(found)),
        intakes=_intakes(context, workspace, span),
        trust=_unsigned(context, workspace, span),
        lines=lines(found),
        used=asking.used,
        cache_hits=asking.recalled,
    )


def _stands(context: Context, workspace: Workspace, span: Span) -> Judged | None:
    """That each step of the change is a landing whose signed verdict holds, or an intake; None where one is neither.

    With anything else among them, the whole is judged: it could have loosened what the landings after it met.
    """
    if span.fork != span.base:  # merged with what came in since, it is another tree than the verdicts are about
        return None
    steps = list(history.first_parent(context.repository, span.head, span.base))
    landed: list[examining.Examined] = []
    for commit in reversed(steps):
        if _is_intake(context, workspace, commit):
            continue
        found = _holding(context, commit, span.target)
        if found is None:
            return None
        landed.append(found)
    if not landed:
        return None  # intakes alone are soon judged, and so is what they are called and hold
    return Judged(
        "commit",
        f"{_landings(len(landed))} with a signed verdict that holds",
        intakes=_intakes(context, workspace, span),
        overrides=tuple(_override(each) for each in landed if each.verdict.verdict == "commit_override"),
        trust="signed by " + ", ".join(dict.fromkeys(each.attested.signer for each in landed)),
    )


def _holding(context: Context, commit: str, target: str) -> examining.Examined | None:
    """The signed verdict that a commit landed by; None where it has none that holds. An unsigned one holds nothing
    here: whoever may push notes can write it.
    """
    if examining.candidate_of(context, commit) is None:
        return None
    found = examining.held(context, commit, target or None)
    holds = bool(found.attested.signer) and not found.problem and found.verdict.verdict in PASSES
    return found if holds else None


def _override(found: examining.Examined) -> str:
    return f"{found.commit[:10]}, signed by {found.attested.signer}: {found.verdict.reasoning}"


def _intakes(context: Context, workspace: Workspace, span: Span) -> tuple[str, ...]:
    """The sources that commits of their own bring in, in the order of their coming."""
    found: dict[str, None] = {}
    for commit in history.between(context.repository, span.base, span.head):
        if _is_intake(context, workspace, commit):
            found |= dict.fromkeys(entry.path for entry in history.introduced(context.repository, commit))
    return tuple(found)


def _is_intake(context: Context, workspace: Workspace, commit: str) -> bool:
    is_step = len(commits.read(context.repository, commit).parents) == 1
    return is_step and judging.is_intake(workspace, history.introduced(context.repository, commit))


def _unsigned(context: Context, workspace: Workspace, span: Span) -> str:
    if not trusting.wants_signed(context, workspace.layout.root, span.base):
        return f"judged here; {UNSIGNED}"
    return "judged here and not signed: what lands takes a signed verdict"


def _landings(count: int) -> str:
    return "1 landing" if count == 1 else f"{count:,} landings"


def worst(found: Sequence[Decision]) -> Decision:
    """The decision that counts of several."""
    order: tuple[Decision, ...] = ("reject", "revise", "none", "commit")
    return next((each for each in order if each in found), "none")
