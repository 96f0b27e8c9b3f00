"""Headings as links name them: GitHub's slug, Obsidian's heading text and block id."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from gitops.wiki.model import Heading, Page
from gitops.wiki.placeholders import has_argument

_DROPPED = re.compile(r"[^\w-]")
_HTML_ID = re.compile(r"""\b(?:id|name)\s*=\s*(?:["']([^"']+)["']|([^\s"'=<>`]+))""")
_HTML_HEADING = re.compile(r"<h[1-6]\b[^<>]*>([^\r\n]{1,300}?)</h[1-6]>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_ATTRIBUTES = re.compile(r"\{#([^\s{}]+)[^{}]*\}\s*$")
_RENDERED = re.compile(r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|:~:.*|fn(?:ref)?[:-]?\d[\w:-]*")


def slug(heading: str) -> str:
    """GitHub's slug: lower case, punctuation dropped, each space a hyphen."""
    words = heading.strip().lower().replace(" ", "-")
    if words.replace("-", "").isalnum():
        return words  # what most headings are: nothing to drop
    return _DROPPED.sub("", words)


def numbered(slugs: Iterable[str]) -> list[str]:
    """Slugs with `-1`, `-2`, … behind those that stood before, as GitHub tells equal headings apart."""
    taken: dict[str, int] = {}
    unique = []
    for name in slugs:
        count = taken.get(name)
        while count is not None and f"{name}-{count}" in taken:
            count += 1
        taken[name] = 1 if count is None else count + 1
        unique.append(name if count is None else f"{name}-{count}")
        taken.setdefault(unique[-1], 1)
    return unique


def fold(text: str) -> str:
    """Letters and digits only, case folded: two spellings of one heading fold alike."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", text).casefold()))


def anchor_exists(page: Page, anchor: str, *, is_wiki: bool = False) -> bool:
    """Whether a link may name `anchor` on the page: a heading, `#` path of headings, `^block` or HTML id, loosely.

    Lines of a file, text fragments and the footnotes' own ids are made by whoever renders the page. A wiki-link names a
    heading as it is written, with its arguments: `/wiki-extract <source>`.
    """
    anchor = unquote(anchor).strip().removeprefix("user-content-")
    if not anchor or anchor.casefold() == "top" or _RENDERED.fullmatch(anchor):
        return True
    if anchor.startswith("^"):
        return re.search(rf"\^{re.escape(anchor[1:])}[ \t]*(?:[\r\n]|\Z)", page.text) is not None
    wanted = fold(anchor.rpartition("#")[2])
    if not wanted:
        return any(heading.slug == anchor.casefold() for heading in page.headings)
    headings = [heading for heading in page.headings if not is_wiki or not has_argument(_written(page, heading))]
    if any(wanted in _names(heading) for heading in headings):
        return True
    if len(headings) < len(page.headings) and any(wanted == fold(_written(page, one)) for one in page.headings):
        return True
    if wanted.isascii() and any(wanted == fold(_unaccented(heading.text)) for heading in headings):
        return True
    return any(fold(name) == wanted for name in _html_names(page.text))


def _names(heading: Heading) -> tuple[str, ...]:
    """A heading's text, its slug, and with `{#id}` behind it (kramdown, Pandoc) the id and the text without it."""
    attributes = _ATTRIBUTES.search(heading.text)
    if attributes is None:
        return fold(heading.text), fold(heading.slug)
    return fold(heading.text), fold(heading.slug), fold(attributes[1]), fold(heading.text[: attributes.start()])


def _written(page: Page, heading: Heading) -> str:
    """The line of a heading as the page has it."""
    end = page.text.find("\n", heading.place.start)
    return page.text[heading.place.start : end if end >= 0 else None]


def _unaccented(text: str) -> str:
    """A text as renderers for ASCII alone spell it: letters without their marks."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if unicodedata.category(char) != "Mn")


def _html_names(text: str) -> Iterator[str]:
    for found in _HTML_ID.finditer(text):
        yield found[1] or found[2]
    for found in _HTML_HEADING.finditer(text):
        yield _TAG.sub("", found[1])
