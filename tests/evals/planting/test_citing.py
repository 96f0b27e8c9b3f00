from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from gitops.evals.planting.citing import page_number, swapped_source
from gitops.evals.planting.ground import Ground
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import spliced


def of(ground: Ground, words: str) -> Sound:
    return next(one for one in ground.sound if words in one.claim.text)


def test_where_no_page_is_cited_none_is_changed(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    assert list(page_number(of(ground, "Lindau"), ground, random.Random(1))) == []


def test_a_page_is_changed_for_one_that_is_there_and_says_something_else(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    sound = of(ground, "Salmon")
    (splices,) = page_number(sound, ground, random.Random(1))
    changed = spliced(sound.page.text, splices)
    assert "raw/survey.pdf, p.2" in changed
    assert changed.replace("p.2", "p.1") == sound.page.text


def test_a_page_that_says_the_same_is_none(make_ground: Callable[..., Ground], make_pdf: Callable[..., bytes]) -> None:
    twice = make_pdf("Salmon return to the upper river every autumn.", "Every autumn salmon return to the upper river.")
    ground = make_ground({"raw/survey.pdf": twice})
    assert list(page_number(of(ground, "Salmon"), ground, random.Random(1))) == []


@pytest.mark.parametrize(
    "definition", ["raw/report.md; raw/harbour.md", "raw/report.md"], ids=["two are cited", "none is like it"]
)
def test_a_source_is_not_swapped_where(make_ground: Callable[..., Ground], definition: str) -> None:
    page = f"# Plant\n\nMost valves were replaced by hand.[^1]\n\n[^1]: {definition}\n"
    same = "# Harbour\n\nMost valves were replaced by hand in the harbour.\n"
    ground = make_ground({"wiki/plant.md": page, "raw/harbour.md": same, "wiki/docks.md": "# Docks\n"})
    assert list(swapped_source(of(ground, "valves"), ground, random.Random(1))) == []


def test_a_source_is_swapped_for_another_of_its_folder_and_kind(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    sound = of(ground, "Genoa")
    (splices,) = swapped_source(sound, ground, random.Random(1))
    assert spliced(sound.page.text, splices) == sound.page.text.replace("raw/harbour.md", "raw/report.md")


def test_a_link_is_swapped_in_words_and_target(make_ground: Callable[..., Ground]) -> None:
    toml = '[workspace]\nname = "plant"\n[citations]\nrequire = []\ndialects = ["canonical", "footnote_link"]\n'
    page = "# Docks\n\nOften a pilot is aboard.[^1]\n\n[^1]: [raw/harbour.md](../raw/harbour.md), line 3\n"
    ground = make_ground({"assay.toml": toml, "wiki/docks.md": page})
    sound = of(ground, "pilot")
    (splices,) = swapped_source(sound, ground, random.Random(1))
    assert "[raw/report.md](../raw/report.md), line 3" in spliced(sound.page.text, splices)
