"""Two runs beside each other: the engine's rows from what the cases add, and what moved in which case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.comparing.sample_rows import readings
from gitops.errors import UsageError
from gitops.extraction import metrics
from gitops.extraction.comparing import CompareReport, compare_runs
from gitops.extraction.moves import is_whole, moves
from gitops.runs.measurements import Measurement
from gitops.stats.comparison import Compared
from gitops.stats.statistic import RATIO
from gitops.verify import judges
from gitops.verify.judge import Vote
from tests.extraction import planted_release as planted
from tests.extraction.compared_runs import DANGLING, MADE_UP, MISTYPED, NAMES, NO_AUDITOR, Changed, measured
from tests.verify.scripted import Scripted

Run = Callable[[Changed], Measurement]


@pytest.fixture(scope="module")
def perfect(tmp_path_factory: pytest.TempPathFactory) -> Measurement:
    return measured(tmp_path_factory.mktemp("perfect"), {})


@pytest.fixture(scope="module")
def worse(tmp_path_factory: pytest.TempPathFactory) -> Measurement:
    """Eight cases without an atom, in one of which a reason is made up, too, and a ninth with an edge to nobody."""
    changed = {**dict.fromkeys(NAMES[:8], NO_AUDITOR), NAMES[0]: {**NO_AUDITOR, **MADE_UP}, NAMES[8]: DANGLING}
    return measured(tmp_path_factory.mktemp("worse"), changed)


def compared(a: Measurement, b: Measurement, **options: Any) -> CompareReport:
    return compare_runs(("a", "b"), a, b, **options)


def row(report: CompareReport, metric: str) -> Compared:
    [found] = [one for one in report.comparison.compared if one.metric == metric]
    return found


def test_every_metric_can_be_paired_by_what_its_cases_add(worse: Measurement) -> None:
    for name in metrics.NAMES:
        assert readings(worse, name), name
        assert len(next(iter(readings(worse, name).values())).rows) == len(NAMES)


def test_a_pooled_number_is_compared_as_the_ratio_of_sums_that_it_is(perfect: Measurement, worse: Measurement) -> None:
    report = compared(perfect, worse)
    recall = row(report, "atom_recall")
    # Twelve cases of nine atoms, eight of which lack one.
    assert recall.difference == pytest.approx(100 / 108 - 1, abs=1e-6)
    assert recall.paired is not None
    assert (recall.paired.pairs, recall.moved, recall.test) == (12, 8, "permutation")
    assert recall.p == 2 / 2**8
    assert (recall.reading, recall.direction) == ("worse", "higher")
    assert readings(worse, "atom_recall")["ratio of sums"].statistic is RATIO


def test_what_did_not_move_is_no_difference(perfect: Measurement, worse: Measurement) -> None:
    report = compared(perfect, worse)
    assert {row(report, name).difference for name in ("type_accuracy", "validity", "stages_lcs")} == {0}
    assert row(report, "graph_errors").difference == 1
    assert row(report, "graph_errors").reading == "no_difference_shown"


def test_metrics_of_a_bare_name_are_compared_unless_others_are_asked_for(perfect: Measurement) -> None:
    bare = [name for name in metrics.NAMES if metrics.BY_NAME[name].base == name]
    assert [one.metric for one in compared(perfect, perfect).comparison.compared] == bare
    every = compared(perfect, perfect, wanted="all").comparison.compared
    assert [one.metric for one in every] == list(metrics.NAMES)
    some = compared(perfect, perfect, wanted="edge_f1_strict, atom_f1_macro").comparison.compared
    assert {one.metric for one in some} == {"edge_f1_strict", "atom_f1_macro"}
    with pytest.raises(UsageError, match="no") as refused:
        compared(perfect, perfect, wanted="atom_f2")
    assert refused.value.hint == "did you mean atom_f1?"


def test_what_moved_is_told_case_by_case(perfect: Measurement, worse: Measurement) -> None:
    report = compared(perfect, worse)
    assert report.new == {"missed": 8, "mislinked": 1, "made_up": 1, "graph": 1}
    assert report.gone == {}
    assert [one.case for one in report.moves] == list(NAMES[:9])
    first = report.moves[0]
    assert first.numbers["atom_f1"] == (1.0, 0.941176)  # 16/17
    assert first.numbers["faithfulness"] == (1.0, 0.666667)
    assert first.statuses == ("pass", "fail")
    assert [(each["kind"], each["what"].split(":")[0]) for each in first.new] == [
        ("missed", "role auditor (Auditor)"),
        ("made_up", "freeze"),
    ]
    assert first.new[1]["path"] == "out/case-00/decisions/freeze.md"
    assert first.new[1]["line"] > 0


def test_the_other_way_round_the_same_is_gone(perfect: Measurement, worse: Measurement) -> None:
    forth, back = compared(perfect, worse), compared(worse, perfect)
    assert (back.new, back.gone) == (forth.gone, forth.new)
    assert row(back, "atom_recall").reading == "better"


def test_which_cases_pass_is_told_once_and_not_with_every_metric(perfect: Measurement, worse: Measurement) -> None:
    assert all(not one.lost for one in compared(perfect, worse).comparison.compared)


def test_another_judge_hinders_only_what_judges_say(tmp_path: Path, perfect: Measurement, worse: Measurement) -> None:
    other = worse.model_copy(
        update={"instrument": {**worse.instrument, "judge": {"id": "claude", "version": "1", "digest": "f" * 64}}}
    )
    report = compared(perfect, other)
    faithfulness = row(report, "faithfulness")
    offline = judges.find("offline")
    assert faithfulness.reading == "not_compared"
    assert [(each.name, each.reference, each.other) for each in faithfulness.differing] == [
        ("judge", f"offline/{offline.version} {offline.digest[:12]}", "claude/1 ffffffffffff")
    ]
    assert row(report, "atom_recall").reading == "worse"
    assert report.new == {"missed": 8, "mislinked": 1, "graph": 1}
    assert all("faithfulness" not in one.numbers for one in report.moves)
    assert report.remarks == ("the runs had different judges: what these say is not compared, all the rest is",)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"gold": "0" * 64}, ["gold"]),
        ({"metrics": {"extraction": 2}}, ["metrics.extraction"]),
        ({"cases": 3}, ["cases"]),
    ],
)
def test_another_gold_or_other_formulas_are_named_and_nothing_is_compared(
    perfect: Measurement, worse: Measurement, changed: Mapping[str, Any], named: list[str]
) -> None:
    other = worse.model_copy(update={"instrument": {**worse.instrument, **changed}})
    report = compared(perfect, other)
    assert report.comparison.is_empty
    assert [each.name for each in row(report, "atom_f1").differing] == named
    assert report.moves == ()
    assert report.remarks == ("the runs were measured otherwise: nothing is compared case by case",)


def test_another_extractor_is_what_a_comparison_is_about(perfect: Measurement, worse: Measurement) -> None:
    other = worse.model_copy(update={"subject": {"extractor": "git-assay", "preset": "claude", "model": "m"}})
    assert [each.name for each in row(compared(perfect, other), "atom_f1").subject] == ["model", "preset"]


def test_too_few_cases_are_told(tmp_path: Path) -> None:
    one = measured(tmp_path / "one", {}, NAMES[:4])
    other = measured(tmp_path / "other", dict.fromkeys(NAMES, NO_AUDITOR), NAMES[:4])
    report = compared(one, other)
    assert report.remarks == ("4 cases can show no difference at p ≤ 0.05, whatever moves: 6 could",)
    assert row(report, "atom_f1").reading == "no_difference_shown"
    assert compared(one, one).remarks[0] == "both are the same run"


def test_what_is_wrong_alike_in_both_did_not_move(tmp_path: Path) -> None:
    one = measured(tmp_path / "one", {NAMES[0]: NO_AUDITOR, NAMES[1]: MADE_UP}, NAMES[:2])
    other = measured(tmp_path / "other", {NAMES[0]: MISTYPED, NAMES[1]: MADE_UP}, NAMES[:2])
    [only] = moves(one, other)
    assert only.case == NAMES[0]
    assert [each["kind"] for each in only.new] == ["mistyped"]
    assert [each["kind"] for each in only.gone] == ["missed"]


@pytest.mark.parametrize("before", ["the judge's words", ""])
def test_what_is_made_up_is_the_same_in_whatever_words_a_judge_says_so(tmp_path: Path, before: str) -> None:
    made_up = Vote("does_not_support", 1.0, before, may_gate=True)
    answers = (made_up, replace(made_up, reason="the same in others"))
    one, other = (
        measured(tmp_path / str(at), {NAMES[1]: MADE_UP}, NAMES[:2], judge=Scripted({planted.INVENTED[:20]: answer}))
        for at, answer in enumerate(answers)
    )
    [told] = [each for each in other.details["problems"] if each["kind"] == "made_up"]
    assert told["why"] == "the same in others"
    assert told["why"] not in told["what"]
    assert moves(one, other) == []


def test_a_fault_of_the_graph_is_the_same_on_whatever_line_its_other_end_stands(tmp_path: Path) -> None:
    makes = (("produces", "changelog"),)
    twice = {"processes/ship.md": planted.text("process", "ship", "Ship", makes)}
    above = (("owner", "release-manager"), *makes)
    lower = {**twice, "processes/build.md": planted.text("process", "build", "Build", above)}
    higher = {**twice, "processes/build.md": planted.text("process", "build", "Build", above[::-1])}
    one, other = (
        measured(tmp_path / str(at), {NAMES[0]: files}, NAMES[:1]) for at, files in enumerate((lower, higher))
    )
    assert [each["kind"] for each in one.details["problems"]].count("graph") == 1
    assert moves(one, other) == []


def with_problems(made: Measurement, told: Any, counts: Any = None) -> Measurement:
    details = {**made.details, "problems": told}
    return made.model_copy(update={"details": details if counts is None else {**details, "problem_counts": counts}})


problem = st.fixed_dictionaries(
    {"kind": st.sampled_from(["missed", "spurious"]), "case": st.sampled_from(NAMES[:3]), "what": st.sampled_from("ab")}
)


@given(one=st.lists(problem, max_size=8), other=st.lists(problem, max_size=8), draw=st.randoms(use_true_random=False))
def test_what_is_new_and_what_is_gone_make_one_of_the_other(
    perfect: Measurement, one: list[Any], other: list[Any], draw: Any
) -> None:
    a, b = with_problems(perfect, one), with_problems(perfect, other)
    found = moves(a, b)
    new = [tuple(sorted(each.values())) for move in found for each in move.new]
    gone = [tuple(sorted(each.values())) for move in found for each in move.gone]
    before, after = ([tuple(sorted(each.values())) for each in side] for side in (one, other))
    assert sorted([*before, *new]) == sorted([*after, *gone])
    assert not set(new) & set(gone)
    draw.shuffle(one)
    again = moves(with_problems(perfect, one), b)
    assert [(move.case, sorted(map(str, move.new))) for move in again] == [
        (move.case, sorted(map(str, move.new))) for move in found
    ]


@pytest.mark.parametrize(
    "odd",
    [
        None,
        7,
        {"kind": "missed"},
        [1, "x", {"kind": "unheard"}, {"kind": ["missed"]}, {"case": "case-00"}],
        [{"kind": "missed", "case": "case-00", "what": "x", "line": "first"}, {"kind": "missed", "what": {}}],
        [{"kind": "missed", "case": "case-11", "what": "x", "why": 7}],
    ],
)
def test_a_record_of_anothers_making_is_read_as_far_as_it_is_known(
    perfect: Measurement, worse: Measurement, odd: Any
) -> None:
    foreign = with_problems(perfect, odd, counts=[3])
    assert compared(foreign, worse).new == compared(perfect, worse).new
    assert compared(foreign, worse).gone == {}
    bare = perfect.model_copy(
        update={"details": {}, "samples": tuple(each.model_copy(update={"details": {}}) for each in perfect.samples)}
    )
    report = compared(bare, worse)
    assert row(report, "atom_f1").why == "the score is not one of samples that could be paired"
    assert report.moves[0].numbers["atom_f1"][0] is None


def test_where_not_all_that_was_wrong_was_kept_it_is_told(perfect: Measurement, worse: Measurement) -> None:
    cut = with_problems(worse, worse.details["problems"][:3], counts=worse.details["problem_counts"])
    assert is_whole(worse)
    assert not is_whole(cut)
    [told] = compared(perfect, cut).remarks
    assert told == "b: so much was wrong that the first of each kind alone was kept, and what moved may be more"


def test_the_record_is_what_its_schema_says(perfect: Measurement, worse: Measurement) -> None:
    from gitops.runs.schemas import PRINTED

    told = compared(perfect, worse).record()
    PRINTED["extract-compare"].validate_python(told, strict=False)
    assert told["sides"][1] == {
        "name": "b",
        "run_id": worse.run_id,
        "commit": "c" * 40,
        "measurement": worse.id,
    }
    assert told["cases"][8]["numbers"]["graph_errors"] == {"a": 0, "b": 1}
