from __future__ import annotations

import pytest

from gitops.wiki.page import parse
from gitops.wiki.slugs import anchor_exists, numbered, slug

PAGE = parse(
    "# The C++ *Guide*\n\n## Notes\n\n## Notes\n\n## 제목 — é\n\n## 😀\n\nwords ^block-1\n\n"
    "<a id='here'></a>\n".encode()
)


@pytest.mark.parametrize("anchor", ["missing", "notes-2", "^block", "^other", "guide"])
def test_anchors_that_are_not_there(anchor: str) -> None:
    assert not anchor_exists(PAGE, anchor)


@pytest.mark.parametrize(
    "anchor",
    [
        "",
        "top",
        "the-c-guide",
        "The C++ Guide",
        "notes",
        "notes-1",
        "제목--é",
        "제목 — é",
        "Notes#제목 é",
        "^block-1",
        "here",
    ],
)
def test_anchors_that_are(anchor: str) -> None:
    assert anchor_exists(PAGE, anchor)


def test_a_block_id_ends_its_line_with_any_line_end() -> None:
    assert anchor_exists(parse(b"a ^x\r\nb"), "^x")


def test_slugs_are_githubs() -> None:
    assert slug("The `C++` Guide: 2nd ed.") == "the-c-guide-2nd-ed"


def test_equal_headings_are_numbered_apart() -> None:
    assert numbered(["a", "a", "a-1", "a"]) == ["a", "a-1", "a-1-1", "a-2"]
