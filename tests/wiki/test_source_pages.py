from __future__ import annotations

from typing import Any

import pytest

from gitops.config import SOURCE_PAGES
from gitops.wiki.page import parse
from gitops.wiki.source_pages import Sightings, stem


def seen(pages: dict[str, str], raw: tuple[str, ...] = ()) -> tuple[str, ...]:
    sightings = Sightings()
    for inside, text in pages.items():
        sightings.add(inside, parse(text.encode()), frozenset(SOURCE_PAGES), frozenset(map(stem, raw)))
    return sightings.found()


def many(folder: str, names: str, **frontmatter: Any) -> dict[str, str]:
    keys = "".join(f"{key}: {value}\n" for key, value in frontmatter.items())
    return {f"{folder}{name}.md": f"---\n{keys}---\n# {name}\n" for name in names.split()}


@pytest.mark.parametrize("kind", ["concept", "summary", "open source", "paper", ""])
def test_pages_that_do_not_say_so_stand_for_no_source(kind: str) -> None:
    assert seen(many("digests/", "wax honey brood queen", type=kind)) == ()


def test_two_pages_or_a_mixed_folder_are_too_little_to_tell_by() -> None:
    assert seen(many("digests/", "wax honey", type="source")) == ()
    assert seen(many("a/", "wax honey brood", type="source") | many("a/", "queen drone", type="concept")) == ()


def test_a_folder_that_is_known_is_not_told_again() -> None:
    assert seen(many("sources/", "wax honey brood", type="source")) == ()


def test_pages_at_the_top_are_no_folder() -> None:
    assert seen(many("", "wax honey brood", type="source")) == ()


def test_a_folder_of_summaries_that_name_what_they_are_of() -> None:
    pages = many("10-Digests/", "wax honey brood", type="summary", source="00-Raw/a.pdf")
    assert seen(pages | many("20-Notes/", "queen", type="concept")) == ("10-Digests",)


def test_names_with_a_prefix_for_sources() -> None:
    assert seen(many("", "source-wax source-honey source-brood", page_type="source-summary")) == ("source-*",)
    assert seen(many("sources/", "src-wax src-honey src-brood", title="x")) == ("src-*",)
    assert seen(many("", "source-code source-control source-attribution", type="concept")) == ()


def test_sources_that_are_linked_by_number() -> None:
    raw = ("raw/t/ticket-1.md", "raw/t/ticket-22.md", "raw/t/ticket-3.md", "raw/t/minutes-4.md")
    page = {"bees.md": "It fell ([[ticket-1]], [[ticket-22]], [[Ticket-3.md]]). [[minutes-4]] [[ticket-9]]"}
    assert seen(page, raw) == ("ticket-[0-9]*",)
    assert seen(page | {"ticket-7.md": "# A page"}, raw) == ()
    assert seen(page) == ()
