from __future__ import annotations

import re
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.evals.floor_sources import sources, sources_digest
from gitops.wiki.sources import extract


def texts() -> dict[str, str]:
    return {path.name: extract(path.name, path.read_bytes()).text for path in sources()}


def test_sources_that_are_not_all_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "01-only.md").write_text("One.\n")
    with pytest.raises(CannotRun, match="not installed"):
        sources([tmp_path / "gone", tmp_path])


def test_there_are_ten_one_of_them_a_pdf_and_one_html() -> None:
    names = [path.name for path in sources()]
    assert len(names) == 10
    assert names == sorted(names)
    assert sorted(name.rpartition(".")[2] for name in names) == ["html", *["md"] * 7, "pdf", "txt"]


def test_each_says_something_with_numbers_and_dates() -> None:
    for name, text in texts().items():
        assert len(text) > 600, name
        assert len(re.findall(r"\d", text)) > 20, name
        assert re.search(r"\b(19|20)\d\d\b", text), name


def test_two_of_them_disagree_about_the_passengers_of_a_year() -> None:
    said = texts()
    assert "carried 312,000 passengers in 2023" in said["01-harbour-report.md"]
    assert "carried 298,500 passengers" in said["02-ferry-operator-notice.md"]


def test_the_pdf_has_two_pages_and_the_html_no_navigation() -> None:
    [pdf] = [path for path in sources() if path.suffix == ".pdf"]
    assert len(extract(pdf.name, pdf.read_bytes()).page_starts) == 2
    assert "Gull Head Observatory" in texts()[pdf.name]
    assert "font-family" not in texts()["04-drinking-water.html"]


def test_other_bytes_are_other_sources(tmp_path: Path) -> None:
    for path in sources():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert sources_digest(sources([tmp_path])) == sources_digest(sources())
    (tmp_path / sources()[0].name).write_text("Else.\n")
    assert sources_digest(sources([tmp_path])) != sources_digest(sources())
