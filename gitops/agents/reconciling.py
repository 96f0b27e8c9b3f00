"""Pages on which a disagreement is settled by what can be told of it, with every claim and citation kept.

Where one source is newer, the older claim is dated where it stands (docs/convergence.md), and the newer one is put
beside it. Where no order can be told, both pages get a note that both sources are at odds (`wiki.disputed`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gitops.agents.disagreements import Disagreement, Side
from gitops.agents.marking import plain
from gitops.agents.synthesis.carrying import carried
from gitops.agents.synthesis.changes import News
from gitops.agents.writers.editing import appended, inserted, next_label, tail_of
from gitops.verify.view import View
from gitops.wiki import page as pages
from gitops.wiki.citation import format_citation
from gitops.wiki.conventions import of as conventions_of
from gitops.wiki.dated import Said, keeps, said
from gitops.wiki.disputed import HEAD
from gitops.wiki.model import Page
from gitops.wiki.terms import STOP_WORDS

How = Literal["dated", "disputed"]
_MARKS = re.compile(r"(?:\[\^[^\]\s]+\])+")
_OPENS = re.compile(r"(?:\[\[[^\[\]|]*\||[*_\[=]+)+\Z")
"""What begins emphasis or a link, up to the first word in it."""
_CAPITALS = ("I", "May", "Will")
"""What looks like a function word at the head of a sentence, and may be a name."""
_IN_LINE = ("paragraph", "item")
"""Blocks in which a sentence may follow another."""
_UNCARRIED = "its citations do not lead to words that another page could cite"
_UNDATED = "the older claim cannot be dated where it stands"


@dataclass(frozen=True, slots=True)
class Mend:
    """What was done about one disagreement."""

    disagreement: Disagreement
    how: How
    pages: tuple[str, ...]


@dataclass
class Reconciled:
    """The new text of each page, what was done, and what could not be, with why."""

    texts: dict[str, str] = field(default_factory=dict)
    mends: list[Mend] = field(default_factory=list)
    left: list[tuple[Disagreement, str]] = field(default_factory=list)


def reconcile(view: View, disagreements: list[Disagreement]) -> Reconciled:
    """Mend them one by one, those with the newest news first; what was dated for one of them is for the others too.

    So of three claims both older ones get the newest beside them, and none that is dated itself.
    """
    made = Reconciled()
    dated: set[tuple[str, str]] = set()
    for each in sorted(disagreements, key=lambda one: one.newer_day, reverse=True):
        done = [side for side in each.sides if (side.path, side.words) in dated]
        if each.older in done or (each.older is None and done):
            continue
        mended = _dated(view, made.texts, each, is_beside=not done) if each.older is not None else None
        how: How = "dated" if mended is not None else "disputed"
        mended = mended or (_disputed(view, made.texts, each) if not done else None)
        if mended is None:
            made.left.append((each, _UNDATED if done else _UNCARRIED))
            continue
        if how == "dated" and each.older is not None:
            dated.add((each.older.path, each.older.words))
        made.texts.update(mended)
        made.mends.append(Mend(each, how, tuple(sorted(mended))))
    return made


def _dated(view: View, texts: Mapping[str, str], each: Disagreement, *, is_beside: bool) -> dict[str, str] | None:
    """The older claim dated, the newer one behind it where sentences follow one another; None where it cannot be so."""
    assert each.older is not None
    side = each.older
    text = texts.get(side.path, view.page(side.path).text)
    before = _parsed(view, text)
    place = _place(before, side)
    if place is None:
        return None
    start, end = place
    as_of = _as_of(text, start, end, each.day)
    for added in (_beside(view, each, side.path, text, end) if is_beside else None, None):
        marks = _MARKS.match(text, end)
        stop = marks.end() if marks else end
        made = f"{as_of}{text[end:stop]}{f' {added[0]}' if added else ''}{text[stop:]}"
        made = appended(made, added[1]) if added else made
        if _is_sound(before, _parsed(view, made), side, is_dated=True):
            return {side.path: made}
    return None


def _as_of(text: str, start: int, end: int, day: str) -> str:
    """The text up to the end of a sentence, dated in front of the marks that open its emphasis or link."""
    line = text.rfind("\n", 0, start) + 1
    opening = _OPENS.search(text[line:start])
    opens = line + opening.start() if opening else start
    first, rest = text[start], text[start + 1 : end]
    word = re.match(r"\w*", text[start:end])
    if word is not None and word[0].lower() in STOP_WORDS and word[0] == word[0].capitalize() not in _CAPITALS:
        first = first.lower()
    return f"{text[:opens]}As of {day}, {text[opens:start]}{first}{rest}"


def _beside(view: View, each: Disagreement, path: str, text: str, end: int) -> tuple[str, str] | None:
    """The newer claim as a sentence with its marks, and its footnotes."""
    if each.older is None or each.older.claim.block not in _IN_LINE:
        return None
    return _stated(view, each.newer, path, next_label(text))


def _disputed(view: View, texts: Mapping[str, str], each: Disagreement) -> dict[str, str] | None:
    """Both pages with a note behind the section in which their claim stands."""
    made = {}
    for side in each.sides:
        text = texts.get(side.path, view.page(side.path).text)
        before = _parsed(view, text)
        place, label = _place(before, side), next_label(text)
        one = _stated(view, each.a, side.path, label)
        other = _stated(view, each.b, side.path, label + (one[1].count("\n") + 1 if one else 0))
        if place is None or one is None or other is None:
            return None
        note = f"{HEAD}\n> {one[0]}\n>\n> {other[0]}"
        noted = appended(inserted(text, _section_end(view, before, place[1]), note), f"{one[1]}\n{other[1]}")
        if not _is_sound(before, _parsed(view, noted), side, is_dated=False):
            return None
        made[side.path] = noted
    return made


def _stated(view: View, side: Side, onto: str, label: int) -> tuple[str, str] | None:
    """A claim with its marks as another page may say it, and its footnotes, a line each, from a label on."""
    found = carried(view, News(side.path, side.claim, "new"), onto)
    if found is None:
        return None
    labels = [str(label + number) for number in range(len(found.cites))]
    marks = "".join(f"[^{each}]" for each in labels)
    notes = "\n".join(format_citation(name, [cite]) for name, cite in zip(labels, found.cites, strict=True))
    return f"{plain(side.words)}{marks}", notes


def _section_end(view: View, page: Page, at: int) -> int:
    """Where the section ends in which something stands: before the next heading, or before what ends the page."""
    tail = tail_of(page, view.config.citations.headings)
    headings = (page.text.rfind("\n", 0, one.place.start) + 1 for one in page.headings if one.place.start > at)
    return max(at, min([*headings, tail]))


def _place(page: Page, side: Side) -> tuple[int, int] | None:
    """Where the claim stands in a page that may have been changed since."""
    claim = next(
        (one for one in page.claims if one.text == side.claim.text and one.ordinal == side.claim.ordinal), None
    )
    return (claim.place.start, claim.place.end) if claim is not None and claim.place.start < claim.place.end else None


def _parsed(view: View, text: str) -> Page:
    return pages.parse(text.encode("utf-8", "surrogatepass"), conventions_of(view.config))


def _is_sound(before: Page, after: Page, side: Side, *, is_dated: bool) -> bool:
    """Whether every claim of a page still stands, citing what it did, the one that was dated as its dated survivor."""
    old, new = _claims(before), _claims(after)
    mine = (said(side.claim, before.text), frozenset(cite.path for cite in side.claim.cites))
    if is_dated:
        old[mine] -= 1
        if not any(keeps(words, mine[0]) and cites == mine[1] for words, cites in new):
            return False
    return not (old - new) and len(after.problems) <= len(before.problems)


def _claims(page: Page) -> Counter[tuple[Said, frozenset[str]]]:
    return Counter((said(claim, page.text), frozenset(cite.path for cite in claim.cites)) for claim in page.claims)
