"""Which findings of a lint are wanted: by page, check, level, and whether they were accepted as debt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gitops.errors import UsageError
from gitops.git.snapshot import TreeSnapshot
from gitops.runs.linting import COUNTED, Linted
from gitops.verify.finding import Finding, Level
from gitops.verify.nearby import nearest
from gitops.wiki.layout import Layout
from gitops.wiki.paths import within

_LEVELS = (Level.ERROR, Level.WARNING, Level.NOTE)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked for. `places` are pages and folders of the repository; none means all, and so with `checks`."""

    places: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    level: Level = Level.NOTE
    debt: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """The findings to be shown, and what all of the chosen pages and checks come to, at whatever level."""

    findings: tuple[Finding, ...]
    counts: dict[str, int | None]


def is_debt(finding: Finding) -> bool:
    """Was this accepted when the wiki was adopted?"""
    return bool(getattr(finding, "debt", False))


def choose(linted: Linted, choice: Choice, pages: int) -> Chosen:
    """What is wanted of a lint of so many pages at the chosen places. Debt is sorted by severity, then by page."""
    found = [each for each in linted.findings() if _is_of(each, choice)]
    counted = [each for each in found if is_debt(each) == choice.debt]
    wanted = _LEVELS[: _LEVELS.index(choice.level) + 1]
    shown = [each for each in counted if each.level in wanted]
    if choice.debt:
        shown.sort(key=lambda each: _LEVELS.index(each.level))
    tally = Counter(each.level.value for each in counted)
    counts: dict[str, int | None] = {name: tally[name] for name in COUNTED}
    counts |= {
        "debt": sum(map(is_debt, found)),
        "pages": pages,
        "pages_with_findings": len({each.path for each in counted}),
        "unresolvable": sum(each.result == "unresolvable" for each in counted),
        "claims": None if choice.places else linted.counts["claims"],
        "verified": None if choice.places else linted.counts["verified"],
    }
    return Chosen(tuple(shown), counts)


def count_pages(tree: TreeSnapshot, layout: Layout, places: Sequence[str]) -> int:
    """How many pages there are at the places."""
    pages = (path for path in tree.paths(layout.wiki) if layout.is_page(path) and path != layout.log)
    return sum(1 for path in pages if not places or any(_is_at(path, place) for place in places))


def refuse_unknown(tree: TreeSnapshot, layouts: Iterable[Layout], places: Iterable[str]) -> None:
    """UsageError for a place at which there is no page, with the nearest."""
    every = list(layouts)
    for place in places:
        if not any(count_pages(tree, layout, [place]) for layout in every):
            pages = [path for layout in every for path in tree.paths(layout.wiki) if layout.is_page(path)]
            near = nearest(place, pages)
            wikis = ", ".join(f"{layout.wiki}/" if layout.wiki else "the repository" for layout in every)
            hint = f"did you mean {near}?" if near else f"pages are the Markdown files below {wikis}"
            raise UsageError(f"there is no page at {place or 'the top'}", hint)


def _is_of(finding: Finding, choice: Choice) -> bool:
    if choice.checks and finding.check not in choice.checks:
        return False
    return not choice.places or any(_is_at(finding.path, place) for place in choice.places)


def _is_at(path: str, place: str) -> bool:
    return path == place or within(path, place)
