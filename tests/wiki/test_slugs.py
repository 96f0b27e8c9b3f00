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


RICH = parse(
    """# Café — Überblick

## Installation {#setup}

> ### In a quote

- #### In a list

## 제목 하나

## 日本語の見出し（全角）

## Rocket :rocket: launch 🚀

## A & B / C

## Repeated
## Repeated

<h2 align="center">Raw <b>HTML</b></h2>
<a name=plain></a>
""".encode()
)


@pytest.mark.parametrize(
    "anchor",
    [
        "caf\u00e9--\u00fcberblick", "cafe-uberblick", "cafe\u0301-\u2014-u\u0308berblick", "setup", "installation",
        "in-a-quote", "in-a-list", "제목-하나", "%EC%A0%9C%EB%AA%A9-%ED%95%98%EB%82%98", "日本語の見出し全角",
        "日本語の見出し（全角）", "rocket-rocket-launch-", "a--b--c", "repeated-1", "repeated_1",
        "user-content-repeated",
        "raw-html", "plain", "L10", "L5-L9", ":~:text=caf", "fn1", "fnref:2", "TOP",
    ],
)  # fmt: skip
def test_an_anchor_of_any_rendering_is_there(anchor: str) -> None:
    assert anchor_exists(RICH, anchor)


@pytest.mark.parametrize("anchor", ["repeated-2", "caf", "제목", "set", "notthere", "%58%59%5A", "^none", "日本"])
def test_an_anchor_of_no_rendering_is_not(anchor: str) -> None:
    assert not anchor_exists(RICH, anchor)
