from __future__ import annotations

import pytest

from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Page
from gitops.wiki.page import parse
from gitops.wiki.positions import Lines
from gitops.wiki.quotations import of_text, words

INLINE = Conventions(dialects=("inline_source",))
LISTED = Conventions(dialects=("frontmatter",))


def read(text: str, conventions: Conventions = INLINE) -> Page:
    return parse(text.encode(), conventions)


def quoted(text: str) -> list[str]:
    return [one.text for claim in read(text).claims for one in claim.quotations]


def noted(text: str) -> list[str]:
    return [one.text for one in of_text(text, 0, Lines(text))]


@pytest.mark.parametrize(
    "text",
    [
        'It is a "living thing" (source: raw/a.md).',
        "It isn't the mill's fault, they say it's the river's (source: raw/a.md).",
        "The post is 5'10\" high and the beam is 12'6\" long, all told (source: raw/a.md).",
        'He typed `echo "one two three four five"` (source: raw/a.md).',
        '~~"the wheel turned day and night"~~ (source: raw/a.md).',
        "The mill stands still (source: raw/a.md).",
        "書名は「短い語」である (source: raw/a.md)。",
    ],
)
def test_no_quotation(text: str) -> None:
    assert quoted(text + "\n") == []


def test_a_quotation_without_a_citation_in_its_sentence_is_nobodys() -> None:
    assert quoted('They say "the wheel turned day and night".\n\nA claim (source: raw/a.md).\n') == []


def test_a_claim_whose_citation_has_a_quote_field_keeps_its_words_to_itself() -> None:
    text = 'He said "the wheel turned day and night".[^1]\n\n[^1]: raw/a.md, "the wheel turned"\n'
    [claim] = parse(text.encode()).claims
    assert claim.quotations == ()


@pytest.mark.parametrize(
    ("before", "after"), ["“”", "„“", "„”", "«»", "»«", "‹›", "「」", "『』", '""', "””", ("*“", "”*"), ('**"', '"**')]
)
def test_every_pair_of_marks(before: str, after: str) -> None:
    said = "the wheel turned day and night"
    assert quoted(f"He said {before}{said}{after} once (source: raw/a.md).\n") == [said]


def test_chinese_and_korean_quotations() -> None:
    assert quoted("他说：“水车日夜不停地转动。” (source: raw/a.md)\n") == ["水车日夜不停地转动。"]
    assert quoted("그는 “물레방아는 밤낮으로 쉬지 않고 돌았다”고 했다 (source: raw/a.md).\n") == [
        "물레방아는 밤낮으로 쉬지 않고 돌았다"
    ]


def test_the_place_is_inside_the_marks_and_spans_what_a_reader_does_not_see() -> None:
    text = 'He said "the **wheel** turned [by day](x.md) and night" (source: raw/a.md).\n'
    [claim] = read(text).claims
    [one] = claim.quotations
    assert one.text == "the wheel turned by day and night"
    assert text[one.place.start : one.place.end] == "the **wheel** turned [by day](x.md) and night"
    assert not one.is_block


def test_a_quotation_stays_whole_where_sentences_end_in_it() -> None:
    said = "The wheel never stopped. It turned by day. It turned by night."
    [claim] = read(f'They say: "{said}" (source: raw/a.md)\n').claims
    assert [one.text for one in claim.quotations] == [said]


def test_two_quotations_and_two_sentences_keep_to_their_own() -> None:
    text = (
        'One says "the wheel turned day and night" (source: raw/a.md). '
        'Another "that nobody ever saw it move" (source: raw/b.md).\n'
    )
    assert [[one.text for one in claim.quotations] for claim in read(text).claims] == [
        ["the wheel turned day and night"],
        ["that nobody ever saw it move"],
    ]


def test_an_unclosed_mark_takes_nothing_with_it() -> None:
    assert quoted('He said "the wheel. It turned day and night (source: raw/a.md).\n') == []
    assert quoted('Its "new wheel and "the wheel turned day and night" (source: raw/a.md).\n')[-1:] == [
        "the wheel turned day and night"
    ]


QUOTE = "The wheel turned day and night for a hundred years."


def test_a_quote_block_that_ends_with_its_citation_is_a_quotation() -> None:
    [claim] = read(f"> {QUOTE} (source: raw/a.md)\n").claims
    assert [(one.text, one.is_block) for one in claim.quotations] == [(QUOTE, True)]


def test_the_citation_may_stand_on_a_line_of_its_own_below_the_quote() -> None:
    assert quoted(f"> {QUOTE}\n\n(source: raw/a.md)\n") == [QUOTE]


def test_an_attribution_is_no_part_of_the_quote() -> None:
    assert quoted(f"> {QUOTE} — Ada Miller (source: raw/a.md)\n") == [QUOTE]


def test_words_that_only_say_whose_they_are_leave_the_quotation_to_the_claim() -> None:
    assert quoted('> "The wheel turned day and night." — Ada Miller (source: raw/a.md)\n') == [
        "The wheel turned day and night."
    ]
    assert quoted('"The wheel turned day and night." (Miller 1911) (source: raw/a.md)\n') == [
        "The wheel turned day and night."
    ]


def test_marks_inside_a_quote_block_say_what_is_quoted() -> None:
    assert quoted('> "The wheel turned day and night," he said at last. (source: raw/a.md)\n') == [
        "The wheel turned day and night,"
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"> [!note]\n> {QUOTE} (source: raw/a.md)\n",
        f"> **Note:** {QUOTE} (source: raw/a.md)\n",
        f"> Note: {QUOTE} (source: raw/a.md)\n",
        f"> ⚠️ {QUOTE} (source: raw/a.md)\n",
        f"> {QUOTE} (source: raw/a.md) But others doubt it was so (source: raw/b.md).\n",
        f"> {QUOTE} (source: raw/a.md) This is only what he said.\n",
        f"> {QUOTE}\n",
        "> So they say (source: raw/a.md)\n",
    ],
)
def test_a_quote_block_that_is_no_quotation(text: str) -> None:
    assert quoted(text) == []


def test_a_page_that_cites_as_a_whole_has_its_quotations() -> None:
    body = 'He said "the wheel turned day and night".\n'
    page = read(f"---\nsources: [raw/a.md]\n---\n\n# A page that says “only its very own heading”\n\n{body}", LISTED)
    assert [one.text for one in page.quotations] == ["the wheel turned day and night"]
    assert read(body, LISTED).quotations == ()


def test_the_note_of_a_citation_has_quotations_but_for_code_links_and_tags() -> None:
    note = 'line 3 — "the wheel turned by day", `x "a b c d e"`, [t](u "one two three four"), <a b="c d e f g">'
    assert noted(note) == ["the wheel turned by day"]
    text = 'ab "the wheel turned by day"'
    [one] = of_text(text[3:], 3, Lines(text))
    assert (one.place.start, one.place.end) == (4, 27)


def test_words_are_counted_in_every_script() -> None:
    assert words("it's a well-known 3.5 % rise") == 5
    assert words("水车日夜不停") == 3
    assert words("물레방아는 밤낮으로") == 2


@pytest.mark.parametrize(
    "text",
    [
        'A paper titled "how mills were built in the valley" says so (source: raw/a.md).',
        'They call it "the slow river of the valley" (source: raw/a.md).',
        'See the section "what the miller did all day" (source: raw/a.md).',
        'In "The Long History of Water Mills" it is told (source: raw/a.md).',
        'Such as "where does the water come from" (source: raw/a.md).',
    ],
)
def test_a_title_a_name_and_an_example_are_told_from_other_quotations(text: str) -> None:
    [claim] = read(text).claims
    assert [one.is_title for one in claim.quotations] == [True]


def test_straight_marks_stand_right_beside_letters_that_need_no_space() -> None:
    assert quoted('据说"水车日夜不停地转动着"是真的 (source: raw/a.md)。') == ["水车日夜不停地转动着"]
    assert quoted('그는 "물레방아는 밤낮으로 멈추지 않는다"고 했다 (source: raw/a.md).') == [
        "물레방아는 밤낮으로 멈추지 않는다"
    ]
    assert quoted('x="one two three four five" (source: raw/a.md).') == []


def nearby(text: str) -> list[tuple[str, list[str]]]:
    return [(claim.text, [one.text for one in claim.nearby]) for claim in read(text).claims]


def test_a_quotation_without_citation_may_be_from_the_next_one_in_its_block() -> None:
    said = '"The wheel turned day and night." They say so. It was old (source: raw/a.md).'
    assert nearby(said) == [("It was old.", ["The wheel turned day and night."])]
    more = 'It began (source: raw/a.md). He saw "the wheel by day and night". So it was. It ended (source: raw/b.md).'
    assert [found for _, found in nearby(more)] == [[], ["the wheel by day and night"]]


def test_a_quotation_behind_the_last_citation_and_in_another_block_is_nobodys() -> None:
    assert nearby('It was old (source: raw/a.md). Then "the wheel turned day and night".') == [("It was old.", [])]
    assert nearby('"The wheel turned day and night."\n\nIt was old (source: raw/a.md).') == [("It was old.", [])]


def test_a_quote_block_below_a_cited_lead_in_is_from_there() -> None:
    lead = "One rule is told plainly (source: raw/a.md):"
    assert quoted(f"{lead}\n\n> {QUOTE}\n") == [QUOTE]
    assert quoted(f"- {lead}\n  > {QUOTE}\n") == [QUOTE]
    assert quoted(f'{lead}\n\n> "{QUOTE}"\n') == [QUOTE]


@pytest.mark.parametrize(
    "text",
    [
        f"One rule is told plainly (source: raw/a.md).\n\n> {QUOTE}\n",
        f"It was old (source: raw/a.md). One rule is told plainly:\n\n> {QUOTE}\n",
        f"One rule is told plainly (source: raw/a.md):\n\n{QUOTE}\n",
        f"One rule is told plainly (source: raw/a.md):\n\n> **Note:** {QUOTE}\n",
        f"One rule is told plainly (source: raw/a.md):\n\n- The first.\n\n> {QUOTE}\n",
    ],
)
def test_a_quote_block_that_no_cited_lead_in_announces_is_no_claims(text: str) -> None:
    assert quoted(text) == []


def test_a_page_that_cites_as_a_whole_has_the_quote_blocks_of_its_sections() -> None:
    head = "---\nsources: [raw/a.md]\n---\n\n# The mill\n\n"
    assert read(f"{head}> {QUOTE}\n", LISTED).quotations == ()
    [found] = read(f"{head}## The wheel\n\nThe miller says:\n\n> {QUOTE}\n", LISTED).quotations
    assert (found.text, found.is_block) == (QUOTE, True)
