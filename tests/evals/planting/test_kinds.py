from __future__ import annotations

import codecs
from collections.abc import Callable

import pytest

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.kinds import IN_CLAIM, KINDS, plant, unlike
from gitops.evals.planting.pages import in_page
from gitops.evals.planting.sound import Sound
from gitops.wiki.page import parse

KINDS_NAMED = {
    "digit", "unit", "date", "name", "negation", "quantifier", "page_number", "swapped_source", "invented_quotation",
    "altered_quotation", "dropped_hedge",
}  # fmt: skip


def only(ground: Ground, path: str = "wiki/plant.md") -> Sound:
    return next(one for one in ground.sound if one.path == path)


def one_claim(make_ground: Callable[..., Ground], said: str, source: str) -> tuple[Ground, Sound]:
    page = f"# Plant\n\n{said}\n\n[^1]: raw/report.md\n"
    ground = make_ground({"wiki/plant.md": page, "raw/report.md": source})
    return ground, only(ground)


@pytest.mark.parametrize(
    "said",
    [
        "It lasts `4,200` days there.[^1]",
        'It is "no less than 4,200 days that it lasts" there.[^1]',
        "It lasts [[4,200]] days there.[^1]",
        "It lasts 4,**200** days there.[^1]",
    ],
)
def test_nothing_is_planted_in_code_quotations_links_and_through_mark_up(
    make_ground: Callable[..., Ground], said: str
) -> None:
    source = "It lasts 4,200 days there, it is no less than 4,200 days that it lasts."
    ground, sound = one_claim(make_ground, said, source)
    assert plant("digit", sound, ground, "0") is None


def test_the_words_of_a_link_are_changed_and_its_target_is_not(make_ground: Callable[..., Ground]) -> None:
    said = "It lasts [4,200](docks.md) days, not 4,200 hours.[^1]"
    _, sound = one_claim(make_ground, said, "It lasts 4,200 days, not 4,200 hours.")
    start = sound.claim.text.rindex("4,200")
    found = in_page(sound, (start, start + 5, "9,999"))
    assert found is not None
    assert sound.page.text[found[0] : found[0] + 11] == "4,200 hours"


def test_what_another_page_is_referred_to_for_is_not_changed(make_ground: Callable[..., Ground]) -> None:
    said = "The plant is in Lindau (see the page of Genoa for its 4,200 litres)."
    ground, sound = one_claim(make_ground, f"{said}[^1]", said)
    assert plant("digit", sound, ground, "0") is None
    assert plant("negation", sound, ground, "0") is not None


def test_every_kind_that_was_asked_for_is_there() -> None:
    assert set(KINDS) == KINDS_NAMED


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_planted_and_changes_nothing_else(make_ground: Callable[..., Ground], kind: str) -> None:
    ground = make_ground()
    made = [mutant for sound in ground.sound if (mutant := plant(kind, sound, ground, "0"))]
    assert made
    for mutant in made:
        before, after = mutant.sound.page, parse(mutant.data)
        changed = [a.text for a, b in zip(before.claims, after.claims, strict=True) if a.text != b.text]
        assert changed == ([mutant.sound.claim.text] if kind in IN_CLAIM else [])
        assert mutant.was != mutant.now
        assert mutant.data != before.text.encode()


def test_the_same_seed_plants_the_same_and_another_another(make_ground: Callable[..., Ground]) -> None:
    first, again = make_ground(), make_ground()

    def texts(ground: Ground, seed: str) -> list[bytes]:
        return [made.data for one in ground.sound for kind in KINDS if (made := plant(kind, one, ground, seed))]

    assert texts(first, "0") == texts(again, "0")
    assert texts(first, "0") != texts(first, "1")


def test_what_a_claim_was_before_it_was_written_differs_in_one_word(make_ground: Callable[..., Ground]) -> None:
    ground = make_ground()
    for sound in ground.sound:
        data = unlike(sound, ground)
        assert data is not None
        before, after = sound.page.claims, parse(data).claims
        differs = [a.text != b.text for a, b in zip(before, after, strict=True)]
        assert differs == [at == sound.number for at in range(len(before))]
        words = zip(before[sound.number].text.split(), after[sound.number].text.split(), strict=True)
        assert sum(one != other for one, other in words) == 1


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8], ids=["none", "byte-order mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_the_bytes_of_a_page_stay_but_for_the_error(make_ground: Callable[..., Ground], mark: bytes, end: str) -> None:
    page = "# Plant\n\nIt lasts 4,200 days there, which is long.[^1]\n\n[^1]: raw/report.md\n".replace("\n", end)
    ground = make_ground({"wiki/plant.md": mark + page.encode(), "raw/report.md": "It lasts 4,200 days there."})
    made = plant("digit", only(ground), ground, "0")
    assert made is not None
    assert made.data == mark + page.replace(made.was, made.now).encode()
    assert (unlike(only(ground), ground) or b"").startswith(mark + b"# Plant")


def test_a_claim_without_a_word_of_letters_is_left_out(make_ground: Callable[..., Ground]) -> None:
    ground, sound = one_claim(make_ground, "42, 4.[^1]", "42, 4.")
    assert unlike(sound, ground) is None
