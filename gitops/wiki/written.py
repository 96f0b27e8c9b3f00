"""Paths and addresses as people write them in running text, with what follows to say where in the file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gitops.wiki import locators
from gitops.wiki.locators import Located

_DOCUMENTS = (
    "md|markdown|mdx|txt|rst|org|adoc|tex|pdf|html?|xhtml|xml|jsonl?|ya?ml|csv|tsv|docx?|odt|rtf|pptx?|xlsx?|epub|"
    "ipynb|srt|vtt|eml|png|jpe?g|gif|svg|webp|mp3|mp4|m4a|wav|webm"
)
_PART = r"""(?:[^\s/,;:#"'`<>|()\[\]{}，；、：。（）「」『』【】《》“”‘’«»]|\([^\s()/]{1,20}\))"""
_SUFFIX_ENDS = r"(?![A-Za-z0-9_/-])"
_URL = (
    r"""[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s<>"'`|，；、。（）【】「」《》]+|www\.[^\s<>"'`|，；、。（）【】「」《》]+"""
)
_DOMAIN = (
    r"(?:[\w-]+\.)+(?:com|org|net|io|ai|dev|edu|gov|info|app|blog|co|cn|jp|kr|de|uk|eu|fr)(?:/[^\s,;，；、。（）]*)?"
)
_IDENTIFIER = (
    r"(?:arxiv|doi|isbn|issn|pmid|pmcid|hdl|urn|oai)\s*:\s*[^\s,;，；、。（）]+|10\.\d{4,9}/[^\s,;，；、。（）]+"
)
_WHOLE = re.compile(rf"[^\n/,;#:|<>\"`，；、：「」]{{1,150}}\.(?:{_DOCUMENTS})", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z|\.(?:7z|3gp)\Z")
_FRAGMENT = re.compile(r"#([^\s,;|，；、\])）]+)")
_HEADING_GOES_ON = re.compile(r"[ \t]+[^\s,;|，；、(\[（—–-][^,;|，；、(\[（]*")
_MOMENT = re.compile(r":(?:\d{1,3}:)?\d{1,3}:\d{2}(?:-(?:\d{1,3}:)?\d{1,3}:\d{2})?(?![\w:])")
_LINES = re.compile(r":(L?\d{1,7}(?:[-\u2010-\u2015]L?\d{1,7})?)(?![\w:])", re.IGNORECASE)
_GAP = re.compile(r"[\s,，、(（\[@—–-]*(?:at\s+)?")
_REMARK = re.compile(r"""[;；"“「|]|\s[(（—–]|\)\s*\Z|）\s*\Z""")
_AND = re.compile(r"\s*(?:\band|\bund|&|及|和|및|と)?\s*\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:\S")
LONGEST = 2000
"""Characters beyond which no stretch is searched for paths."""


class Written(NamedTuple):
    """A path or address at `[at, until)` of a text, its locator included; `is_url` is of what is no file here."""

    path: str
    at: int
    until: int
    located: Located | None = None
    is_url: bool = False


@cache
def _pattern(raw: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w./~@-])(?:(?P<url>{_URL}|{_IDENTIFIER}|{_DOMAIN}(?![\w.]))|(?![@~])(?P<path>"
        rf"/?{_PART}+(?:/{_PART}+)+\.[A-Za-z][A-Za-z0-9]{{0,7}}{_SUFFIX_ENDS}"
        rf"|{_PART}+\.(?:{_DOCUMENTS}){_SUFFIX_ENDS}"
        rf"|/?{_PART}+/{_PART}[^\n,;#:|<>\"`，；、：「」]{{0,150}}?\.(?:{_DOCUMENTS}){_SUFFIX_ENDS}"
        rf"|(?:\.{{0,2}}/)*{re.escape(raw)}/{_PART}+(?:/{_PART}+)*))",
        re.IGNORECASE,
    )


@cache
def _titled(raw: str) -> re.Pattern[str]:
    """A path whose folder or file is called by a title with a full-width colon, which ends any other path."""
    part = r"[^\n,;#|<>\"`，；、。()（）\[\]：/]"
    return re.compile(
        rf"(?:\.{{0,2}}/)*{re.escape(raw)}/(?:{part}{{1,80}}/)*(?!{part}+\.(?:{_DOCUMENTS})：){part}{{1,80}}：(?!\s)"
        rf"(?:{part}{{1,80}}/)*{part}{{1,80}}?\.(?:{_DOCUMENTS}){_SUFFIX_ENDS}",
        re.IGNORECASE,
    )


def scan(text: str, start: int = 0, stop: int | None = None, raw: str = "raw") -> Iterator[Written]:
    """The paths and addresses in `[start, stop)` of a text, in order, each with the locator that adjoins it.

    A path has a suffix, or lies below the `raw` folder. Without a folder its suffix is that of a document; with
    spaces in it, it begins with a folder, or it is all there is.
    """
    stop = min(len(text) if stop is None else stop, start + LONGEST)
    begin, end = _trimmed(text, start, stop)
    written = _pattern(raw)
    if _WHOLE.fullmatch(text, begin, end) and not written.match(text, begin, end):
        yield Written(composed(text[begin:end]), begin, end)
        return
    at = start
    if "：" in text and (titled := _titled(raw).match(text, begin, end)):
        located, at = adjoining(text, titled.end(), stop)
        yield Written(composed(titled[0]), begin, at, located)
    while found := written.search(text, at, stop):
        if found["url"]:
            url = found[0].rstrip(".,;:!?]'\"")
            while url.endswith(")") and url.count(")") > url.count("("):
                url = url[:-1].rstrip(".,;:!?]'\"")
            at = found.start() + max(len(url), 1)
            yield Written(url, found.start(), at, is_url=True)
        else:
            path = found[0].rstrip(".")
            located, at = adjoining(text, found.start() + len(path), stop)
            yield Written(composed(path), found.start(), at, located)


def adjoining(text: str, at: int, stop: int) -> tuple[Located | None, int]:
    """The locator that directly adjoins a path which ends at `at` (`#…`, `:42-58`, `:5:40`), and where it ends."""
    if found := _FRAGMENT.match(text, at, stop):
        said = found[1]
        if said[0].isupper() or not said[0].isascii():
            said += _rest_of_heading(text, found.end(), stop)
        said = said.rstrip(".")
        return locators.of_fragment(said), at + 1 + len(said)
    if found := _MOMENT.match(text, at, stop):
        return locators.of_fragment(found[0][1:]), found.end()
    if found := _LINES.match(text, at, stop):
        return locators.of_lines(found[1]), found.end()
    return None, at


def following(text: str, at: int, stop: int) -> tuple[Located | None, int]:
    """The locator in words behind a path which ends at `at` (`, p. 3`, ` lines 4-7`, ` (§ Heading)`), and its end."""
    gap = _GAP.match(text, at, stop)
    begin = gap.end() if gap else at
    if begin == at or begin >= stop:
        return None, at
    remark = _REMARK.search(text, begin, stop)
    piece = text[begin : remark.start() if remark else stop]
    located = locators.of_words(piece)
    if located is None or piece[located.end : located.end + 1].isalnum():
        return None, at
    return located, begin + located.end


def _rest_of_heading(text: str, at: int, stop: int) -> str:
    """The further words of a heading that is written as it stands over its section, not as a slug."""
    found = _HEADING_GOES_ON.match(text, at, stop)
    if found is None or _pattern("raw").search(found[0]):
        return ""
    kept = _AND.search(found[0])
    return found[0][: kept.start()] if kept else found[0]


def has_scheme(target: str) -> bool:
    """Whether a target begins as an address or identifier does (`https:`, `arXiv:2402.1`), not as a file's path."""
    return _SCHEME.match(target) is not None


def is_address(target: str) -> bool:
    """Whether a target is an address or identifier, be it without a scheme (`example.org/a.html`, `10.1000/182`)."""
    found = _pattern("raw").match(target)
    return has_scheme(target) or (found is not None and found["url"] is not None and found.end() == len(target))


def has_suffix(path: str) -> bool:
    """Whether the last part of a path ends like a file's name."""
    return _SUFFIX.search(path.rpartition("/")[2][1:]) is not None


def composed(path: str) -> str:
    """A path in NFC."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return start, stop
