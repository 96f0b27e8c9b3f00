"""Sources that the frontmatter names: `sources: [raw/a.md, "[[b]]"]`, `source_file: raw/a.pdf`, `{resource, id}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from gitops.wiki import locators, placeholders, written
from gitops.wiki.locators import Located
from gitops.wiki.model import Cite, How
from gitops.wiki.outline import NOTHING, Definition, Outline, Reading

ID = "frontmatter"
_IN_MAPPING = (
    "resource", "path", "file", "raw", "raw_path", "source", "source_file", "link", "page", "url", "href", "title",
    "name", "id",
)  # fmt: skip
"""Where a mapping says what it names, the plainest first."""
_NOTHING = frozenset(("", "-", "~", "none", "null", "n/a", "na", "tbd", "todo", "unknown", "tba", "?", "…", "...", "."))
_WIKI = re.compile(r"!?\[\[([^\[\]|#]+)(?:#([^\[\]|]*))?(?:\|[^\[\]]*)?\]\]")
_LINK = re.compile(r"!?\[[^\[\]]*\]\(<?([^<>()\s]+)>?(?:\s+\"[^\"]*\")?\)")
_REMARK = re.compile(r"[\s`)]*|\s+(?:[—–(]|--?\s).*", re.DOTALL)
_SEPARATED = re.compile(r"[^,;\n]+")


def define(definition: Definition, outline: Outline) -> None:
    """Nothing: this convention has no footnotes."""
    return None


def read(outline: Outline) -> Reading:
    """What the configured keys name, as cites of the whole page."""
    fields = {field.casefold() for field in outline.conventions.fields}
    keys = [key for key in outline.frontmatter if str(key).casefold() in fields]
    cites = [cite for key in keys for cite in _Key(key, outline).cites(outline.frontmatter[key])]
    return Reading(page_cites=tuple(dict.fromkeys(cites))) if cites else NOTHING


class _Key:
    """One key's stretch of the frontmatter, in which its values are searched one after the other."""

    def __init__(self, key: str, outline: Outline) -> None:
        self.outline = outline
        self.raw = outline.conventions.raw
        text, end = outline.text, outline.body
        head = re.compile(rf"^[ \t{{]*[\"']?{re.escape(str(key))}[\"']?[ \t]*:", re.MULTILINE).search(text, 0, end)
        line_end = re.compile(r"[\r\n]|\Z")
        self.start = head.start() + len(head[0]) - len(head[0].lstrip(" \t{")) if head else 0
        self.at = head.end() if head else 0
        found = line_end.search(text, self.at, end)
        self.line = (self.start, found.start() if found else end)
        below = re.compile(r"^(?:[^\s#\-\]}]|-{3})", re.MULTILINE).search(text, self.line[1], end)
        self.end = below.start() if below else end

    def cites(self, value: Any) -> Iterator[Cite]:
        """The cites of a value: a text, or a list or mapping of such."""
        if isinstance(value, str):
            yield from self._text(value)
        elif isinstance(value, list) and (target := _nested_link(value)):
            yield self._cite(target.partition("|")[0], *self._find(f"[[{target}]]"), "wiki")
        elif isinstance(value, list):
            for one in value:
                yield from self.cites(one)
        elif isinstance(value, Mapping):
            lowered = {str(key).casefold(): one for key, one in value.items()}
            named = (lowered[key] for key in _IN_MAPPING if isinstance(lowered.get(key), str) and lowered[key].strip())
            yield from self.cites(next(named, ""))

    def _text(self, value: str) -> Iterator[Cite]:
        is_empty = value.strip().casefold() in _NOTHING or not any(map(str.isalnum, value))
        if is_empty or placeholders.has_placeholder(value):
            return
        if links := [*_WIKI.finditer(value), *_LINK.finditer(value)]:
            for link in sorted(links, key=lambda link: link.start()):
                yield from self._link(link)
            return
        found = list(written.scan(value, raw=self.raw))
        if len(found) > 1 and all(one.located is None and not one.is_url for one in found) and _is_list(value, found):
            for one in found:
                yield self._cite(one.path, *self._find(one.path))
        else:
            yield self._whole(value, found)

    def _link(self, link: re.Match[str]) -> Iterator[Cite]:
        start, end = self._find(link[0])
        if link.re is _WIKI:
            fragment = link[2] or ""
            located = None if fragment.startswith("^") else locators.of_fragment(fragment)
            yield self._cite(link[1].strip(), start, end, "wiki", located)
        else:
            path, _, fragment = link[1].partition("#")
            yield self._cite(unquote(path), start, end, "link", locators.of_fragment(fragment))

    def _whole(self, value: str, found: list[written.Written]) -> Cite:
        """A text as one citation, with the locator that it ends with."""
        start, end = self._find(value)
        said = value.strip().strip("`").strip()
        path, located = said, None
        if len(found) == 1 and not found[0].is_url and not value[: found[0].at].strip(" `"):
            until = found[0].until
            located, stop = (found[0].located, until)
            if located is None:
                located, stop = written.following(value, until, len(value))
            path = found[0].path if _REMARK.fullmatch(value, stop) else said
        return self._cite(path, start, end, "loose", located if path != said else None)

    def _find(self, value: str) -> tuple[int, int]:
        """Where a value stands behind the last one found; the key's line when it is written otherwise."""
        value = value.strip()
        text = self.outline.text
        at = text.find(value, self.at, self.end)
        if at < 0:
            at = text.find(value, self.line[0], self.end)
        if at < 0 or not value:
            return self.line
        self.at = at + len(value)
        return at, self.at

    def _cite(self, path: str, start: int, end: int, how: How = "loose", located: Located | None = None) -> Cite:
        said = located or Located()
        return Cite(
            dialect=ID,
            path=written.composed(path.strip()),
            place=self.outline.lines.place(start, end),
            first_page=said.first_page,
            last_page=said.last_page,
            how=how,
            locator=said.locator,
        )


def _nested_link(value: list[Any]) -> str:
    """`[[a]]` without quotation marks, which YAML takes for a list in a list; '' for any other list."""
    inner = value[0] if len(value) == 1 else None
    return inner[0] if isinstance(inner, list) and len(inner) == 1 and isinstance(inner[0], str) else ""


def _is_list(value: str, found: list[written.Written]) -> bool:
    """Whether a text is paths between commas and nothing else."""
    parts = [part[0].strip(" `\"'") for part in _SEPARATED.finditer(value)]
    return [part for part in parts if part] == [one.path for one in found]
