"""How words, headings and links are spelled on a page, so that a reader of Markdown sees just them."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal
from urllib.parse import quote

from gitops.verify.view import View
from gitops.wiki.graph import resolved
from gitops.wiki.model import Page
from gitops.wiki.names import without_suffix

Style = Literal["markdown", "wiki"]
_MARKS = re.compile(r"[\\`*\[\]<>|~$^]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|==|%%|::")
_OPENS = re.compile(r"(?:[#+-]|\d{1,9}[.)])(?=\s|$)|[=-]+$|:(?=\s)")
_SPECIAL = re.compile(r"[\s()<>\\%]")
_CLOSING = re.compile(r"[<>\\%\x00-\x1f\x7f]")


def plain(text: str) -> str:
    """A text whose every character is read as itself, on one line."""
    line = " ".join(text.split())
    escaped = _MARKS.sub(lambda found: "".join(f"\\{mark}" for mark in found[0]), line)
    if (opens := _OPENS.match(escaped)) is not None:
        at = opens.end() - 1 if opens[0][0].isdigit() else 0
        escaped = f"{escaped[:at]}\\{escaped[at:]}"
    return escaped


def style_of(pages: Iterable[Page]) -> Style:
    """How pages link to one another: as most of their links do."""
    counts = Counter(link.kind for page in pages for link in page.links if link.target)
    return "wiki" if counts["wiki"] > counts["markdown"] else "markdown"


def link(view: View, style: Style, from_path: str, to_path: str, text: str) -> str:
    """A link to a page with a text; a wiki-link only where its target leads to that page alone."""
    if style == "wiki" and not re.search(r"[\[\]|#^]", to_path + text):
        target = without_suffix(view.layout.inside(to_path))
        found = resolved(view.graph, view.layout, from_path, "wiki", target)
        if found.status == "ok" and found.paths == (to_path,):
            return f"[[{target}|{' '.join(text.split())}]]"
    return f"[{plain(text)}]({target_of(from_path, to_path)})"


def target_of(from_path: str, to_path: str) -> str:
    """How a Markdown link on one page spells the path of a file."""
    target = posixpath.relpath(to_path, posixpath.dirname(from_path))
    if not _SPECIAL.search(target):
        return target
    return f"<{_CLOSING.sub(lambda found: quote(found[0]), target)}>"


def title_of(page: Page, path: str) -> str:
    """What a page is called: by its frontmatter, its first heading, else its file."""
    named = page.frontmatter.get("title")
    if isinstance(named, str) and named.strip():
        return " ".join(named.split())
    heading = next((one.text for one in page.headings if one.level == 1 and one.text.strip()), "")
    return heading or without_suffix(path.rpartition("/")[2])


def count(number: int, what: str) -> str:
    """`1 claim`, `41 claims`."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")
