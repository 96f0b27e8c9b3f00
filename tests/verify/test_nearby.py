from __future__ import annotations

import pytest

from gitops.verify.nearby import nearest

KNOWN = ["raw/coffee-guide.md", "raw/mill.md", "raw/reports/annual-2019.pdf", "raw/reports/annual-2019.txt"]


@pytest.mark.parametrize("wanted", ["raw/nope.md", "raw/x.md", "raw/guide.md", "md", "", "raw/"])
def test_nothing_is_suggested_for_what_resembles_nothing(wanted: str) -> None:
    assert nearest(wanted, KNOWN) is None


def test_nothing_is_near_in_an_empty_folder() -> None:
    assert nearest("raw/mill.md", []) is None


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("raw/Mill.MD", "raw/mill.md"),
        ("wiki/deep/mill.txt", "raw/mill.md"),
        ("raw/cofee-guide.md", "raw/coffee-guide.md"),
        ("annual-2019.txt", "raw/reports/annual-2019.txt"),
        ("raw/annual-2019.pdf", "raw/reports/annual-2019.pdf"),
    ],
)
def test_a_slip_finds_what_was_meant(wanted: str, found: str) -> None:
    assert nearest(wanted, KNOWN) == found
