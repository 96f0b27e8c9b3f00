"""A scored extraction as a measurement: what its samples, metrics and details hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from gitops.comparing.sample_rows import alike
from gitops.config import Bars
from gitops.extraction import emitted, gold, measuring, metrics, scoring
from gitops.extraction.model import Scored
from gitops.okf.model import Fault
from gitops.runs.measurements import Measurement
from gitops.verify import judges
from tests.extraction import planted_release as planted

JUDGE = judges.find("offline")
INVENTED: Mapping[str, str] = {"roles/ghost.md": planted.text("role", "ghost", "Ghost")}


def scored(folder: Path, by_case: Mapping[str, Mapping[str, str]]) -> Scored:
    cases = gold.in_folder(planted.gold(folder / "gold", sorted(by_case)))
    for name, files in by_case.items():
        planted.write(folder / "out" / name, files)
    found = emitted.in_folder(folder / "out", cases, "out")
    return scoring.scored(cases, found.bundles, JUDGE, found.stray)


def measured(result: Scored, bars: Bars | None = None) -> Measurement:
    setting = measuring.Setting(
        suite="extraction", digest="0" * 64, judge=JUDGE, bars=bars or Bars(), subject={"extractor": "x"}
    )
    return measuring.measurement(result, setting)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    """Three cases: all right, one atom too many, and two of nine found."""
    few = {path: planted.FILES[path] for path in ("roles/auditor.md", "systems/ci-server.md")}
    folder = tmp_path_factory.mktemp("measured")
    return scored(folder, {"few": few, "more": {**planted.FILES, **INVENTED}, "right": planted.FILES})


def test_what_cases_add_gives_every_metric_that_is_measured(result: Scored) -> None:
    made = measured(result)
    for name in metrics.NAMES:
        value = made.metrics[name].value
        pairs = [sample.details["ratios"][name] for sample in made.samples]
        above, below = (sum(pair[at] for pair in pairs) for at in (0, 1))
        if metrics.unit(name) == "share":
            assert value == (None if not below else pytest.approx(above / below, abs=1e-6)), name
        else:
            assert value == above


def test_the_comparison_takes_each_number_from_the_samples(result: Scored) -> None:
    made = measured(result)
    for name in metrics.NAMES:
        if made.metrics[name].value is not None:
            [taken] = alike([made], name)
            assert set(taken.rows) == {"few", "more", "right"}, name


def test_a_case_passes_where_no_number_of_its_own_is_below_a_bar(result: Scored) -> None:
    made = measured(result)
    assert {one.id: one.status for one in made.samples} == {"few": "fail", "more": "pass", "right": "pass"}
    assert made.samples[0].details["numbers"]["atom_f1"] == pytest.approx(4 / 11, abs=1e-6)


def test_the_status_is_taken_of_the_number_before_it_is_rounded(result: Scored) -> None:
    f1 = measured(result, Bars(atom_f1=40 / 48)).metrics["atom_f1"]
    assert (f1.value, f1.status) == (0.833333, "pass")
    assert 0.833333 < 40 / 48


def test_intervals_are_of_shares_of_a_bare_name_and_hold_the_number(result: Scored) -> None:
    made = measured(result)
    with_ends = {name for name, one in made.metrics.items() if one.interval is not None}
    shares = {name for name in metrics.NAMES if metrics.BY_NAME[name].base == name and metrics.unit(name) == "share"}
    assert with_ends == {name for name in shares if made.metrics[name].value is not None}
    for name in with_ends:
        one = made.metrics[name]
        assert one.interval is not None
        assert one.value is not None
        assert one.interval[0] <= one.value <= one.interval[1]


def test_the_instrument_is_gold_judge_and_formulas_and_the_subject_who_extracted(result: Scored) -> None:
    made = measured(result)
    assert made.instrument == {
        "metrics": {"extraction": metrics.VERSION},
        "gold": "0" * 64,
        "cases": 3,
        "variant": "canonical",
        "judge": {"id": "offline", "version": JUDGE.version, "digest": JUDGE.digest},
    }
    assert made.subject == {"extractor": "x"}


def test_of_very_many_problems_the_first_of_each_kind_are_kept_and_all_are_counted(result: Scored) -> None:
    faults = tuple(Fault("graph", "error", "self_edge", "so", "a.md", line) for line in range(3_000))
    right = replace(result.cases[2], graph=faults)
    made = measured(Scored((result.cases[0], right)))
    assert made.details["problem_counts"]["graph"] == 3_000
    kept = [one["kind"] for one in made.details["problems"]]
    assert kept.count("graph") == 250
    assert kept.count("missed") == 7


def test_a_measurement_reads_back_as_the_same(result: Scored) -> None:
    made = measured(result).named()
    assert Measurement.model_validate(made.record()).record() == made.record()
    assert measuring.state(made) == "failed"


def test_ties_and_folders_of_no_case_are_told(tmp_path: Path) -> None:
    twin = {
        "roles/one.md": planted.text("role", "x-1", "Auditor"),
        "roles/two.md": planted.text("role", "x-2", "Auditor"),
    }
    files = {path: text for path, text in planted.FILES.items() if path != "roles/auditor.md"}
    result = scored(tmp_path, {planted.CASE: {**files, **twin}})
    made = measured(replace(result, stray=("other",)))
    assert made.details["ties"] == [{"case": "release", "gold": ["auditor"], "extracted": ["x-1", "x-2"]}]
    told = " ".join(made.details["remarks"])
    assert "belongs to no case, and counts for nothing: other" in told
    assert "another matching of atoms would be as good (details.ties): release" in told
