from __future__ import annotations

import pytest

from gitops.wiki.conventions import Conventions
from gitops.wiki.footnote_sources import names_source

USUAL = Conventions(raw="content/originals", source_pages=("library/papers",))


@pytest.mark.parametrize(
    "target", ["a.md", "raw/a.md", "papers.md", "originals", "../resource-a.md", "sourcery.md", ""]
)
def test_what_may_be_any_page(target: str) -> None:
    assert not names_source(target, USUAL)


@pytest.mark.parametrize(
    "target",
    [
        "../content/Originals/a.md",
        "papers/a",
        "/wiki/papers/x/a.md",
        "source-a",
        "x/src_a.md",
        "https://a.b",
        "doi:10.1/x",
    ],
)
def test_what_is_a_source_by_its_folder_its_name_or_its_address(target: str) -> None:
    assert names_source(target, USUAL)
