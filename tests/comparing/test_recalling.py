from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitops.comparing.recalling import Recalled, recall
from gitops.errors import CannotRun, UsageError
from gitops.git import notes
from gitops.git.repository import open_repository
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement, append
from tests.evals.scores import passing, scored

LONG = [pytest.param("a" * 5_000 + end, id=f"long{end}") for end in ("", ".json")]
NOW = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)


class Desk:
    """A repository in which measurements are kept, files lie about, and words are looked up."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.told = folder, list[str]()
        self.context = Context(open_repository(folder), lambda: NOW, self.told.append)

    def keep(self, measurement: Measurement) -> Measurement:
        return append(self.context, measurement)

    def file(self, name: str, content: str) -> str:
        (self.folder / name).write_text(content)
        return name

    def meant(self, word: str, only: str | None = None) -> list[Recalled]:
        return recall(self.context, self.folder, word, lambda commit: "plant", only)

    def refused(self, word: str) -> tuple[str, str]:
        with pytest.raises(UsageError) as refused:
            self.meant(word)
        return refused.value.message, refused.value.hint


@pytest.fixture
def desk(make_repository: Callable[..., Path]) -> Desk:
    return Desk(make_repository({"wiki/a.md": "# A\n"}))


@pytest.fixture
def head(desk: Desk, git: Callable[..., str]) -> str:
    return git(desk.folder, "rev-parse", "HEAD")


def line(measurement: Measurement) -> str:
    return json.dumps(measurement.record())


def test_what_is_nothing_of_all_is_refused(desk: Desk) -> None:
    told, hint = desk.refused("nowhere")
    assert told == "'nowhere' is no revision, no eval run, and no file"
    assert hint


@pytest.mark.parametrize("word", ["absent.json", "..", "-x", "", *LONG])
def test_words_that_look_like_files_or_options_are_refused(desk: Desk, word: str) -> None:
    assert f"'{word}' is no revision" in desk.refused(word)[0]


def test_an_ambiguous_revision_is_not_guessed_at(desk: Desk, git: Callable[..., str]) -> None:
    git(desk.folder, "branch", "twice")
    git(desk.folder, "tag", "twice")
    assert "ambiguous" in desk.refused("twice")[0]


def test_a_commit_that_was_never_measured_cannot_be_compared(desk: Desk, head: str) -> None:
    with pytest.raises(CannotRun, match="was never measured") as refused:
        desk.meant("HEAD")
    assert refused.value.hint == "git assay eval run --at HEAD"


def test_a_commit_that_was_measured_in_another_workspace_says_so(desk: Desk, head: str) -> None:
    desk.keep(passing(9, 10, commit=head, workspace="tides"))
    with pytest.raises(CannotRun, match="in plant, only in tides"):
        desk.meant("main")


def test_a_line_that_is_no_measurement_is_told_and_the_others_count(desk: Desk, head: str) -> None:
    kept = desk.keep(passing(9, 10, commit=head))
    changed = line(kept).replace('"value": 0.9', '"value": 0.99')
    context = desk.context
    notes.append(context.repository, names.EVALS, {head: ["{", changed]}, "by hand", context.identity, context.epoch)
    [side] = desk.meant("HEAD")
    assert side.metrics == {"M1": (kept,)}
    assert len(desk.told) == 2


def test_a_revision_means_the_newest_measurement_of_each_metric(desk: Desk, head: str) -> None:
    desk.keep(passing(9, 10, commit=head))
    newer = desk.keep(passing(8, 10, commit=head, completed_at="2024-01-03T03:04:06Z"))
    other = desk.keep(passing(5, 10, "M5", commit=head))
    [side] = desk.meant("main")
    assert side.name == f"main ({head[:10]})"
    assert side.commit == head
    assert dict(side.metrics) == {"M1": (newer,), "M5": (other,)}
    assert desk.meant(head[:12])[0].name == head[:12]


def test_repeats_of_the_newest_belong_to_it(desk: Desk, head: str) -> None:
    first = desk.keep(passing(9, 10, commit=head))
    second = desk.keep(passing(8, 10, commit=head, repeat=1, completed_at="2024-01-02T03:05:06Z"))
    [side] = desk.meant("HEAD")
    assert side.metrics["M1"] == (first, second)


def test_repeats_by_another_instrument_do_not(desk: Desk, head: str) -> None:
    desk.keep(passing(9, 10, commit=head, instrument={"metrics": {"M1": 1}, "gold": "old"}))
    newest = desk.keep(passing(8, 10, commit=head, repeat=1, completed_at="2024-01-02T03:05:06Z"))
    [side] = desk.meant("HEAD")
    assert side.metrics["M1"] == (newest,)


def test_repeats_of_another_subject_do_not(desk: Desk, head: str) -> None:
    desk.keep(passing(9, 10, commit=head, subject={"model": "small"}))
    other, later = {"model": "large"}, "2024-01-02T03:05:06Z"
    newest = desk.keep(passing(8, 10, commit=head, subject=other, repeat=1, completed_at=later))
    [side] = desk.meant("HEAD")
    assert side.metrics["M1"] == (newest,)


@pytest.mark.parametrize("word", ["20240102-030405-aaaaaaaa", "20240102-030405-a"])
def test_a_run_is_meant_by_its_id_or_the_beginning_of_it(desk: Desk, head: str, word: str) -> None:
    desk.keep(passing(9, 10, commit=head, run_id="20240102-030405-bbbbbbbb"))
    mine = desk.keep(passing(8, 10, commit=head, run_id="20240102-030405-aaaaaaaa"))
    [side] = desk.meant(word)
    assert (side.name, side.metrics) == ("20240102-030405-aaaaaaaa", {"M1": (mine,)})


def test_a_beginning_that_two_runs_have_is_refused(desk: Desk, head: str) -> None:
    for run in "ab":
        desk.keep(passing(9, 10, commit=head, run_id=f"20240102-030405-{run * 8}"))
    assert "may be any of 20240102-030405-aaaaaaaa, 20240102-030405-bbbbbbbb" in desk.refused("20240102")[0]


def test_a_run_whose_id_begins_another_is_meant_by_itself(desk: Desk, head: str) -> None:
    mine = desk.keep(passing(8, 10, commit=head, run_id="20240102-030405"))
    desk.keep(passing(9, 10, commit=head, run_id="20240102-030405-a"))
    assert desk.meant("20240102-030405")[0].metrics == {"M1": (mine,)}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "holds no measurement"),
        ("{", "holds no measurement"),
        ("[]", "not a JSON object"),
        ("{}", "it has no schema 'assay/measurement/1'"),
        ('{"schema":"assay/run/1"}', "its schema is 'assay/run/1'"),
        ('{"schema":"assay/measurement/1","kind":"metric"}', "this is no measurement: summary: Field required"),
        ('{"schema":"assay/eval-run/1","measurements":[]}', "holds no measurement"),
        ('{"schema":"assay/eval-run/1","measurements":[7]}', "found.json, measurements[0]: this is no measurement"),
    ],
)
def test_a_file_of_something_else_is_refused(desk: Desk, content: str, said: str) -> None:
    told, hint = desk.refused(desk.file("found.json", content))
    assert "found.json" in told
    assert said in told
    assert hint


def test_a_line_of_something_else_is_named(desk: Desk) -> None:
    content = f"{line(passing(9, 10))}\n\n{{]\n"
    assert desk.refused(desk.file("found.jsonl", content))[0].startswith("found.jsonl, line 3: ")


def test_a_file_that_is_no_text_is_refused(desk: Desk) -> None:
    (desk.folder / "found.json").write_bytes(b"\xff\xfe\x00")
    assert "found.json cannot be read" in desk.refused("found.json")[0]


def test_a_measurement_that_was_changed_by_hand_is_refused(desk: Desk) -> None:
    content = line(passing(9, 10)).replace('"value": 0.9', '"value": 0.99')
    told, hint = desk.refused(desk.file("found.json", content))
    assert told == "found.json: its id is not the digest of its content"
    assert hint == "it was changed since it was measured"


def test_measurements_of_several_workspaces_are_not_mixed(desk: Desk) -> None:
    content = f"{line(passing(9, 10))}\n{line(passing(8, 10, workspace='tides'))}\n"
    told, hint = desk.refused(desk.file("found.jsonl", content))
    assert told == "found.jsonl holds measurements of several workspaces: plant, tides"
    assert hint == "git assay --workspace plant eval compare …"
    [side] = desk.meant("found.jsonl", "tides")
    assert side.metrics["M1"][0].workspace == "tides"
    with pytest.raises(UsageError, match=r"found\.jsonl holds no measurement of dunes"):
        desk.meant("found.jsonl", "dunes")


@pytest.mark.parametrize("spelled", [{}, {"indent": 2}])
def test_a_file_holds_one_measurement_on_a_line_or_spread_out(desk: Desk, spelled: dict[str, Any]) -> None:
    measurement = passing(9, 10)
    [side] = desk.meant(desk.file("found.json", json.dumps(measurement.record(), **spelled)))
    assert (side.name, side.commit, side.metrics) == ("found.json", "", {"M1": (measurement,)})


def test_a_file_holds_what_eval_run_prints(desk: Desk) -> None:
    both = [passing(9, 10), scored("M4", 3.0, unit="week")]
    printed = {"schema": "assay/eval-run/1", "measurements": [each.record() for each in both]}
    [side] = desk.meant(desk.file("found.json", json.dumps(printed)))
    assert dict(side.metrics) == {"M1": (both[0],), "M4": (both[1],)}


def test_a_file_of_lines_holds_repeats_and_variants(desk: Desk) -> None:
    measured = [
        passing(n, 10, variant=variant, repeat=n % 2) for variant, n in [("", 9), ("", 8), ("k=3", 4), ("k=3", 5)]
    ]
    sides = desk.meant(desk.file("found.jsonl", "".join(f"{line(each)}\n" for each in measured)))
    assert [side.name for side in sides] == ["found.jsonl [unnamed]", "found.jsonl [k=3]"]
    assert [[each.repeat for each in side.metrics["M1"]] for side in sides] == [[0, 1], [0, 1]]


def test_a_file_may_have_any_name(desk: Desk) -> None:
    [side] = desk.meant(desk.file("kept", line(passing(9, 10))))
    assert side.name == "kept"
