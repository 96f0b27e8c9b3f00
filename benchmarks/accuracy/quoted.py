"""Quotations that stand word for word in the source that is cited beside them, found by regular expressions alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.accuracy.memory import Workspace
from benchmarks.accuracy.references import DEFINITION, MENTION, PageText, Pointer

_LISTS_SOURCES = re.compile(r"#+\s+(?:Sources|References|Quellen|参考文献|参考资料|출처)\s*$")
_OF_PAGE = ("frontmatter", "listed path", "source line")
_NUMBER = re.compile(r"(?<![\]\w\[])\[(?P<label>\d{1,3})\](?![\[(:])")
_NUMBERED = re.compile(r"^\s*\[?(?P<label>\d{1,3})[\].]")
_NAMED = re.compile(r"^\s*(?:-\s+)?id\s*:\s*[\"']?(?P<label>[\w-]+)")
_HOP = re.compile(r"(?m)^(?:source_file|source_path|source|raw_path)\s*:\s*[\"']?(raw/[^\s\"']+)")
_QUOTED = re.compile(
    r"“([^“”\n]{20,600})”|(?<![\w\"])\"([^\"\n]{20,600})\"(?!\w)|「([^「」\n]{20,600})」|«([^«»\n]{20,600})»|„([^„“\n]{20,600})“"
)
_STAMP = re.compile(r"(?m)^\s*\**\[?(?:\d+:)?\d?\d:\d\d\]?\**\s*$")
_WORD = re.compile(r"[^\W_]+")
_FEWEST_WORDS = 6
_MANY_LETTERS = 15
"""Of writing that puts no space between words."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words in quotation marks, `[start, end)` without the marks, that stand so in the source that `cited` names.

    `beside` are the sources of the other citations on the line; `of_page` says that the page as a whole cites.
    """

    path: str
    line: int
    start: int
    end: int
    text: str
    cited: Pointer
    beside: tuple[str, ...]
    of_page: bool = False


def quotations(workspace: Workspace, page: PageText, known: Sequence[Pointer], texts: Texts) -> Iterator[Quotation]:
    """The quotations of a page that stand word for word in the source cited next on their line."""
    defined = _defined(page, known)
    whole = _of_page(page, known, defined)
    by_line: dict[int, list[Pointer]] = {}
    for one in known:
        by_line.setdefault(one.line - 1, []).append(one)
    for number, start, line in page.of("body"):
        for found in _QUOTED.finditer(line):
            if line[: found.start()].count("`") % 2:
                continue
            group = found.lastindex or 0
            cited = _next(line, start, found.end(), by_line.get(number, ()), defined, bool(DEFINITION.match(line)))
            of_page = cited is None
            if cited is None:
                cited = next((o for o in whole if _stands(found[group], texts.of(workspace, o.leads_to))), None)
            if cited is not None and _stands(found[group], texts.of(workspace, cited.leads_to)):
                at = (start + found.start(group), start + found.end(group))
                labels = {one["label"].casefold() for form in (MENTION, _NUMBER) for one in form.finditer(line)}
                near = [*by_line.get(number, ()), *(one for label, one in defined.items() if label in labels)]
                beside = tuple(one.leads_to for one in near if one != cited)
                yield Quotation(page.path, number + 1, *at, found[group], cited, beside, of_page)


def quote_blocks(workspace: Workspace, page: PageText, known: Sequence[Pointer], texts: Texts) -> Iterator[Quotation]:
    """Lines of quote blocks that stand word for word in the source cited in the last line of the block."""
    by_line = {one.line - 1: one for one in known}
    for number, start, line in page.of("body"):
        found = re.match(r">\s+(?=[^\W_])([^>\n]{20,600})$", line)
        if found is None or number in by_line or MENTION.search(line) or not page.lines[number + 1].startswith(">"):
            continue
        cited = by_line.get(number + 1) or by_line.get(number + 2)
        if cited is not None and _stands(found[1], texts.of(workspace, cited.leads_to)):
            yield Quotation(page.path, number + 1, start + found.start(1), start + found.end(1), found[1], cited, ())


class Texts:
    """The words of sources, in lower case and without what is no word, each read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def of(self, workspace: Workspace, path: str) -> str:
        """The words of the source at a path, or of the one that the page there stands for; '' of anything else."""
        key = (workspace.name, path)
        if key not in self._known:
            source = _behind(workspace, path)
            self._known[key] = words(_STAMP.sub(" ", workspace.view.source(source).text)) if source else ""
        return self._known[key]


def _behind(workspace: Workspace, path: str) -> str | None:
    layout, tree = workspace.layout, workspace.tree
    if layout.is_source(path):
        return path
    named = _HOP.search(tree.read(path).decode("utf-8", "replace")) if layout.is_page(path) else None
    source = f"{layout.root}/{named[1]}".lstrip("/") if named else ""
    return source if source in tree.files else None


def words(text: str) -> str:
    """The words of a text, in lower case, one space between."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _stands(quoted: str, source: str) -> bool:
    wanted = words(quoted)
    is_long = wanted.count(" ") > _FEWEST_WORDS or sum(not letter.isascii() for letter in wanted) > _MANY_LETTERS
    return is_long and wanted in source


def _next(
    line: str,
    start: int,
    at: int,
    here: Sequence[Pointer],
    defined: Mapping[str, Pointer],
    is_definition: bool,
) -> Pointer | None:
    """The citation that follows a place in a line; in a definition the one it begins with."""
    if is_definition:
        return here[0] if here else None
    mention = min(filter(None, (MENTION.search(line, at), _NUMBER.search(line, at))), key=_begin, default=None)
    follows = next((one for one in here if one.start >= start + at), None)
    if mention and (follows is None or start + mention.start() < follows.start):
        return defined.get(mention["label"].casefold())
    return follows


def _begin(found: re.Match[str]) -> int:
    return found.start()


def _defined(page: PageText, known: Sequence[Pointer]) -> dict[str, Pointer]:
    """What footnotes, numbers of a list, and ids of the frontmatter's sources lead to."""
    found: dict[str, Pointer] = {}
    for one in known:
        above = page.lines[one.line - 2] if one.form == "frontmatter" else ""
        head = DEFINITION.match(line := page.lines[one.line - 1]) or _NUMBERED.match(line) or _NAMED.match(above)
        if head is not None:
            found.setdefault(head["label"].casefold(), one)
    return found


def _of_page(page: PageText, known: Sequence[Pointer], defined: Mapping[str, Pointer]) -> list[Pointer]:
    """What backs the page as a whole: its frontmatter's sources, lists and lines of them."""
    is_numbered = _NUMBER.search(page.text) or MENTION.search(page.text)
    named = set(defined.values()) if is_numbered else set()
    heading = next((number for number, _, line in page.of("body") if _LISTS_SOURCES.match(line)), len(page.lines))
    return [one for one in known if (one.form in _OF_PAGE or one.line - 1 > heading) and one not in named]
