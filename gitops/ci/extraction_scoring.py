"""Scores the extraction that a change would land, and that of its base: by the base's gold, held to the base's bars.

Nothing of the change is run. The atoms that would land are read, or a preset is asked; the gold that the change leaves
is scored by too, which is shown and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops import assembly
from gitops.ci import extraction_rows as rows
from gitops.ci.extraction_answers import ExtractionAnswers, name_of
from gitops.ci.extraction_sides import NOTHING_DRAWN, Drawer, Extracted, Gold, Side, extracted, gold_at, scored
from gitops.ci.extraction_touched import Hit
from gitops.ci.findings import clipped
from gitops.ci.result import BarRow, ExtractionAnswer
from gitops.ci.spans import Span
from gitops.ci.suite_answers import How
from gitops.ci.suite_subject import configured
from gitops.errors import AssayError
from gitops.extraction import bars, places
from gitops.extraction.emitted import some
from gitops.extraction.problems import problems
from gitops.runs.context import Context
from gitops.runs.printed_ci_extraction import MOST_WRONG
from gitops.runs.workspace import Workspace
from gitops.usage import Usage


@dataclass(frozen=True, slots=True)
class _Found:
    """What was scored: `held` is the base's gold, `own` what the change leaves of it."""

    hit: Hit
    by: Extracted
    held: Gold
    own: Gold
    before: Side
    after: Side
    mine: Side
    """What would land, by the change's own gold; no side where that is the base's."""
    is_same: bool
    """Whether what would land was extracted as the base has it."""
    is_asked: bool
    """Whether somebody wants models to be asked, so that no answer of theirs is a failure."""

    @property
    def is_shown(self) -> bool:
        """Whether only the change has gold to score by."""
        return not self.held.cases and bool(self.own.cases)


def answers(context: Context, workspace: Workspace, span: Span, hit: Hit, how: How) -> ExtractionAnswers:
    """Score both sides. Whatever keeps something from being scored is told and never raised."""
    if hit.missing or hit.policy is None:
        return ExtractionAnswers(missing=hit.missing, mend=hit.mend)
    folder = places.gold(workspace.layout)
    by = extracted(workspace, hit.landing, hit.policy)
    drawer = Drawer(context, workspace.config, how)
    try:
        held = gold_at(context, span.base, folder)
        own = gold_at(context, hit.landing, folder) if hit.is_gold else held
        there = configured(context, workspace, hit.landing)
        before = drawer.drawn(workspace, extracted(workspace, span.base, workspace.config), held.cases)
        after = drawer.drawn(there, by, held.cases, own.cases)
        mine = drawer.drawn(there, by, own.cases) if own.digest != held.digest else NOTHING_DRAWN
        judge = assembly.rationale_judge(context, workspace, live=how.asks, spent=drawer.used)
    except AssayError as error:
        return ExtractionAnswers(missing=f"extraction was not scored: {error.message}", mend=error.hint)
    earlier = scored(before, judge)
    is_same = after == before
    later = earlier if is_same else scored(after, judge)
    found = _Found(hit, by, held, own, earlier, later, scored(mine, judge), is_same, how.asks)
    return _told(workspace, found, f"{judge.id}/{judge.version}", drawer.used + judge.used)


def _told(workspace: Workspace, found: _Found, judge: str, used: Usage) -> ExtractionAnswers:
    made = _rows(workspace, found)
    side = found.mine if found.is_shown else found.after
    lines = rows.wrong(*(problems(each.scored) if each.scored else [] for each in (found.before, side)))
    answer = ExtractionAnswer(
        because=clipped(found.hit.because),
        extracted=clipped(found.by.told),
        judge=clipped(judge),
        cases=len(side.scored.cases) if side.scored is not None else len(found.held.cases),
        bars=made,
        wrong=tuple(lines[:MOST_WRONG]),
        more_wrong=len(lines[MOST_WRONG:]),
        kinds=rows.counted(lines),
        new_wrong=sum(each.is_new for each in lines) if found.before.scored is not None else 0,
        gold=found.own.digest if found.is_shown else found.held.digest,
        is_shown=found.is_shown,
        notes=tuple(map(clipped, _notes(found, side)))[:20],
    )
    missing, mend = _missing(found)
    unheld = _unheld(found, made)
    unanswered = clipped(_unanswered(found, [row for row in made if row.metric not in unheld]))
    remarks = (f"to have extraction scored: {mend}",) if mend and unanswered and not missing else ()
    return ExtractionAnswers(answer, clipped(missing), mend, unanswered, unheld, remarks, used)


def _rows(workspace: Workspace, found: _Found) -> tuple[BarRow, ...]:
    limits = workspace.config.extraction.bars
    side = found.mine if found.is_shown else found.after
    why = _whys(side)
    if found.is_shown and found.mine.numbers is not None:
        return rows.shown(limits, found.mine.numbers, why)
    made = rows.rows(limits, found.before.numbers, found.after.numbers, found.mine.numbers, why)
    return rows.unchanged(made) if found.is_same else made


def _whys(side: Side) -> dict[str, str]:
    """Why a metric has no number, by its name."""
    if side.scored is None:
        return dict.fromkeys(bars.NAMES, side.why)
    return bars.whys(side.scored)


def _notes(found: _Found, side: Side) -> Iterator[str]:
    """What a reader has to know besides the numbers."""
    if found.held.broken:
        yield f"the gold of the base is broken, and nothing is gated by it: {found.held.broken}"
    if found.own.broken:
        yield f"the gold that the change leaves is broken: {found.own.broken}"
    elif found.hit.is_gold and found.held.cases and not found.own.cases:
        yield "the change takes the gold away: nothing is scored after it"
    elif found.mine.why:
        yield f"by the gold that the change leaves it could not be scored: {found.mine.why}"
    if found.before.why and found.after.scored is not None:
        yield f"the base could not be scored: {found.before.why}"
    if side.scored is None:
        return
    if not any(each.emitted.files for each in side.scored.cases):
        yield f"nothing was extracted: {found.by.told} holds no file"
    if stray := side.scored.stray:
        yield f"belongs to no case, and counts for nothing: {some(stray)}"
    if any(each.faithfulness.count("unjudged") for each in side.scored.cases):
        yield f"{bars.unjudged(side.scored)}: they count for nothing"


def _missing(found: _Found) -> tuple[str, str]:
    """Why nothing can be scored by what the change leaves; and what mends that, or what has no number."""
    if found.own.broken and found.hit.is_gold and not found.held.broken:
        return f"the change leaves gold of extraction that is broken: {found.own.broken}", found.own.mend
    if found.is_asked and found.after.why:
        return f"extraction could not be scored: {found.after.why}", found.after.mend
    return "", found.after.mend


def _unheld(found: _Found, made: tuple[BarRow, ...]) -> tuple[str, ...]:
    """The bars that nothing is held to, where the change has its own extraction scored: none where nothing could be."""
    if found.is_shown or found.is_same or found.after.numbers is None:
        return ()
    return tuple(row.metric for row in made if row.after is None)


def _unanswered(found: _Found, made: Sequence[BarRow]) -> str:
    """What has a number on neither side, though there is gold for it: it is not the change's doing."""
    if found.held.broken:
        return f"there is gold for extraction, and it is broken: {found.held.broken}"
    if found.after.why and found.before.numbers is None:
        return f"there is gold for extraction, and it could not be scored: {found.after.why}"
    bare = [row for row in made if row.verdict == "not measured" and row.before is None]
    return f"{name_of(bare[0])} has no number: {bare[0].why}" if bare else ""
