from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.dated import Said, keeps, normalised, said, survivor_date
from gitops.wiki.model import Claim
from gitops.wiki.page import parse

NOTE = '\n\n[^1]: raw/a.md, "x"\n'


def the_claim(text: str) -> tuple[Claim, str]:
    page = parse((text + NOTE).encode())
    return page.claims[0], page.text


def day_of(text: str) -> str | None:
    claim, page_text = the_claim(text)
    return survivor_date(page_text, claim.text, claim.place.start)


@pytest.mark.parametrize(
    "text",
    [
        "It was so.[^1]",
        "As of 2024-05, it was so.[^1]",
        "As of 2024-02-30, it was so.[^1]",
        "As of 2024-05-011, it was so.[^1]",
        "Has of 2024-05-01 it was so.[^1]",
        "> [!superseded]\n> It was so.[^1]",
        "> [!superseded] 2024-02-30\n> It was so.[^1]",
        "> [!superseded] on 2024-05-01\n> It was so.[^1]",
        "> [!note] 2024-05-01\n> It was so.[^1]",
        "[!superseded] 2024-05-01\nIt was so.[^1]",
        "> [!superseded] 2024-05-01\n\nIt was so.[^1]",
        "> [!superseded] 2024-05-01\n\n> It was so.[^1]",
    ],
)
def test_what_is_not_dated(text: str) -> None:
    assert day_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "As of 2024-05-01, it was so.[^1]",
        "It was so as of 2024-05-01.[^1]",
        "It was (AS OF 2024-05-01) so.[^1]",
        "> [!superseded] 2024-05-01\n> It was so.[^1]",
        "> [!superseded]+ 2024-05-01\n> It was so.[^1]",
        "> > [!Superseded] 2024-05-01\n> > Before.\n> >\n> > - It was so.[^1]",
        "> [!superseded] 2024-05-01\r\n> It was so.[^1]",
    ],
)
def test_what_is_dated(text: str) -> None:
    assert day_of(text) == "2024-05-01"


def test_the_date_of_a_sentence_outranks_that_of_its_callout() -> None:
    assert day_of("> [!superseded] 2024-05-01\n> As of 2020-01-01, it was so.[^1]") == "2020-01-01"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.5 t", "15 t"),
        ("1.5 t", "1,5 t"),
        ("12:30", "12.30"),
        ("5", "-5"),
        ("5 °C", "5 °F"),
        ("$5", "€5"),
        ("5 %", "5"),
        ("10²", "102"),
        ("½", "12"),
        ("C#", "C"),
        ("re-sign", "resign"),
        ("It fell?", "It fell."),
        ("a/b", "ab"),
    ],
)
def test_what_says_something_stays(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The  Mill\n fell.", "the mill fell"),
        ("“The mill” (old) fell…", "'The mill' [old] fell!"),
        ("1914–1918", "1914-1918"),
        ("the mill – old – fell", "the mill—old—fell"),
        ("\ufb01ne caf\u00e9", "fine cafe\u0301"),
        ("soft\u00adhyphen", "softhyphen"),
        ("工場は、閉鎖。", "工場は 閉鎖"),
        ("STRASSE", "straße"),
        ("−5", "-5"),
    ],
)
def test_what_says_nothing_goes(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@given(st.text(max_size=40), st.sampled_from([" ", "\n", ", ", "; ", " – "]))
def test_pauses_between_words_say_nothing(text: str, pause: str) -> None:
    words = [word for word in text.split() if word.isalpha()]
    assert normalised(pause.join(words)) == normalised(" ".join(words))


def test_both_forms_say_what_the_claim_said() -> None:
    old = said(*the_claim("The mill employs 40 people.[^1]"))
    clause = said(*the_claim("As of 2024-05-01, the mill employs 40 people.[^1]"))
    callout = said(*the_claim("> [!superseded] 2024-05-01\n> The mill employs 40 people.[^1]"))
    assert clause == callout == Said("the mill employs 40 people", "2024-05-01")
    assert keeps(clause, old)
    assert not keeps(old, old)
    assert not keeps(old, clause)


def test_another_day_does_not_keep_a_dated_claim() -> None:
    assert not keeps(Said("x", "2024-05-01"), Said("x", "2020-01-01"))
    assert keeps(Said("x", "2020-01-01"), Said("x", "2020-01-01"))


def test_a_cell_has_its_heads() -> None:
    claim, text = the_claim("| Place | Staff |\n|---|---|\n| Mill | 40[^1] |\n")
    assert said(claim, text) == Said("40", None, ("mill", "staff"))
