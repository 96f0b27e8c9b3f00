from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.sound import sound_claims
from gitops.verify import linting


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("Solvent is used.[^1]\n\n[^1]: raw/gone.md\n", "its source is not there"),
        ('Solvent is used.[^1]\n\n[^1]: raw/report.md, "used 9,999 litres of solvent in 2018"\n', "misquoted"),
        ("~~Solvent is used.~~[^1]\n\n[^1]: raw/report.md\n", "it is struck out"),
        ("Solvent is used.\n", "it cites nothing"),
        ("Solvent is used.[^1]\n\n[^1]: https://example.org/solvent\n", "nobody here can read its source"),
        ("Solvent is used.[^1][^2]\n\n[^1]: raw/report.md\n[^2]: raw/gone.md\n", "one of its sources is not there"),
        ("Solvent is used.[^1]\n\n[^1]: raw/empty.md\n", "its source says nothing"),
    ],
)
def test_no_claim_is_sound_with(make_view: Callable[..., Any], wiki_files: dict[str, Any], page: str, why: str) -> None:
    view = make_view({**wiki_files, "raw/empty.md": " \n", "wiki/plant.md": f"# Plant\n\n{page}"})
    assert list(sound_claims(view, ["wiki/plant.md"])) == [], why


def test_a_page_that_is_no_utf8_is_left_alone(make_view: Callable[..., Any], wiki_files: dict[str, Any]) -> None:
    data = "# Plant\n\nSolvent is used.[^1]\n\n[^1]: raw/report.md\n".encode("utf-16")
    view = make_view({**wiki_files, "wiki/plant.md": data})
    assert list(sound_claims(view, ["wiki/plant.md"])) == []


def test_sound_claims_come_in_order_with_their_sources(make_ground: Callable[..., Ground]) -> None:
    sound = make_ground().sound
    assert [(one.path, one.sources) for one in sound] == [
        ("wiki/docks.md", ("raw/harbour.md",)),
        ("wiki/docks.md", ("raw/harbour.md",)),
        ("wiki/docks.md", ("raw/survey.pdf",)),
        *[("wiki/plant.md", ("raw/report.md",))] * 3,
    ]


def test_one_wrong_claim_leaves_the_others_of_its_page_sound(
    make_view: Callable[..., Any], wiki_files: dict[str, Any]
) -> None:
    wrong = wiki_files["wiki/plant.md"].replace('"may lower emissions"', '"will lower emissions"')
    view = make_view({**wiki_files, "wiki/plant.md": wrong})
    found = [one.claim.text for one in sound_claims(view, linting.pages(view)) if one.path == "wiki/plant.md"]
    assert len(found) == 2
    assert not any("filter" in text for text in found)
