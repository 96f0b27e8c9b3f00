"""What has to be the same for two extractions to be compared, and how it is called."""

from __future__ import annotations

from typing import Any

import pytest

from gitops.comparing.instruments import instrument
from gitops.comparing.measured import compared
from gitops.comparing.recalling import Recalled, key
from gitops.runs.measurements import EXTRACTION, Measurement, Sample
from tests.evals.scores import scored

OFFLINE = {"id": "offline", "version": "2", "digest": "5eb92cf0eb06608a"}
CLAUDE = {"id": "claude", "version": "1", "digest": "f" * 64}


def run(name: str, parts: tuple[int, int] = (3, 4), judge: dict[str, str] = OFFLINE, **changed: Any) -> Measurement:
    """A metric pooled over eight cases that are all alike."""
    samples = tuple(Sample(id=str(at), status="pass", details={"ratios": {name: list(parts)}}) for at in range(8))
    told = {"metrics": {EXTRACTION: 1}, "gold": "a" * 64, "judge": judge, **changed}
    return scored(name, round(parts[0] / parts[1], 6), samples, kind=EXTRACTION, suite="extraction", instrument=told)


def test_a_metric_is_called_by_its_kind_whatever_the_gold_is_called() -> None:
    assert key(run("atom_f1"), "atom_f1") == "extraction.atom_f1"


def test_a_judge_is_told_in_a_few_words() -> None:
    assert instrument(run("faithfulness"), "faithfulness")["judge"] == "offline/2 5eb92cf0eb06"


@pytest.mark.parametrize("name", ["faithfulness", "faithfulness_macro"])
def test_a_judge_is_part_of_the_instrument_of_what_it_judges(name: str) -> None:
    assert "judge" in instrument(run(name), name)


@pytest.mark.parametrize("name", ["atom_f1", "edge_f1_strict", "validity", "graph_errors"])
def test_of_what_no_judge_judges_it_is_none(name: str) -> None:
    assert not [told for told in instrument(run(name), name) if told.startswith("judge")]


def test_of_other_kinds_a_judge_is_part_of_everything() -> None:
    one = scored("M1", 0.5, instrument={"judge": OFFLINE})
    assert instrument(one, "M1")["judge"] == "offline/2 5eb92cf0eb06"


def test_the_engine_knows_them_beside_all_that_is_measured() -> None:
    sides = [
        Recalled(name, {key(one, metric): (one,) for one in made for metric in one.metrics})
        for name, made in (
            ("A", (run("atom_f1"), run("faithfulness"))),
            ("B", (run("atom_f1", (4, 4)), run("faithfulness", (4, 4), CLAUDE))),
        )
    ]
    f1, faithfulness = compared(sides).compared
    assert (f1.metric, f1.reading, f1.p) == ("extraction.atom_f1", "better", 2 / 2**8)
    assert [each.name for each in faithfulness.differing] == ["judge"]
