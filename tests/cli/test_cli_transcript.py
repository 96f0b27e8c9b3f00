from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from gitops.git.repository import open_repository
from gitops.runs import store, transcripts
from gitops.runs.context import Context
from gitops.usage import Usage
from tests.cli.conftest import Done

TURNS = [
    {"role": "user", "content": [{"type": "text", "text": "One claim."}]},
    {"role": "assistant", "content": [{"type": "text", "text": "It is missing."}]},
]


def _started(assay: Callable[..., Done], make_wiki: Callable[..., Path]) -> tuple[Path, str]:
    wiki = make_wiki()
    return wiki, assay(wiki, "run", "start").out.strip()


def _keep(wiki: Path, run_id: str) -> None:
    context = Context(open_repository(wiki), lambda: datetime(2024, 1, 2, tzinfo=UTC))
    run = store.find(context, run_id)
    transcripts.keep(context, run, "writer", "Be brief.", TURNS, Usage(input=3, calls=1), model="claude-x")


def test_a_run_in_which_no_model_was_asked_says_so(assay: Callable[..., Done], make_wiki: Callable[..., Path]) -> None:
    wiki, run_id = _started(assay, make_wiki)
    done = assay(wiki, "run", "show", run_id, "--transcript")
    assert (done.code, done.out) == (0, f"no model was asked anything in run {run_id}\n")
    body = json.loads(assay(wiki, "run", "show", run_id, "--transcript", "--json").out)
    assert body == {"schema": "assay/run-transcript/1", "run_id": run_id, "transcripts": []}


def test_what_was_said_is_printed(assay: Callable[..., Done], make_wiki: Callable[..., Path]) -> None:
    wiki, run_id = _started(assay, make_wiki)
    _keep(wiki, run_id)
    done = assay(wiki, "run", "show", run_id, "--transcript")
    assert done.code == 0
    assert [line.strip() for line in done.out.splitlines()[1:]] == [
        "system", "Be brief.", "to the model", "One claim.", "model", "It is missing.",
    ]  # fmt: skip


def test_as_json_it_is_the_record_itself(assay: Callable[..., Done], make_wiki: Callable[..., Path]) -> None:
    wiki, run_id = _started(assay, make_wiki)
    _keep(wiki, run_id)
    (record,) = json.loads(assay(wiki, "run", "show", run_id, "--transcript", "--json").out)["transcripts"]
    assert (record["schema"], record["kind"], record["run_id"]) == ("assay/transcript/1", "transcript", run_id)
    assert (record["role"], record["model"], record["prompt"]) == ("writer", "claude-x", "Be brief.")
    assert record["turns"] == TURNS
