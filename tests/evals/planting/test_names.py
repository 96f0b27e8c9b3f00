from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.names import name
from gitops.evals.planting.naming import Names, named
from gitops.evals.planting.splices import spliced


@pytest.mark.parametrize(
    "text",
    [
        "Solvents dissolve paint.",
        "It was so in November.",
        "He said: Never again.",
        "It is LLM-owned there.",
        "It is open on Monday there.",
    ],
)
def test_what_merely_begins_with_a_capital_is_no_name(text: str) -> None:
    assert list(named(text)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In Lindau it rained.", ["Lindau"]),
        ("The Bank of England, and the SCA, met Ada Keller's heirs.", ["Bank of England", "SCA", "Ada Keller"]),
        ("SCA rules apply.", ["SCA"]),
        ("It flew with FOTON-M3 again.", ["FOTON-M3"]),
    ],
)
def test_names_are_found_whole(text: str, expected: list[str]) -> None:
    assert [one.name for one in named(text)] == expected


def test_a_word_that_is_written_small_elsewhere_is_no_name() -> None:
    names = Names(["They drink Coffee.", "The coffee is cold.", "They met Ada."], {})
    assert [one.name for one in names.within("They drink Coffee with Ada.")] == ["Ada"]


def test_a_name_is_exchanged_for_one_that_is_used_alike_or_of_the_same_sort() -> None:
    texts = ["It is in Lindau.", "It is in Genoa.", "It is by Genoa.", "It was by Otto.", "It was by Ada Keller."]
    names = Names(texts, {"ada keller": "person", "otto": "person"})
    (lindau,) = names.within(texts[0])
    (otto,) = names.within(texts[3])
    assert names.others(texts[0], lindau) == ["Genoa"]
    assert names.others(texts[3], otto) == ["Ada Keller"]


def test_a_name_of_which_the_source_speaks_there_is_not_planted(make_ground: Callable[..., Ground]) -> None:
    source = (
        "The plant in Lindau used 4,200 litres of solvent; the plant in Genoa too, says Ada Keller. In 2018 the plant."
    )
    ground = make_ground(
        {
            "raw/report.md": source,
            "wiki/plant.md": "# P\n\nThe plant in Lindau used 4,200 litres.[^1]\n\n[^1]: raw/report.md\n",
        }
    )
    (sound,) = [one for one in ground.sound if one.path == "wiki/plant.md"]
    assert list(name(sound, ground, random.Random(1))) == []


def test_another_name_of_the_wiki_is_planted(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    sound = next(one for one in ground.sound if "Lindau" in one.claim.text)
    found = {spliced(sound.claim.text, [one]) for one in name(sound, ground, random.Random(1))}
    assert found == {
        sound.claim.text.replace("Lindau", "Genoa"),
        sound.claim.text.replace("Ada Keller", "Otto Brandt"),
    }


def test_a_name_that_stands_twice_is_left(claim_in: Callable[..., tuple[Ground, int]]) -> None:
    ground, at = claim_in("The plant in Lindau is not the harbour in Lindau.", "The plant in Lindau.")
    assert list(name(ground.sound[at], ground, random.Random(1))) == []
