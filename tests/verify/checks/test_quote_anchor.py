from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.canonical import sha256
from gitops.verify.finding import Finding
from gitops.verify.verifier import Judged

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

MILL = "The mill was built in 1911. In 2019 it employed forty people on two shifts.\n"
OTHER = "The brewery was founded by two sisters. It never exported a single bottle.\n"
RAW = {"raw/mill.md": MILL, "raw/brewery.md": OTHER}


def page(quote: str, path: str = "raw/mill.md", claim: str = "The mill employs 40 people.", rest: str = "") -> str:
    return f'{claim}[^1]\n\n[^1]: {path}, "{quote}"{rest}\n'


def test_a_page_without_citations_says_nothing(results: Results) -> None:
    assert results("quote_anchor", RAW, {"wiki/a.md": "Plain words.\n"}) == []


def test_a_verbatim_quotation_is_kept_as_evidence_alone(judged: Callable[..., Judged]) -> None:
    found = judged(RAW, {"wiki/a.md": page("employed forty people")}).findings
    [verified] = [one for one in found if one.check == "quote_anchor"]
    at = MILL.index("employed")
    assert (verified.result, verified.level, verified.line) == ("verified", "none", 3)
    assert verified.evidence["offset"] == at
    assert verified.evidence["quote"] == MILL[at : at + len("employed forty people")]
    assert verified.evidence["sha256"] == sha256(b"employed forty people")
    assert verified.evidence["claims"] == ["The mill employs 40 people."]


def test_a_quotation_on_a_missing_source_is_left_to_source_exists(results: Results) -> None:
    assert results("quote_anchor", RAW, {"wiki/a.md": page("employed forty people", "raw/nope.md")}) == []


def test_white_space_case_and_offset_are_repaired_with_the_exact_text(said_by: SaidBy) -> None:
    [found] = said_by("quote_anchor", RAW, {"wiki/a.md": page("EMPLOYED forty  people", rest=" @3")})
    assert (found.result, found.level, found.line) == ("repaired", "note", 3)
    assert found.repair == f'raw/mill.md, "employed forty people" @{MILL.index("employed")}'


def test_one_changed_word_is_altered_and_both_texts_are_shown(said_by: SaidBy) -> None:
    [found] = said_by("quote_anchor", RAW, {"wiki/a.md": page("it employed fifty people on two shifts")})
    assert (found.result, found.level, found.line) == ("altered", "error", 3)
    assert found.evidence["written"] == "it employed fifty people on two shifts"
    assert found.evidence["source_says"] == "it employed forty people on two shifts"
    assert ["replace", "fifty", "forty"] in found.evidence["difference"]


def test_what_stands_nowhere_is_not_found(results: Results) -> None:
    told = results("quote_anchor", RAW, {"wiki/a.md": page("volcanoes rarely sing on Tuesdays")})
    assert told == [("not_found", "error", "wiki/a.md", 3, True)]


def test_what_stands_in_another_source_is_misattributed_and_the_source_named(said_by: SaidBy) -> None:
    [found] = said_by("quote_anchor", RAW, {"wiki/a.md": page("founded by two sisters")})
    assert (found.result, found.level, found.line) == ("misattributed", "error", 3)
    assert found.message == "stands in raw/brewery.md, not in raw/mill.md"
    assert found.repair.startswith('raw/brewery.md, "founded by two sisters" @')


def test_a_short_quotation_is_not_sought_elsewhere(results: Results) -> None:
    told = results("quote_anchor", RAW, {"wiki/a.md": page("sisters")})
    assert told == [("not_found", "error", "wiki/a.md", 3, True)]


def test_submodules_and_links_beside_the_source_are_not_searched(results: Results) -> None:
    before = RAW | {"raw/kueue": "", "raw/link.md": "founded by two sisters"}
    modes = {"raw/kueue": 0o160000, "raw/link.md": 0o120000}
    del before["raw/brewery.md"]
    told = results("quote_anchor", before, {"wiki/a.md": page("founded by two sisters")}, modes_before=modes)
    assert told == [("not_found", "error", "wiki/a.md", 3, True)]


def test_a_binary_source_is_unreadable(results: Results) -> None:
    before = {"raw/scan.md": b"\0\1\2\3 binary \0"}
    told = results("quote_anchor", before, {"wiki/a.md": page("anything", "raw/scan.md")})
    assert told == [("unreadable", "error", "wiki/a.md", 3, True)]


NOW = "The mill was built in 1911. It stands empty today.\n"
VERSIONS = {"raw/mill.md": [("c", "2024-03-01", NOW), ("b", "2023-02-01", MILL), ("a", "2020-01-01", MILL)]}


def test_a_new_claim_on_words_that_the_source_no_longer_says_is_an_error(said_by: SaidBy) -> None:
    files = {"raw/mill.md": NOW}
    [found] = said_by("quote_anchor", files, {"wiki/a.md": page("employed forty people")}, versions=VERSIONS)
    assert (found.result, found.level, found.new) == ("drifted", "error", True)
    assert found.message == ("raw/mill.md no longer says this since cccccccccc (2024-03-01); version bbbbbbbbbb did")
    assert (found.evidence["held_by"], found.evidence["changed_by"]) == ("b" * 40, "c" * 40)


def test_drift_is_told_before_misattribution_and_alteration(results: Results) -> None:
    files = {"raw/mill.md": NOW, "raw/copy.md": MILL}
    told = results("quote_anchor", files, {"wiki/a.md": page("employed forty people")}, versions=VERSIONS)
    assert [one[0] for one in told] == ["drifted"]


def test_a_source_synced_in_the_same_range_warns_of_the_claims_that_were_there(said_by: SaidBy) -> None:
    before = {"raw/mill.md": MILL, "wiki/a.md": page("employed forty people")}
    versions = {"raw/mill.md": [("b", "2023-02-01", MILL)]}
    [found] = said_by("quote_anchor", before, {"raw/mill.md": NOW}, versions=versions)
    assert (found.result, found.level, found.path, found.new) == ("drifted", "warning", "wiki/a.md", True)
    assert found.evidence["changed_by"] == f"{1:040x}"
    assert "since 0000000000, in this change" in found.message


def test_an_old_claim_moved_to_another_page_still_only_warns(results: Results) -> None:
    before = {"raw/mill.md": NOW, "wiki/a.md": page("employed forty people")}
    change = {"wiki/a.md": "Gone.\n", "wiki/b.md": page("employed forty people")}
    told = results("quote_anchor", before, change, versions=VERSIONS)
    assert told == [("drifted", "warning", "wiki/b.md", 3, True)]


@pytest.mark.parametrize("quote", ["employed forty people", "on two shifts"])
def test_an_old_claim_with_a_swapped_citation_is_as_new_as_any(results: Results, quote: str) -> None:
    """Swapped for another source with the same words, and for other words."""
    before = {"raw/mill.md": NOW, "raw/copy.md": MILL, "wiki/a.md": page("employed forty people", "raw/copy.md")}
    told = results("quote_anchor", before, {"wiki/a.md": page(quote)}, versions=VERSIONS)
    assert told == [("drifted", "error", "wiki/a.md", 3, True)]


@pytest.mark.parametrize(
    "text",
    [
        'As of 2023-02-01, the mill employs 40 people.[^1]\n\n[^1]: raw/mill.md, "employed forty people"\n',
        '> [!superseded] 2023-02-01\n> The mill employs 40 people.[^1]\n\n[^1]: raw/mill.md, "employed forty people"\n',
    ],
)
def test_the_drift_of_a_dated_survivor_is_a_note(results: Results, text: str) -> None:
    told = results("quote_anchor", {"raw/mill.md": NOW}, {"wiki/a.md": text}, versions=VERSIONS)
    assert [one[:2] for one in told] == [("drifted", "note")]


def test_a_footnote_that_was_wrong_before_gates_the_claim_that_newly_leans_on_it(said_by: SaidBy) -> None:
    bad = '[^1]: raw/mill.md, "volcanoes rarely sing on Tuesdays"\n'
    before = RAW | {"wiki/a.md": f"Old claim.[^1]\n\n{bad}"}
    found = said_by("quote_anchor", before, {"wiki/a.md": f"Old claim.[^1]\n\nFresh invention.[^1]\n\n{bad}"})
    told = sorted((one.claim, one.result, one.new) for one in found)
    assert told == [("Fresh invention.", "not_found", True), ("Old claim.", "not_found", False)]


def test_a_source_that_git_holds_decomposed_is_read(results: Results) -> None:
    before = {"raw/cafe\u0301.md": MILL}
    assert results("quote_anchor", before, {"wiki/a.md": page("employed forty people", "raw/caf\u00e9.md")}) == []


def test_the_same_wrong_quotation_is_not_new_when_lines_move(results: Results) -> None:
    wrong = page("volcanoes rarely sing on Tuesdays")
    told = results("quote_anchor", RAW | {"wiki/a.md": wrong}, {"wiki/a.md": "# Title\n\n" + wrong})
    assert told == [("not_found", "error", "wiki/a.md", 5, False)]


def test_a_quotation_that_time_stamps_cut_is_verified_and_its_mend_has_none(
    judged: Callable[..., Judged], said_by: SaidBy
) -> None:
    before = {"raw/talk.md": "0:00\nthe long story\n0:20\nof a mill\n0:40\nthat never stopped\n"}
    found = judged(before, {"wiki/a.md": page("long story of a mill", "raw/talk.md")}).findings
    [verified] = [one for one in found if one.check == "quote_anchor"]
    assert (verified.result, verified.message) == ("verified", "stands word for word but for time stamps")
    assert verified.evidence["quote"] == "long story\n0:20\nof a mill"
    [mend] = said_by("quote_anchor", before, {"wiki/a.md": page("Long story of a mill", "raw/talk.md")})
    assert (mend.result, mend.repair) == ("repaired", 'raw/talk.md, "long story of a mill" @9')
    [wrong] = said_by("quote_anchor", before, {"wiki/a.md": page("long story of a house that", "raw/talk.md")})
    assert (wrong.result, wrong.repair) == ("altered", 'raw/talk.md, "long story of a mill that" @9')


def test_an_accepted_finding_stays_the_same_one_however_it_is_typed(said_by: SaidBy) -> None:
    before = {**RAW, "wiki/a.md": page("it employed fifty “good” people", claim="The mill - they say - employs 40.")}
    typed = page("it employed fifty 'good'  people", claim="The mill — they  say — employs 40.")
    [found] = said_by("quote_anchor", before, {"wiki/a.md": typed})
    assert (found.result, found.new) == ("altered", False)


def test_a_name_that_a_transcript_spells_in_its_own_way_is_repaired_to_that(said_by: SaidBy) -> None:
    before = {"raw/talk.md": "0:00\nmy friend Andre\n0:20\nCarpathy who built\n0:40\nthe engine\n"}
    text = page("my friend Andre Karpathy who built", "raw/talk.md")
    [found] = said_by("quote_anchor", before, {"wiki/a.md": text})
    assert (found.result, found.level) == ("repaired", "note")
    assert found.repair == 'raw/talk.md, "my friend Andre Carpathy who built" @5'
    mended = text.replace('raw/talk.md, "my friend Andre Karpathy who built"', found.repair)
    assert said_by("quote_anchor", before, {"wiki/a.md": mended}) == []
    [found] = said_by("quote_anchor", before, {"wiki/a.md": page("my friend Andre Karpathy who sold", "raw/talk.md")})
    assert found.result == "altered"
