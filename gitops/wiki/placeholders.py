"""Targets that name nothing because they stand for any name: templates, and words about how links are written."""

from __future__ import annotations

import re

from gitops.wiki.late import late

_HOLES = late(
    r"[<>{}*$\\^=]|\.{3}|\u2026|&&|\|\||(?<![A-Za-z])(?:YYYY|yyyy|MM-DD|N{3,}|X{3,}|x{3,})(?![A-Za-z])|^[-!]\S* "
)
_WORDS = frozenset(
    (
        "wikilink", "wikilinks", "wiki-link", "wiki-links", "wiki link", "wiki links", "backlink", "backlinks",
        "link", "links", "url", "path", "page", "pages", "page-name", "page name", "pagename", "target", "slug",
        "filename", "file-name", "file name", "note", "note name", "note-name", "title", "page title", "page-title",
    )
)  # fmt: skip
_TAGS = "a|b|br|cite|code|del|em|i|img|ins|kbd|li|mark|ol|p|q|small|span|strong|sub|sup|td|tr|u|ul"
_SLOT = rf"<(?!(?:{_TAGS})\b)[^\W\d][^<>/:@=\n]*>"
_FORM = late(
    rf"\{{[\w .-]*\}}|\$\{{|\$[A-Z_]{{2,}}|/\*+(?=[./\s`)]|\Z)|(?<![\w*)\]])\*\.\w"
    rf"|/[^\s/]*(?:\.\.\.|…)|(?:\.\.\.|…)[/#]|\bYYYY\b|\bXXX+\b|\bpath/to\b"
    rf"|(?<!\]\()(?<=[/#.:_ -]){_SLOT}|^{_SLOT}|(?<!\]\(){_SLOT}[/#.]"
)
_ARGUMENT = late(rf"<(?!(?:{_TAGS})\b)([a-z][\w. -]*)>")
_EXAMPLE = late(
    r"(?:.*/)?(?:foo|bar|baz|foo-?bar|file|"
    r"(?:my|your|some|another|other|related)[-_ ](?:file|page|source|note|article|document|concept|topic)|"
    r"(?:concept|entity|topic|source|paper|project|article|person)[-_ ](?:name|title|slug|file))(?:\.\w+)?|path/to/.*",
    re.IGNORECASE,
)
_FORMULA = late(r"\w{1,2}|[\w,+|'()-]*_\w{1,3}[\w,+|'()-]*")


def is_placeholder(target: str) -> bool:
    """Does a target stand for any name: `<slug>`, `*`, `…`, `[[wikilink]]`, `foo.md`, or the words of a shell test?"""
    if _HOLES.search(target) or _EXAMPLE.fullmatch(target):
        return True
    return target.strip("/ ").removesuffix(".md").lower() in _WORDS


def has_placeholder(text: str) -> bool:
    """Does running text show a form to fill in: `raw/<file>#<anchor>`, `raw/...`, `raw/{slug}.md`, `raw/*.md`?

    More careful than `is_placeholder`: `*`, `=`, `…` and the like mean other things between words.
    """
    return _FORM.search(text) is not None


def has_argument(text: str) -> bool:
    """Does a heading show an argument (`/wiki-extract <source>`), which Markdown takes for a tag of HTML?"""
    return any(f"</{one[1]}" not in text for one in _ARGUMENT.finditer(text))


def is_formula(text: str, target: str) -> bool:
    """Is it mathematics that only looks like a Markdown link: `[g_1,g_2](q)`? One or two letters name no file."""
    return len(target) <= 2 and target.isalnum() and _FORMULA.fullmatch(text.replace(" ", "")) is not None
