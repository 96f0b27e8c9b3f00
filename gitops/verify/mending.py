"""Mends that are certain: a quotation as its source has it, and a link to a page that only changed its name.

A mend replaces the characters of one citation or one link target, and nothing else on the page.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import unquote

from gitops.verify.finding import Finding
from gitops.verify.view import View
from gitops.wiki.graph import resolved
from gitops.wiki.links import resolve
from gitops.wiki.model import Link, Page
from gitops.wiki.names import name_key, spaced, without_suffix

_UNSAFE = re.compile(r"[\x00-\x20\x7f%#?<>()\"\\|\[\]]")
_UNSAFE_IN_ANGLES = re.compile(r"[\x00-\x1f\x7f%#?<>\\|]")
_UNFIT_FOR_WIKI = re.compile(r"[\[\]|#^\\:]")


@dataclass(frozen=True, slots=True)
class Mend:
    """Code points `[start, end)` of a page's text, and what is put in their place."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Renames:
    """What pages were called once, and where each of these went: the pages of today, by the old path."""

    went: Mapping[str, Collection[str]]
    _by_key: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in self.went:
            self._by_key.setdefault(name_key(path), []).append(path)

    def named(self, key: str) -> list[str]:
        """The old paths with this name."""
        return self._by_key.get(key, [])

    def exists(self, path: str) -> bool:
        """Did a page stand there?"""
        return path in self.went

    def files(self, key: str) -> list[str]:
        """Old paths are those of pages: no other file is sought."""
        return []


def mends(view: View, path: str, page: Page, findings: Iterable[Finding], renames: Renames) -> list[Mend]:
    """The certain mends of one page, in its order; findings are those of the page as it stands."""
    found: set[Mend] = set()
    for finding in findings:
        if (finding.check, finding.result) == ("quote_anchor", "repaired"):
            found.update(_of_quote(page, finding))
        elif (finding.check, finding.result) == ("links", "broken"):
            found.update(_of_link(view, path, page, finding, renames))
    ordered = sorted(found, key=lambda mend: (mend.start, mend.end, mend.new))
    overlapping = [one for one, other in pairwise(ordered) if one.end > other.start]
    return [] if overlapping else ordered


def mended(text: str, mends: Iterable[Mend]) -> str:
    """The text with every mend made."""
    parts, done = [], 0
    for mend in mends:
        parts += [text[done : mend.start], mend.new]
        done = mend.end
    return "".join((*parts, text[done:]))


def _of_quote(page: Page, finding: Finding) -> Iterator[Mend]:
    """The citation that was found repairable, in its canonical spelling; other conventions have no such field."""
    for claim in page.claims:
        for cite in claim.cites:
            place = cite.quote_place or cite.place
            if (place.line, place.column) == (finding.line, finding.column) and cite.dialect == "canonical":
                yield Mend(cite.place.start, cite.place.end, finding.repair)


def _of_link(view: View, path: str, page: Page, finding: Finding, renames: Renames) -> Iterator[Mend]:
    for link in page.links:
        if (link.place.line, link.place.column) != (finding.line, finding.column) or link.is_cited:
            continue
        new = _meant(view, path, link, renames)
        if new is not None and (written := _written(view, path, page, link, new)) is not None:
            yield Mend(link.target_place.start, link.target_place.end, written)


def _meant(view: View, path: str, link: Link, renames: Renames) -> str | None:
    """The one page that a broken link can mean: by its old name, or but for case, Unicode form and `-_ `."""
    layout = view.layout
    old = resolve(link.kind, link.target, path, renames, layout.wiki, layout.root)
    went = {new for one in old.paths for new in renames.went.get(one, ())} if old.status == "ok" else set()
    found = {page for page in went | set(_alike(view, path, link)) if layout.is_page(page)}
    found = {page for page in found if view.snapshot.blob(page) is not None}
    return found.pop() if len(found) == 1 else None


def _alike(view: View, path: str, link: Link) -> Iterator[str]:
    """Wiki-links are read so leniently anyway; a Markdown link says which folder it means."""
    if link.kind != "markdown" or link.target.startswith("/"):
        return
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), link.target))
    key = _key(wanted)
    yield from (
        page for page in view.snapshot.paths(view.layout.wiki) if view.layout.is_page(page) and _key(page) == key
    )


def _key(path: str) -> str:
    return "/".join(map(spaced, without_suffix(path).split("/")))


def _written(view: View, path: str, page: Page, link: Link, new: str) -> str | None:
    """The target as it has to be written where it stands; None where it would not lead there."""
    spellings = _wiki(view, link, new) if link.kind in ("wiki", "embed") else _markdown(path, page, link, new)
    for target, written in spellings:
        found = resolved(view.graph, view.layout, path, link.kind, target)
        if found.status == "ok" and found.paths == (new,):
            return written
    return None


def _wiki(view: View, link: Link, new: str) -> Iterator[tuple[str, str]]:
    has_suffix = without_suffix(link.target) != link.target
    inside = new if has_suffix else without_suffix(new)
    for target in (inside.rpartition("/")[2], view.layout.inside(inside)):
        if not _UNFIT_FOR_WIKI.search(target) and ("/" in link.target) <= ("/" in target or "/" not in inside):
            yield target, target


def _markdown(path: str, page: Page, link: Link, new: str) -> Iterator[tuple[str, str]]:
    if link.target.startswith("/"):
        return
    place = link.target_place
    written = page.text[place.start : place.end]
    tail = re.search(r"[?#].*", written, re.DOTALL)
    target = posixpath.relpath(new, posixpath.dirname(path) or ".")
    if without_suffix(link.target) == link.target:
        target = without_suffix(target)
    if written.startswith("./") and not target.startswith("../"):
        target = f"./{target}"
    is_in_angles = page.text[place.start - 1 : place.start] == "<"
    unsafe = _UNSAFE_IN_ANGLES if is_in_angles else _UNSAFE
    escaped = unsafe.sub(lambda found: f"%{ord(found[0]):02X}", target)
    if unquote(escaped) == target and "\\" not in written:
        yield target, escaped + (tail[0] if tail else "")
