from __future__ import annotations

import pytest

from gitops.ci.fitting import Block, fitted

TABLE = Block("**All**", ("| 1 |", "| 2 |", "| 3 |"), opening="| a |\n| --- |", spared=2)
LIST = Block("**Some**", ("- x", "- y"), spared=1)
WHOLE = "**All**\n\n| a |\n| --- |\n| 1 |\n| 2 |\n| 3 |\n\n**Some**\n\n- x\n- y\n"


def test_what_may_not_be_spared_stays_though_it_is_too_large() -> None:
    assert fitted([Block("head", ("a", "b"))], 3, "elsewhere") == "head\n\na\nb\n"


def test_what_fits_is_whole() -> None:
    assert fitted([TABLE, LIST, Block()], len(WHOLE), "elsewhere") == WHOLE


def test_lines_are_spared_of_one_block_after_the_other() -> None:
    without = "**All**\n\n*3 left out: it*\n\n**Some**\n\n- x\n- y\n"
    assert fitted([TABLE, LIST], len(WHOLE) - 1, "it") == without
    assert fitted([TABLE, LIST], 1, "it") == "**All**\n\n*3 left out: it*\n\n**Some**\n\n*2 left out: it*\n"


def test_a_table_without_its_last_rows_says_how_many_are_missing() -> None:
    many = Block("", tuple(f"| row {number:02} |" for number in range(50)), opening="| a |\n| --- |", spared=1)
    told = fitted([many], 200, "see the job's summary")
    rows = [line for line in told.splitlines() if line.startswith("| row")]
    assert len(told) <= 200
    assert len(fitted([many], 199, "see the job's summary")) <= 199
    assert told.endswith(f"| row {len(rows) - 1:02} |\n\n*and {50 - len(rows)} more: see the job's summary*\n")
    assert len(told) + len("| row 00 |\n") > 200, "one more would have fitted"


def test_what_was_never_among_the_lines_is_counted_too() -> None:
    assert fitted([Block("h", ("- a",), more=4)], 100, "there") == "h\n\n- a\n\n*and 4 more: there*\n"
    assert fitted([Block("h", more=4)], 100, "there") == "h\n\n*4 left out: there*\n"


@pytest.mark.parametrize("most", range(0, 260, 13))
def test_bytes_are_counted_where_bytes_are_what_is_limited(most: int) -> None:
    block = Block("", tuple("é" * 5 for _ in range(30)), spared=1)
    told = fitted([block], most, "x", size=lambda text: len(text.encode()))
    assert len(told.encode()) <= max(most, len("*30 left out: x*\n"))


def test_lines_that_tell_of_several_are_counted_as_many_when_they_are_left_out() -> None:
    block = Block("head", ("a" * 50, "b" * 50), counts=(2, 3), more=4, spared=1)
    assert "*and 7 more: there*" in fitted([block], 90, "there")
    assert "*9 left out: there*" in fitted([block], 40, "there")
