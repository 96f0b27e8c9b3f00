from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.near_misses import nearest
from gitops.wiki.quoted import Spot, mended, parts, shares_run, spots, trimmed, worded
from gitops.wiki.source_text import SourceText

TEXT = (
    "The mill was built in 1911 by two sisters.\n"
    "It never stopped: the wheel turned day\nand night, and *nobody* ever saw it rest.[^3] "
    "At 5:40 pm the bell rang for -5 seconds, and the 1,180 workers of the co-op went home.\n"
)
SOURCE = SourceText(TEXT, is_markdown=True)
TRANSCRIPT = SourceText("0:00\nFor two years the whole mill\n0:02\nagreed on how to grind\n[music]\n0:05\nits corn.\n")


def only(quotation: str, source: SourceText = SOURCE) -> Spot:
    [spot] = spots(quotation, source)
    return spot


@pytest.mark.parametrize(
    "quotation",
    [
        "the wheel turned night and day",
        "the wheel turned day and nights",
        "heel turned day and",
        "the bell rang for 5 seconds",
        "rang for -5 second",
        "the 1,18 workers",
        "built in 191",
        "built in 1911 … by three sisters",
        "by two sisters … built in 1911",
        "The mill [which everybody knew very well] rang",
        "At 5:40 am the bell rang",
        "",
        "…",
        '"',
    ],
)
def test_it_stands_nowhere(quotation: str) -> None:
    assert spots(quotation, SOURCE) == ()


def test_word_for_word_costs_one_search_and_names_nothing() -> None:
    at = TEXT.index("the wheel")
    assert only("the wheel turned day") == Spot(at, at + len("the wheel turned day"))


@pytest.mark.parametrize(
    ("quotation", "quiet"),
    [
        ("The wheel turned day", ("case",)),
        ("the wheel turned day and night,", ("white space",)),
        ("nobody ever saw it rest.", ("mark-up",)),
        ("the bell rang for -5 seconds", ()),
        ("the bell rang for \u22125 seconds", ("dashes",)),
    ],
)
def test_what_a_reader_overlooks(quotation: str, quiet: tuple[str, ...]) -> None:
    spot = only(quotation)
    assert (spot.loud, spot.quiet) == ((), quiet)


def test_what_cuts_a_transcript_cuts_no_quotation() -> None:
    spot = only("the whole mill agreed on how to grind its corn", TRANSCRIPT)
    assert set(spot.quiet) == {"white space", "time stamps", "sounds"}
    assert mended("the whole mill agreed on how to grind its corn", spot, TRANSCRIPT) == (
        "the whole mill agreed on how to grind its corn"
    )


def test_a_number_in_running_text_is_never_noise() -> None:
    assert spots("At pm the bell rang", SOURCE) == ()
    assert spots("At 5:40 pm the bell rang", SOURCE)


def test_a_footnote_mark_of_the_source_is_noise() -> None:
    assert only("saw it rest. At 5:40 pm").quiet[-1:] == ("footnote marks",)


def test_a_pdf_that_lost_its_spaces() -> None:
    paged = SourceText("Themillwasbuiltin1911bytwosistersofthetown", (0,), "pdf")
    assert only("mill was built in 1911 by two sisters", paged).quiet == ("white space",)
    assert spots("mill was built in 19 11 by two sisters", paged) == ()


@pytest.mark.parametrize(
    "quotation",
    [
        "The mill was built … by two sisters",
        "The mill was built ... by two sisters.",
        "The mill [...] by two sisters",
        "The mill was [sic] built in 1911",
        "[The mill] was built in 1911",
        "[t]he mill was built in 1911",
        "It never stopped: the [mill's] wheel turned […] nobody ever saw it rest",
        "…the wheel turned day…",
    ],
)
def test_what_the_writer_leaves_out_or_puts_in(quotation: str) -> None:
    assert only(quotation).loud == ()


def test_words_in_brackets_stand_for_something_short() -> None:
    far = SourceText("The mill stood. " + "Nothing happened. " * 30 + "It fell at last.")
    assert spots("The mill stood. [It] fell at last", far) == ()
    assert spots("The mill stood … fell at last", far)


def test_the_parts_of_a_quotation() -> None:
    assert [(one.text, one.reach) for one in parts("one two … [three] four [sic] [T]en.")] == [
        ("one two", 0),
        ("four", None),
        ("Ten", 100),
    ]
    assert trimmed(' …"one two," ').strip('"') == "one two,"


@pytest.mark.parametrize(
    ("quotation", "mend"),
    [
        ("It never stopped — the wheel turned,", "It never stopped: the wheel turned,"),
        ("It never stopped … Turned Day", "It never stopped … turned day"),
        ("the coop went home.", "the co-op went home."),
    ],
)
def test_the_mend_keeps_the_writers_own_marks(quotation: str, mend: str) -> None:
    spot = only(quotation)
    assert spot.loud
    assert mended(quotation, spot, SOURCE) == mend


def test_words_elsewhere_are_found_beside_those_that_stand_as_they_are() -> None:
    twice = SourceText("the mill turned by day\n\n0:01\nthe mill turned\n0:02\nby day\n")
    assert len(spots("the mill turned by day", twice)) == 1
    assert len(worded("the mill turned by day", twice)) == 2


ODD = st.text(st.sampled_from('ab 1.5:20-\n[]()*_"…^<>|#é\u0301ß水'), max_size=80)


@given(ODD, ODD, st.booleans())
def test_no_text_is_too_odd(quotation: str, text: str, is_paged: bool) -> None:
    source = SourceText(text, (0,) if is_paged else ())
    for spot in spots(quotation, source):
        assert 0 <= spot.start < spot.end <= len(text)
        assert mended(quotation, spot, source)
    near = nearest(quotation, source)
    assert near is None or 0 <= near.start <= near.end <= len(text)


@given(
    st.lists(st.sampled_from(["mill", "wheel", "1.5", "-5", "don't", "10%", "x_y", "水车"]), min_size=1, max_size=12)
)
def test_a_text_always_holds_its_own_words(some: list[str]) -> None:
    assert spots(" ".join(some), SourceText("Say \n" + "\n".join(some) + " so."))


def test_a_run_of_words_is_shared_or_nothing_is_like_it() -> None:
    assert shares_run("green mills: the wheel turned slowly by", SOURCE)
    assert not shares_run("green wheel slowly day rested never bell", SOURCE)
    assert not shares_run("wheels rarely sing loudly", SOURCE)
    assert shares_run("mill", SOURCE)


def test_a_part_that_stands_word_for_word_elsewhere_may_stand_marked_up_in_its_order() -> None:
    source = SourceText("**The wheel** turned by day. It was old. The wheel turned no more.\n", is_markdown=True)
    assert only("The wheel … It was old", source).start == 2
    assert spots("It was old … by day", source) == ()


def test_the_address_of_a_link_is_nothing_that_a_writers_own_words_stand_for() -> None:
    address = "x" * 200
    source = SourceText(f"See [the mill](https://{address}) and its wheel.\n", is_markdown=True)
    assert len(spots("See the mill [of course] and its wheel", source)) == 1
    assert spots("See the mill [of course] and its wheel", SourceText(f"See the mill {address} and its wheel.\n")) == ()
