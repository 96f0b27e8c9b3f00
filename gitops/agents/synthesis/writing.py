"""How a synthesis links to pages and what it calls them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from gitops.agents.marking import plain, target_of
from gitops.verify.view import View
from gitops.wiki.graph import resolved
from gitops.wiki.model import Page
from gitops.wiki.names import without_suffix

Style = Literal["markdown", "wiki"]


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
