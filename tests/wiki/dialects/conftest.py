from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Cite, Page
from gitops.wiki.page import parse


@dataclass(frozen=True)
class Read:
    """A page as some dialects read it, and how to ask what they found."""

    page: Page

    @property
    def claims(self) -> list[tuple[str, str]]:
        """Each claim with the path of each citation that backs it."""
        return [(claim.text, cite.path) for claim in self.page.claims for cite in claim.cites]

    @property
    def whole(self) -> list[str]:
        """The paths of what backs the page as a whole."""
        return [cite.path for cite in self.page.cites]

    @property
    def cites(self) -> list[Cite]:
        return [*(cite for claim in self.page.claims for cite in claim.cites), *self.page.cites]

    @property
    def paths(self) -> list[str]:
        return [cite.path for cite in self.cites]

    @property
    def places(self) -> list[str]:
        """What stands in the page where each citation is."""
        return [self.page.text[cite.place.start : cite.place.end] for cite in self.cites]

    @property
    def located(self) -> list[Any]:
        """Of each citation its page number, else its lines, heading or moment."""
        return [where(cite) for cite in self.cites]


def where(cite: Cite) -> Any:
    if cite.locator is None:
        return cite.first_page and (cite.first_page, cite.last_page)
    one = cite.locator
    return one.heading or one.seconds or (one.first_line, one.last_line)


@pytest.fixture
def read() -> Callable[..., Read]:
    """Parse a page with these dialects and conventions."""

    def reading(text: str, *dialects: str, **conventions: Any) -> Read:
        found = Read(parse(text.encode(), Conventions(dialects, **conventions)))
        for cite in found.cites:
            before = found.page.text[: cite.place.start]
            assert cite.place.line == before.count("\n") + 1
            assert cite.place.column == len(before) - (before.rfind("\n") + 1) + 1
        return found

    return reading
