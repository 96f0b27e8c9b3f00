"""The two names that are no concepts: `index.md`, which lists a folder, and `log.md`, its history (OKF 0.2, 8, 9)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from datetime import date

from gitops.okf.model import OKF_VERSION, Fault, FaultLevel
from gitops.okf.places import Places
from gitops.wiki import page
from gitops.wiki.page import Read

INDEX, LOG = "index.md", "log.md"
NAMES = (INDEX, LOG)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_KNOWN = ("0.1", OKF_VERSION)


def faults(path: str, data: bytes) -> Iterator[Fault]:
    """What an index or a log gets wrong."""
    read = page.read(data)
    for problem in read.problems:
        if problem.result in ("utf16", "invalid_utf8", "unparsable_frontmatter", "unclosed_frontmatter"):
            yield Fault("okf", "error", problem.result, problem.message, path, problem.place.line, problem.repair)
    yield from _index(path, read) if posixpath.basename(path) == INDEX else _log(path, read)


def _index(path: str, read: Read) -> Iterator[Fault]:
    """Sections with a heading each; no frontmatter but the version of the format, and that at the root alone."""
    first = next(iter(read.citations.cited), None)
    if first is not None and all(one.block.kind != "heading" for one in read.citations.cited):
        told = "the listing has no heading"
        line = read.outline.lines.place(*first.block.extent).line
        yield _fault("warning", "index_without_section", told, path, line, "put the entries below a heading: `# Roles`")
    if not read.outline.body:
        return
    lines = Places(read.outline.text[: read.outline.body]).keys
    if path != INDEX:
        told = "only the index at the root of a bundle may have frontmatter"
        yield _fault("error", "index_frontmatter", told, path, 1, "remove it")
        return
    for key in read.outline.frontmatter:
        if key != "okf_version":
            told = f"the frontmatter of the bundle's index holds `{key}`, and only `okf_version` may stand there"
            yield _fault("error", "index_frontmatter", told, path, lines.get(key, 1), f"remove `{key}`")
    version = read.outline.frontmatter.get("okf_version")
    if version is not None and str(version) not in _KNOWN:
        told = f"the bundle is of OKF {version}; it is read as OKF {OKF_VERSION} as far as that goes"
        yield _fault("note", "other_version", told, path, lines.get("okf_version", 1), f"known: {', '.join(_KNOWN)}")


def _log(path: str, read: Read) -> Iterator[Fault]:
    """Groups below headings of the second level, each a day, newest first."""
    before: date | None = None
    has_groups = False
    for one in read.citations.cited:
        line = read.outline.lines.place(*one.block.extent).line
        if one.block.kind == "item" and not has_groups:
            yield _fault(
                "warning", "log_without_day", "the entry stands below no day", path, line, "add `## YYYY-MM-DD`"
            )
            has_groups = True
        if one.block.kind != "heading" or one.block.level != 2:
            continue
        has_groups = True
        day = _day(one.folded)
        if day is None:
            told = f"'{one.folded}' is no day"
            yield _fault("error", "log_heading", told, path, line, "write `## YYYY-MM-DD`")
        elif before is not None and day > before:
            told = f"{day} stands below {before}, and the newest comes first"
            yield _fault("error", "log_order", told, path, line, "put the newer day above")
        before = day or before


def _day(words: str) -> date | None:
    try:
        return date.fromisoformat(words) if _DAY.fullmatch(words) else None
    except ValueError:
        return None


def _fault(level: FaultLevel, result: str, told: str, path: str, line: int, mend: str) -> Fault:
    return Fault("okf", level, result, told, path, line, mend)
