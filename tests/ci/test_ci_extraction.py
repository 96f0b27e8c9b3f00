"""What a check of a change says of extraction: real gold, real atoms, and changes to both."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gitops.ci.comment import render_comment, wanted
from gitops.ci.events import ACCEPT_LABEL, Event
from gitops.ci.outcome import Checked
from gitops.ci.result import BarRow, ExtractionAnswer
from gitops.ci.summary import render_summary
from gitops.runs import feedback
from tests.ci.extraction_driving import (
    ATOMS,
    EXTRACTED,
    FEW,
    GOLD,
    MADE_UP,
    OTHERS,
    POLICY,
    atom,
    edge,
    extracted,
    told,
    without,
)
from tests.ci.suites_driving import Brewery
from tests.runs.driving import Wiki, first_files, page

Change = Mapping[str, str | None]


@pytest.fixture
def make_house(make_repository: Callable[..., Path]) -> Callable[..., Brewery]:
    def make(files: Mapping[str, str] | None = None) -> Brewery:
        return Brewery(Wiki(make_repository(dict(told() if files is None else files))))

    return make


@pytest.fixture
def house(make_house: Callable[..., Brewery]) -> Brewery:
    return make_house()


def checked(house: Brewery, changes: Change, **asked: object) -> Checked:
    base = house.wiki.git("rev-parse", "HEAD")
    house.commit(changes)
    return house.checked(base, **asked)


def answer(found: Checked) -> ExtractionAnswer:
    assert found.result.extraction is not None
    return found.result.extraction


def rows(found: Checked) -> dict[str, BarRow]:
    return {row.metric: row for row in answer(found).bars}


def test_atoms_that_are_gone_fail_the_check_and_are_named_with_their_places(house: Brewery) -> None:
    found = checked(house, without(*OTHERS))
    assert (found.result.outcome, found.exit_code()) == ("failed", 1)
    assert found.result.cause == "extraction.atom_f1 is 0.571 (the bar is >= 0.6; the base has 1.000)"
    one = answer(found)
    assert (one.because, one.extracted) == ("extracted/tea/brewer.md and 2 more changed", "extracted/")
    assert (one.cases, one.kinds, one.new_wrong) == (1, {"missed": 3}, 3)
    numbers = {name: (row.before, row.after and round(row.after, 3), row.verdict) for name, row in rows(found).items()}
    assert numbers == {
        "atom_f1": (1.0, 0.571, "below"),
        "edge_f1": (1.0, 0.5, "met"),
        "validity": (1.0, 1.0, "met"),
        "graph_errors": (0.0, 0.0, "met"),
        "faithfulness": (1.0, 1.0, "met"),
    }
    missed = {each.what.split(" (")[0]: f"{each.source}:{each.source_line}" for each in one.wrong}
    source = f"{GOLD}/sources/water.md"
    assert missed == {"role brewer": f"{source}:8", "process brewing": f"{source}:8", "artifact pot": f"{source}:8"}
    comment = render_comment(found.result)
    assert "**Extraction** of extracted/, 1 case of gold" in comment
    assert f"- **missed** `tea`: artifact pot (Pot of tea)<br>source `{source}:8`" in comment
    assert "**3 things wrong, all since this change: 3 missed**" in render_summary(found.result)


def test_a_change_for_the_better_passes_and_is_shown(make_house: Callable[..., Brewery]) -> None:
    house = make_house(told(more=extracted(*FEW)))
    found = checked(house, dict(extracted()))
    assert (found.result.outcome, found.exit_code(fail_on_neutral=True)) == ("passed", 0)
    assert found.result.cause.endswith("extraction reaches its bars.")
    row = rows(found)["atom_f1"]
    assert (row.before and round(row.before, 3), row.after, row.verdict, row.was_below) == (0.571, 1.0, "met", True)
    assert answer(found).wrong == ()
    assert wanted(found.result, "on-change", False)


def test_what_is_better_and_still_below_its_bar_fails_and_says_that_it_was(make_house: Callable[..., Brewery]) -> None:
    house = make_house(told(more=extracted("council.md")))
    found = checked(house, {f"{EXTRACTED}/soft-water.md": ATOMS["soft-water.md"]})
    row = rows(found)["atom_f1"]
    assert (row.gated, row.was_below) == (True, True)
    assert (found.result.outcome, "; the base has 0.333, below it too)" in found.result.cause) == ("failed", True)


def test_a_sentence_that_is_made_up_is_named_where_it_stands(house: Brewery) -> None:
    found = checked(house, {f"{EXTRACTED}/soft-water.md": MADE_UP})
    row = rows(found)["faithfulness"]
    assert (row.before, row.after, row.gated, found.exit_code()) == (1.0, 0.5, True, 1)
    [one] = answer(found).wrong
    line = MADE_UP.splitlines().index("Zebras gallop faster than lorries on gravel.") + 1
    assert (one.kind, one.path, one.line, one.is_new) == ("made_up", f"{EXTRACTED}/soft-water.md", line, True)


def test_atoms_that_cannot_be_read_count_as_invalid_and_the_rest_is_scored(house: Brewery) -> None:
    found = checked(house, {f"{EXTRACTED}/pot.md": "---\ntype: [artifact\n---\n\nA pot.\n"})
    numbers = rows(found)
    assert (numbers["validity"].after, numbers["validity"].gated) == (0.8, True)
    assert numbers["atom_f1"].after == pytest.approx(8 / 9)
    invalid = [each for each in answer(found).wrong if each.kind == "invalid"]
    assert {each.path for each in invalid} == {f"{EXTRACTED}/pot.md"}


def test_an_extraction_that_is_gone_scores_nothing(house: Brewery) -> None:
    found = checked(house, without(*ATOMS))
    assert (found.exit_code(), rows(found)["atom_f1"].after) == (1, 0.0)
    assert "nothing was extracted: extracted/ holds no file" in answer(found).notes


def test_a_change_cannot_loosen_its_bars_nor_mend_its_gold(house: Brewery) -> None:
    loose = f"{told()['assay.toml']}[extraction.bars]\natom_f1 = 0.1\n"
    gone = {f"{GOLD}/atoms/{name}": None for name in OTHERS}
    found = checked(house, {**without(*OTHERS), **gone, "assay.toml": loose})
    row = rows(found)["atom_f1"]
    assert (found.exit_code(), row.bar, row.gated, row.by_own_gold) == (1, 0.6, True, 1.0)
    assert "the gold changed" in answer(found).because
    assert "[extraction] changed" in answer(found).because
    assert "assay.toml" in found.result.policy_changed


def test_a_change_of_gold_alone_is_shown_and_gates_nothing(house: Brewery) -> None:
    gone = {f"{GOLD}/atoms/{name}": None for name in OTHERS}
    found = checked(house, gone)
    row = rows(found)["atom_f1"]
    assert (row.before, row.after, row.verdict) == (1.0, 1.0, "met")
    assert row.by_own_gold == pytest.approx(4 / 7)
    assert found.result.outcome == "passed"


def test_a_change_of_gold_alone_does_not_fail_by_what_was_below_before(make_house: Callable[..., Brewery]) -> None:
    house = make_house(told(more=extracted("council.md")))
    found = checked(house, {f"{GOLD}/case.yaml": "description: more\n"})
    row = rows(found)["atom_f1"]
    assert (row.verdict, row.was_below, row.gated) == ("below", True, False)
    assert row.why == "the change leaves what was extracted as it is, and does not fail by it"
    assert (found.result.outcome, found.exit_code()) == ("passed", 0)
    assert found.result.cause.endswith("extraction stays below its bar for atom_f1, edge_f1, faithfulness.")
    assert wanted(found.result, "on-change", False)


def test_a_bar_that_has_a_number_on_neither_side_is_not_reached_by_what_the_change_extracts(
    make_house: Callable[..., Brewery],
) -> None:
    decided = edge("decided_by", "council"), ""
    silent = atom("decision", "soft-water", "Soft water", "The house brews tea with soft water.", *decided)
    files = {f"{GOLD}/atoms/soft-water.md": silent.replace("type:", "rationale: []\ntype:")}
    house = make_house({**told(), **files, f"{EXTRACTED}/soft-water.md": silent})
    gold = checked(house, {f"{GOLD}/case.yaml": "tags: [tea]\n"})
    assert (gold.result.outcome, gold.exit_code(), gold.exit_code(fail_on_neutral=True)) == ("neutral", 0, 3)
    base = house.wiki.git("rev-parse", "HEAD")
    house.commit({f"{EXTRACTED}/pot.md": ATOMS["pot.md"].replace("Pot of tea", "Teapot")})
    found = house.checked(base)
    row = rows(found)["faithfulness"]
    assert (row.before, row.after, row.verdict) == (None, None, "not measured")
    assert (found.result.outcome, found.exit_code()) == ("neutral", 3)
    told_so = "extraction.faithfulness has no number, which reaches no bar: there is no sentence of a rationale"
    assert found.missing.startswith(told_so)
    accepted = house.checked(base, event=Event(labels=(ACCEPT_LABEL,)))
    assert (accepted.result.outcome, rows(accepted)["faithfulness"].accepted) == ("passed", True)


def test_gold_that_the_change_leaves_broken_is_said(house: Brewery) -> None:
    found = checked(house, {f"{GOLD}/atoms/pot.md": ATOMS["pot.md"].replace("makes a pot", "makes a kettle")})
    assert (found.result.outcome, found.exit_code()) == ("neutral", 3)
    assert found.missing.startswith("the change leaves gold of extraction that is broken: ")
    assert f"{GOLD}/atoms/pot.md" in found.missing
    assert rows(found)["atom_f1"].verdict == "met", "the base's gold counts"


def test_gold_that_is_broken_at_the_base_gates_nothing_and_is_not_green(make_house: Callable[..., Brewery]) -> None:
    sound = ATOMS["pot.md"]
    house = make_house({**told(), f"{GOLD}/atoms/pot.md": sound.replace("makes a pot", "makes a kettle")})
    found = checked(house, {f"{GOLD}/atoms/pot.md": sound, **without(*OTHERS)})
    assert (found.result.outcome, found.exit_code(), found.exit_code(fail_on_neutral=True)) == ("neutral", 0, 3)
    assert "there is gold for extraction, and it is broken" in found.result.cause
    row = rows(found)["atom_f1"]
    assert (row.verdict, row.gated, answer(found).is_shown) == ("shown", False, True)


def test_a_case_that_comes_with_its_atoms_is_no_stranger(house: Brewery) -> None:
    more = {path.replace("/tea", "/coffee"): text for path, text in told().items() if "/tea/" in path}
    found = checked(house, {**more, "extracted/cocoa/pot.md": ATOMS["pot.md"]})
    one = answer(found)
    assert [row.by_own_gold for row in one.bars] == [1.0, 1.0, 1.0, 0.0, 1.0]
    assert [told_so for told_so in one.notes if "no case" in told_so] == [
        "belongs to no case, and counts for nothing: cocoa"
    ]


def test_gold_that_is_new_is_shown_and_gates_nothing(make_house: Callable[..., Brewery]) -> None:
    house = make_house({**first_files(POLICY), **extracted(*FEW)})
    found = checked(house, {path: text for path, text in told().items() if path.startswith("gold/")})
    row = rows(found)["atom_f1"]
    assert (row.before, row.verdict, row.gated) == (None, "shown", False)
    assert row.after == pytest.approx(4 / 7)
    assert (answer(found).is_shown, found.result.outcome) == (True, "passed")


def test_gold_that_is_taken_away_still_holds_the_change_that_takes_it(house: Brewery) -> None:
    gone = {path: None for path in told() if path.startswith("gold/")}
    found = checked(house, {**gone, **without(*OTHERS)})
    assert (found.exit_code(), rows(found)["atom_f1"].gated) == (1, True)
    assert "the change takes the gold away: nothing is scored after it" in answer(found).notes


@pytest.mark.parametrize("changes", [{"wiki/index.md": "# Index\n"}, {"notes.txt": "more\n"}])
def test_a_change_that_decides_nothing_about_extraction_is_not_scored(house: Brewery, changes: Change) -> None:
    assert checked(house, changes).result.extraction is None


def test_without_gold_there_is_no_section(make_house: Callable[..., Brewery]) -> None:
    house = make_house({**first_files(POLICY), **extracted()})
    found = checked(house, without(*OTHERS))
    assert (found.result.extraction, found.result.is_touched) == (None, False)


def test_what_would_land_is_scored_with_what_the_base_has_by_now(house: Brewery) -> None:
    wiki, fork = house.wiki, house.wiki.git("rev-parse", "HEAD")
    wiki.git("switch", "--quiet", "--create", "change")
    house.commit(without("pot.md"))
    wiki.git("switch", "--quiet", "main")
    house.commit(without("brewer.md", "brewing.md"))
    wiki.git("switch", "--quiet", "change")
    row = rows(house.checked("main"))["atom_f1"]
    assert (row.before and round(row.before, 3), row.after and round(row.after, 3)) == (0.75, 0.571)
    assert rows(house.checked(fork))["atom_f1"].after == pytest.approx(8 / 9)


def test_a_label_or_a_record_lets_it_pass_and_the_result_says_so(house: Brewery) -> None:
    base = house.wiki.git("rev-parse", "HEAD")
    head = house.commit(without(*OTHERS))
    found = house.checked(base, event=Event(labels=(ACCEPT_LABEL,)))
    assert (found.result.outcome, found.result.accepted is not None) == ("passed", True)
    assert (rows(found)["atom_f1"].gated, rows(found)["atom_f1"].accepted) == (False, True)
    said = house.checked(base, accept="Morning tea is out").result
    assert (said.outcome, said.accepted is not None and said.accepted.reason) == ("passed", "Morning tea is out")
    [record] = feedback.accepted_on(house.wiki.context(), head, base)
    assert record.metrics == ("extraction.atom_f1",)
    assert house.checked(base).result.outcome == "passed"


def test_files_that_are_called_as_no_case_is_leave_nothing_to_score(make_house: Callable[..., Brewery]) -> None:
    other = {"gold/extraction/other/case.yaml": "atoms: none\n", "gold/extraction/other/sources/a.md": "Nothing.\n"}
    house = make_house({**told(), **other})
    found = checked(house, {**without(*ATOMS), "extracted/tee/pot.md": ATOMS["pot.md"]})
    assert (found.result.outcome, found.exit_code()) == ("neutral", 3)
    assert found.missing.startswith("extraction had a number at the base and has none now: nothing in extracted is")
    assert found.mend == "the folder holds a folder for each case, called as the case is: other, tea"


def test_a_workspace_below_has_its_gold_and_its_atoms_there(make_house: Callable[..., Brewery]) -> None:
    house = make_house({f"kb/{path}": text for path, text in told().items()})
    found = checked(house, {f"kb/{path}": None for path in without(*OTHERS)})
    assert answer(found).extracted == "kb/extracted/"
    assert rows(found)["atom_f1"].after == pytest.approx(4 / 7)
    assert {each.source for each in answer(found).wrong} == {f"kb/{GOLD}/sources/water.md"}


def test_a_name_that_is_no_utf_8_a_link_and_a_huge_file_are_told_and_the_rest_is_scored(house: Brewery) -> None:
    folder = os.fsencode(house.wiki.folder / EXTRACTED)
    Path(os.fsdecode(folder + b"/b\xff.md")).write_text("no atom\n")
    os.symlink("/etc/passwd", folder + b"/link.md")
    huge = "---\ntype: role\nid: huge\ntitle: Huge\n---\n" + "x" * 2**21
    found = checked(house, {f"{EXTRACTED}/huge.md": huge})
    assert (rows(found)["atom_f1"].after, rows(found)["validity"].after) == (1.0, 0.625)
    invalid = {each.path for each in answer(found).wrong if each.kind == "invalid"}
    assert invalid == {f"{EXTRACTED}/b\\xff.md", f"{EXTRACTED}/huge.md", f"{EXTRACTED}/link.md"}
    assert "b\\\\xff.md" in render_comment(found.result), "as Markdown has a backslash"


def test_a_change_that_conflicts_has_no_verdict_and_no_score(house: Brewery) -> None:
    wiki = house.wiki
    wiki.git("switch", "--quiet", "--create", "change")
    house.commit({f"{EXTRACTED}/pot.md": f"{ATOMS['pot.md']}a\n"})
    wiki.git("switch", "--quiet", "main")
    house.commit({f"{EXTRACTED}/pot.md": f"{ATOMS['pot.md']}b\n"})
    wiki.git("switch", "--quiet", "change")
    found = house.checked("main")
    assert (found.result.outcome, found.exit_code(), found.result.extraction) == ("neutral", 3, None)


# Who extracts


def test_a_preset_that_needs_a_model_is_not_asked_and_that_is_not_green(make_house: Callable[..., Brewery]) -> None:
    house = make_house(told("", more={}))
    found = checked(house, {f"{GOLD}/case.yaml": "description: more\n"})
    assert (found.result.outcome, found.exit_code(), found.exit_code(fail_on_neutral=True)) == ("neutral", 0, 3)
    assert "claude-opus-5-5 would have to be asked" in found.result.cause
    assert {row.verdict for row in answer(found).bars} == {"not measured"}
    assert any("git assay extract eval --live" in each for each in found.result.remarks)


def test_a_change_cannot_have_a_model_extract_so_that_nothing_is_measured(house: Brewery) -> None:
    base = house.wiki.git("rev-parse", "HEAD")
    house.commit({"assay.toml": told('[extraction]\npreset = "claude"\n')["assay.toml"]})
    accepted = house.checked(base, event=Event(labels=(ACCEPT_LABEL,)))
    assert (accepted.result.outcome, accepted.exit_code()) == ("passed", 0)
    found = house.checked(base)
    assert (found.result.outcome, found.exit_code()) == ("neutral", 3)
    assert found.result.cause.startswith("extraction had a number at the base and has none now: claude-opus-5-5")


@pytest.mark.slow
def test_the_offline_extractor_is_asked_where_the_policy_says_so(make_house: Callable[..., Brewery]) -> None:
    house = make_house(told('[extraction]\npreset = "offline"\n', more={}))
    found = checked(house, {f"{GOLD}/case.yaml": "description: more\n"})
    one = answer(found)
    assert one.extracted == "what the preset offline writes"
    row = rows(found)["atom_f1"]
    assert (row.before is not None, row.before == row.after) == (True, True)


def test_another_folder_is_scored_as_the_change_says_and_the_base_by_its_own(house: Brewery) -> None:
    policy = told('[extraction]\nemitted = "drawn"\n')["assay.toml"]
    moved: dict[str, str | None] = {f"drawn/tea/{name}": ATOMS[name] for name in ATOMS}
    found = checked(house, {**without(*ATOMS), **moved, "assay.toml": policy})
    assert (answer(found).extracted, rows(found)["atom_f1"].after, found.result.outcome) == ("drawn/", 1.0, "passed")


def test_a_page_beside_it_is_judged_and_measured_as_ever(house: Brewery) -> None:
    found = checked(house, {"wiki/p000.md": page(0), **without(*OTHERS)}, metric="M1")
    assert (found.result.decision, found.result.outcome) == ("commit", "failed")
    assert [row.metric for row in found.result.metrics] == ["M1"]
