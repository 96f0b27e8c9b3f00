from __future__ import annotations

from gitops.agents.answering.backing import cites_of, sourced
from gitops.agents.answering.witnesses import Witness, witnesses
from gitops.agents.answers import Citation, Said, Source
from gitops.verify.view import View
from tests.agents.shelves import view_of

SOURCE = (
    "# On tides\n\nNobody knows the weather. The **sea** falls\nback twice a day. In 1953 it rose 5 m.\n\n"
    "## Causes\n\nThe moon pulls the water.\n"
)
POLICY = '[citations]\ndialects = ["canonical", "footnote_link"]\nrequire = []\n'


def page(definition: str) -> str:
    return f"# Tides\n\nThe sea falls twice a day.[^1] It is blue.\n\n{definition}\n"


def view(definition: str) -> View:
    return view_of(
        {"wiki/tides.md": page(definition), "wiki/index.md": "[t](tides.md)", "raw/tides.md": SOURCE}, POLICY
    )


def found(definition: str, text: str = "The sea falls twice a day.") -> tuple[Witness, ...]:
    seen = view(definition)
    return witnesses(seen, "wiki/tides.md", text, seen.page("wiki/tides.md").claims[0].cites)


def test_a_source_that_is_not_there_is_no_witness() -> None:
    assert found('[^1]: raw/waves.md, "the sea falls"') == ()


def test_a_quotation_that_does_not_stand_there_is_no_witness() -> None:
    assert found('[^1]: raw/tides.md, "the sea is made of cheese and wine"') == ()


def test_a_source_that_says_nothing_of_it_is_no_witness() -> None:
    assert found("[^1]: [raw/tides.md](../raw/tides.md)", "Penguins eat sardines.") == ()


def test_a_quotation_is_taken_as_the_source_has_it() -> None:
    [one] = found('[^1]: raw/tides.md, "sea falls back twice"')
    assert (one.cited, one.first_page) == ("raw/tides.md", None)
    assert SOURCE[one.offset : one.offset + len(one.quote)] == one.quote
    assert " ".join(one.quote.replace("*", "").split()) == "sea falls back twice"


def test_without_a_quotation_the_nearest_words_are_quoted() -> None:
    [one] = found("[^1]: [raw/tides.md](../raw/tides.md)")
    assert one.quote == "The **sea** falls\nback twice a day."
    assert SOURCE.index(one.quote) == one.offset


def test_a_locator_bounds_where_words_are_sought() -> None:
    assert found("[^1]: [raw/tides.md](../raw/tides.md), line 8 — causes") == ()
    [one] = found("[^1]: [raw/tides.md](../raw/tides.md), lines 3-4 — falls")
    assert "falls" in one.quote


def test_numbers_are_sought_first() -> None:
    [one] = found("[^1]: [raw/tides.md](../raw/tides.md)", "The weather of 1953 was such that the sea rose 5 m.")
    assert "1953" in one.quote


def test_what_a_page_cites_for_a_sentence_is_told_with_its_line() -> None:
    seen = view("[^1]: [raw/tides.md](../raw/tides.md), line 3 — falls")
    start = seen.page("wiki/tides.md").text.index("The sea")
    said = Said("x", (Citation("wiki/tides.md", "c", start, start + 10, 0, "The sea"),))
    [citation] = sourced(seen, said).citations
    assert citation.line == 3
    assert citation.sources == (Source("raw/tides.md", "line 3", ""),)


def test_a_sentence_without_a_citation_has_those_of_its_page() -> None:
    plain = view_of({"wiki/a.md": "---\nsources: [raw/tides.md]\n---\nIt is blue.\n", "raw/tides.md": SOURCE}, _FRONT)
    read = plain.page("wiki/a.md")
    assert [cite.path for cite in cites_of(read, read.body, read.body + 5)] == ["raw/tides.md"]


_FRONT = '[citations]\ndialects = ["canonical", "frontmatter"]\nrequire = []\n'
