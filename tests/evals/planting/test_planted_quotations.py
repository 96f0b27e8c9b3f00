from __future__ import annotations

import random
from collections.abc import Callable

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.quotations import altered, invented
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import spliced


def of(ground: Ground, words: str) -> Sound:
    return next(one for one in ground.sound if words in one.claim.text)


def test_where_nothing_is_quoted_nothing_is_altered(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    assert list(altered(of(ground, "Genoa"), ground, random.Random(1))) == []


def test_an_alteration_that_stands_in_the_source_too_is_none(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    sound = of(ground, "filter")
    said = ground.source("raw/report.md").text
    made = [spliced(sound.page.text, one) for one in altered(sound, ground, random.Random(1))]
    assert made
    assert all(text.split("[^3]: raw/report.md, ")[1].strip().strip('"') not in said for text in made)


def test_an_altered_quotation_loses_its_offset(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    sound = of(ground, "valves")
    for one in altered(sound, ground, random.Random(1)):
        assert "@97" not in spliced(sound.page.text, one)


def test_an_invented_quotation_takes_the_place_of_one_that_is_there(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    sound = of(ground, "filter")
    first = next(invented(sound, ground, random.Random(1)))
    text = spliced(sound.page.text, first)
    assert "may lower emissions" not in text.split("[^3]:")[1]
    assert text.startswith(sound.page.text.split("[^3]:")[0])


def test_where_nothing_is_quoted_a_quotation_is_put_behind_the_source(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    sound = of(ground, "Genoa")
    first = next(invented(sound, ground, random.Random(1)))
    text = spliced(sound.page.text, first)
    assert '[^1]: raw/harbour.md, "' in text


def test_in_other_conventions_it_is_put_at_the_end_of_the_sentence(make_ground: Callable[..., Ground]) -> None:
    toml = '[workspace]\nname = "plant"\n[citations]\nrequire = []\ndialects = ["canonical", "footnote_link"]\n'
    page = "# Docks\n\nOften a pilot is aboard.[^1]\n\n[^1]: [raw/harbour.md](../raw/harbour.md), line 3\n"
    ground = make_ground({"assay.toml": toml, "wiki/docks.md": page})
    sound = of(ground, "pilot")
    text = spliced(sound.page.text, next(invented(sound, ground, random.Random(1))))
    assert 'Often a pilot is aboard: "' in text
    assert '".[^1]' in text


def test_in_another_language_halves_of_its_own_sentences_are_joined(make_ground: Callable[..., Ground]) -> None:
    source = "Der Hafen von Genua wurde ausgebaggert. Seitdem laufen große Schiffe ein. Lotsen gibt es auch.\n"
    page = "# Docks\n\nSeitdem laufen große Schiffe ein.[^1]\n\n[^1]: raw/harbour.md\n"
    ground = make_ground({"raw/harbour.md": source, "wiki/docks.md": page})
    sound = of(ground, "Schiffe")
    text = spliced(sound.page.text, next(invented(sound, ground, random.Random(1))))
    quoted = text.split('"')[1]
    assert quoted not in source
    assert quoted[:8] in source
