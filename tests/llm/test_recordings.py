from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops import canonical
from gitops.config import Budget
from gitops.errors import CannotRun, OutOfBudget, UsageError
from gitops.llm.client import Client, Send
from gitops.llm.opening import open_messages
from gitops.llm.recordings import Recording, Replay
from tests.llm.asking import HELLO, ledger_in, llm_at, logged, opened
from tests.messages_server import MessagesServer, error, text, thought

NOWHERE = "http://127.0.0.1:9"


def question(words: str) -> dict[str, Any]:
    return {"system": "Find the error.", "messages": [{"role": "user", "content": words}]}


def recorded(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[dict[str, Any]]:
    monkeypatch.setenv("ASSAY_LLM", "record")
    with MessagesServer([thought("hm", text(f"about {one}")) for one in words]) as server:
        client = opened(server, folder)
        return [client.create(question(one)) for one in words]


def replaying(folder: Path, monkeypatch: pytest.MonkeyPatch, budget: Budget | None = None, **preset: Any) -> Client:
    monkeypatch.setenv("ASSAY_LLM", "replay")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    return open_messages(llm_at(NOWHERE, **preset), "verifier", ledger_in(folder, budget))


def test_another_mode_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LLM", "offf")
    with pytest.raises(UsageError, match="ASSAY_LLM=offf") as caught:
        open_messages(llm_at(NOWHERE), "verifier", ledger_in(tmp_path))
    assert "live, record, replay, off" in caught.value.hint


def test_off_forbids_every_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with MessagesServer([]) as server:
        monkeypatch.setenv("ASSAY_LLM", "off")
        client = opened(server, tmp_path)
        with pytest.raises(CannotRun, match="ASSAY_LLM=off forbids it"):
            client.create(HELLO)
        assert server.requests == []
    assert list(tmp_path.iterdir()) == []


def test_a_miss_without_any_recording_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotRun, match="there is none in") as caught:
        replaying(tmp_path, monkeypatch).create(HELLO)
    assert "ASSAY_LLM=record" in caught.value.hint
    assert logged(tmp_path) == []


def test_a_miss_shows_how_the_nearest_recording_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "The tide rose. " * 400
    recorded(tmp_path, monkeypatch, f"{long}It fell by 40 %. It rests.", "something else entirely", "Moon?")
    with pytest.raises(CannotRun) as caught:
        replaying(tmp_path, monkeypatch).create(question(f"{long}It fell by 45 %. It rests."))
    lines = caught.value.message.splitlines()
    assert lines[1:] == ["  -messages[0].content: It fell by 40 %.", "  +messages[0].content: It fell by 45 %."]
    assert len(caught.value.message) < 300


def test_a_miss_that_differs_everywhere_is_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(tmp_path, monkeypatch, "One. Two. Three. Four. Five. " + "x" * 500)
    with pytest.raises(CannotRun) as caught:
        replaying(tmp_path, monkeypatch).create(question("Uno. Due. Tre. Quattro. Cinque. Sei. Sette."))
    assert "lines more" in caught.value.message
    assert len(caught.value.message) < 1200


@pytest.mark.parametrize("content", ["{half", "[]", '{"request": {}}', ""])
def test_a_damaged_recording_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    recorded(tmp_path, monkeypatch, "a")
    [path] = (tmp_path / "recordings").iterdir()
    path.write_text(content)
    with pytest.raises(CannotRun, match=path.name):
        replaying(tmp_path, monkeypatch).create(question("a"))


def test_a_failure_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LLM", "record")
    with MessagesServer([error(529)]) as server, pytest.raises(CannotRun):
        opened(server, tmp_path).create(HELLO)
    assert not (tmp_path / "recordings").exists()


def test_an_answer_that_the_budget_cut_off_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LLM", "record")
    with MessagesServer([text("half", "max_tokens")]) as server, pytest.raises(OutOfBudget):
        opened(server, tmp_path, Budget(output_tokens=5)).create(HELLO)
    assert not (tmp_path / "recordings").exists()


def test_a_short_recording_is_not_the_nearest_of_a_long_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path, monkeypatch, "One.", "One. Two. Three. Four. Six.")
    with pytest.raises(CannotRun) as caught:
        replaying(tmp_path, monkeypatch).create(question("One. Two. Three. Four. Five."))
    assert "-messages[0].content: Six." in caught.value.message


def test_a_recording_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "taken").write_text("a file")
    monkeypatch.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "taken"))
    with pytest.raises(CannotRun, match="recording cannot be written"):
        recorded(tmp_path, monkeypatch, "a")


def test_a_replayed_budget_runs_out_where_the_recorded_one_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(tmp_path, monkeypatch, "a", "b")
    client = replaying(tmp_path, monkeypatch, Budget(output_tokens=20))
    client.create(question("a"))
    with pytest.raises(OutOfBudget):
        client.create(question("b"))


def test_what_was_recorded_is_replayed_without_key_or_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = recorded(tmp_path, monkeypatch, "tides", "潮\u2028汐", "caf\udce9")
    client = replaying(tmp_path, monkeypatch)
    assert [client.create(question(words)) for words in ("tides", "潮\u2028汐", "caf\udce9")] == answers
    lines = logged(tmp_path)
    assert [line["replayed"] for line in lines] == [False] * 3 + [True] * 3
    for live, replayed in zip(lines[:3], lines[3:], strict=True):
        assert {**live, "replayed": True} == replayed


def test_recordings_may_lie_elsewhere_and_are_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "kept"))
    [answer] = recorded(tmp_path, monkeypatch, "Wie hoch stieg die Flut, „wirklich“?")
    [path] = (tmp_path / "kept").iterdir()
    record = json.loads(path.read_text())
    assert path.stem == canonical.digest(record["request"]) == logged(tmp_path)[0]["request"]
    assert record.keys() == {"request", "answer", "model", "recorded_at"}
    assert (record["answer"], record["recorded_at"]) == (answer, "2024-01-02T03:04:05+00:00")
    assert "„wirklich“" in path.read_text()


def test_a_smaller_budget_does_not_change_what_is_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [answer] = recorded(tmp_path, monkeypatch, "a")
    assert replaying(tmp_path, monkeypatch, Budget(output_tokens=300)).create(question("a")) == answer


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        items = [(key, shuffled(item, chance)) for key, item in value.items()]
        chance.shuffle(items)
        return dict(items)
    return [shuffled(item, chance) for item in value] if isinstance(value, list) else value


class Fixed:
    """A source that gives every request the same answer."""

    replays = False

    def prepared(self, request: Mapping[str, Any], digest: str) -> Send:
        usage = {"input_tokens": 1, "output_tokens": 1}
        return lambda body: json.dumps({"content": [], "stop_reason": "end_turn", "usage": usage}).encode()

    def keep(self, request: Mapping[str, Any], digest: str, answer: Mapping[str, Any]) -> None:
        pass


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4), st.randoms(use_true_random=False))
@pytest.mark.slow
def test_a_request_is_replayed_in_any_order_of_its_keys(body: dict[str, Any], chance: random.Random) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        ledger, llm = ledger_in(folder), llm_at(NOWHERE)
        answer = Client(llm, "verifier", ledger, Recording(Fixed(), folder / "kept", ledger.now)).create(body)
        assert Client(llm, "verifier", ledger, Replay(folder / "kept")).create(shuffled(body, chance)) == answer
        other = {**body, "another": 1}
        with pytest.raises(CannotRun, match="another: 1"):
            Client(llm, "verifier", ledger, Replay(folder / "kept")).create(other)


@pytest.mark.parametrize("mode", ["replay", "off"])
def test_neither_replay_nor_off_import_the_sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    recorded(tmp_path, monkeypatch, "a")
    monkeypatch.setenv("ASSAY_LLM", mode)
    program = f"""
import sys, pathlib
from tests.llm.asking import ledger_in, llm_at
from gitops.errors import CannotRun
from gitops.llm.opening import open_messages
client = open_messages(llm_at({NOWHERE!r}), "verifier", ledger_in(pathlib.Path({str(tmp_path)!r})))
try:
    print(client.create({question("a")!r})["content"][1]["text"])
except CannotRun as error:
    print(error)
assert not [name for name in ("anthropic", "httpx2", "httpx") if name in sys.modules]
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ("about a" if mode == "replay" else done.stdout.strip())
    assert ("forbids it" in done.stdout) == (mode == "off")
