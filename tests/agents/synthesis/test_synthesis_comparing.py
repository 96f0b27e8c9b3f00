from __future__ import annotations

from collections.abc import Sequence

import pytest

from gitops.agents.synthesis.carrying import Statement
from gitops.agents.synthesis.changes import News
from gitops.agents.synthesis.comparing import pairs
from gitops.verify import judges
from gitops.wiki.model import Claim, Place

FOUNDED = "The Alder mill was founded by Ada Brook in 1850."
LATER = "The Alder mill was founded by Ada Brook in 1870."
FILLER = [f"Sentence {word} speaks of nothing that matters to millers." for word in ("one", "two", "three", "four")]


def said(
    text: str, source: str = "raw/a.md", path: str = "wiki/a.md", title: str = "", block: str = "item"
) -> Statement:
    claim = Claim(text, Place(0, len(text), 1, 1, 1), block, ())
    return Statement(News(path, claim, "new"), title, text, (source,), frozenset([source]))


def found(new: Sequence[Statement], others: Sequence[Statement] = ()) -> list[tuple[str, str, str]]:
    filler = [said(text, f"raw/{number}.md") for number, text in enumerate(FILLER)]
    made = pairs(new, [*others, *filler], judges.find("offline"))
    return [(pair.a.text, pair.b.text, pair.kind) for pair in made]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(said(LATER), id="of one source"),
        pytest.param(said(LATER, "raw/b.md", block="cell"), id="a cell"),
        pytest.param(said("Bread is baked at dawn in the village.", "raw/b.md"), id="of something else"),
        pytest.param(
            said("In 1850 Ada Brook founded it." + " It stood by the long river bend." * 9, "raw/b.md"), id="far longer"
        ),
    ],
)
def test_what_is_no_pair(other: Statement) -> None:
    assert found([said(FOUNDED)], [other]) == []


def test_two_pages_each_of_its_own_subject_do_not_disagree() -> None:
    alder = said("Alder is a seasonal coffee, sold in a bag of 250 g for 15 euros.", title="Alder")
    birch = said("Birch is a seasonal coffee, sold in a bag of 250 g for 17 euros.", "raw/b.md", "wiki/b.md", "Birch")
    assert found([alder], [birch]) == []


def test_a_disagreement_between_two_sources_is_open() -> None:
    assert found([said(FOUNDED)], [said(LATER, "raw/b.md")]) == [(FOUNDED, LATER, "open")]


def test_what_two_sources_say_alike_stands_side_by_side() -> None:
    again = "Ada Brook founded the Alder mill in 1850."
    assert found([said(FOUNDED)], [said(again, "raw/b.md")]) == [(FOUNDED, again, "alike")]


def test_two_old_statements_are_nobodys_news() -> None:
    assert found([], [said(FOUNDED), said(LATER, "raw/b.md")]) == []


def test_a_statement_is_in_one_pair_at_most() -> None:
    others = [said(LATER, "raw/b.md"), said(LATER.replace("1870", "1890"), "raw/c.md")]
    made = found([said(FOUNDED)], others)
    assert len(made) == 1


def test_of_several_pairs_the_nearest_that_disagrees_counts() -> None:
    green = said("A cup of green tea contains about 28 mg of caffeine, and a cup of black tea about 47 mg.")
    other = said(
        "A cup of green tea carries about 50 mg of caffeine, nearly as much as a cup of black tea.", "raw/b.md"
    )
    coffee = said("A standard cup of drip coffee contains about 95 mg of caffeine.", "raw/c.md")
    assert found([green], [coffee, other]) == [(green.text, other.text, "open")]
