from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BOOTSTRAP = Path(__file__).parents[3] / "../shared/data/wikis/llm-wiki-bootstrap"
ID = "code_path"
Reader = Callable[..., Any]


@pytest.mark.parametrize(
    "text",
    [
        "The user drops it into `raw/` and runs it. See `raw/`.",
        "Written to `raw/<slug>.md`; see `raw/*.md`, see `raw/{a}.md`, see `raw/...`.",
        "Run `cp raw/a.md raw/b.md`.",
        "See `raw/sub/folder`.",
        "It is written to `raw/a.md`.",
        "The upload is saved as `raw/a.md`.",
        "There is no `raw/a.md`.",
        "Name it after the report, such as `raw/a.md`.",
        "- `raw/a.md` (planned)",
        "`raw/a.md` was renamed to `raw/b.md`.",
        "- `raw/a.md` no longer exists.",
        "- ~~`raw/a.md`~~",
        "Missing: `raw/a.md`.",
        "TODO: `raw/a.md`",
        "[`raw/a.md`](other.md)",
        "# Written to `raw/a.md`",
        "```\nsee `raw/a.md`\n```",
        "It fell, see `data/raw/a.csv`, see `notes/a.md`.",
        'It fell, see `claude -p "/ingest raw/a.md"`.',
    ],
)
def test_a_mention_is_no_citation(read: Reader, text: str) -> None:
    assert read(text, ID).cites == []


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("It fell (`raw/a.md`).", "It fell."),
        ("The `raw/a.md` file says that it fell.", "The raw/a.md file says that it fell."),
        ("It fell. `raw/a.md`", "It fell."),
        ("It fell. See `raw/a.md`.", "It fell."),
        ("It fell by 40 % `raw/a.md`.", "It fell by 40 % raw/a.md."),
        ("According to `raw/a.md` it fell.", "According to raw/a.md it fell."),
        ("As shown in `raw/a.md`, it fell.", "As shown in raw/a.md, it fell."),
        ("It fell — `raw/a.md`", "It fell — raw/a.md"),
        ("根据 `raw/a.md`，它下降了。", "根据 raw/a.md，它下降了。"),
        ("| It fell | `raw/a.md` |\n|---|---|\n| It rose | `raw/a.md` |\n", "It rose"),
        ("> It fell.\n\n— `raw/a.md`", "It fell."),
        ("# What is said (from `raw/a.md`)", "What is said (from raw/a.md)"),
        ("A citation back to `raw/a.md` is there.", "A citation back to raw/a.md is there."),
        ("The slide at `raw/a.md` made it plain.", "The slide at raw/a.md made it plain."),
    ],
)
def test_a_path_that_stands_where_a_citation_stands(read: Reader, text: str, claim: str) -> None:
    assert (claim, "raw/a.md") in read(text, ID).claims


def test_paths_that_are_joined_are_cited_together(read: Reader) -> None:
    assert read("It fell. `raw/a.md`, `raw/b.md` and `../raw/c.md`.", ID).claims == [
        ("It fell.", "raw/a.md"),
        ("It fell.", "raw/b.md"),
        ("It fell.", "../raw/c.md"),
    ]


@pytest.mark.parametrize(
    "text", ["`raw/a.md`", "- `raw/a.md`\n", "1. `raw/a.md` — the whole talk.\n", "**`raw/a.md`**"]
)
def test_a_path_that_is_or_begins_its_block_backs_the_page(read: Reader, text: str) -> None:
    found = read(text, ID)
    assert (found.claims, found.whole) == ([], ["raw/a.md"])


def test_where_in_the_source(read: Reader) -> None:
    text = "It fell (`raw/a.md:42-58`) (`raw/b.md#x`) (`raw/c.pdf`, p. 3) (`raw/d.pdf, p. 4`)."
    found = read(text, ID)
    assert found.located == [(42, 58), "x", (3, 3), (4, 4)]
    assert found.places == ["raw/a.md:42-58", "raw/b.md#x", "raw/c.pdf`, p. 3", "raw/d.pdf, p. 4"]
    assert {cite.how for cite in found.cites} == {"loose"}


def test_the_raw_folder_is_as_configured(read: Reader) -> None:
    assert read("It fell, see `in/a.md`, see `raw/b.md`.", ID, raw="in").paths == ["in/a.md"]


@pytest.mark.skipif(not BOOTSTRAP.is_dir(), reason="the real wikis are not here")
def test_a_real_wiki_that_mentions_such_paths_has_no_citation_of_a_file_that_is_not_there(read: Reader) -> None:
    cites = [cite for path in BOOTSTRAP.glob("wiki/*.md") for cite in read(path.read_text("utf-8"), ID).cites]
    assert len(cites) >= 5
    assert [cite.path for cite in cites if not (BOOTSTRAP / cite.path).is_file()] == []
