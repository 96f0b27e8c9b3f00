"""Our findings of Markdown links beside those of remark-validate-links, place by place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import validate_links
from benchmarks.accuracy.taking import Found
from benchmarks.validate_links import Complaint

_WIKI_LINK = "[["


@dataclass(frozen=True, slots=True)
class Differences:
    """What both report, what we alone, what remark-validate-links alone. Places are wiki, path and line."""

    both: tuple[tuple[Found, Complaint], ...]
    ours: tuple[Found, ...]
    theirs: tuple[tuple[str, Complaint], ...]


def compare(folders: Iterable[Path], found: Iterable[Found], remark: Path) -> Differences:
    """Ask remark-validate-links about the same copies of the wikis. Raw folders are left out: they are no pages."""
    every = list(found)
    both: list[tuple[Found, Complaint]] = []
    ours: list[Found] = []
    theirs: list[tuple[str, Complaint]] = []
    for folder in folders:
        told = [one for one in validate_links.complaints(remark, folder, ["."]) if not one.path.startswith("raw/")]
        links = [one for one in every if one.wiki == folder.name and _is_markdown(one, folder)]
        for one in links:
            same = next((each for each in told if _same(one, each)), None)
            if same is None:
                ours.append(one)
            else:
                told.remove(same)
                both.append((one, same))
        theirs += ((folder.name, each) for each in told)
    return Differences(tuple(both), tuple(ours), tuple(theirs))


def _same(one: Found, other: Complaint) -> bool:
    return (one.path, one.line, one.column) == (other.path.removeprefix("./"), other.line, other.column)


def _is_markdown(one: Found, folder: Path) -> bool:
    """Is it about a Markdown link, and about where that leads?"""
    if one.check not in ("links", "source_exists") or one.result in ("unresolvable", "inexact"):
        return False
    line = (folder / one.path).read_text(encoding="utf-8").split("\n")[one.line - 1]
    return not line[one.column - 1 :].startswith(_WIKI_LINK)
