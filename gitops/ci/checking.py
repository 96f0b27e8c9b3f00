"""Checks a change: the verdict by its base's policy, and what it does to metrics, benchmarks and extraction.

It only reads, unless somebody accepts a regression: that is recorded.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from gitops.ci import accepting, besides, extraction_answers, policies, rules, suite_answers
from gitops.ci.accepting import Acceptance
from gitops.ci.besides import Affected, Besides
from gitops.ci.chosen import chosen
from gitops.ci.events import Event
from gitops.ci.findings import clipped
from gitops.ci.judged import UNSIGNED, Judged, judged
from gitops.ci.measuring import Side, side
from gitops.ci.numbers import Numbers, numbers
from gitops.ci.outcome import Checked, Said, refused, said
from gitops.ci.rows import Rows, rows
from gitops.ci.spans import Span, touched
from gitops.ci.stating import result
from gitops.ci.suite_answers import How
from gitops.errors import UsageError
from gitops.git.treediff import Entry
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, by_name


@dataclass(frozen=True, slots=True)
class Asked:
    """How to check. `judge` votes in place of the policy's, and may then cost something; `metric` is as typed."""

    metric: str | None = None
    judge: str = ""
    only: str | None = None
    """The one workspace that is meant."""
    accept: str = ""
    """Why regressions are to pass, where somebody says so: it is recorded, and is all that is."""
    event: Event = field(default_factory=Event)
    benchmarks: How = field(default_factory=How)
    flags: tuple[str, ...] = ()
    """The options besides that were typed, for whoever does the same."""


def check(context: Context, span: Span, asked: Asked) -> list[Checked]:
    """Check each workspace that a change touches, by its policy at the base; one at least, which may say that it is
    not touched. UsageError where neither side has a workspace.
    """
    entries = touched(context, span)
    before = list(by_name(policies.at_roots(context, span.base)).values())
    there = _meant(before, asked.only)
    lawless = policies.refused(context, span, before, entries)
    if lawless is not None and not there:
        raise UsageError(lawless.reasoning, lawless.mend)
    new = [] if lawless is not None else _meant(policies.brought(context, span.head, entries), asked.only)
    if not there and not new:
        what = f"workspace {asked.only}" if asked.only else "workspace: no assay.toml is committed"
        raise UsageError(f"neither {span.base[:10]} nor {span.head[:10]} has a {what}", "git assay init")
    hits = {each.name: _hit(context, each, span, entries, lawless) for each in there}
    mine = [each for each in there if _is_content(each, entries) or hits[each.name].is_any]
    mine = there[:1] if lawless is not None and not mine else mine
    found = [_checked(context, each, span, asked, entries, lawless, hits[each.name]) for each in mine]
    found += [_first(context, each, span, asked) for each in new]
    return found or [_untouched(context, each, span, asked) for each in there[:1]]


def _meant(workspaces: Iterable[Workspace], only: str | None) -> list[Workspace]:
    return [each for each in workspaces if only in (None, each.name)]


def _is_content(workspace: Workspace, entries: Iterable[Entry]) -> bool:
    return any(rules.is_content(workspace, entry.path) for entry in entries)


def _hit(
    context: Context, workspace: Workspace, span: Span, entries: Sequence[Entry], lawless: Judged | None
) -> Affected:
    """The suites and the extraction that a change affects; none where its policies say nothing to measure them by."""
    return Affected() if lawless is not None else besides.affected(context, workspace, span, entries)


def _checked(
    context: Context,
    workspace: Workspace,
    span: Span,
    asked: Asked,
    entries: Sequence[Entry],
    lawless: Judged | None,
    hit: Affected,
) -> Checked:
    """Check one workspace; `lawless` is the verdict where the policies that the change leaves are none, `hit` are the
    suites and the extraction that it affects.
    """
    seated = voted_by(workspace, asked.judge)
    verdict = lawless or judged(context, seated, span, asks=bool(asked.judge))
    changed = rules.changed(workspace, entries)
    measured = Numbers()
    if lawless is not None or asked.metric or _is_content(workspace, entries):
        measured = numbers(context, seated, span, asked.metric, changed, asks=bool(asked.judge))
    also = besides.answered(context, seated, span, hit, asked.benchmarks)
    accepted = _accepted(context, workspace, span, asked, verdict, measured.rows, also)
    of_metrics = (measured.missing, measured.mend, measured.unanswered)
    told = said(verdict, measured.rows, accepted, *of_metrics, also.suites, also.extraction)
    remarks = [*_remarks(workspace, asked, verdict), *measured.remarks, *also.remarks]
    made = result(context, workspace, span, verdict, told, remarks, _again(span, asked))
    more = {
        "baseline": measured.baseline,
        "samples": measured.rows.samples,
        "metrics": accepting.passed_over(measured.rows.rows, accepted)[:100],
        "benchmarks": suite_answers.passed_over(also.suites, accepted),
        "unablated": also.suites.unablated,
        "extraction": extraction_answers.passed_over(also.extraction, accepted),
        "policy_changed": tuple(clipped(entry.path) for entry in changed)[:100],
        "accepted": accepted.told if accepted is not None and _is_worse(measured.rows, also) else None,
        "usd": round(made.usd + measured.usd + also.usd, 6),
        "tokens": made.tokens + measured.tokens + also.tokens,
        "cache_hits": made.cache_hits + measured.cache_hits,
    }
    return Checked(made.model_copy(update=more), told.missing, told.mend, verdict.findings)


def _is_worse(made: Rows, also: Besides) -> bool:
    return bool(made.gated or made.lost) or also.is_worse


def _accepted(
    context: Context,
    workspace: Workspace,
    span: Span,
    asked: Asked,
    verdict: Judged,
    made: Rows,
    also: Besides,
) -> Acceptance | None:
    """The acceptance that counts: one that is recorded now, where somebody accepts what nobody has yet."""
    known = accepting.acceptance(context, workspace, span, asked.event)
    named = [row.metric for row in refused(made, known)]
    named += [name for name in made.lost if known is None or not known.covers(name)]
    named += also.open(known)
    if not asked.accept:
        return known
    if not named:
        context.warn("nothing regressed that is not accepted: nothing was recorded")
        return known
    if verdict.decision != "commit":
        context.warn("a verdict is not accepted away: nothing was recorded")
        return known
    label = known.told.label if known is not None else ""
    return accepting.accept(context, workspace, span, named, asked.accept, label)


def voted_by(workspace: Workspace, judge: str) -> Workspace:
    """The workspace with another judge in place of its policy's; '' leaves it as it is."""
    if not judge:
        return workspace
    verify = workspace.config.verify.model_copy(update={"judge": (judge,)})
    return replace(workspace, config=workspace.config.model_copy(update={"verify": verify}))


def _remarks(workspace: Workspace, asked: Asked, verdict: Judged) -> Iterator[str]:
    policy = ", ".join(workspace.config.verify.judge)
    if asked.judge and (asked.judge,) != tuple(workspace.config.verify.judge):
        yield f"the judge {asked.judge} voted in place of the policy's, {policy}"
    counts = verdict.verdict.counts if verdict.verdict is not None else None
    if counts is not None and counts.unjudged and verdict.decision == "commit":
        yield f"{counts.unjudged} of {counts.judged + counts.unjudged} claims have no vote"


def _again(span: Span, asked: Asked) -> str:
    """The command that checks the same, in another clone too."""
    metric = "".join((asked.metric or "").split())
    options = (("--base", span.base), ("--head", span.head), ("--metric", metric), ("--judge", asked.judge))
    words = [word for option in (*options, ("--workspace", asked.only or "")) if option[1] for word in option]
    return shlex.join(("git", "assay", "ci", "check", *words, *asked.flags))


def _first(context: Context, workspace: Workspace, span: Span, asked: Asked) -> Checked:
    """A workspace that the base has not: there is no policy yet to judge it by, and no number to compare with."""
    cause = f"no baseline, nothing gated: {span.base[:10]} has no {workspace.layout.config}"
    nothing = Judged("none", f"{span.base[:10]} has no policy to judge by", trust=UNSIGNED)
    remark = "the next change is judged by the policy that this one brings in"
    made = result(context, workspace, span, nothing, Said("neutral", cause), [remark], _again(span, asked))
    wanted = chosen(context, workspace, span.head, asked.metric)
    head = side(context, workspace, span.head, wanted, measurements.everything(context), asks=False)
    alone = rows(wanted, Side(span.fork, {}, {}), head, {})
    return Checked(made.model_copy(update={"metrics": alone.rows}))


def _untouched(context: Context, workspace: Workspace, span: Span, asked: Asked) -> Checked:
    cause = "nothing to gate: the change touches no page, no source and no rule"
    nothing = Judged("none", "the change touches no workspace", trust=UNSIGNED)
    made = result(context, workspace, span, nothing, Said("neutral", cause), [], _again(span, asked))
    return Checked(made.model_copy(update={"is_touched": False}))
