"""Two claims that contradict each other, found again on their pages, and which of their sources is the newer one."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki import frontmatter
from gitops.wiki.alone import in_words
from gitops.wiki.dated import said
from gitops.wiki.model import Claim
from gitops.wiki.positions import Lines

_DAY = re.compile(r"(?<!\d)(\d{4})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_FIELDS = ("date", "published", "published_at", "publication_date", "created", "updated", "timestamp")


@dataclass(frozen=True, slots=True)
class Told:
    """One side of a contradiction as it was found: the page, the claim's words, the line it stood on."""

    page: str
    claim: str
    line: int


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two claims that cannot both be true, and why. It comes from who measures (M5)."""

    a: Told
    b: Told
    topic: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two claims, with the sources that its citations mean and that are here."""

    path: str
    claim: Claim
    words: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Both claims as they stand. `older` is the one whose source is older, None where no order can be told; `day` is
    when that source is of, `newer_day` the other's.
    """

    contradiction: Contradiction
    a: Side
    b: Side
    older: Side | None = None
    day: str = ""
    newer_day: str = ""

    @property
    def newer(self) -> Side:
        """The one that stands; of two without an order, the second."""
        return self.a if self.older is self.b else self.b

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both."""
        return self.a, self.b


def found(view: View, contradictions: Iterable[Contradiction]) -> Iterator[Disagreement | tuple[Contradiction, str]]:
    """Each contradiction with its claims; or it and why nothing can be done about it."""
    for each in contradictions:
        a, b = side(view, each.a), side(view, each.b)
        if isinstance(a, str) or isinstance(b, str):
            yield each, a if isinstance(a, str) else str(b)
        else:
            yield _ordered(view, each, a, b)


def side(view: View, told: Told) -> Side | str:
    """The claim that was told of; or why it cannot be written about."""
    where = f"{told.page}:{told.line}"
    if view.snapshot.blob(told.page) is None:
        return f"{told.page} is not there any more"
    page = view.page(told.page)
    same = [claim for claim in page.claims if in_words(claim) == told.claim]
    if not same:
        return f"{where} cites no source for itself: 'As of …' and notes keep a claim with its citation"
    claim = min(same, key=lambda one: abs(one.place.line - told.line))
    if said(claim, page.text).day is not None:
        return f"{where} is dated already"
    met = (resolve(view, told.page, cite) for cite in claim.cites)
    sources = dict.fromkeys(path for one in met if one.status == "ok" for path in one.paths)
    return Side(told.page, claim, told.claim, tuple(sources)) if sources else f"{where} cites no source that is here"


def _ordered(view: View, contradiction: Contradiction, a: Side, b: Side) -> Disagreement:
    """By the days that the sources tell themselves; where not both do, by the days on which they came in."""
    for day_of in (told_day, came_in):
        days = [[day_of(view, path) for path in one.sources] for one in (a, b)]
        if all(all(of_one) for of_one in days):
            first, second = (max(map(str, of_one)) for of_one in days)
            if first != second:
                older, day, newer_day = (a, first, second) if first < second else (b, second, first)
                return Disagreement(contradiction, a, b, older, day, newer_day)
    return Disagreement(contradiction, a, b)


def told_day(view: View, path: str) -> str | None:
    """The day that a source says it is of, in its file's name or in its frontmatter; None where it says none."""
    if (named := _day(path.rpartition("/")[2])) is not None:
        return named
    if not path.lower().endswith((".md", ".markdown")):
        return None
    text = view.source(path).text
    values = frontmatter.read(text, Lines(text)).values
    return next((day for name in _FIELDS if (day := _day(str(values.get(name, "")))) is not None), None)


def came_in(view: View, path: str) -> str | None:
    """The day of the commit that brought in a source as it is now."""
    newest = next(iter(view.history(path)), None)
    return newest.date if newest is not None else None


def _day(text: str) -> str | None:
    for match in _DAY.finditer(text):
        try:
            return datetime.date(*map(int, match.groups())).isoformat()
        except ValueError:
            continue
    return None
