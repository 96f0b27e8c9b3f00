from __future__ import annotations

import pytest

from gitops.config import SOURCE_HEADINGS
from gitops.wiki import sourcewords


@pytest.mark.parametrize("label", ["open source", "data", "note", "source code", "", "sources of error"])
def test_what_is_no_label(label: str) -> None:
    assert not sourcewords.is_label(label, SOURCE_HEADINGS)


@pytest.mark.parametrize(
    "label",
    ["Source", "SOURCES", "source  file", "📄 Source", "出处", "原典", "参考来源", "Quelle", "Bibliography", "E"],
)
def test_labels(label: str) -> None:
    assert sourcewords.is_label(label, SOURCE_HEADINGS)


@pytest.mark.parametrize(("label", "is_firm"), [("Source", True), ("출처", True), ("参考", False), ("ref", False)])
def test_words_count_behind_firm_labels_only(label: str, is_firm: bool) -> None:
    assert sourcewords.is_firm(label) is is_firm


@pytest.mark.parametrize(
    "heading", ["Open sources", "Raw source", "Sources & methods", "Sourcesof", "", "参考 设计", "Key", "Primary"]
)
def test_what_is_no_heading_of_sources(heading: str) -> None:
    assert not sourcewords.is_list_heading(heading, SOURCE_HEADINGS)


def test_no_heading_lists_sources_where_none_is_configured() -> None:
    assert not sourcewords.is_list_heading("Sources", ())


@pytest.mark.parametrize(
    "heading", ["Public references", "Primary Sources", "3. Key sources (2019)", "📚 Cited sources:"]
)
def test_a_heading_may_say_which_sources(heading: str) -> None:
    assert sourcewords.is_list_heading(heading, SOURCE_HEADINGS)
