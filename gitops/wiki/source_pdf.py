"""The text of a PDF, page by page, by pypdfium2 (PDFium)."""

from __future__ import annotations

import threading
from typing import Any

PAGE_BREAK = "\f"

# PDFium keeps global state and must not be called by two threads at once (its README; pypdfium2's too).
_ONE_AT_A_TIME = threading.Lock()
# PDFium joins a line that ends in a hyphen to the next and leaves a non-character between: U+FFFE or, by its other
# function, U+0002. The printed form goes back in its place, because a quote may join the word or keep the hyphen.
_AS_PRINTED = {0xFFFE: "-\n", 0x0002: "-\n", 0x0000: None, 0x000C: "\n"}
# A damaged page tree may promise a million pages; after this many in a row that cannot be read, the rest is not tried.
_GIVE_UP_AFTER = 50


def pages(data: bytes) -> tuple[list[str], str, str]:
    """Each page's text with plain line feeds, the problem ('' when there is none), and the problem's sentence."""
    from pypdfium2 import PdfDocument, PdfiumError, raw  # type: ignore[import-untyped]

    with _ONE_AT_A_TIME:
        try:
            with PdfDocument(data) as document:
                return _told(*_read(document, PdfiumError))
        except PdfiumError as error:
            if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
                return [], "encrypted", "the PDF is encrypted and opens with a password only"
            return [], "broken_pdf", "the PDF is damaged and cannot be opened"


def _read(document: Any, damage: type[Exception]) -> tuple[list[str], list[int]]:
    """The pages' texts, and the numbers of those that cannot be read."""
    texts: list[str] = []
    unreadable: list[int] = []
    for number in range(1, len(document) + 1):
        try:
            texts.append(_page_text(document, number - 1))
        except damage:
            texts.append("")
            unreadable.append(number)
            if len(unreadable) >= _GIVE_UP_AFTER and unreadable[-_GIVE_UP_AFTER] == number - _GIVE_UP_AFTER + 1:
                break
    return texts, unreadable


def _page_text(document: Any, index: int) -> str:
    page = document.get_page(index)
    try:
        text_page = page.get_textpage()
        try:
            # All of the page's text, also beyond its crop box: cropping is a matter of print, not of what is said.
            text: str = text_page.get_text_range()
        finally:
            text_page.close()
    finally:
        page.close()
    return text.translate(_AS_PRINTED).replace("\r\n", "\n").replace("\r", "\n")


def _told(texts: list[str], unreadable: list[int]) -> tuple[list[str], str, str]:
    if unreadable:
        named = ", ".join(map(str, unreadable[:5])) + (", …" if len(unreadable) > 5 else "")
        return texts, "broken_pdf", f"the PDF is damaged: of {len(texts)} pages these cannot be read: {named}"
    if not texts:
        return texts, "broken_pdf", "the PDF is damaged: it has no pages"
    if not any(text.strip() for text in texts):
        scan = "the PDF has no text layer, as a scan has none: run it through OCR and add the result"
        return texts, "no_text_layer", scan
    return texts, "", ""
