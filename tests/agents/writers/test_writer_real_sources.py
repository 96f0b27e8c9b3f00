"""Real sources, one after the other, into an empty wiki: every run lands by its verdict, and the pages are sensible."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.cli import main

WIKIS = Path(__file__).parents[3] / "../shared/data/wikis"
BEVERAGES = sorted((WIKIS / "citadel-beverages/raw").glob("*.md"))
GAZETTE = sorted((WIKIS / "citadel-gazette/raw").iterdir()) if BEVERAGES else []
BOOTSTRAP = sorted((WIKIS / "llm-wiki-bootstrap/raw").glob("[!.]*")) if BEVERAGES else []
KOREAN = sorted((WIKIS / "ai-engineering-ko/wiki/AI/sources").glob("[!i]*.md"))[:6]

pytestmark = [
    pytest.mark.skipif(not BEVERAGES, reason="the real wikis are not beside the project"),
    pytest.mark.slow,
]


@pytest.fixture
def wiki(make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_CLOCK", "1704164645")
    return make_repository({"assay.toml": "", "wiki/index.md": "# Index\n", "wiki/log.md": "# Log\n"})


def ingested(wiki: Path, files: list[Path], capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    capsys.readouterr()
    main(["-q", "-C", os.fspath(wiki), "ingest", "--json", *map(os.fspath, files)])
    runs: list[dict[str, str]] = json.loads(capsys.readouterr().out)["runs"]
    return runs


def pages(wiki: Path) -> dict[str, str]:
    return {path.relative_to(wiki).as_posix(): path.read_text() for path in sorted((wiki / "wiki").rglob("*.md"))}


def gating(wiki: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What lint finds wrong in the whole wiki, notes left out."""
    capsys.readouterr()
    main(["-C", os.fspath(wiki), "lint", "--json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    return [f"{one['path']}:{one['line']} {one['check']}" for one in found if one["level"] in ("error", "warning")]


def test_the_sources_of_citadel_beverages(wiki: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for source in BEVERAGES:  # one command each, as a person would
        (run,) = ingested(wiki, [source], capsys)
        assert run["result"] == "landed", (source.name, run)
    found = pages(wiki)
    named = {path.rpartition("/")[2].removesuffix(".md") for path in found if "/topics/" in path}
    assert {"coffee", "tea", "caffeine", "espresso", "arabica", "robusta", "matcha", "l-theanine"} <= named
    assert not {"time", "cup", "water", "way", "people", "day", "still", "good", "green"} & named
    assert len(named) <= 45
    assert gating(wiki, capsys) == []
    claims = [line for text in found.values() for line in text.splitlines() if re.match(r"- .*\[\^\d+\]$", line)]
    assert len(claims) > 250
    assert [line for line in claims if re.match(r"- (?:It|This|They|However|But|And|These)\b", line)] == []
    assert [line for line in claims if not re.search(r"[.。][\"”’)\]]*\[\^\d+\]$", line)] == []
    for question, page, words in TEN:
        capsys.readouterr()
        main(["-C", os.fspath(wiki), "query", question, "--json"])
        answer = json.loads(capsys.readouterr().out)["answer"]
        assert (answer["topics"][:1], answer["refused"]) == ([page] if page else [], not page), question
        assert words in answer["text"], question


TEN = [
    ("How long is the half-life of caffeine?", "coffee-health-faq", "5 hours"),
    ("What extraction yield does the SCA Golden Cup call for?", "brewing-science-notes", "18-22%"),
    ("How much caffeine is in a cup of white tea?", "caffeine", "30 to 55 mg"),
    ("At what pressure is espresso brewed?", "brewing-science-notes", "9 bar"),
    ("How long should cold brew be steeped?", "cold-brew-notes", "12-18 h"),
    ("How much caffeine is in a standard cup of drip coffee?", "coffee-health-faq", "95 mg"),
    ("What is L-theanine?", "l-theanine", "amino acid"),
    ("Who invented the espresso machine?", "", "does not say"),
    ("How much caffeine is in a cup of yerba mate?", "", "does not say"),
    ("What is the price of gold?", "", "does not say"),
]
"""Questions written from the sources, the page that answers and what it must say; "" where no source does."""


def test_ingested_twice_nothing_changes(wiki: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = BEVERAGES[3:6]
    ingested(wiki, files, capsys)
    before = pages(wiki)
    assert [run["result"] for run in ingested(wiki, files, capsys)] == ["nothing"] * 3
    assert pages(wiki) == before


def test_two_wikis_from_the_same_sources_are_the_same(
    wiki: Path, make_repository: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"assay.toml": "", "wiki/index.md": "# Index\n", "wiki/log.md": "# Log\n"}
    other = make_repository(files, name="other")
    for folder in (wiki, other):
        ingested(folder, BEVERAGES[3:6], capsys)
    assert {path: text for path, text in pages(wiki).items() if "log" not in path} == {
        path: text for path, text in pages(other).items() if "log" not in path
    }


def test_pdfs_are_cited_by_page_and_a_scan_is_refused(wiki: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = {run["source"]: run["result"] for run in ingested(wiki, GAZETTE, capsys)}
    assert runs.pop("raw/scanned-notice.pdf") == "no_verdict"
    assert set(runs.values()) == {"landed"}
    assert "raw/preprint.pdf, p.2," in pages(wiki)["wiki/sources/preprint.md"]
    assert gating(wiki, capsys) == []


def test_transcripts_fixtures_and_pictures(wiki: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = {run["source"]: run["result"] for run in ingested(wiki, BOOTSTRAP, capsys)}
    unreadable = {source for source, result in runs.items() if result == "no_verdict"}
    assert unreadable == {"raw/canary-scanned.pdf", "raw/karpathy-video-slide-ingest-pipeline.png"}
    assert set(runs.values()) == {"landed", "no_verdict"}
    assert "wiki/topics/quortex-protocol.md" in pages(wiki)
    assert gating(wiki, capsys) == []


def test_korean_sources_land_though_no_judge_reads_them(wiki: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {run["result"] for run in ingested(wiki, KOREAN, capsys)} == {"landed"}
    assert gating(wiki, capsys) == []
