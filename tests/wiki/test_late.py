"""An expression that is compiled when it is first used is the same expression."""

from __future__ import annotations

import re

import pytest

from gitops.wiki.late import late


def test_what_is_wrong_with_an_expression_is_told_when_it_is_used() -> None:
    broken = late("(")
    with pytest.raises(re.error):
        broken.search("a")


def test_it_finds_what_the_expression_finds() -> None:
    pattern = late("b+", re.IGNORECASE)
    assert pattern.pattern == "b+"
    for _ in range(2):
        found = pattern.search("aBBc")
        assert found is not None
        assert found.span() == (1, 3)
    assert pattern.sub("x", "abc") == "axc"
