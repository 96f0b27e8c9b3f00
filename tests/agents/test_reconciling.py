from __future__ import annotations

from itertools import permutations

import pytest

from gitops.agents.disagreements import Contradiction, Disagreement, Told, found
from gitops.agents.reconciling import Reconciled, reconcile
from gitops.wiki.disputed import HEAD
from tests.agents.mills import BOTH, EIGHTY, FILES, FORTY, MILL, NEW, NINETY, OLD, PEOPLE, SIXTY, TOWN, WHEEL
from tests.agents.shelves import view_of

DATED = f"As of 2019-05-01, the{FORTY[3:]}"


def made(*contradictions: Contradiction, **changed: str) -> Reconciled:
    view = view_of(FILES | changed)
    return reconcile(view, [one for one in found(view, contradictions) if isinstance(one, Disagreement)])


def test_the_older_claim_is_dated_and_the_newer_stands_behind_it() -> None:
    done = made(PEOPLE)
    assert [(one.how, one.pages) for one in done.mends] == [("dated", ("wiki/mill.md",))]
    expected = MILL.replace(f"{FORTY}[^1]", f"{DATED}[^1] {SIXTY}[^4]")
    assert done.texts == {"wiki/mill.md": f'{expected}[^4]: {NEW}, "employs 60 people" @29\n'}


def test_where_no_order_can_be_told_both_pages_say_that_their_sources_disagree() -> None:
    done = made(WHEEL)
    assert [(one.how, one.pages) for one in done.mends] == [("disputed", ("wiki/mill.md", "wiki/town.md"))]
    note = f"\n\n{HEAD}\n> {EIGHTY}[^4]\n>\n> {NINETY}[^5]\n\n"
    assert note in done.texts["wiki/mill.md"]
    assert note in done.texts["wiki/town.md"]
    for text, was in ((done.texts["wiki/mill.md"], MILL), (done.texts["wiki/town.md"], TOWN)):
        assert text.startswith(was.split("\n\n[^1]")[0])
        assert '[^4]: raw/a.md, "was built in 1880"' in text
        assert '[^5]: raw/b.md, "was built in 1890"' in text


def test_a_note_stands_at_the_end_of_its_section() -> None:
    mill = MILL.replace("## Wheel", "It is red.\n\n## Wheel")
    text = made(PEOPLE, **{OLD: FILES[OLD], "wiki/mill.md": mill}).texts["wiki/mill.md"]
    assert "It is red." in text
    undated = {"raw/old.md": FILES[OLD], "raw/new.md": FILES[NEW]}
    pages = {
        path: FILES[path].replace(OLD, "raw/old.md").replace(NEW, "raw/new.md")
        for path in ("wiki/mill.md", "wiki/town.md")
    }
    text = made(PEOPLE, **undated, **pages).texts["wiki/mill.md"]
    assert text.index(HEAD) < text.index("## Wheel")


def test_both_at_once_on_the_same_pages() -> None:
    done = made(*BOTH)
    assert [one.how for one in done.mends] == ["dated", "disputed"]
    assert done.left == []
    text = done.texts["wiki/mill.md"]
    assert f"{DATED}[^1] {SIXTY}[^4] It stands" in text
    assert f"> {EIGHTY}[^5]\n>\n> {NINETY}[^6]" in text


def test_a_claim_that_was_dated_needs_nothing_more() -> None:
    other = Contradiction(PEOPLE.a, Told("wiki/town.md", SIXTY, 3), "Lindau")
    done = made(PEOPLE, other)
    assert len(done.mends) == 1


CENSUS, FIFTY = "raw/2021-01-01-census.md", FORTY.replace("40", "50")
COUNTY = {
    CENSUS: f"# Census\n\n{FIFTY}\n",
    "wiki/county.md": f'# County\n\n{FIFTY}[^1]\n\n[^1]: {CENSUS}, "employs 50 people"\n',
}
OLDEST, MIDDLE, NEWEST = PEOPLE.a, Told("wiki/county.md", FIFTY, 3), PEOPLE.b
CHAIN = (Contradiction(OLDEST, MIDDLE), Contradiction(MIDDLE, NEWEST), Contradiction(OLDEST, NEWEST))


@pytest.mark.parametrize("order", list(permutations(CHAIN)))
def test_of_three_claims_the_newest_stands_beside_both_others(order: tuple[Contradiction, ...]) -> None:
    texts = made(*order, **COUNTY).texts
    assert texts.keys() == {"wiki/mill.md", "wiki/county.md"}
    assert f"{DATED}[^1] {SIXTY}[^4] It stands" in texts["wiki/mill.md"]
    assert f"As of 2021-01-01, the{FIFTY[3:]}[^1] {SIXTY}[^2]" in texts["wiki/county.md"]


@pytest.mark.parametrize("order", list(permutations(CHAIN[:2])))
def test_a_claim_that_is_dated_itself_is_put_beside_no_older_one(order: tuple[Contradiction, ...]) -> None:
    texts = made(*order, **COUNTY).texts
    assert f"{DATED}[^1] It stands" in texts["wiki/mill.md"]
    assert f"As of 2021-01-01, the{FIFTY[3:]}[^1] {SIXTY}[^2]" in texts["wiki/county.md"]


@pytest.mark.parametrize("name", ["Alder mill", "US mills", "IT", "Will Keller", "May"])
def test_a_name_keeps_its_capital(name: str) -> None:
    files = {path: FILES[path].replace("The mill in", f"{name} in") for path in ("wiki/mill.md", "wiki/town.md")}
    forty, sixty = (claim.replace("The mill in", f"{name} in") for claim in (FORTY, SIXTY))
    told = Contradiction(Told("wiki/mill.md", forty, 3), Told("wiki/town.md", sixty, 3))
    assert f"As of 2019-05-01, {name} in Lindau employs 40" in made(told, **files).texts["wiki/mill.md"]


def test_an_item_of_a_list_is_dated_in_its_place() -> None:
    files = {OLD: FILES[NEW].replace("60", "60"), NEW: FILES[OLD]}
    mill, town = MILL.replace(OLD, "x").replace(NEW, OLD).replace("x", NEW), TOWN.replace(NEW, OLD)
    text = made(PEOPLE, **files, **{"wiki/mill.md": mill, "wiki/town.md": town}).texts["wiki/town.md"]
    assert f"- As of 2019-05-01, the{SIXTY[3:]}[^1] {FORTY}[^4]\n- {NINETY}[^2]" in text


def test_a_cell_is_dated_alone() -> None:
    table = "| mill | people |\n|---|---|\n| Lindau | employs 40 people[^1] |\n"
    table = f'# Mill\n\n{table}\n[^1]: {OLD}, "employs 40 people"\n'
    told = Contradiction(Told("wiki/mill.md", "Lindau, people: employs 40 people", 5), PEOPLE.b)
    text = made(told, **{"wiki/mill.md": table}).texts["wiki/mill.md"]
    assert "| Lindau | As of 2019-05-01, employs 40 people[^1] |" in text


@pytest.mark.parametrize("marked", ["**{}**", "[{}](town.md)", "***{}***", "[[town|{}]]"])
def test_the_day_stands_before_what_opens_emphasis_or_a_link(marked: str) -> None:
    mill = MILL.replace("The mill in Lindau", marked.format("The mill in Lindau"))
    done = made(PEOPLE, **{"wiki/mill.md": mill})
    assert [one.how for one in done.mends] == ["dated"]
    dated = f"As of 2019-05-01, {marked.format('the mill in Lindau')} employs 40 people in two halls.[^1] {SIXTY}[^4]"
    assert dated in done.texts["wiki/mill.md"]


def test_a_citation_that_no_page_could_carry_is_left_alone() -> None:
    done = made(WHEEL, **{"wiki/mill.md": MILL.replace('"was built in 1880"', '"was built in 1680"')})
    assert (done.texts, done.mends) == ({}, [])
    assert [why for _, why in done.left] == ["its citations do not lead to words that another page could cite"]


def test_the_newer_claim_is_left_where_it_is_if_its_citation_cannot_be_carried() -> None:
    done = made(PEOPLE, **{"wiki/town.md": TOWN.replace('"employs 60 people"', '"employs 6000 people"')})
    assert f"{DATED}[^1] It stands" in done.texts["wiki/mill.md"]


def test_what_is_put_beside_a_claim_swallows_none_that_follows() -> None:
    """Without a full stop, in front of a small letter, two sentences are one."""
    bare = SIXTY.removesuffix(".")
    pages = {
        "wiki/mill.md": MILL.replace("It stands", "it stands"),
        "wiki/town.md": TOWN.replace(SIXTY, bare),
    }
    done = made(Contradiction(PEOPLE.a, Told("wiki/town.md", bare, 3)), **pages)
    assert [one.how for one in done.mends] == ["dated"]
    assert f"{DATED}[^1] it stands by the river.[^2]" in done.texts["wiki/mill.md"]
