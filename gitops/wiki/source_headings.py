"""The headings of a Markdown source, and which of them a citation means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gitops.wiki.slugs import fold, numbered, slug

_FENCE = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_ATX = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+([^\n]*?))??(?:[ \t]+#+)?[ \t\r]*$", re.MULTILINE)
_SETEXT = re.compile(r"^ {0,3}(?![-=>#\s])(\S[^\n]*)\n {0,3}(=+|-+)[ \t\r]*$", re.MULTILINE)
_BOLD = re.compile(r"^ {0,3}(?:[-*+] |\d{1,3}[.)] )?(?:\*\*|__)([^*_\n]{1,120})(?:\*\*|__)", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_HEADING_ID = re.compile(r"\s*\{#([^}\s]+)\}\s*$")
_HTML_ID = re.compile(r"""\b(?:id|name)\s*=\s*["']([^"']+)["']""")
_SEPARATOR = re.compile(
    r"\s+[—–-]{1,2}\s+|\s*[,;:|]\s+|\s+\(|\.\s+"
    r"|(?:\s+(?:and|und|to|bis|&|\+)\s+|\s*[/–-]\s*)(?=§|\d|(?:App|Tab|Fig|Eq|Alg)[a-z]*\b)"
)
_FRONTMATTER = re.compile(r"\ufeff?---[ \t]*\r?\n.*?^---[ \t]*\r?$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"\d+(?:\.\d+)*\.?")


@dataclass(frozen=True, slots=True)
class SourceHeading:
    """A heading of a Markdown source: where it begins, and where what it heads ends."""

    level: int
    text: str
    slug: str
    start: int
    end: int


def named(said: str, text: str) -> list[SourceHeading]:
    """The headings that are meant: those called as the longest beginning of what is said that calls any."""
    known: dict[str, list[SourceHeading]] = {}
    for heading in headings(text):
        for key in {fold(heading.text), fold(heading.slug), fold(_without_number(heading.text))}:
            known.setdefault(key, []).append(heading)
    return next((known[key] for beginning in _beginnings(said) if (key := fold(beginning)) in known), [])


def may_be_other(said: str, text: str) -> bool:
    """Whether it may be another kind of anchor: an HTML id, a number that heads a line, the start of a heading."""
    wanted = fold(said)
    if not wanted or said.startswith((":~:", "^")):
        return True
    if any(fold(name) == wanted for name in _HTML_ID.findall(text)):
        return True
    first = _SEPARATOR.split(said, maxsplit=1)[0].strip()
    if _NUMBER.fullmatch(first):
        return re.search(rf"^[\W_]*(?:\w+\s+)?{re.escape(first.rstrip('.'))}(?![\d])", text, re.MULTILINE) is not None
    short = fold(first)
    return len(short) > 3 and any(fold(heading.text).startswith(short) for heading in headings(text))


def _beginnings(said: str) -> Iterator[str]:
    """What is said, of a path of headings the last, and each beginning that a separator ends, the longest first."""
    yield said
    if "#" in said:
        yield said.rpartition("#")[2]
    for cut in reversed(list(_SEPARATOR.finditer(said))):
        yield said[: cut.start()]


def _without_number(heading: str) -> str:
    number = _NUMBER.match(heading)
    return heading[number.end() :] if number else heading


@lru_cache(maxsize=64)
def headings(text: str) -> tuple[SourceHeading, ...]:
    """The headings of a Markdown text outside code fences; bold words at a line's start head what follows too."""
    head = _FRONTMATTER.match(text)
    body = " " * head.end() + text[head.end() :] if head else text
    seen = _FENCE.sub(lambda fence: re.sub(r"[^\n]", " ", fence[0]), body)
    found = [(match.start(), len(match[1]), match[2] or "") for match in _ATX.finditer(seen)]
    found += [(match.start(), 1 if match[2][0] == "=" else 2, match[1]) for match in _SETEXT.finditer(seen)]
    found += [(match.start(), 7, match[1]) for match in _BOLD.finditer(seen)]
    found.sort()
    words = [_LINK.sub(r"\1", _HEADING_ID.sub("", said)).strip().strip("*_`") for _, _, said in found]
    own = [_HEADING_ID.search(said) for _, _, said in found]
    slugs = numbered(slug(_LINK.sub(r"\1", said)) for said in words)
    ends = [_end(found, at, len(text)) for at in range(len(found))]
    return tuple(
        SourceHeading(level, said, one[1] if one else name, start, end)
        for (start, level, _), said, one, name, end in zip(found, words, own, slugs, ends, strict=True)
    )


def _end(found: Sequence[tuple[int, int, str]], at: int, stop: int) -> int:
    return next((start for start, level, _ in found[at + 1 :] if level <= found[at][1]), stop)
