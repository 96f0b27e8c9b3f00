from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from gitops.evals.standing_anchors import Anchor, anchors, dated, is_exact, sources_of
from gitops.verify.view import View

MakeView = Callable[[Mapping[str, "str | bytes"]], View]
REPORT = "# Report\n\nThe mill employs 40 people. The river is 9 km long.\n"
TALK = "0:10 the mill of Mariner employs 40 people\n0:20 and so on\n0:30 and on\n"


@pytest.fixture
def page(make_view: MakeView) -> Callable[..., View]:
    """page(text, policy="", **files) -> a view of a wiki with one page."""

    def make(text: str, policy: str = "", **files: str | bytes) -> View:
        named = {"wiki/mill.md": text, "wiki/index.md": "# Index\n", "assay.toml": policy}
        return make_view({"raw/report.md": REPORT, "raw/talk.md": TALK, **named, **files})

    return make


def told(view: View) -> list[tuple[str, str, bool]]:
    return [(one.source, one.told, one.is_standing) for one in anchors(view, "wiki/mill.md")]


def test_a_citation_without_quotation_and_place_is_no_anchor(page: Callable[..., View]) -> None:
    assert told(page("# Mill\n\nIt stands.[^1]\n\n[^1]: raw/report.md\n")) == []


def test_a_source_that_is_not_there_has_no_anchor(page: Callable[..., View]) -> None:
    view = page('# Mill\n\nIt stands.[^1]\n\n[^1]: raw/gone.md, "It stands"\n')
    assert told(view) == []
    assert sources_of(view, "wiki/mill.md") == {"raw/gone.md": None}


def test_what_the_source_does_not_say_does_not_stand(page: Callable[..., View]) -> None:
    view = page('# Mill\n\n50 work there.[^1]\n\n[^1]: raw/report.md, "employs 50 people"\n')
    assert told(view) == [("raw/report.md", "employs 50 people", False)]


def test_spelling_does_not_count_and_neither_does_a_transcriber_s(page: Callable[..., View]) -> None:
    view = page(
        "# Mill\n\n40 work there.[^1] In Marener too.[^2]\n\n"
        '[^1]: raw/report.md, "The  mill employs 40 people"\n'
        '[^2]: raw/talk.md, "the mill of Marener employs 40 people"\n'
    )
    assert [standing for *_, standing in told(view)] == [True, True]


def test_a_footnote_that_several_claims_share_is_one_anchor_of_all_of_them(page: Callable[..., View]) -> None:
    view = page('# Mill\n\n40 work there.[^1] It is large.[^1]\n\n[^1]: raw/report.md, "employs 40 people"\n')
    [one] = anchors(view, "wiki/mill.md")
    assert [said.words for said in one.said] == ["40 work there", "it is large"]
    assert (one.line, one.claim) == (3, "40 work there.")


def test_a_page_number_is_a_place(page: Callable[..., View], make_pdf: Callable[..., bytes]) -> None:
    text = "# Mill\n\nSo.[^1] And so.[^2]\n\n[^1]: raw/a.pdf, p.2\n[^2]: raw/a.pdf, p.3\n"
    files: dict[str, str | bytes] = {"raw/a.pdf": make_pdf("One.", "Two.")}
    assert told(page(text, **files)) == [("raw/a.pdf", "p. 2", True), ("raw/a.pdf", "p. 3", False)]


def test_where_citations_have_no_field_for_quotations_those_of_the_claim_are_anchors(page: Callable[..., View]) -> None:
    policy = '[citations]\ndialects = ["caret"]\n'
    view = page('# Mill\n\nIt says "the river is 9 km long". ^[raw/report.md]\n', policy)
    found = told(view)
    assert found == [("raw/report.md", "the river is 9 km long", True)]
    assert is_exact(view, "wiki/mill.md") is False
    assert list(sources_of(view, "wiki/mill.md")) == ["raw/report.md"]


def test_dated_claims_know_their_sources_whether_these_are_there_or_not(page: Callable[..., View]) -> None:
    view = page(
        "# Mill\n\nAs of 2024-01-02, 50 worked there.[^1] 40 work there.[^2]\n\n"
        '[^1]: raw/gone.md, "employs 50 people"\n[^2]: raw/report.md, "employs 40 people"\n'
    )
    [one] = dated(view, "wiki/mill.md")
    assert (one.said.day, one.sources) == ("2024-01-02", frozenset(["raw/gone.md"]))


@pytest.mark.parametrize(
    ("words", "place", "source", "blob", "lives"),
    [
        ("employs 40 people", "", "raw/a.md", "1", True),
        ("the mill employs 40 people", "", "raw/a.md", "2", True),
        ("employs 40 people", "", "raw/renamed.md", "1", True),
        ("employs 40 people", "", "raw/other.md", "2", False),
        ("40 people", "", "raw/a.md", "1", False),
        ("", "p. 1", "raw/a.md", "1", False),
    ],
)
def test_an_anchor_lives_in_one_that_quotes_the_same_and_maybe_more(
    words: str, place: str, source: str, blob: str, *, lives: bool
) -> None:
    def made(words: str, place: str, source: str, blob: str) -> Anchor:
        return Anchor("wiki/a.md", 1, "", (), source, blob, words, place, words or place, is_standing=True)

    old = made("employs 40 people", "", "raw/a.md", "1")
    assert old.lives_in(made(words, place, source, blob)) is lives
    paged = made("", "p. 1", "raw/a.md", "1")
    assert paged.lives_in(made("anything", "p. 1", "raw/a.md", "1"))
    assert not paged.lives_in(made("anything", "p. 2", "raw/a.md", "1"))
