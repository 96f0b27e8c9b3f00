from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Cite, Locator, Page
from gitops.wiki.page import parse

ONLY = Conventions(("footnote_link",))
BEVERAGES = Path(__file__).parents[3] / "../shared/data/wikis/citadel-beverages"


def page(definition: str, conventions: Conventions = ONLY) -> Page:
    return parse(f"---\né: 1\n---\nWords.[^n]\n\n{definition}\n".encode(), conventions)


def cites(definition: str, conventions: Conventions = ONLY) -> tuple[Cite, ...]:
    return tuple(cite for claim in page(definition, conventions).claims for cite in claim.cites)


def written(definition: str) -> list[str]:
    parsed = page(definition)
    return [parsed.text[cite.place.start : cite.place.end] for claim in parsed.claims for cite in claim.cites]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Approximate; rounding differs between years.",
        "What this word means here is told in the [glossary](glossary.md)",
        "config.md is optional in this version",
        "[above](#section)",
        "[mail](mailto:a@b.c)",
        "![chart](../raw/chart.png)",
        "[t](raw/<file>.md)",
        "`[x](raw/x.md)`",
        "[[source-x]]",
    ],
)
def test_what_leads_to_no_source_is_left_to_other_dialects(body: str) -> None:
    assert cites(f"[^n]: {body}") == ()


@pytest.mark.parametrize("body", ['raw/a.md, "never closed', 'raw/a.pdf, p. 3, "never closed'])
def test_a_canonical_citation_with_a_slip_stays_a_form_that_nobody_reads(body: str) -> None:
    parsed = page(f"[^n]: {body}", Conventions(("canonical", "footnote_link", "remark")))
    assert [problem.result for problem in parsed.problems] == ["unknown_form"]


@pytest.mark.parametrize(
    "body", ["[raw/a.md](../../raw/a.md, line 3", "[raw/a.md(../raw/a.md), line 3", "[a](raw/a.md"]
)
def test_half_a_link_is_a_form_that_nobody_reads(body: str) -> None:
    parsed = page(f"[^n]: {body}", Conventions(("canonical", "footnote_link", "footnote_page", "remark")))
    assert [problem.result for problem in parsed.problems] == ["unknown_form"]


@pytest.mark.parametrize(
    ("behind", "locator"),
    [
        (", lines 74-78 — note (ingested 2026-07-16)", Locator("lines 74-78", 74, 78)),
        (", line 5", Locator("line 5", 5, 5)),
        (", lines 3-5, 9-12 — note", Locator("lines 3-5, 9-12", 3, 12)),
        (", lines 3 and 9", Locator("lines 3 and 9", 3, 9)),
        (", line 3, 12 May", Locator("line 3", 3, 3)),
        (": L5-L10", Locator("L5-L10", 5, 10)),
        (", § Tea (ingested 2026-07-16)", Locator("§ Tea", heading="Tea")),
        (
            ", § Water — the hidden one — target (ingested 2026-07-16)",
            Locator("§ Water — the hidden one — target", heading="Water — the hidden one — target"),
        ),
        (", § A, b (c)", Locator("§ A, b (c)", heading="A, b (c)")),
        (", 12:34", Locator("12:34", seconds=754)),
        (" — 10:30 am, and so on", None),
        (" — section on brewing", None),
        (" — pages of notes", None),
        ("", None),
    ],
)
def test_what_stands_behind_a_link_says_where(behind: str, locator: Locator | None) -> None:
    (cite,) = cites(f"[^n]: [raw/ä.md](../../raw/%C3%A4.md){behind}")
    assert (cite.dialect, cite.how, cite.path, cite.label) == ("footnote_link", "link", "../../raw/ä.md", "n")
    assert (cite.locator, cite.first_page) == (locator, None)
    (place,) = written(f"[^n]: [raw/ä.md](../../raw/%C3%A4.md){behind}")
    assert place.endswith(locator.said if locator else ")")


@pytest.mark.parametrize(("said", "pages"), [("p. 12", (12, 12)), ("pp. 3-4", (3, 4)), ("page 5", (5, 5))])
def test_pages(said: str, pages: tuple[int, int]) -> None:
    (cite,) = cites(f"[^n]: [r](../raw/r.pdf), {said} — Methods: 3 lines")
    assert (cite.first_page, cite.last_page, cite.locator) == (*pages, None)


def test_a_fragment_says_where_unless_words_do() -> None:
    (first,) = cites("[^n]: [r](../raw/r.md#water-chemistry)")
    (second,) = cites("[^n]: [r](../raw/r.md#water-chemistry), line 3")
    assert first.locator == Locator("water-chemistry", heading="water-chemistry")
    assert second.locator == Locator("line 3", 3, 3)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "[a](../raw/a.md), line 3; [b](../raw/b.pdf), p. 2 — n",
            ["[a](../raw/a.md), line 3", "[b](../raw/b.pdf), p. 2"],
        ),
        ("[a](../raw/a.md), § A; [b](../raw/b.md), § B", ["[a](../raw/a.md), § A", "[b](../raw/b.md), § B"]),
        ("Verified from [A](https://a.b/c) and [B](https://d.e) on Meta.", ["[A](https://a.b/c)", "[B](https://d.e)"]),
        ("See [x](../raw/x.md), p. 3.", ["[x](../raw/x.md), p. 3"]),
        ('[x](<../raw/x y.md> "Title"), line 3', ['[x](<../raw/x y.md> "Title"), line 3']),
        ("[x](../raw/x_(1).md)", ["[x](../raw/x_(1).md)"]),
        ("raw/f.md, lines 3-5", ["raw/f.md, lines 3-5"]),
        ("raw/My File.md, lines 3-5", ["raw/My File.md, lines 3-5"]),
        ("My File.md, lines 3-5", ["My File.md, lines 3-5"]),
        ("- [a](../raw/a.md)\n    - [b](../raw/b.md), p. 2", ["[a](../raw/a.md)", "[b](../raw/b.md), p. 2"]),
        ("[a](../raw/a.md)#L3-L5", ["[a](../raw/a.md)#L3-L5"]),
        ("raw/f.md:3-5 — n", ["raw/f.md:3-5"]),
        ("[a](../raw/a.pdf) (p. 3) — n", ["[a](../raw/a.pdf) (p. 3)"]),
        ("`raw/f.md`, lines 3-5", ["`raw/f.md`, lines 3-5"]),
        ("<raw/a, b.md>, line 3", ["<raw/a, b.md>, line 3"]),
        ("<https://a.b/c>", ["<https://a.b/c>"]),
        ("Bitcoin ETL: https://a.b/c.", ["https://a.b/c"]),
        ("[x](page.md) — as told", ["[x](page.md)"]),
        ("[a](../raw/a.md) — see also [there](there.md)", ["[a](../raw/a.md)"]),
        (
            "[a](../raw/a.md),\n    lines 3-5 — goes\n    on; [b](../raw/b.md)",
            ["[a](../raw/a.md),\n    lines 3-5", "[b](../raw/b.md)"],
        ),
        ("Smith, J. (2019). A title of many words. [text](../pdfs/x.pdf), p. 3.", ["[text](../pdfs/x.pdf), p. 3"]),
        ("As the report for the year 2019 has it, [r](source-report.md)", ["[r](source-report.md)"]),
        ("**Source:** [x](page.md)", ["[x](page.md)"]),
        ("[a](../raw/a.md); [[source-b]]", ["[a](../raw/a.md)", "[[source-b]]"]),
    ],
)
def test_every_citation_of_a_definition_and_where_it_stands(body: str, expected: list[str]) -> None:
    assert written(f"[^n]: {body}") == expected


def test_the_title_in_front_of_a_page_link_is_a_wiki_link_to_a_path() -> None:
    (cite,) = cites("[^n]: [[Source X]](../sources/x.md), p. 3")
    assert (cite.how, cite.path, cite.first_page) == ("link", "../sources/x.md", 3)


def test_quotations_in_the_note_belong_to_their_citation() -> None:
    body = '[a](../raw/a.md), line 3 — labeled "one two three four"; [b](../raw/b.md) — says "five six seven eight"'
    found = cites(f"[^n]: {body}")
    assert [[one.text for one in cite.quotations] for cite in found] == [
        ["one two three four"],
        ["five six seven eight"],
    ]
    text = page(f"[^n]: {body}").text
    for cite in found:
        for one in cite.quotations:
            assert text[one.place.start : one.place.end] == one.text


def test_a_quotation_behind_a_heading_is_among_them() -> None:
    (cite,) = cites('[^n]: [a](../raw/a.md), § Tea — the "cheerfully one-sided little verdict" of the firm')
    assert [one.text for one in cite.quotations] == ["cheerfully one-sided little verdict"]


def test_a_link_within_a_remark_stays_a_link_of_the_page() -> None:
    links = page("[^n]: [a](../raw/a.md) — see also [there](there.md)").links
    assert [(link.target, link.is_cited) for link in links] == [("../raw/a.md", True), ("there.md", False)]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='ab[]()!`<>#^:;,."§—- /\n\\|é1raw.md'))
def test_no_definition_raises_and_every_place_is_on_the_page(body: str) -> None:
    parsed = parse(f"a[^n]\n\n[^n]: {body}".encode(), Conventions(("footnote_link", "footnote_page", "remark")))
    for cite in (cite for claim in parsed.claims for cite in claim.cites):
        assert 0 <= cite.place.start < cite.place.end <= len(parsed.text)


@pytest.mark.parametrize("unit", ["[", "(", "`", "[a](", "[a](b)", " ", "a/", "— ", "[[", "<", "§ ", ". ", "(x "])
def test_a_long_definition_is_read_in_no_time(unit: str) -> None:
    import time

    begun = time.process_time()
    parse(f"a[^n]\n\n[^n]: [r](../raw/r.md), § {unit * 5_000}".encode(), Conventions(("footnote_link", "remark")))
    assert time.process_time() - begun < 2


@pytest.mark.skipif(not BEVERAGES.exists(), reason="needs the wikis")
def test_every_footnote_of_a_real_wiki_is_read() -> None:
    conventions = Conventions(("canonical", "footnote_link", "remark"))
    found = [parse(path.read_bytes(), conventions) for path in sorted(BEVERAGES.joinpath("wiki").rglob("*.md"))]
    assert [problem for one in found for problem in one.problems] == []
    cited = {(index, cite) for index, one in enumerate(found) for claim in one.claims for cite in claim.cites}
    assert len(cited) > 300
    assert {cite.dialect for _, cite in cited} == {"footnote_link", "remark"}
