"""From a file under `raw/` to its text: which reader a file calls for, and what it made of it.

Nothing here raises on what a file holds: what stands in the way is the result's `problem`.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from importlib.metadata import version as installed_version

from gitops.wiki import source_html, source_pdf
from gitops.wiki.source_text import SourceText, from_bytes, page_of, page_span, to_bytes

__all__ = ["SourceText", "extract", "extractor_for", "from_bytes", "page_of", "page_span", "to_bytes"]

# Raised by one whenever a reader would read the same bytes differently: offsets recorded before no longer hold then.
_OWN_VERSION = "1"
_LIBRARIES = {"pdf": "pypdfium2", "html": "selectolax"}
_SUFFIXES = {"pdf": "pdf", "html": "html", "htm": "html", "xhtml": "html"}
_MARKDOWN = (".md", ".markdown")
_PDF_HEAD = b"%PDF-"
_HTML_HEAD = re.compile(rb"\s*(?:<!doctype\s+html|<html)\b", re.IGNORECASE)
_LFS_HEAD = re.compile(rb"version https?://(?:git-lfs|hawser)\.github\.com/spec/")
_ANNEX_HEAD = re.compile(rb"/annex/objects/[^\s/]+\s*")
_POINTER_SIZE = 32 * 1024
_META_CHARSET = re.compile(rb"""<meta[^>]+?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)""", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SAMPLE = 8000  # what git looks at when it decides whether a file is binary (buffer_is_binary)

Decoded = tuple[str, str, str]
"""Text, problem, message."""


def extractor_for(path: str, head: bytes) -> tuple[str, str]:
    """Which extractor reads a file, and its version: cheap, for asking a cache. `head` is its first kilobyte."""
    name = _format(path, head)
    return name, _version(name)


def extract(path: str, data: bytes) -> SourceText:
    """The text of a source. Never raises on content; see `SourceText.problem`."""
    name, version = extractor_for(path, data[:1024])
    if pointer := _pointer(data):
        return SourceText("", (), name, version, "lfs_pointer", pointer)
    if not data:
        return SourceText("", (), name, version, "empty", "the file is empty")
    if name == "pdf":
        return _pdf(data, version)
    text, problem, message = _html(data) if name == "html" else _text(data)
    if not problem and (not text or text.isspace()):
        problem, message = "empty", "the file shows no text" if name == "html" else "the file holds white space only"
    is_markdown = name == "text" and path.lower().endswith(_MARKDOWN)
    return SourceText(text, (), name, version, problem, message, is_markdown)


def _format(path: str, head: bytes) -> str:
    if head.startswith(_PDF_HEAD):
        return "pdf"
    suffix = path.rpartition("/")[2].rpartition(".")
    known = _SUFFIXES.get(suffix[2].lower()) if suffix[1] else None
    if known:
        return known
    return "html" if not suffix[1] and _HTML_HEAD.match(head) else "text"


@lru_cache(maxsize=8)
def _version(name: str) -> str:
    library = _LIBRARIES.get(name)
    return f"{_OWN_VERSION}+{library}-{installed_version(library).partition('.')[0]}" if library else _OWN_VERSION


def _pointer(data: bytes) -> str:
    if len(data) > _POINTER_SIZE:
        return ""
    if _LFS_HEAD.match(data):
        return "the file is a Git LFS pointer; its content is not in the repository ('git lfs pull' fetches it)"
    if _ANNEX_HEAD.match(data):
        return "the file is a git-annex pointer; its content is not in the repository ('git annex get' fetches it)"
    return ""


def _pdf(data: bytes, version: str) -> SourceText:
    pages, problem, message = source_pdf.pages(data)
    starts, place = [], 0
    for page in pages:
        starts.append(place)
        place += len(page) + len(source_pdf.PAGE_BREAK)
    return SourceText(source_pdf.PAGE_BREAK.join(pages), tuple(starts), "pdf", version, problem, message)


def _text(data: bytes) -> Decoded:
    has_nul = b"\0" in data[:_SAMPLE]
    # UTF-16 has NULs, or a mark.
    if (has_nul or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))) and (encoding := _utf16(data)):
        return _from_utf16(data, encoding)
    data = data.removeprefix(codecs.BOM_UTF8)
    if has_nul and b"\0" in data[:_SAMPLE]:
        return "", "not_text", "the file is binary, not text"
    try:
        return data.decode(), "", ""
    except UnicodeDecodeError as error:
        text = data.decode(errors="replace")
        if len(_CONTROL.findall(text[:_SAMPLE])) * 50 > len(text[:_SAMPLE]):
            return "", "not_text", "the file is binary, not text"
        line = data.count(b"\n", 0, error.start) + 1
        return text, "invalid_utf8", f"byte 0x{data[error.start]:02x} on line {line} is not UTF-8"


def _utf16(data: bytes) -> str:
    """The UTF-16 encoding that a mark shows, or NULs in every other byte of mostly ASCII text; '' for neither."""
    if data.startswith(codecs.BOM_UTF16_LE) and not data.startswith(codecs.BOM_UTF32_LE):
        return "utf-16-le"
    if data.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    sample = data[: _SAMPLE // 2 * 2]
    if len(sample) < 4:
        return ""
    high, low = sample[0::2].count(0), sample[1::2].count(0)
    enough = len(sample) * 0.3
    if low > enough and high == 0:
        return "utf-16-le"
    return "utf-16-be" if high > enough and low == 0 else ""


def _from_utf16(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace").removeprefix("\ufeff")
    return text, "utf16", f"the file is {encoding.upper()}, not UTF-8"


def _html(data: bytes) -> Decoded:
    document, problem, message = _html_document(data)
    if problem == "not_text":
        return document, problem, message
    if source_html.depth(document) > source_html.MAX_DEPTH:
        return "", "not_text", f"the HTML nests its elements more than {source_html.MAX_DEPTH} deep"
    return source_html.visible_text(document), problem, message


def _html_document(data: bytes) -> Decoded:
    """HTML by its byte-order mark, else by the `meta` element in its first 1024 bytes (WHATWG), else as UTF-8."""
    declared = _META_CHARSET.search(data[:1024])
    if declared is None or data.startswith(codecs.BOM_UTF8) or _utf16(data):
        return _text(data)
    name = declared[1].decode("ascii").lower()
    try:
        known = codecs.lookup(name).name
        if known in ("utf-8", "utf-16", "utf-16-le", "utf-16-be"):
            return _text(data)
        # As browsers do: what calls itself Latin-1 or ASCII is Windows-1252.
        known = "cp1252" if known in ("iso8859-1", "ascii") else known
        return data.decode(known, "replace"), "", ""
    except (LookupError, UnicodeError):
        return _text(data)
