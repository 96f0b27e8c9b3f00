from __future__ import annotations

import pytest

from gitops.wiki.model import Claim
from gitops.wiki.page import parse

DEFINITIONS = '\n\n[^1]: raw/1, "q"\n[^2]: raw/2, "q"\n[^3]: raw/3, "q"\n'


def claims(text: str) -> list[Claim]:
    page = parse((text + DEFINITIONS).encode())
    for claim in page.claims:
        rest = iter(page.text[claim.place.start : claim.place.end])
        assert all(letter in rest for letter in claim.text if not letter.isspace()), claim
    return list(page.claims)


def backed(text: str) -> list[tuple[str, str]]:
    return [(claim.text, " ".join(cite.path[-1] for cite in claim.cites)) for claim in claims(text)]


@pytest.mark.parametrize(
    "text", ["no reference", "`[^1]`", "```\n[^1]\n```", "<!-- [^1] -->", "<div>\nx[^1]\n</div>", "[^1]"]
)
def test_what_makes_no_claim(text: str) -> None:
    assert claims(text) == []


def test_a_definition_nobody_can_read_backs_nothing() -> None:
    assert parse(b"x[^1]\n\n[^1]: [a](b)").claims == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It fell by 40 % in 2019.[^1]", [("It fell by 40 % in 2019.", "1")]),
        ("It fell in 2019[^1]. Then it rose.", [("It fell in 2019.", "1")]),
        ("One. Two.[^1] Three.", [("Two.", "1")]),
        ("One. Two. [^1] Three.", [("Two.", "1")]),
        ("使用量下降。[^1]第二句。", [("使用量下降。", "1")]),
        ("降低40%[^1]。第二句。", [("降低40%。", "1")]),
        ("One[^1] two[^2] three.", [("One two three.", "1 2")]),
        ("One.[^1][^2] Two.", [("One.", "1 2")]),
        ("One.[^1] [^2] Two.", [("One.", "1 2")]),
        ("One.[^1], [^2] Two.", [("One.", "1 2")]),
        ("One [^1], [^2] and two.", [("One and two.", "1 2")]),
        ("One.[^1]Two.[^2]", [("One.", "1"), ("Two.", "2")]),
        ('He said "no."[^1] Then left.', [('He said "no."', "1")]),
        ("[^1] One. Two.", [("One.", "1")]),
        ("Again.[^1] Twice.[^1][^1]", [("Again.", "1"), ("Twice.", "1")]),
        ("It is *so*[^1] here.", [("It is so here.", "1")]),
        ("Run `git  x` now.[^1]", [("Run git x now.", "1")]),
        ("See [[page|the page]] and ![[image]] [text](x.md).[^1]", [("See the page and text.", "1")]),
        ("One[^nope] two.[^1]", [("One two.", "1")]),
        ("One  \ntwo\n three.[^1]", [("One two three.", "1")]),
    ],
)
def test_the_sentence_a_reference_belongs_to(text: str, expected: list[tuple[str, str]]) -> None:
    assert backed(text) == expected


@pytest.mark.parametrize(
    ("text", "block", "words", "context"),
    [
        ("# Head[^1]", "heading", "Head", ()),
        ("One.\nTwo.[^1]\nThree.", "paragraph", "Two.", ("One.", "Three.")),
        ("Costs in 2019:\n\n- fell[^1]\n- rose", "item", "fell", ("Costs in 2019:",)),
        ("Intro. Costs:\n\n- 2019:\n  - fell[^1]", "item", "fell", ("Costs:", "2019:")),
        ("- a[^1]\n  - b", "paragraph", "a", ()),
        ("> said[^1]", "quote", "said", ()),
        ("|Year|Use|\n|-|-|\n|2019|fell[^1]|", "cell", "fell", ("2019", "Use")),
        ("|Year|Use|\n|-|-|\n|2019[^1]|fell|", "cell", "2019", ("Year",)),
        ("|Year[^1]|Use|\n|-|-|\n|2019|fell|", "cell", "Year", ()),
    ],
)
def test_blocks_and_their_context(text: str, block: str, words: str, context: tuple[str, ...]) -> None:
    (claim,) = claims(text)
    assert (claim.block, claim.text, claim.context) == (block, words, context)


def test_a_cell_of_references_alone_backs_its_row() -> None:
    (claim,) = claims("|Year|Use|Source|\n|-|-|-|\n|2019|fell|[^1]|")
    assert (claim.text, claim.block, claim.context) == ("2019 fell", "cell", ("Year", "Use"))


def test_a_block_of_references_alone_backs_the_sentence_before_it() -> None:
    assert backed("One. Two.[^2]\n\n[^1] [^2]") == [("Two.", "2 1")]


def test_equal_claims_are_told_apart() -> None:
    assert [claim.ordinal for claim in claims("Same.[^1]\n\nOther.[^1]\n\nSame.[^2]")] == [0, 0, 1]


def test_one_footnote_may_back_several_claims_and_its_place_is_the_definition() -> None:
    first, second = claims("One.[^1] Two.[^1]")
    assert first.cites == second.cites
    assert first.cites[0].place.line == 3


def test_labels_fold_case() -> None:
    page = parse('x[^Ä]\n\n[^ä]: raw/a, "q"'.encode())
    assert [claim.cites[0].label for claim in page.claims] == ["ä"]


def test_ten_thousand_references_in_a_paragraph_are_read_in_good_time() -> None:
    assert len(claims("Word.[^1] " * 10_000)) == 10_000
