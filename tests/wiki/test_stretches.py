from __future__ import annotations

import pytest

from gitops.wiki.conventions import Conventions
from gitops.wiki.stretches import leads_to_source


@pytest.mark.parametrize(
    "path", ["raw", "raw/", "a.md", "drawings/a.md", "sources/index.md", "sources/README.md", "sources/_index", "x/raw"]
)
def test_what_leads_to_no_source(path: str) -> None:
    assert not leads_to_source(path, Conventions())


@pytest.mark.parametrize(
    "path",
    [
        "raw/a.md",
        "../../raw/x/a.pdf",
        "/raw/a",
        "wiki/raw/a.md",
        "sources/a",
        "../papers/a.md",
        "AI/sources/a",
        "Raw/a",
    ],
)
def test_what_leads_to_a_source(path: str) -> None:
    assert leads_to_source(path, Conventions())


def test_folders_of_several_names() -> None:
    conventions = Conventions(raw="kb/in", source_pages=("notes/papers",))
    assert leads_to_source("../kb/in/a.md", conventions)
    assert leads_to_source("notes/papers/a", conventions)
    assert not leads_to_source("in/a.md", conventions)
    assert not leads_to_source("papers/a", conventions)
    named = Conventions(source_pages=("src-*",))
    assert leads_to_source("Src-a.md", named)
    assert leads_to_source("../kb/src-a", named)
    assert not leads_to_source("asrc-a", named)
    assert not leads_to_source("src-/b", named)
