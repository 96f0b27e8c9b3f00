from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import pdf_text
from benchmarks.timing import Options
from gitops.errors import CannotRun

pytest.importorskip("pypdf")


def test_a_document_that_lacks_pages_is_no_measurement() -> None:
    with pytest.raises(CannotRun, match="not read: 2"):
        pdf_text.ours(pdf_text.lines(2), 3)


def test_what_is_no_pdf_is_no_measurement() -> None:
    with pytest.raises(CannotRun, match="broken_pdf"):
        pdf_text.ours(b"%PDF-1.4 broken", 1)


@pytest.mark.parametrize("write", [pdf_text.lines, pdf_text.paragraphs])
def test_both_sides_read_the_same_words(write: Callable[[int], bytes]) -> None:
    data = write(3)
    assert pdf_text.ours(data, 3).split() == pdf_text.theirs(data).split()


def test_it_runs_and_says_how_large_it_was(tmp_path: Path) -> None:
    ratios = pdf_text.run(Options(tmp_path, rounds=1, scale=0.02))
    assert [(ratio.size, ratio.floor, ratio.limit) for ratio in ratios] == [(4, "pypdf", 0.25), (4, "pypdf", None)]
