"""The text of a PDF of two hundred pages, as a source is read, against pypdf: pages per second.

Needs the extra `bench` (pypdf) and `test` (fpdf2, which writes the PDF).
"""

from __future__ import annotations

import io
import random

from benchmarks.timing import Options, Ratio, Unavailable, against
from gitops.errors import CannotRun
from gitops.wiki.sources import extract

LIMIT = 0.25
"""At least four times pypdf's pages per second."""

PAGES = 200
_LINES = 45
_PARAGRAPHS = 5


def run(options: Options) -> list[Ratio]:
    """Lines of one font, as the limit was set for, and a report's justified paragraphs; the limit is of times."""
    pages = options.size(PAGES)
    documents = {"PDF of lines": (lines(pages), LIMIT), "PDF of paragraphs": (paragraphs(pages), None)}
    return [_against(name, data, pages, limit, options) for name, (data, limit) in documents.items()]


def _against(name: str, data: bytes, pages: int, limit: float | None, options: Options) -> Ratio:
    floor = ("pypdf", lambda: theirs(data))
    return against(name, floor, lambda: ours(data, pages), options, limit=limit, size=pages)


def ours(data: bytes, pages: int) -> str:
    """Our side, as everything reads a source. CannotRun when it does not come to so many pages of text."""
    source = extract("raw/report.pdf", data)
    if source.problem or len(source.page_starts) != pages:
        raise CannotRun(f"the PDF was not read: {source.problem or len(source.page_starts)}", "see sources.extract")
    return source.text


def theirs(data: bytes) -> str:
    """The floor. Unavailable where pypdf is not installed."""
    try:
        from pypdf import PdfReader
    except ImportError as error:
        raise Unavailable("pypdf is not installed", "pip install 'git-assay[test]'") from error
    return "\f".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)


def lines(pages: int) -> bytes:
    """A PDF of so many pages of single lines in one of its built-in fonts."""
    from fpdf import FPDF

    pdf, words = FPDF(), random.Random(7)
    pdf.set_font("Helvetica", size=10)
    for number in range(pages):
        pdf.add_page()
        for line in range(_LINES):
            pdf.cell(0, 5, f"{number}.{line} {_words(words, 11)}", new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())


def paragraphs(pages: int) -> bytes:
    """A PDF of so many pages with a heading and justified paragraphs each, in two fonts."""
    from fpdf import FPDF

    pdf, words = FPDF(), random.Random(7)
    for number in range(pages):
        pdf.add_page()
        pdf.set_font("Helvetica", "B", size=14)
        pdf.cell(0, 8, f"Chapter {number}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Times", size=10)
        for _ in range(_PARAGRAPHS):
            pdf.multi_cell(0, 5, _words(words, 90), align="J", new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())


def _words(words: random.Random, count: int) -> str:
    return " ".join("".join(words.choices("abcdefghilmnoprstuv", k=words.randint(2, 9))) for _ in range(count))
