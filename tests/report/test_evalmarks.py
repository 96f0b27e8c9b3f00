from __future__ import annotations

from collections.abc import Sequence

from gitops.report.evalmarks import Piece, differing, lacking, shared


def shown(pieces: Sequence[Piece]) -> str:
    return "".join(f"[{piece.text}]" if piece.mark else piece.text for piece in pieces)


def test_words_that_are_not_there_mark_nothing() -> None:
    assert lacking("Water is wet.", ["fire", ""]) == (Piece("Water is wet."),)
    assert lacking("", ["fire"]) == ()


def test_lacking_words_are_marked_one_after_the_other() -> None:
    assert shown(lacking("two and two parts", ["two", "two parts"])) == "[two] and [two parts]"
    assert shown(lacking("two and three", ["three", "two"])) == "two and [three]"


def test_words_that_both_have_are_marked_in_whatever_form() -> None:
    assert shown(shared("Brewing extracts the oils.", "The oil is extracted by brewing.")) == (
        "[Brewing] [extracts] the [oils]."
    )
    assert shown(shared("Nothing alike.", "Quite other words")) == "Nothing alike."


def test_pairs_of_characters_are_marked_where_no_spaces_are() -> None:
    assert shown(shared("咖啡因含量高", "咖啡因")) == "[咖啡因]含量高"


def test_numbers_that_the_other_lacks_are_marked() -> None:
    assert shown(differing("Steep 12 hours at 4.5 degrees.", "Steep 24 hours at 4.5 degrees.")) == (
        "Steep [12] hours at 4.5 degrees."
    )


def test_controls_are_shown_and_marks_stay_in_their_place() -> None:
    assert shown(lacking("a\u202eb c", ["c"])) == "a<U+202E>b [c]"
