from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from gitops.wiki.anchors import Anchor, locate
from gitops.wiki.boundaries import begins_inside, ends_inside
from gitops.wiki.source_text import SourceText

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"

PAGES = (
    "Particle counts rose through the season at all sites. Black Tarn held 1,180 particles per litre in 2019.",
    "The “sun” rose over Glass Tarn, and the ﬁsh were counted. Counts peaked in late summer; hyphen-\nated words too.",
    "Glass Tarn recorded the lowest counts. Black Tarn held 1,180 particles per litre in 2019.",
)


def paged(*pages: str) -> SourceText:
    starts = [sum(len(page) + 1 for page in pages[:number]) for number in range(len(pages))]
    return SourceText("\f".join(pages), tuple(starts), "pdf")


SOURCE = paged(*PAGES)
PLAIN = SourceText(" ".join(PAGES))


@pytest.mark.parametrize(
    "quote",
    [
        "",
        " \n",
        "—",
        "x",
        "zq",
        "art",
        "solvent use declined by two fifths",
        "The committee voted to adjourn until Thursday morning",
        "a" * 10_000,
    ],
)
def test_what_is_not_there_is_not_found(quote: str) -> None:
    for source in (SOURCE, PLAIN, SourceText("")):
        assert locate(quote, source) == Anchor("not_found")


@pytest.mark.parametrize(
    "quote",
    [
        "Black Tarn held 1,190 particles per litre",
        "Black Tarn held 180 particles per litre",
        "Black Tarn held 11,180 particles per litre",
        "Black Tarn held 1, 180 particles per litre",
        "Black Tarn did not hold 1,180 particles per litre",
        "Black Tarn held not 1,180 particles per litre",
        "Glass Tarn held 1,180 particles per litre",
        "held Black Tarn 1,180 particles per litre",
        "Black Tarn held particles per litre",
        "Counts peaked … in late summer",
        "Counts [...] peaked in late summer",
        "article counts rose through the season",
        "Black Tarn held 1,180 particles per litre in 201",
    ],
)
def test_a_changed_quote_is_altered_and_both_texts_are_shown(quote: str) -> None:
    for source in (SOURCE, PLAIN):
        anchor = locate(quote, source)
        assert anchor.result == "altered"
        assert anchor.exact == source.text[anchor.start : anchor.end] != quote
        assert any(tag != "equal" for tag, _, _ in anchor.difference)
        assert "".join(part for _, part, _ in anchor.difference) == quote
        assert 0.6 <= anchor.similarity <= 1.0


def test_nearest_can_be_left_out() -> None:
    assert locate("Black Tarn held 1,190 particles per litre", SOURCE, nearest=False).result == "not_found"


@pytest.mark.parametrize(
    ("quote", "page", "remark"),
    [
        ("Counts peaked in late summer", 1, "stands on p.2, not p.1"),
        ("counts PEAKED in late summer", 1, "stands on p.2, not p.1"),
        ("Counts peaked in late summer", 4, "the source has 3 pages; stands on p.2, not p.4"),
        ("Counts peaked in late summer", 0, "the source has 3 pages; stands on p.2, not p.0"),
        ("1,180 particles", 2, "stands on p.1, p.3, not p.2"),
    ],
)
def test_a_quote_on_another_page_is_misattributed(quote: str, page: int, remark: str) -> None:
    anchor = locate(quote, SOURCE, first_page=page)
    assert (anchor.result, anchor.remark) == ("misattributed", remark)
    assert anchor.exact.casefold() == quote.casefold()


def test_a_page_of_a_source_without_pages_is_misattributed_but_for_the_first() -> None:
    anchor = locate("Counts peaked", PLAIN, first_page=2)
    assert (anchor.result, anchor.remark) == ("misattributed", "the source has no page numbers")
    assert locate("Counts peaked", PLAIN, first_page=1).result == "verified"


def test_the_right_page_with_a_wrong_offset_is_repaired() -> None:
    start = SOURCE.text.index("Counts peaked")
    anchor = locate("Counts peaked", SOURCE, first_page=2, offset=start + 3)
    assert (anchor.result, anchor.start) == ("repaired", start)
    assert anchor.reason == f"offset {start} instead of {start + 3}"


@pytest.mark.parametrize("offset", [-5, 0, 10**12])
def test_an_offset_outside_the_text_is_only_wrong(offset: int) -> None:
    assert locate("Counts peaked", SOURCE, offset=offset).result == "repaired"


def test_the_right_offset_on_the_wrong_page_is_misattributed() -> None:
    start = SOURCE.text.index("Counts peaked")
    assert locate("Counts peaked", SOURCE, first_page=1, offset=start).result == "misattributed"


@pytest.mark.parametrize(
    ("quote", "exact", "reason"),
    [
        ('The "sun" rose', "The “sun” rose", "quotation marks"),
        ("the fish were counted", "the ﬁsh were counted", "ligatures"),
        ("hyphenated words", "hyphen-\nated words", "hyphenation"),
        ("COUNTS PEAKED", "Counts peaked", "case"),
        ("Blacktarn HELD", "Black Tarn held", "white space, case"),
    ],
)
def test_what_typing_changes_is_repaired_and_named(quote: str, exact: str, reason: str) -> None:
    anchor = locate(quote, SOURCE)
    assert (anchor.result, anchor.exact, anchor.reason) == ("repaired", exact, reason)


def test_a_loose_match_on_the_cited_page_goes_before_an_exact_one_elsewhere() -> None:
    source = paged("black tarn froze", "Black Tarn froze")
    anchor = locate("Black Tarn froze", source, first_page=1)
    assert (anchor.result, anchor.page) == ("repaired", 1)


def test_a_quote_as_it_stands_is_verified_with_its_page() -> None:
    anchor = locate("Counts peaked\n in late summer", SOURCE, first_page=2)
    assert anchor.result == "verified"
    assert anchor.exact == "Counts peaked in late summer"
    assert (anchor.page, anchor.remark, anchor.reason, anchor.similarity) == (2, "", "", 1.0)


def test_a_quote_may_run_over_onto_the_next_page() -> None:
    quote = "per litre in 2019. The “sun” rose"
    anchor = locate(quote, SOURCE, first_page=1)
    assert (anchor.result, anchor.page) == ("verified", 1)
    assert "\f" in anchor.exact
    assert locate(quote, SOURCE, first_page=2).result == "misattributed"
    assert locate(quote, SOURCE, first_page=1, last_page=2).result == "verified"


def test_an_altered_quote_that_runs_over_the_page_is_seen_whole() -> None:
    anchor = locate("particles per litre in 2018. The “sun” rose", SOURCE, first_page=1)
    assert anchor.result == "altered"
    assert anchor.exact == "particles per litre in 2019.\fThe “sun” rose"


def test_the_nearest_passage_on_another_page_is_named() -> None:
    anchor = locate("Counts peaked in late autumn", SOURCE, first_page=3)
    assert (anchor.result, anchor.remark) == ("altered", "the nearest passage stands on p.2, not p.3")


def test_several_places_are_remarked_and_the_offset_chooses() -> None:
    quote = "1,180 particles"
    assert locate(quote, SOURCE).remark == "stands 2 times in the source"
    last = SOURCE.text.rindex(quote)
    assert locate(quote, SOURCE, offset=last).start == last
    assert locate(quote, SOURCE, offset=last + 2).start == last
    assert locate(quote, SOURCE, first_page=3).start == last
    assert locate(quote, SOURCE, first_page=1, last_page=3).remark == "stands 2 times on the cited page"


def test_an_offset_beyond_the_counted_places_is_still_found() -> None:
    source = SourceText("tarn " * 5000)
    anchor = locate("tarn", source, offset=4000 * 5)
    assert (anchor.result, anchor.start) == ("verified", 20_000)
    assert anchor.remark == "stands more than 1000 times in the source"


def test_a_source_that_could_not_be_read_says_why() -> None:
    anchor = locate("anything at all", SourceText("", problem="no_text_layer", message="no text layer"))
    assert (anchor.result, anchor.remark) == ("not_found", "no text layer")


@pytest.mark.parametrize(("text", "quote"), [("東京都に行く", "京都"), ("서울은 수도이다", "서울"), ("ภาษาไทย", "ไทย")])
def test_scripts_without_spaces_may_be_quoted_anywhere(text: str, quote: str) -> None:
    assert locate(quote, SourceText(text)).result == "verified"


WORDY = st.text(alphabet=st.sampled_from("ab cd\n\t\u00a01é中京.,-–'“ﬁ\u00ad"), max_size=80)


@given(st.text(max_size=40), st.text(max_size=200), st.lists(st.integers(0, 200), max_size=4), st.integers(-2, 300))
@example("a\u0301", "a \u0301", [], 0)
@pytest.mark.slow
def test_locate_never_raises_and_its_slice_has_its_hash(quote: str, text: str, breaks: list[int], offset: int) -> None:
    starts = tuple(sorted({0, *(place for place in breaks if place <= len(text))})) if breaks else ()
    source = SourceText(text, starts)
    for page in (None, 1, 2):
        anchor = locate(quote, source, first_page=page, offset=offset)
        assert anchor.exact == text[anchor.start : anchor.end]
        if anchor.result == "not_found":
            assert anchor == Anchor("not_found")
        else:
            assert hashlib.sha256(anchor.exact.encode()).hexdigest() == anchor.sha256
            assert (anchor.page is None) == (not starts)


@given(WORDY, st.data())
@pytest.mark.slow
def test_a_slice_from_word_to_word_is_verified_also_with_its_white_space_mangled(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end].strip()
    assume(quote)
    start = text.index(quote, start)
    assume(not begins_inside(text, start) and not ends_inside(text, start + len(quote)))
    anchor = locate(quote, SourceText(text), offset=start)
    assert (anchor.result, anchor.start, anchor.exact) == ("verified", start, quote)
    mangled = re.sub(r"\s+", lambda _: data.draw(st.sampled_from([" ", "\n", " \t ", "\u00a0\n"])), quote)
    assert locate(f" {mangled}\n", SourceText(text)).result == "verified"


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(WORDY, st.data())
def test_a_changed_digit_never_passes(text: str, data: st.DataObject) -> None:
    digits = [place for place, character in enumerate(text) if character.isdigit()]
    assume(digits)
    place = data.draw(st.sampled_from(digits))
    quote = text[:place] + "7" + text[place + 1 :]
    for source in (SourceText(text), SourceText(text, (0,))):
        assert locate(quote, source).result in ("altered", "not_found")


def _sentences() -> list[tuple[SourceText, str]]:
    found: list[tuple[SourceText, str]] = []
    for path in sorted(WIKIS.glob("citadel-beverages/raw/**/*.md")):
        source = SourceText(path.read_text(encoding="utf-8"))
        for match in re.finditer(r"[A-Z][^.!?\n#*|`\[]{30,200}[.!?](?=\s)", source.text):
            if len(match[0].split()) >= 4:
                found.append((source, match[0]))
    return found


def _altered(quote: str, kind: str, dice: random.Random) -> str | None:
    words = quote.split()
    place = dice.randrange(1, len(words) - 1)
    match kind:
        case "digit":
            digits = [i for i, character in enumerate(quote) if character in "0123456789"]
            if not digits:
                return None
            i = dice.choice(digits)
            return quote[:i] + str((int(quote[i]) + dice.randint(1, 9)) % 10) + quote[i + 1 :]
        case "word":
            words[place] = "zebra"
        case "drop":
            del words[place]
        case "swap":
            words[place], words[place + 1] = words[place + 1], words[place]
        case _:
            words.insert(place, "not")
    return " ".join(words) if words != quote.split() else None


@pytest.mark.skipif(not WIKIS.is_dir(), reason="the real wikis are not here")
@pytest.mark.slow
def test_real_sentences_are_verified_as_they_are_and_altered_when_changed() -> None:
    dice = random.Random(2)
    sentences = _sentences()
    assert len(sentences) > 100
    for source, quote in dice.sample(sentences, 100):
        assert locate(quote, source).result == "verified"
        for kind in ("digit", "word", "drop", "swap", "not"):
            if (changed := _altered(quote, kind, dice)) is not None:
                assert locate(changed, source).result == "altered", (kind, changed)


@pytest.mark.skipif(not WIKIS.is_dir(), reason="the real wikis are not here")
def test_real_sentences_of_other_sources_are_not_found() -> None:
    dice = random.Random(3)
    sentences = _sentences()
    strangers = [(dice.choice(sentences)[0], quote) for _, quote in dice.sample(sentences, 100)]
    results = [locate(quote, source).result for source, quote in strangers if quote not in source.spaced.text]
    assert results.count("not_found") >= 0.97 * len(results)
