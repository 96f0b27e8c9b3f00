"""`git assay eval history` and `eval bisect` through the command line, with the offline judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from gitops.runs.printed_history import EvalBisect, EvalHistory
from tests.evals.test_revisiting import POLICY

Assay = Callable[..., Any]
Commit = Callable[..., str]
Refused = Callable[..., None]
RIVERS = ["Aare", "Danube", "Ebro", "Elbe", "Inn", "Loire", "Meuse", "Neckar", "Oder", "Po"]
TRADES = ["grinds rye", "forges ploughs", "weaves linen", "tans hides", "casts bells", "binds books", "blows glass"]
TRADES += ["brews stout", "carves oak", "fires tiles"]
FACTS = [
    f"The mill on the {river} {trade} since {1810 + 7 * at}."
    for at, (river, trade) in enumerate(zip(RIVERS, TRADES, strict=True))
]
SOURCE = "# Report\n\n" + "\n\n".join(FACTS) + "\n"


def page(wrong: int = 0, more: str = "") -> str:
    """Ten claims word for word from the source, of which some misquote it."""
    notes = [
        f'[^{at}]: raw/report.md, "{fact[:-1]}{" of old" if at <= wrong else ""}"' for at, fact in enumerate(FACTS, 1)
    ]
    claims = [f"{fact}[^{at}]" for at, fact in enumerate(FACTS, 1)]
    return "# Plant\n\n" + "\n\n".join([*claims, more, *notes]) + "\n"


@pytest.fixture
def wiki(make_repository: Callable[..., Path], commit_files: Commit) -> Path:
    """Sound for two commits, then with four false quotations for two."""
    made = make_repository({"assay.toml": POLICY, "raw/report.md": SOURCE, "wiki/plant.md": page()})
    commit_files(made, {"wiki/plant.md": page(more="It is large.")}, "Say that it is large")
    commit_files(made, {"wiki/plant.md": page(4, "It is large.")}, "Rewrite the notes")
    commit_files(made, {"wiki/plant.md": page(4, "It is very large.")}, "Say that it is very large")
    return made


def as_the_schema_says(kind: Any, told: Any) -> Any:
    """The same without what the schema does not know; a ValidationError where it says otherwise."""
    return json.loads(TypeAdapter(kind).dump_json(TypeAdapter(kind).validate_python(told)))


@pytest.mark.parametrize("command", ["history", "bisect"])
@pytest.mark.parametrize("metric", ["all", "M1,M2"])
def test_more_than_one_metric_is_refused(wiki: Path, assay: Assay, refused: Refused, command: str, metric: str) -> None:
    refused(assay(wiki, "eval", command, metric), 2, "is not one metric", "name one: M1, M2")


def test_an_unknown_metric_and_an_unknown_revision_are_refused(wiki: Path, assay: Assay, refused: Refused) -> None:
    refused(assay(wiki, "eval", "history", "M77"), 2, "there is no metric 'M77'")
    refused(assay(wiki, "eval", "history", "M1", "--rev", "nowhere..HEAD"), 2, "nowhere")
    refused(assay(wiki, "eval", "bisect", "M1", "--good", "nowhere"), 2, "nowhere")


def test_without_a_known_good_commit_one_has_to_be_named(wiki: Path, assay: Assay, refused: Refused) -> None:
    refused(assay(wiki, "eval", "bisect", "M1"), 2, "M1 was healthy at no commit", "--good REV")


def test_where_nothing_can_be_measured_the_exit_code_is_3(make_repository: Callable[..., Path], assay: Assay) -> None:
    folder = make_repository({"assay.toml": POLICY, "wiki/a.md": "# A\n\nNothing is cited.\n"})
    done = assay(folder, "eval", "history", "M1")
    assert done.code == 3
    assert "not measured: no page of w has a claim that cites a source" in done.out


def test_a_clone_that_is_cut_off_tells_as_far_as_it_goes(
    wiki: Path, assay: Assay, git: Callable[..., str], tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{wiki}", str(clone))
    done = assay(clone, "eval", "history", "M1", "--json")
    assert done.code == 0, done.err
    assert [step["value"] for step in json.loads(done.out)["steps"]] == [0.6, 0.6]


def test_the_history_is_told_newest_first(wiki: Path, assay: Assay) -> None:
    done = assay(wiki, "eval", "history", "M1")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "M1 citation fidelity, w"
    assert [line.split()[2] for line in lines[2:6]] == ["0.60", "0.60", "1.00", "1.00"]
    assert "-0.40" in lines[3]
    assert "Rewrite the notes (1 page)" in lines[3]
    assert "1.00 → 0.60, oldest first" in done.out


def test_the_history_of_a_range_as_json(wiki: Path, assay: Assay) -> None:
    done = assay(wiki, "eval", "history", "M1", "--rev", "HEAD~3..HEAD~1", "--json")
    told = json.loads(done.out)
    assert told == as_the_schema_says(EvalHistory, told)
    assert (told["schema"], told["metric"], told["workspace"], told["is_cut"]) == (
        "assay/eval-history/1",
        "M1",
        "w",
        False,
    )
    assert [(step["value"], step["status"], step["n"]) for step in told["steps"]] == [
        (0.6, "broken", 10),
        (1.0, "healthy", 10),
    ]


def test_bisect_names_the_commit_and_the_samples_that_turned(wiki: Path, assay: Assay) -> None:
    done = assay(wiki, "eval", "bisect", "M1", "--good", "HEAD~3")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].endswith("is the first commit at which M1 is no longer healthy")
    assert "  Rewrite the notes" in lines
    assert "  Ada Writer <ada@example.org>, 2024-01-02" in lines
    assert "  changed wiki/plant.md" in lines
    assert "4 samples turned:" in lines
    assert "  not by a run" in lines


def test_bisect_begins_where_the_notes_know_it_healthy(wiki: Path, assay: Assay, git: Callable[..., str]) -> None:
    assert assay(wiki, "eval", "history", "M1", "--keep", "--rev", "HEAD~2").code == 0
    done = assay(wiki, "eval", "bisect", "M1", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told == as_the_schema_says(EvalBisect, told)
    assert told["schema"] == "assay/eval-bisect/1"
    assert told["first_bad"]["commit"] == git(wiki, "rev-parse", "HEAD~1")
    assert told["last_good"]["commit"] == git(wiki, "rev-parse", "HEAD~2")
    assert (told["first_bad"]["run"], told["first_bad"]["told"]) == (None, "not by a run")
    assert {one["was"] for one in told["turned"]} == {"pass"}
    assert told["line"] == "M1 is no longer healthy"
