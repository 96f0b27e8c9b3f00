"""Two sentences side by side: what stands for what, and how alike the rest runs."""

from __future__ import annotations

from gitops.verify.judging import naming
from gitops.verify.judging.likeness import Likeness, Said, beside
from gitops.verify.judging.quantities import quantities
from gitops.verify.judging.words import tokens


def said(text: str) -> Said:
    words = tokens(text)
    return Said(text, words, quantities(words), naming.names(words, text))


def laid(claim: str, line: str) -> Likeness:
    return beside(said(claim), said(line))


def faced(claim: str, line: str) -> list[tuple[str, str]]:
    like = laid(claim, line)
    return [
        (like.claim.words[like.ours[mine].first].text, like.line.words[like.theirs[yours].first].text)
        for mine, yours in like.pairs
    ]


def test_nothing_stands_beside_a_sentence_about_something_else() -> None:
    like = laid("Penguins swim well.", "The bridge was opened.")
    assert like.pairs == ()
    assert like.closeness(0) == 0.0


def test_words_stand_beside_their_other_forms_and_synonyms() -> None:
    assert ("declined", "fell") in faced("Solvent use declined.", "The consumption of solvents fell.")
    assert ("bought", "acquired") in faced("He bought the mill.", "He acquired the mill.")


def test_numbers_names_and_opposites_stand_face_to_face() -> None:
    pairs = faced("Sales in Leeds rose by 12 ships.", "Sales in York fell by 14 ships.")
    assert {("Leeds", "York"), ("rose", "fell"), ("12", "14")} <= set(pairs)


def test_numbers_of_other_things_do_not() -> None:
    assert ("12", "14") not in faced("It has 12 ships.", "It has 14 crews.")
    assert ("1987", "40") not in faced("It grew in 1987.", "It grew by 40 ships.")


def test_closeness_leaves_the_item_itself_out_of_account() -> None:
    like = laid("The bridge was opened in 1987.", "The bridge was opened in 1988.")
    at = next(place for place, item in enumerate(like.ours) if item.kind == "number")
    assert like.closeness(at) == 1.0
    assert like.closeness(0) < 1.0  # what differs is not alike


def test_order_counts_but_where_it_says_nothing() -> None:
    like = laid("In 1987 Anna Berg opened the harbour bridge.", "The harbour bridge was opened by Anna Berg in 1988.")
    at = next(place for place, item in enumerate(like.ours) if item.kind == "number")
    assert like.in_any_order(at) > like.closeness(at)
