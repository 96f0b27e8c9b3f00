from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitops.config import Config
from gitops.verify.view import Library
from gitops.verify.wordmarks import marks, may_hold
from gitops.wiki.snapshot import MemorySnapshot

TEXT = "Solvent consumption declined by two fifths in 2019, although production rose in every quarter.\n"


def test_a_text_without_the_words_cannot_hold_them() -> None:
    assert not may_hold(marks(TEXT), "The lighthouse keeper wrote letters every evening")


def test_the_words_of_the_text_in_any_case_may_stand_there() -> None:
    assert may_hold(marks(TEXT), "SOLVENT Consumption declined by two fifths in 2019")


def test_a_word_broken_at_a_lines_end_is_forgiven() -> None:
    assert may_hold(marks(TEXT.replace("consumption", "consump-\ntion")), "solvent consumption declined in 2019")


def test_few_words_or_another_script_conclude_nothing() -> None:
    assert may_hold(marks(TEXT), "lighthouse keepers")
    assert may_hold(marks(TEXT), "灯台守は毎晩手紙を書いた")


@given(st.text(max_size=400), st.integers(0, 400), st.integers(0, 400))
def test_whatever_is_cut_out_of_a_text_from_word_to_word_may_stand_there(text: str, one: int, other: int) -> None:
    words = text.split()
    start, end = sorted((one % (len(words) + 1), other % (len(words) + 1)))
    assert may_hold(marks(text), " ".join(words[start:end]))


def test_what_could_not_be_read_as_text_may_hold_anything() -> None:
    snapshot = MemorySnapshot({"raw/a.md": b"\0\1\2", "raw/b.md": TEXT.encode()})
    library = Library(Config())
    quote = "The lighthouse keeper wrote letters every evening"
    assert library.may_hold(snapshot, "raw/a.md", quote)
    assert not library.may_hold(snapshot, "raw/b.md", quote)
