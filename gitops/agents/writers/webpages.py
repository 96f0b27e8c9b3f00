"""What the mark-up of a web page says of its text: which lines are headings, and which are no part of the article."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.wiki.source_html import MAX_DEPTH, depth, visible_text

_APART = "nav, footer, aside, form, button, [role=navigation], [role=contentinfo], [role=complementary]"
_HEADINGS = "h1, h2, h3, h4, h5, h6"


@dataclass(frozen=True, slots=True)
class Outline:
    """A page's title ('' for none), its headings and the lines of navigation and the like, as its text has them."""

    title: str = ""
    headings: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()


def outline(data: bytes) -> Outline:
    """The outline of an HTML document; an empty one where it nests too deep to be read at all."""
    from selectolax.lexbor import LexborHTMLParser

    html = data.decode("utf-8", "replace")
    if depth(html) > MAX_DEPTH:
        return Outline()
    tree = LexborHTMLParser(html)
    headings = [line for node in tree.css(_HEADINGS) for line in _lines(node.html)]
    first = next((line for node in tree.css("h1") for line in _lines(node.html)), "")
    named = tree.css_first("title")
    title = first or (" ".join(named.text().split()) if named is not None else "")
    apart = frozenset(line for node in tree.css(_APART) for line in _lines(node.html))
    return Outline(title, frozenset(headings), apart)


def _lines(html: str | None) -> list[str]:
    return visible_text(html or "").split("\n") if html else []
