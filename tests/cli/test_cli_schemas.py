"""What the commands print is what `git assay schema` says they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

Command = Callable[..., Any]


def schema(wiki: Path, assay: Command, name: str) -> Any:
    return json.loads(assay(wiki, "schema", name).out)


@pytest.fixture
def told(wiki: Path, assay: Command, staged: Command) -> dict[str, Any]:
    """What each command prints in a wiki with a run that landed, one that was rejected, and one that is open."""
    run = staged(wiki)
    finished = json.loads(assay(wiki, "run", "finish", run, "--json").out)
    assay(wiki, "run", "finish", staged(wiki, {"wiki/lost.md": "# Lost\n\nNo source.[^1]\n"}))
    staged(wiki, {"wiki/more.md": "# More\n"})
    (wiki / "raw/other.md").unlink()
    raw = json.loads(assay(wiki, "raw", "sync", "raw/other.md", "--json").out)
    asked = {"run-show": ("run", "show", run), "run-list": ("run", "list"), "status": ("status",), "log": ("log",)}
    printed = {name: json.loads(assay(wiki, *words, "--json").out) for name, words in asked.items()}
    doctor = json.loads(assay(wiki, "doctor", "--check", "--json").out)
    asked = {"lint": ("lint",), "blame": ("blame", "wiki/solvents.md"), "adoption": ("adopt", "--dry-run")}
    printed |= {name: json.loads(assay(wiki, *words, "--json").out) for name, words in asked.items()}
    asked = {
        "search": ("search", "solvent"),
        "query": ("query", "How much did solvent consumption decline?"),
        "query-estimate": ("query", "How much?", "--dry-run"),
        "ingest": ("ingest", "raw/report.md", "--dry-run"),
        "synthesize": ("synthesize", "--dry-run"),
        "synthesize-review": ("synthesize", "review"),
        "run-transcript": ("run", "show", run, "--transcript"),
        "measurement": ("verifier", "test", "--sample", "1"),
        "eval-report": ("eval", "report"),
        "backfill": ("lint", "--cascade-backfill", "--dry-run"),
        "resolve": ("lint", "--resolve-contradictions", "--dry-run"),
        "eval-history": ("eval", "history", "M6"),
        "eval-run": ("eval", "run", "--metric", "M1,M4"),
    }
    printed |= {name: json.loads(assay(wiki, *words, "--json").out) for name, words in asked.items()}
    printed |= _judged(wiki, assay)
    return {**printed, "run-finish": finished, "raw": raw, "doctor": doctor, "verdict": finished["verdict"]}


def _judged(wiki: Path, assay: Command) -> dict[str, Any]:
    claim = b'{"id": 1, "claim": "It rains.", "source_text": "It rains.", "label": "supports"}\n'
    pair = b'{"id": 1, "a": "It rains.", "b": "It is dry."}\n'
    asked = {"vote": (claim,), "pair-vote": (pair, "--pairs"), "judge-score": (claim, "--score")}
    return {
        name: json.loads(assay(wiki, "judge", *words, "--json", stdin=lines).out)
        for name, (lines, *words) in asked.items()
    }


@pytest.mark.slow
def test_a_shape_that_lacks_a_field_is_no_such_shape(wiki: Path, assay: Command, told: dict[str, Any]) -> None:
    for name, field in (("run-show", "states"), ("raw", "removed"), ("verdict", "kind"), ("verdict", "id")):
        lacking = {key: value for key, value in told[name].items() if key != field}
        with pytest.raises(jsonschema.ValidationError, match=f"'{field}' is a required property"):
            jsonschema.validate(lacking, schema(wiki, assay, name))


@pytest.mark.slow
def test_what_is_printed_is_valid(wiki: Path, assay: Command, told: dict[str, Any]) -> None:
    for name, value in told.items():
        described = schema(wiki, assay, name)
        jsonschema.Draft202012Validator.check_schema(described)
        jsonschema.validate(value, described)
        assert described["$id"] == value["schema"]


def test_what_is_recorded_is_valid_and_its_kind_is_behind_the_schema_it_carries(
    wiki: Path, assay: Command, told: dict[str, Any], git: Command
) -> None:
    root = told["run-show"]["root"]
    kinds = set()
    for line in git(wiki, "notes", "--ref=assay/runs", "show", root).splitlines():
        record = json.loads(line)
        described = schema(wiki, assay, record["kind"])
        jsonschema.Draft202012Validator.check_schema(described)
        jsonschema.validate(record, described)
        assert (described["$id"], described["$anchor"]) == (record["schema"], record["kind"])
        assert {"schema", "kind", "id"} <= set(described["required"])
        kinds.add(record["kind"])
    assert kinds >= {"run", "state", "plan"}


def test_every_name_that_is_listed_has_a_schema_and_no_other_has(wiki: Path, assay: Command) -> None:
    from gitops.eviction import schemas as evictions
    from gitops.okf.profile_schema import FILES as OKF_FILES
    from gitops.runs.schemas import PRINTED, RECORDS
    from gitops.suites.schemas import FILES

    assert assay(wiki, "schema").out.split() == [*RECORDS, *PRINTED, *FILES, *evictions.FILES, *OKF_FILES]


def test_no_verdict_is_printed_as_json_too(wiki: Path, assay: Command, refused: Command) -> None:
    run = assay(wiki, "run", "start").out.strip()
    done = assay(wiki, "run", "finish", run, "--json")
    refused(done, 3)
    body = json.loads(done.out)
    jsonschema.validate(body, schema(wiki, assay, "run-finish"))
    assert (body["result"], body["run_id"], body["status"]) == ("no_verdict", run, "pending")
    assert set(body) == {"schema", "result", "error", "hint", "run_id", "status"}
    assert f"error: {body['error']}\nhint:  {body['hint']}\n" == done.err
