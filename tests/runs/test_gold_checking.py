from __future__ import annotations

import unicodedata

import pytest

from gitops.runs.gold import GoldQuery
from gitops.runs.gold_checking import Ground
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import MemorySnapshot

FILES = {
    "p/raw/report-2019.md": b"a",
    "p/raw/deep/survey.pdf": b"a",
    f"p/raw/{unicodedata.normalize('NFD', 'Übersicht')}.md": b"a",
    "p/wiki/solvents.md": b"a",
    "p/wiki/plants/lindau.md": b"a",
    "p/wiki/log.md": b"a",
    "p/wiki/picture.png": b"a",
    "p/gold/queries.yaml": b"",
    "raw/elsewhere.md": b"a",
}
GROUND = Ground(MemorySnapshot(FILES), Layout("p"))


def query(topics: tuple[str, ...] = (), citations: tuple[str, ...] = (), line: int = 7) -> GoldQuery:
    return GoldQuery("a", "How?", topics, citations, "2026-11-22", line=line)


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("solvent", "no page is called 'solvent'; did you mean solvents?"),
        ("plants/lindau", "did you mean lindau?"),
        ("plants/of-paint/x", "a topic is the name of a page's file"),
        ("log", "no page is called 'log'"),
        ("picture", "no page is called 'picture'"),
        ("Solvents", "did you mean solvents?"),
    ],
)
def test_a_topic_that_no_page_has_is_told_with_the_nearest(topic: str, said: str) -> None:
    [fault] = GROUND.faults([query(topics=(topic,))])
    assert (fault.line, said in fault.message) == (7, True), fault


@pytest.mark.parametrize(
    ("cited", "said"),
    [
        ("raw/report-2018.md", "there is no source 'raw/report-2018.md'; did you mean raw/report-2019.md?"),
        ("survey.pdf", "did you mean raw/deep/survey.pdf?"),
        ("raw/elsewhere.md", "there is no source 'raw/elsewhere.md'"),
        ("p/raw/report-2019.md", "did you mean raw/report-2019.md"),
        ("wiki/solvents.md", "sources lie below raw/"),
        ("raw/../wiki/solvents.md", "there is no source"),
    ],
)
def test_a_citation_that_leads_to_no_source_is_told_with_the_nearest(cited: str, said: str) -> None:
    [fault] = GROUND.faults([query(citations=(cited,))])
    assert (fault.line, said in fault.message) == (7, True), fault


def test_all_that_is_missing_is_told() -> None:
    found = GROUND.faults([query(("a", "b"), ("c",), 3), query(citations=("d",), line=9)])
    assert [fault.line for fault in found] == [3, 3, 3, 9]


def test_what_is_there_has_no_fault() -> None:
    assert GROUND.faults([query(("solvents", "lindau"), ("raw/report-2019.md", "raw/deep/survey.pdf"))]) == []
    assert GROUND.faults([query(citations=("raw/Übersicht.md",)), query()]) == []
