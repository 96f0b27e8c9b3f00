"""References of a page that are right, read by regular expressions and look-ups that share nothing with the parser.

What is listed here leads to a file that is there, so breaking it is a defect, whether or not the parser ever saw it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from benchmarks.accuracy.draw import inline, places
from benchmarks.accuracy.memory import Workspace

_FRAGMENT = r"(?:#(?P<f>[^)\s`\]|]+))?"
_FILE = r"[\w./-]*\w\.\w{2,4}"
FORMS = {
    "Markdown link": re.compile(
        rf"(?<!!)\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\((?P<t><[^<>\n]+>|[^)\s#<]+){_FRAGMENT}(?:\s+\"[^\"\n]*\")?\)"
    ),
    "wiki-link": re.compile(r"(?<!!)\[\[(?P<t>[^\]|#\n\\]+)(?:#(?P<f>[^\]|\n]+))?(?:\\?\|[^\]\n]*)?\]\](?!\()"),
    "titled link": re.compile(r"\[\[[^\]\n]+\]\]\((?P<t>[^)\s#<]+)\)"),
    "(source: …)": re.compile(rf"[(（](?:[Ss]ources?|출처|来源|出典)\s*[:：]\s*(?P<t>{_FILE}){_FRAGMENT}"),
    "^[…]": re.compile(rf"\^\[(?P<t>{_FILE})(?::\d+(?:-\d+)?)?\]"),
    "code span": re.compile(r"`(?P<t>raw/[^`#:\s<>*]+)`"),
    "footnote path": re.compile(r"^\[\^[^\]]+\]:\s*(?P<t>raw/[^\s,;#]+)"),
    "source line": re.compile(rf"\*\*Sources?:?\*\*:?\s*(?P<t>{_FILE})"),
    "listed path": re.compile(rf"^\s*(?:[-*]|\[?\d+[\].]+)\s+(?P<t>raw/{_FILE})\s*$"),
    "frontmatter": re.compile(
        rf"^\s*(?:-\s+)?(?:(?:sources?|resource|source_(?:file|path)|raw_paths?)\s*:\s*|-\s+)[\"']?(?P<t>{_FILE})[\"']?\s*$"
    ),
}
"""How a reference may be written; group `t` is its target, `f` what follows `#`."""

_IN_CODE = ("(source: …)", "code span")
_ANYWHERE = ("wiki-link", "listed path", "(source: …)", "code span", "^[…]", "frontmatter", "source line")
"""Forms whose paths may be meant from any of the usual folders."""
DEFINITION = re.compile(r"^\[\^(?P<label>[^\]\s]+)\]:[ \t]*(?P<body>.*)$")
"""A footnote's definition, on its first line."""
MENTION = re.compile(r"\[\^(?P<label>[^\]\s]+)\](?!:)")
"""A reference to a footnote."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A reference whose target, `[start, end)` in the page, leads to a file that is there.

    `fragment` is where what follows `#` stands. `is_definition` says that it stands in a footnote's definition.
    """

    form: str
    path: str
    line: int
    start: int
    end: int
    target: str
    leads_to: str
    fragment: tuple[int, int] | None
    is_definition: bool


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote that is defined once, on one line `[start, end)`, and referred to; its label stands at `label`."""

    path: str
    line: int
    start: int
    end: int
    label: tuple[int, int]
    mentions: int


@dataclass(frozen=True)
class PageText:
    """A page's text, its lines, and what each of them is: frontmatter, code, comment or body."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def places(self) -> list[str]:
        return list(places(self.lines))

    @cached_property
    def starts(self) -> list[int]:
        found, at = [], 0
        for line in self.lines:
            found.append(at)
            at += len(line) + 1
        return found

    def of(self, *kinds: str) -> Iterator[tuple[int, int, str]]:
        """Number from 0, start and words of the lines that are one of these."""
        for number, (line, kind) in enumerate(zip(self.lines, self.places, strict=True)):
            if kind in kinds:
                yield number, self.starts[number], line


def pages(workspace: Workspace) -> list[PageText]:
    """The pages of a workspace that are UTF-8 text, its log left out."""
    layout, tree = workspace.layout, workspace.tree
    paths = [path for path in tree.paths(layout.wiki) if layout.is_page(path) and path != layout.log]
    return [PageText(path, tree.read(path).decode()) for path in paths if _is_text(tree.read(path))]


def pointers(workspace: Workspace, page: PageText) -> list[Pointer]:
    """The references of a page that lead somewhere, in the order of the page."""
    found = [*_in_body(workspace, page), *_in_frontmatter(workspace, page)]
    return sorted(found, key=lambda one: one.start)


def footnotes(workspace: Workspace, page: PageText) -> Iterator[Footnote]:
    """The footnotes of a page that are defined once on one line, referred to, and no name of a frontmatter's source."""
    front = "\n".join(line for _, _, line in page.of("frontmatter"))
    lines = [(number, start, found) for number, start, line in page.of("body") if (found := DEFINITION.match(line))]
    labels = [found["label"].casefold() for _, _, found in lines]
    mentions = [found["label"].casefold() for _, _, line in page.of("body") for found in MENTION.finditer(line)]
    for number, start, found in lines:
        label = found["label"].casefold()
        named = re.search(rf"(?m)^\s*-?\s*id\s*:\s*[\"']?{re.escape(found['label'])}\b", front)
        if labels.count(label) == 1 and mentions.count(label) and not named and not _goes_on(page, number):
            at = (start + found.start("label"), start + found.end("label"))
            yield Footnote(page.path, number + 1, start, start + found.end(), at, mentions.count(label))


def _in_body(workspace: Workspace, page: PageText) -> Iterator[Pointer]:
    for number, start, line in page.of("body"):
        for form, pattern in FORMS.items():
            if form == "frontmatter":
                continue
            for found in pattern.finditer(line):
                if form not in _IN_CODE and inline(line, found.start()) != "body":
                    continue
                if (made := _pointer(workspace, page, form, number, start, found)) is not None:
                    yield made


def _in_frontmatter(workspace: Workspace, page: PageText) -> Iterator[Pointer]:
    key = ""
    for number, start, line in page.of("frontmatter"):
        if named := re.match(r"(\w+)\s*:", line):
            key = named[1]
        found = FORMS["frontmatter"].match(line)
        if found and re.fullmatch(r"sources?|resource|source_(?:file|path)|raw_paths?", key):
            made = _pointer(workspace, page, "frontmatter", number, start, found)
            if made is not None:
                yield made


def _pointer(
    workspace: Workspace, page: PageText, form: str, number: int, start: int, found: re.Match[str]
) -> Pointer | None:
    at, until = found.span("t")
    target = found["t"]
    if target.startswith("<"):
        at, until, target = at + 1, until - 1, target[1:-1]
    at, until = at + len(target) - len(target.lstrip()), until - len(target) + len(target.rstrip())
    leads_to = _file(workspace, page.path, form, target.strip())
    if leads_to is None or leads_to == page.path:
        return None
    fragment = None
    if "f" in found.re.groupindex and found["f"]:
        fragment = (start + found.start("f"), start + found.end("f"))
    is_definition = DEFINITION.match(page.lines[number]) is not None
    span = (start + at, start + until)
    return Pointer(form, page.path, number + 1, *span, target.strip(), leads_to, fragment, is_definition)


def _file(workspace: Workspace, path: str, form: str, target: str) -> str | None:
    """The one file of the repository that a target can only mean."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target, re.IGNORECASE):
        return None
    layout, files = workspace.layout, workspace.tree.files
    name = unquote(target)
    folders = [posixpath.dirname(path)]
    if name.startswith("/"):
        folders, name = [layout.root, layout.wiki], name[1:]
    elif form in _ANYWHERE or form == "footnote path":
        folders += [layout.root, layout.wiki, layout.raw, ""]
    for folder in folders:
        for suffix in ("", ".md"):
            candidate = posixpath.normpath(posixpath.join(folder, name + suffix))
            if candidate in files:
                return candidate
    if form != "wiki-link" or "/" in name:
        return None
    stem = name.casefold().removesuffix(".md").replace(" ", "-")
    same = [one for one in files if one.endswith(".md") and _stem(one) == stem and layout.is_page(one)]
    return same[0] if len(same) == 1 else None


def _stem(path: str) -> str:
    return posixpath.basename(path).casefold().removesuffix(".md").replace(" ", "-")


def _goes_on(page: PageText, number: int) -> bool:
    following = page.lines[number + 1 : number + 2]
    return bool(following and following[0].strip() and not DEFINITION.match(following[0]))


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\r" not in data
