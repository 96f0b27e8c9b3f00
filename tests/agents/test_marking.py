"""Words as Markdown: whatever is written is read as it was, and opens or marks nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.agents.marking import begun, escaped, plain, target_of
from gitops.wiki.dated import normalised
from gitops.wiki.page import parse

TRICKY = [
    "2 * 3 * 4 is *not* bold",
    "- no item",
    "1) no number",
    "# no heading",
    "a [link](b.md) and [^9] and [[c]]",
    "<b>no tag</b> &amp; no entity",
    "`no code` ~~not struck~~ $no$ formula",
    "a | b",
    "snake_case stays and _this_ too",
    "> no quote",
    r"a \ b \[c",
    "=== and %% and ==",
]


@pytest.mark.parametrize("text", TRICKY)
def test_every_character_is_read_as_itself(text: str) -> None:
    page = parse(f'# T\n\n- {plain(text)}[^1]\n\n[^1]: raw/a.md, "x"\n'.encode())
    assert [claim.text for claim in page.claims] == [text]


@given(st.text(alphabet=st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1, max_size=40))
def test_no_ascii_text_becomes_markup(text: str) -> None:
    words = f"Mill {text.strip()} ends"
    page = parse(f'# T\n\n- {plain(words)}[^1]\n\n[^1]: raw/a.md, "x"\n'.encode())
    assert not page.links
    said = " ".join(claim.text for claim in page.claims)
    assert normalised(said) in normalised(words)
    assert said.endswith("ends")


def test_a_part_of_a_line_keeps_its_spaces_and_its_first_character() -> None:
    assert escaped(" - *a* ") == r" - \*a\* "
    assert [begun(line) for line in ("- a", "1. a", "2024 a", "# a", "-a")] == [
        r"\- a",
        r"1\. a",
        "2024 a",
        r"\# a",
        "-a",
    ]


def test_a_path_is_bracketed_only_where_it_has_to_be() -> None:
    assert target_of("index.md", "topics/a.md") == "topics/a.md"
    assert target_of("wiki/a/x.md", "wiki/b (c)/50%.md") == "<../b (c)/50%25.md>"
