from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gitops.evals import floor_kept
from gitops.evals.floor import Floor, Tried
from gitops.evals.floor_kept import keep, measurement
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.floors import floor_warning, path_of
from gitops.runs.measurements import Measurement, Metric
from gitops.runs.workspace import Workspace, find
from gitops.usage import Usage

WRITER = '[llm]\nwriter = "mine"\n[llm.presets.mine]\nmodel = "{}"\n'
Made = tuple[Context, Workspace, str]


@pytest.fixture
def made(make_repository: Callable[..., Path]) -> Made:
    return around(make_repository({"assay.toml": WRITER.format("some-model")}))


def around(folder: Path) -> Made:
    context = Context(open_repository(folder))
    commit = resolve(context.repository, "HEAD")
    return context, find(context.repository, commit), commit


def scored(name: str, value: float | None) -> Measurement:
    status: Any = "not_measured" if value is None else "measured"
    number = Metric(value=value, n=5, direction="higher", unit="share", status=status)
    about: Mapping[str, Any] = {"summary": "", "run_id": "r", "commit": "c", "workspace": "floor", "subject": {}}
    return Measurement(
        **about,
        kind="metric",
        suite=name,
        instrument={"metrics": {name: 3}, "judges": [{"id": "offline"}]},
        started_at="2024-01-02T00:00:00Z",
        completed_at="2024-01-02T00:00:00Z",
        metrics={name: number},
        reason="nobody knows" if value is None else "",
    )


LANDED = Tried("a.md", "landed", tool_calls=4, runs=1)
LOST = (Tried("b.md", "rejected", tool_calls=5, runs=2), Tried("c.md", "failed", error="no answer"))


def kept(made: Made, m1: float | None, m2: float | None, *lost: Tried) -> Measurement:
    context, workspace, commit = made
    used = Usage(input=10, output=2, usd=0.5)
    reached = Floor("mine", {"M1": scored("M1", m1), "M2": scored("M2", m2)}, (LANDED, *lost), used)
    found = measurement(context, workspace, commit, reached, "s" * 16, context.now)
    keep(context, found)
    return found


def test_who_was_never_tested_is_told_of(made: Made) -> None:
    told = floor_warning(*made[:2])
    assert told == ("the capability floor of preset 'mine' has not been tested: git assay eval floor --preset mine")


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"verdict":"supported"}', "null"])
def test_a_file_that_is_none_is_told_of_and_believed_in_nothing(made: Made, content: str) -> None:
    path = path_of(made[0], "mine")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    assert "cannot be read" in (floor_warning(*made[:2]) or "")


@pytest.mark.parametrize(
    ("m1", "m2", "said"),
    [
        (0.80, 1.0, "preset 'mine' is below the capability floor (M1 0.80, M2 1.00, tested on "),
        (0.90, 1.0, "preset 'mine' is at the capability floor (M1 0.90, M2 1.00, tested on "),
        (None, 1.0, "preset 'mine' is of unknown capability (M1 not measured, M2 1.00, tested on "),
    ],
)
def test_a_preset_at_or_below_the_floor_is_told_of(made: Made, m1: float | None, m2: float, said: str) -> None:
    kept(made, m1, m2)
    assert (floor_warning(*made[:2]) or "").startswith(said)


def test_another_model_behind_the_name_has_not_been_tested(
    make_repository: Callable[..., Path], commit_files: Callable[..., str]
) -> None:
    folder = make_repository({"assay.toml": WRITER.format("some-model")})
    kept(around(folder), 1.0, 1.0)
    assert floor_warning(*around(folder)[:2]) is None
    commit_files(folder, {"assay.toml": WRITER.format("another-model")})
    assert "has changed since its capability floor was tested" in (floor_warning(*around(folder)[:2]) or "")


def test_a_supported_preset_needs_no_word(made: Made) -> None:
    kept(made, 1.0, 1.0)
    assert floor_warning(*made[:2]) is None


def test_a_supported_preset_that_lost_sources_is_told_of(made: Made) -> None:
    kept(made, 1.0, 1.0, *LOST)
    told = floor_warning(*made[:2]) or ""
    assert told.startswith("preset 'mine' is above the capability floor, but 2 of its sources did not land (tested on ")


def test_it_is_a_measurement_of_the_commit_and_a_file_of_the_clone(made: Made) -> None:
    found = kept(made, 0.96, 0.85, *LOST)
    context, _, commit = made
    assert measurements.measurements_on(context, commit, floor_kept.KIND) == [found]
    assert found.summary == "capability floor of preset mine: degraded (M1 0.96, M2 0.85)"
    assert found.metrics["tool_call_count"].value == 3.0
    assert found.metrics["landed"].value == pytest.approx(1 / 3)
    assert dict(found.metrics["landed"].counts) == {"landed": 1, "refused": 1, "failed": 1}
    assert [(one.id, one.status) for one in found.samples] == [("a.md", "pass"), ("b.md", "fail"), ("c.md", "error")]
    assert found.samples[2].error == "no answer"
    assert found.subject["model"] == "some-model"
    told = json.loads(path_of(context, "mine").read_text())
    assert (told["verdict"], told["M1"], told["M2"], told["tool_call_count"]) == ("degraded", 0.96, 0.85, 3.0)
    assert told["measurement"] == found.id
    assert told["used"] == {"input_tokens": 10, "output_tokens": 2, "usd": 0.5}


def test_what_was_not_measured_says_why(made: Made) -> None:
    assert kept(made, None, 0.5).reason == "M1: nobody knows"


def test_a_preset_s_name_leads_to_no_other_folder(made: Made) -> None:
    assert path_of(made[0], "../a/b").parent == made[0].folder
