"""Quotations from Markdown hold both marks of a pair, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.agents.writers.excerpts import whole
from gitops.agents.writers.passages import read
from tests.agents.writers.drafting import source_of


@pytest.mark.parametrize(
    ("text", "said", "quoted"),
    [
        ("**One is so. Two is so.** x", "One is so.", "One is so."),
        ("**One is so. Two is so.** x", "Two is so.", "Two is so."),
        ("*A. b* c", "A.", "A."),
        (r"\*not* x", "not* x", "not* x"),
        ("2 * 3 is six.", "2 * 3 is six.", "2 * 3 is six."),
        ("**Oolong** is old.", "Oolong** is old.", "**Oolong** is old."),
        ("The rule: **never boil it.** Why", "The rule: **never boil it.", "The rule: **never boil it.**"),
        ("[Oolong](http://e.org/a_(b)) is.", "Oolong](http://e.org/a_(b)) is.", "[Oolong](http://e.org/a_(b)) is."),
        ("it is [so.](http://e.org) x", "it is [so.", "it is [so.](http://e.org)"),
        ("it is [so.][1] x", "it is [so.", "it is [so.][1]"),
        ("**_Tea_ is** hot.", "Tea_ is** hot.", "**_Tea_ is** hot."),
        ("a snake_case name", "snake_case name", "snake_case name"),
    ],
)
def test_where_a_quotation_begins_and_ends(text: str, said: str, quoted: str) -> None:
    start = text.index(said)
    low, high = whole(text, start, start + len(said))
    assert text[low:high] == quoted


@given(st.text(st.sampled_from("ab *_[]()`~.\\\n"), max_size=80))
def test_it_grows_by_marks_alone_and_never_shrinks(text: str) -> None:
    for one in read(source_of(text), "raw/a.md").sentences:
        assert one.quote == " ".join(text[one.start : one.end].split())
        low, high = whole(text, one.start, one.end)
        assert low <= one.start < one.end <= high
