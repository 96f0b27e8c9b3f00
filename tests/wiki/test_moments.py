from __future__ import annotations

import pytest

from gitops.wiki.moments import clock, said_at, stamps


@pytest.mark.parametrize(
    "text",
    ["They met at 5:40 in the mill.", "The score was 3:2.", "5:40 pm was late.", "ingested_at: 2026-05-25 06:45\n", ""],
)
def test_times_that_are_no_stamps(text: str) -> None:
    assert stamps(text) == ()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0:02\nwe", 2),
        ("we [1:02:03] go", 3723),
        ("**[5:40]** we", 340),
        ("## What we do (4:46)\n", 286),
        ("12:34 - we", 754),
        ("- 0:51 The problem", 51),
        ("00:00:07.500 --> 00:00:09.000\nwe", 7),
    ],
)
def test_stamps(text: str, seconds: int) -> None:
    assert stamps(text)[0].seconds == seconds


def test_a_moment_is_told_until_the_next_stamp_and_within_its_tolerance() -> None:
    known = stamps("0:00\na\n0:20\nb\n0:40\nc\n0:50\nd\n2:00\ne\n")
    starts = [start for start, _ in said_at(41, 41, known, 99)]
    assert starts == [stamp.start for stamp in known if stamp.seconds in (40, 50)]
    assert [start for start, _ in said_at(100, 100, known, 99)] == [known[3].start]
    assert len(list(said_at(0, 119, known, 99))) == 5


def test_stamps_within_a_line_part_it_and_one_at_its_end_heads_it() -> None:
    text = "[0:00] we go [0:10] and go\n\n## And end (0:20)\nhere"
    assert [text[stamp.start :][:3] for stamp in stamps(text)] == ["[0:", "0:1", "## "]


def test_a_clock() -> None:
    assert (clock(340), clock(3723)) == ("5:40", "1:02:03")
