"""`git assay extract eval --live`: a model extracts and judges, what that costs is said first, and one may decline."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gitops.runs import names
from tests.cli.on_terminal import on_terminal
from tests.extraction import planted_release as planted
from tests.messages_server import Answer, MessagesServer, error, slow, structured, tool_use

pytestmark = pytest.mark.slow

Command = Callable[..., Any]
PROJECT = Path(__file__).parents[2]
FREEZE = planted.text(
    "decision", "freeze", "No shipping in December", planted.FREEZE, (*planted.REASONS, "Few are there to help.")
)


def script(body: dict[str, Any], number: int) -> Answer:
    """Extracts the auditor of every source, and finds no support for any claim."""
    if any(tool["name"] == "record_atoms" for tool in body.get("tools", ())):
        return _extracted(body)
    said = body["messages"][0]["content"][-1]["text"]
    row = {"reason": "Nobody says so.", "unsupported": [], "vote": "does_not_support", "confidence": 0.99}
    return structured({"votes": [{"id": int(one), **row} for one in re.findall(r"^(\d+) ", said, re.MULTILINE)]})


def _extracted(body: dict[str, Any]) -> Answer:
    if any(turn["role"] == "assistant" for turn in body["messages"]):
        return tool_use("done", {"nothing_found": False})
    return _atoms()


def _atoms() -> Answer:
    said = {"sentence": "The auditor may look at any step.", "quote": planted.QUOTES["auditor"]}
    atom = {"type": "role", "id": "auditor", "title": "Auditor", "description": said}
    return tool_use("record_atoms", {"atoms": [{**atom, "relationships": [], "rationale": []}]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MessagesServer]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with MessagesServer(script) as made:
        yield made


@pytest.fixture
def plant(make_wiki: Command, server: MessagesServer) -> Path:
    """A wiki with one case of gold, whose presets ask the server."""
    files = {f"gold/extraction/release/atoms/{path}": text for path, text in planted.FILES.items()}
    files["gold/extraction/release/sources/handbook.md"] = planted.SOURCE
    policy = f'[workspace]\nname = "plant"\n\n{server.toml("claude", "escalate")}'
    made: Path = make_wiki({**files, "assay.toml": policy})
    planted.write(made.parent / "out" / planted.CASE, {**planted.FILES, "decisions/freeze.md": FREEZE})
    return made


def test_a_model_judges_what_stands_in_no_source(plant: Path, assay: Command, server: MessagesServer) -> None:
    done = assay(plant, "extract", "eval", "--emitted", "../out", "--live", "--json")
    made = json.loads(done.out)
    assert made["instrument"]["judge"]["id"] == "claude"
    assert made["details"]["claims"] == {"grounded": 2, "fabricated": 1, "omitted": 0, "unjudged": 0}
    assert made["metrics"]["faithfulness"]["value"] == pytest.approx(2 / 3, abs=1e-6)
    assert done.code == 1
    assert made["used"]["input_tokens"] > 0
    assert len(server.requests) == 1
    assert re.search(
        r"^claude would be asked 1 question in 1 request, about [\d,]+ tokens in, .* \$0\.\d+$", done.err, re.M
    )


def test_a_model_extracts_and_its_files_are_scored(plant: Path, assay: Command, server: MessagesServer) -> None:
    done = assay(plant, "extract", "eval", "--live", "--json")
    made = json.loads(done.out)
    assert made["subject"]["extractor"] == "git-assay"
    assert (made["subject"]["preset"], made["subject"]["model"]) == ("claude", "claude-sonnet-5-5")
    assert made["metrics"]["atom_f1"]["value"] == pytest.approx(2 / 10)
    assert made["metrics"]["atom_precision"]["value"] == 1
    assert re.search(r"^preset 'claude' would be asked \d+ times to extract, about .*\$0\.\d+$", done.err, re.M)
    assert (plant / ".git/assay/extraction" / made["run_id"] / "atoms/release/roles/auditor.md").is_file()
    assert all(request.body["model"] == "claude-sonnet-5-5" for request in server.requests)


def test_what_was_paid_for_stays_where_another_case_fails(
    make_wiki: Command, assay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    no_more = error(400, "invalid_request_error", "no more")
    with MessagesServer([_atoms(), tool_use("done", {"nothing_found": False}), no_more, no_more]) as server:
        files = {"assay.toml": f'[workspace]\nname = "plant"\n\n{server.toml("claude", "escalate")}'}
        for case in ("one", "two"):
            files |= {f"gold/extraction/{case}/atoms/{path}": text for path, text in planted.FILES.items()}
            files[f"gold/extraction/{case}/sources/handbook.md"] = planted.SOURCE
        folder = make_wiki(files)
        done = assay(folder, "extract", "eval", "--live")
        again = assay(folder, "extract", "eval", "--live")
    assert done.code == again.code == 3
    told = re.search(r"what was extracted stays, to be scored by --emitted (\S+)", done.err)
    assert told is not None, done.err
    assert (folder / told[1] / "one/roles/auditor.md").is_file()
    assert len(list((folder / ".git/assay/extraction").iterdir())) == 1, "of a run that extracted nothing, nothing"
    assert assay(folder, "extract", "eval", "--emitted", told[1], "--no-keep").code == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_told_to_end_while_it_asks_it_leaves_nothing_behind(
    make_wiki: Command, tmp_path: Path, number: signal.Signals
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    asked = threading.Event()

    def script(_body: dict[str, Any], _number: int) -> Answer:
        asked.set()
        return slow(2, _atoms())

    with MessagesServer(script) as server:
        files = {f"gold/extraction/release/atoms/{path}": text for path, text in planted.FILES.items()}
        files["gold/extraction/release/sources/handbook.md"] = planted.SOURCE
        folder = make_wiki({**files, "assay.toml": f'[workspace]\nname = "plant"\n\n{server.toml("claude")}'})
        env = {**os.environ, "PYTHONPATH": os.fspath(PROJECT), "TMPDIR": os.fspath(temporary)}
        env["ANTHROPIC_API_KEY"] = "sk-test"
        command = [sys.executable, "-m", "gitops", "extract", "eval", "--live", "--yes", "--no-keep"]
        # In the background signals may be ignored, and children inherit that.
        heard = partial(signal.signal, number, signal.SIG_DFL)
        running = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=heard,
        )
        assert asked.wait(30)
        assert list(temporary.iterdir()) != []
        running.send_signal(number)
        assert running.wait(timeout=30) == 128 + number
    assert list(temporary.iterdir()) == []
    assert not (folder / ".git/assay/extraction").exists()


def test_what_was_said_to_both_models_is_kept_with_the_run(plant: Path, assay: Command, git: Command) -> None:
    run_id = json.loads(assay(plant, "extract", "eval", "--live", "--json").out)["run_id"]
    blob = git(plant, "notes", f"--ref={names.TRANSCRIPTS}", "list").split()[0]
    kept = [json.loads(line) for line in git(plant, "cat-file", "-p", blob).splitlines()]
    assert [(one["role"], one["run_id"]) for one in kept] == [("writer", run_id)]
    assert kept[0]["turns"][0]["role"] == "user"
    assert kept[0]["usage"]["calls"] == 2
    assert planted.QUOTES["auditor"] in assay(plant, "run", "show", run_id, "--transcript").out


def test_what_it_cost_is_booked_once_and_as_an_evaluation(plant: Path, assay: Command) -> None:
    used = json.loads(assay(plant, "extract", "eval", "--live", "--json").out)["used"]
    [m4] = json.loads(assay(plant, "eval", "run", "--metric", "M4", "--no-keep", "--json").out)["measurements"]
    booked = {kind: tokens for kind, tokens in m4["details"]["tokens"].items() if tokens}
    assert booked == {"eval": used["input_tokens"] + used["output_tokens"]}


def test_a_dry_run_says_what_it_would_cost_and_asks_nobody(plant: Path, assay: Command, server: MessagesServer) -> None:
    done = assay(plant, "extract", "eval", "--live", "--dry-run")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "1 case of gold/extraction: preset 'claude' would extract each, and its files would be scored"
    assert lines[1].startswith("preset 'claude' would be asked ")
    assert lines[2].startswith("claude would be asked ")
    told = json.loads(assay(plant, "extract", "eval", "--live", "--dry-run", "--json").out)
    jsonschema.validate(told, json.loads(assay(plant, "schema", "extract-plan").out))
    assert [(one["role"], one["preset"]) for one in told["costs"]] == [("extract", "claude"), ("judge", "escalate")]
    assert all(one["requests"] > 0 and one["usd"] > 0 for one in told["costs"])
    assert server.requests == []


@pytest.mark.parametrize(("typed", "asked", "code"), [("n\n", 0, 3), ("\n", 0, 3), ("y\n", 1, 1)])
def test_on_a_terminal_one_may_decline_before_anything_is_spent(
    plant: Path, server: MessagesServer, typed: str, asked: int, code: int
) -> None:
    words = ("extract", "eval", "--emitted", "../out", "--live", "--no-keep")
    left, out, err = on_terminal(plant, typed, *words)
    assert (left, len(server.requests)) == (code, asked), err
    assert "ask them, and pay that? [y/N]" in err
    assert bool(out) == bool(asked)
    assert ("nothing was asked of any model" in err) == (not asked)


def test_with_yes_nobody_is_asked_first(plant: Path, server: MessagesServer) -> None:
    left, _, err = on_terminal(plant, "", "extract", "eval", "--emitted", "../out", "--live", "--no-keep", "--yes")
    assert (left, len(server.requests)) == (1, 1)
    assert "[y/N]" not in err
    assert "claude would be asked 1 question" in err
