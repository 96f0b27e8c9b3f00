from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gitops.evals.statements import Stated, is_stating, stated
from gitops.verify.view import View

Make = Callable[..., View]
CITED = "\n[^1]: raw/report.md\n"


def of(make_view: Make, text: str, path: str = "wiki/mill.md") -> Stated:
    view = make_view({"assay.toml": "", "raw/report.md": "Report.\n", path: text})
    return stated(view.page(path), path)


def texts(found: Stated) -> list[str]:
    return [one.text for one in found.statements]


@pytest.mark.parametrize("path", ["wiki/index.md", "wiki/log.md", "wiki/a/index.md", "wiki/SCHEMA.md", "raw/report.md"])
def test_what_is_no_page_about_anything_states_nothing(make_view: Make, path: str) -> None:
    assert not is_stating(make_view({"assay.toml": "", path: "# A\n"}), path)
    assert is_stating(make_view({"assay.toml": "", path: "# A\n"}), "wiki/mill.md")


def test_headings_lists_of_links_and_labels_state_nothing(make_view: Make) -> None:
    assert not of(make_view, "# The mill and its people\n\n- [Harbour](harbour.md)\n\n40 %\n\nTwo words.\n").statements


def test_claims_and_other_sentences_in_the_order_of_the_page(make_view: Make) -> None:
    found = of(make_view, f"# Mill\n\nThe mill is old. It employs 40 people.[^1] It stands in Lindau.\n{CITED}")
    assert texts(found) == ["The mill is old.", "It employs 40 people.", "It stands in Lindau."]
    assert [bool(one.cites) for one in found.statements] == [False, True, False]
    assert [one.place.line for one in found.statements] == [3, 3, 3]


def test_what_a_page_cites_as_a_whole_backs_its_sentences(make_view: Make) -> None:
    policy = '[citations]\ndialects = ["canonical", "frontmatter"]\n'
    page = "---\nsources: [raw/report.md]\n---\n\n# Mill\n\nThe mill is old.\n"
    view = make_view({"assay.toml": policy, "raw/report.md": "Report.\n", "wiki/mill.md": page})
    (only,) = stated(view.page("wiki/mill.md"), "wiki/mill.md").statements
    assert [cite.path for cite in only.cites] == ["raw/report.md"]


def test_a_cited_cell_is_read_behind_its_heads(make_view: Make) -> None:
    table = "| mill | people |\n|---|---|\n| Lindau works | 40 in all[^1] |\n"
    assert texts(of(make_view, f"# Mill\n\n{table}{CITED}")) == ["Lindau works, people: 40 in all"]


@pytest.mark.parametrize(
    ("sentence", "settled"),
    [
        ("It employs 40 people.[^1]", ""),
        ("As of 2019-05-01, it employs 40 people.[^1]", "dated"),
        ("> [!superseded] 2019-05-01\n> It employs 40 people.[^1]", "dated"),
        ("It employs ~~40~~ people in all.[^1]", "struck"),
        ("> [!disputed] Sources disagree\n> It employs 40 people.[^1]", "disputed"),
        ("As of 2019-05-01, it employs 40 people.", "dated"),
    ],
)
def test_what_held_once_or_is_disputed_is_settled(make_view: Make, sentence: str, settled: str) -> None:
    (only,) = of(make_view, f"# Mill\n\n{sentence}\n{CITED}").statements
    assert only.settled == settled


def test_an_id_goes_by_page_words_and_place_among_equals(make_view: Make) -> None:
    one = of(make_view, "It employs 40 people.\n")
    moved = of(make_view, "# Mill\n\nThe mill is old.\n\nIt employs 40 people.\n\nIt employs 40 people.\n")
    other = of(make_view, "It employs 40 people.\n", "wiki/works.md")
    ids = [found.statements[at].id for found, at in ((one, 0), (moved, 1), (moved, 2), (other, 0))]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3


def test_a_disputed_note_names_both_claims(make_view: Make) -> None:
    note = "> [!disputed] Sources disagree\n> It employs 40 people.[^1]\n>\n> It employs 60 people.[^1]\n"
    found = of(make_view, f"# Mill\n\nIt employs 40 people.[^1]\n\n{note}\nIt is old by now.\n{CITED}")
    here, *in_note, old = found.statements
    other: Any = of(make_view, "It employs 60 people!\n", "wiki/works.md").statements[0]
    assert [one.settled for one in in_note] == ["disputed", "disputed"]
    assert found.disputes_both(here, other)
    assert found.disputes_both(other, here)
    assert not found.disputes_both(old, other)
