from __future__ import annotations

import pytest

from gitops.config import parse
from gitops.wiki.keyterms import by_page, expects_touch, key_terms
from gitops.wiki.layout import Layout
from gitops.wiki.terms import MemoryCorpus, tokens


def test_a_source_without_words_has_no_key_terms() -> None:
    assert key_terms("the of 12 3", MemoryCorpus([]), 20) == []


def test_key_terms_weigh_by_how_often_and_how_rare_they_are() -> None:
    """Of three sources, `mill` is in all: 3 × (ln(4/4) + 1) = 3; `weir` in one: 2 × (ln(4/2) + 1) = 3.39."""
    texts = ["mill mill mill weir weir", "mill", "mill"]
    assert key_terms(texts[0], MemoryCorpus(map(tokens, texts)), 20) == ["weir", "mill"]
    assert key_terms(texts[0], MemoryCorpus(map(tokens, texts)), 1) == ["weir"]


def test_pages_have_the_terms_they_mention_in_the_terms_order() -> None:
    held = {"weir": ["b", "a"], "mill": ["a"], "none": []}
    assert by_page(["weir", "none", "mill"], held.__getitem__) == {"b": ["weir"], "a": ["weir", "mill"]}


@pytest.mark.parametrize(
    ("path", "is_expected"),
    [
        ("w/wiki/index.md", False),
        ("w/wiki/log.md", False),
        ("w/wiki/free/a.md", False),
        ("w/wiki/a.md", True),
        ("w/wiki/topics/index.md", True),
    ],
)
def test_index_log_and_exempt_pages_are_not_asked_for(path: str, is_expected: bool) -> None:
    config = parse(b'[pages]\nexempt = ["free/*"]\n')
    assert expects_touch(path, Layout("w", config.workspace), config) is is_expected
