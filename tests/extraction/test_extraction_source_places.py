"""Where cited words stand in the sources of a case: whatever an extractor calls the file."""

from __future__ import annotations

import pytest

from gitops.extraction.model import Case, Source
from gitops.extraction.source_places import NOWHERE, Places, Spot
from gitops.okf.model import Backing, Bundle

PLACES = Places(
    Case(
        "c",
        (
            Source("a.md", "gold/c/sources/a.md", "# A\n\nIt runs\non Mondays.\n"),
            Source("deep/b.md", "gold/c/sources/deep/b.md", "Nobody comes.\n"),
        ),
        Bundle("c"),
    )
)
A, B = "gold/c/sources/a.md", "gold/c/sources/deep/b.md"


@pytest.mark.parametrize(
    ("path", "quote", "spot"),
    [
        ("sources/a.md", "It runs on Mondays", Spot(A, 3)),
        ("./a.md", "on Mondays", Spot(A, 4)),
        ("/out/docs/a.md", "on Mondays", Spot(A, 4)),
        (A, "# A", Spot(A, 1)),
        ("a.md", "Nobody comes", Spot(B, 1)),
        ("https://wiki.example/page", "Nobody comes", Spot(B, 1)),
        ("a.md", "words that nobody said", Spot(A)),
        ("a.md", "", Spot(A)),
        ("ba.md", "words that nobody said", NOWHERE),
        ("", "", NOWHERE),
    ],
)
def test_words_are_found_in_the_file_that_is_named_else_in_another(path: str, quote: str, spot: Spot) -> None:
    assert PLACES.of(Backing(path, quote)) == spot


def test_of_several_citations_the_first_whose_words_are_found_counts() -> None:
    backings = [Backing("a.md", "no such words"), Backing("sources/deep/b.md", "Nobody"), Backing("a.md", "Mondays")]
    assert PLACES.first(backings) == Spot(B, 1)
    assert PLACES.first(backings[:1]) == Spot(A)
    assert PLACES.first([]) == NOWHERE
