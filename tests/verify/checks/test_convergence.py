from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitops.verify.finding import Finding
from gitops.verify.view import RunFacts

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

NOTE = '\n[^1]: raw/mill.md, "forty people"\n[^2]: raw/census.md, "sixty people"\n'
CLAIM = "The mill employs 40 people.[^1]\n"
OLD = {"wiki/a.md": CLAIM + NOTE}
OVERWRITTEN = [("overwritten", "error", "wiki/a.md", 1, True)]


def test_a_page_that_nobody_touches_says_nothing(results: Results) -> None:
    assert results("convergence", OLD, {"wiki/b.md": CLAIM + NOTE}) == []


@pytest.mark.parametrize(
    "text",
    [
        "the mill employs **40** people![^1]\n",
        "The mill\nemploys 40  people[^1].\n",
        "“The mill employs 40 people”.[^1]\n",
        "Intro.\n\n- The mill employs 40 people.[^2][^1]\n",
        "As of 2024-05-01, the mill employs 40 people.[^1]\n",
        "The mill, as of 2024-05-01, employs 40 people.[^1]\n\nIt employs 60 people.[^2]\n",
        "> [!superseded] 2024-05-01\n> The mill employs 40 people.[^1]\n\nIt employs 60.[^2]\n",
        "> [!SUPERSEDED]- 2024-05-01\n>\n> Among others:\n>\n> - The mill employs 40 people.[^1]\n",
    ],
)
def test_equal_text_and_dated_survivors_stand(results: Results, text: str) -> None:
    assert results("convergence", OLD, {"wiki/a.md": text + NOTE}) == []


@pytest.mark.parametrize(
    "text",
    [
        "The mill employs 60 people.[^2]\n",
        "The mill employs 400 people.[^1]\n",
        "The mill employs -40 people.[^1]\n",
        "The mill employs 40 % people.[^1]\n",
        "The mill employed 40 people.[^1]\n",
        "The mill employs 40 people.\n",
        "As of May 2024, the mill employs 40 people.[^1]\n",
        "As of 2024-02-30, the mill employs 40 people.[^1]\n",
        "As of 2024-05-01, the mill employs 40 people.[^2]\n",
        "As of 2024-05-01, it is untrue that the mill employs 40 people.[^1]\n",
        "> [!superseded]\n> As of old, the mill employs 40 people.[^1]\n",
        "> [!superseded] 2024-05-01\n> Other words.\n\nOnce the mill employs 40 people.[^1]\n",
        "> [!superseded] 2024-05-01 counted anew\n> The mill employs 40 people.[^1]\n",
        "> [!superseded] 2024-13-01\n> The mill employs 40 people.[^1]\n",
        "> [!note] 2024-05-01\n> Indeed the mill employs 40 people.[^1]\n",
        "",
    ],
)
def test_a_claim_without_its_words_its_date_or_its_source_is_overwritten(results: Results, text: str) -> None:
    assert results("convergence", OLD, {"wiki/a.md": text + NOTE}) == OVERWRITTEN


@pytest.mark.parametrize(
    "text",
    [
        "~~The mill employs 40 people.[^1]~~ It employs 60.[^2]\n",
        "The mill ~~employs~~ 40 people.[^1]\n",
        "~~Long ago. **The mill employs 40 people**.[^1]~~\n",
        "| ~~The mill employs 40 people.~~[^1] |\n|---|\n",
    ],
)
def test_a_claim_is_not_struck_out_without_a_date(results: Results, text: str) -> None:
    assert results("convergence", OLD, {"wiki/a.md": text + NOTE}) == OVERWRITTEN


def test_a_dated_claim_may_be_struck_out_and_a_struck_one_may_stand(results: Results) -> None:
    dated = "~~As of 2024-05-01, the mill employs 40 people.[^1]~~ It employs 60.[^2]\n"
    assert results("convergence", OLD, {"wiki/a.md": dated + NOTE}) == []
    struck = {"wiki/a.md": "~~The mill employs 40 people.[^1]~~\n" + NOTE}
    assert results("convergence", struck, {"wiki/a.md": "More.\n\n" + struck["wiki/a.md"]}) == []


def test_strokes_beside_a_claim_leave_it(results: Results) -> None:
    text = "~~Nobody knows.~~ The mill employs 40 people.[^1] a~b~~c\n"
    assert results("convergence", OLD, {"wiki/a.md": text + NOTE}) == []


def test_the_repair_is_the_dated_survivor_itself(said_by: SaidBy) -> None:
    [found] = said_by("convergence", OLD, {"wiki/a.md": "Nothing.\n"})
    assert "'As of YYYY-MM-DD, The mill employs 40 people.'" in found.repair
    assert (found.source, found.claim) == ("raw/mill.md", "The mill employs 40 people.")


def test_a_deleted_page_takes_its_claims_with_it(results: Results) -> None:
    assert results("convergence", OLD, {"wiki/a.md": None}) == [("overwritten", "error", "wiki/a.md", 0, True)]


def test_a_renamed_page_keeps_its_claims(results: Results) -> None:
    assert results("convergence", OLD, {"wiki/a.md": None, "wiki/b.md": CLAIM + NOTE}) == []


def test_a_claim_may_move_into_no_log_and_no_file_beside_the_wiki(results: Results) -> None:
    for place in ("wiki/log.md", "notes/a.md", "wiki/a.txt"):
        assert results("convergence", OLD, {"wiki/a.md": "Nothing.\n", place: CLAIM + NOTE}) == OVERWRITTEN


def test_a_duplicate_may_go_while_an_untouched_page_says_the_same(results: Results) -> None:
    before = OLD | {"wiki/b.md": CLAIM + NOTE}
    assert results("convergence", before, {"wiki/a.md": "Nothing.\n"}) == []


def test_the_date_of_a_dated_claim_is_part_of_it(results: Results) -> None:
    before = {"wiki/a.md": f"As of 2020-01-01, the mill employs 40 people.[^1]\n{NOTE}"}
    moved = f"The mill employs 40 people as of 2020-01-01.[^1]\n{NOTE}"
    assert results("convergence", before, {"wiki/a.md": moved}) == []
    for text in ("As of 2024-01-01, the mill employs 40 people.[^1]\n", CLAIM):
        assert results("convergence", before, {"wiki/a.md": text + NOTE}) == OVERWRITTEN


def test_a_superseded_claim_may_not_be_made_to_hold_again(results: Results) -> None:
    before = {"wiki/a.md": f"> [!superseded] 2024-05-01\n> The mill employs 40 people.[^1]\n{NOTE}"}
    dated = f"As of 2024-05-01, the mill employs 40 people.[^1]\n{NOTE}"
    assert results("convergence", before, {"wiki/a.md": dated}) == []
    assert [one[0] for one in results("convergence", before, {"wiki/a.md": CLAIM + NOTE})] == ["overwritten"]


def test_words_that_stand_but_cite_another_source_are_noted(results: Results) -> None:
    told = results("convergence", OLD, {"wiki/a.md": "The mill employs 40 people.[^2]\n" + NOTE})
    assert told == [("resourced", "note", "wiki/a.md", 1, True)]


def test_a_table_cell_is_its_row_and_column_too(results: Results) -> None:
    def table(mill: str, works: str) -> str:
        return f"| Place | Staff |\n|---|---|\n| Mill | {mill} |\n| Works | {works} |\n{NOTE}"

    before = {"wiki/a.md": table("40[^1]", "40[^1]")}
    told = results("convergence", before, {"wiki/a.md": table("60[^1]", "40[^1]")})
    assert [(one[0], one[3]) for one in told] == [("overwritten", 3)]
    dated = {"wiki/a.md": table("40 (as of 2024-05-01)[^1]", "40[^1]")}
    assert results("convergence", before, dated) == []


def test_lint_and_archive_runs_are_free_when_they_say_why(results: Results) -> None:
    for run_type in ("lint", "archive"):
        change = {"wiki/a.md": "Nothing.\n"}
        assert results("convergence", OLD, change, run=RunFacts(run_type, reason="the census was withdrawn")) == []
        assert results("convergence", OLD, change, run=RunFacts(run_type, reason=" ")) == OVERWRITTEN
    told = results("convergence", OLD, {"wiki/a.md": "Nothing.\n"}, run=RunFacts("synthesis", reason="tidier"))
    assert told == OVERWRITTEN


def test_a_page_that_becomes_a_submodule_is_gone(results: Results) -> None:
    told = results("convergence", OLD, {"wiki/a.md": "0" * 40}, modes={"wiki/a.md": 0o160000})
    assert [one[0] for one in told] == ["overwritten"]


SENTENCES = [
    "The mill employs 40 people.[^1]",
    "It was built in 1911.[^1]",
    "Sixty people live nearby.[^2]",
    "As of 2020-01-01, it belonged to the town.[^2]",
    "Output grew by 1.5 %.[^1][^2]",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.permutations(SENTENCES), st.lists(st.integers(0, 2), min_size=5, max_size=5), st.booleans())
@pytest.mark.slow
def test_reordering_claims_or_moving_them_between_touched_pages_raises_nothing(
    results: Results, order: Sequence[str], places: list[int], as_list: bool
) -> None:
    before = {
        "wiki/a.md": "\n\n".join(SENTENCES[:3]) + "\n" + NOTE,
        "wiki/b.md": "\n\n".join(SENTENCES[3:]) + "\n" + NOTE,
    }
    names = ("wiki/a.md", "wiki/b.md", "wiki/c.md")
    pages: dict[str, list[str]] = {name: [] for name in names}
    for sentence, place in zip(order, places, strict=True):
        pages[names[place]].append(f"- {sentence}" if as_list else sentence)
    after = {name: "Words.\n\n" + "\n\n".join(said) + "\n" + NOTE for name, said in pages.items()}
    assert results("convergence", before, after) == []


@pytest.mark.parametrize("said", ["LLM - model knowledge", "https://example.org/a"])
def test_a_name_or_an_address_takes_no_sources_place(results: Results, said: str) -> None:
    toml = '[citations]\ndialects = ["canonical", "footnote_link", "remark"]\nrequire = []\n'
    old = {"raw/a.md": "Words.\n", "wiki/a.md": "One.[^1]\n\n[^1]: raw/a.md\n"}
    new = {"wiki/a.md": f"One.[^1]\n\n[^1]: {said}\n"}
    assert results("convergence", old, new, toml=toml) == [("overwritten", "error", "wiki/a.md", 1, True)]
    other = {"wiki/a.md": "One.[^1]\n\n[^1]: DeepSeek - general knowledge\n"}
    told = results("convergence", {**old, **new}, other, toml=toml)
    assert [one[:2] for one in told] == [("resourced", "note")]
