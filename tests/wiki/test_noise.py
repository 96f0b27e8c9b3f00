from __future__ import annotations

import pytest

from gitops.wiki.noise import quiet


def left(text: str) -> str:
    return " ".join(quiet(text).text.split())


@pytest.mark.parametrize(
    "text",
    [
        "They met at 5:40 pm and left at 6:10.",
        "The score was 3:2, the ratio 10:30.",
        "5:40 pm was late.\n6:10 pm was later.\n7:00 pm was too late.\n",
        "In [brackets stands what one wrote](here) so.",
        "It weighs 12 kg and costs 3 euros.",
        "A plain line.",
    ],
)
def test_running_text_is_left_alone(text: str) -> None:
    said = text.replace("](here)", " ")
    assert left(text) == " ".join(said.split())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("goes\n5:14\nstill", "time stamps"),
        ("goes\n[00:05:14]\nstill", "time stamps"),
        ("goes [5:14] still", "time stamps"),
        ("goes **[5:14]** still", "time stamps"),
        ("goes\n00:00:01.000 --> 00:00:03.000\nstill", "time stamps"),
        ("goes\n\n12\n00:00:01,000 --> 00:00:03,000\nstill", "time stamps"),
        ("goes[^3] still", "footnote marks"),
        ("goes[12] still", "footnote marks"),
        ("goes[3, 4] still", "footnote marks"),
        ("goes [music] still", "sounds"),
        ("[goes](http://x.org/a_(b)) still", "mark-up"),
        ("goes <b>still</b>", "mark-up"),
        ("goes\n2. still", "mark-up"),
        ("goes\n17\n\fstill", "page breaks"),
    ],
)
def test_noise_is_blanked_and_named(text: str, kind: str) -> None:
    hushed = quiet(text)
    assert left(text).replace("[", "") == "goes still"
    assert hushed.between(0, len(text)) == (kind,)
    assert len(hushed.text) == len(text)
    assert hushed.text.index("still") == text.index("still")


def test_three_lines_that_begin_with_a_time_make_a_transcript() -> None:
    lines = ["0:01 we", "0:03 begin", "0:05 here"]
    assert left("\n".join(lines[:2])) == "0:01 we 0:03 begin"
    assert left("\n".join(lines)) == "we begin here"


def test_what_lies_between_two_places() -> None:
    hushed = quiet("one [0:01] two [music] three")
    assert hushed.between(0, 12) == ("time stamps",)
    assert hushed.between(12, 28) == ("sounds",)


def test_a_label_that_stands_twice_is_a_speakers() -> None:
    assert left("Ada: it goes\n**Bob:** does it\nAda: still") == "it goes **Bob:** does it still"
    assert quiet("Ada: it goes\nAda: still").between(0, 40) == ("speaker labels",)


def test_what_stands_before_a_colon_once_is_said() -> None:
    assert left("It never stopped: the wheel turned.") == "It never stopped: the wheel turned."


def test_what_a_speaker_says_between_words_is_noise_in_a_transcript_alone() -> None:
    talk = "0:00\nso um the\n0:02\nthing, uh,\n0:05\nis that\n"
    assert left(talk).split() == ["so", "the", "thing,", "is", "that"]
    assert left("Er ging, um zu sehen, um.") == "Er ging, um zu sehen, um."


def test_what_is_struck_out_stays_marked() -> None:
    assert left("It is <b>not</b> <del>never</del> so.") == "It is not <del>never</del> so."
