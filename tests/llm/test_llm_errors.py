from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import AssayError, CannotRun
from gitops.llm.opening import open_messages
from gitops.usage import NOTHING
from tests.llm.asking import HELLO, KEY, ledger_in, llm_at, logged, opened
from tests.messages_server import Answer, MessagesServer, drop, error, raw, slow, text


def failure(answer: Answer, folder: Path, **preset: Any) -> AssayError:
    with MessagesServer([answer]) as server:
        client = opened(server, folder, **preset)
        with pytest.raises(CannotRun) as caught:
            client.create(HELLO)
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (400, "context_tokens"),
        (401, "export ANTHROPIC_API_KEY=…"),
        (403, "ANTHROPIC_API_KEY may not use"),
        (404, "check model and base_url"),
        (413, "lower context_tokens"),
        (422, "see what it says"),
        (429, "lower concurrency"),
        (500, "try again later"),
        (503, "try again later"),
        (529, "try again later"),
    ],
)
def test_an_error_status_is_one_line_with_its_mend(tmp_path: Path, status: int, hint: str) -> None:
    told = failure(error(status, message="said\nthe server"), tmp_path)
    assert str(status) in told.message
    assert "said the server" in told.message
    assert hint in told.hint
    assert told.exit_code == 3


def test_a_failed_call_is_logged_and_costs_nothing(tmp_path: Path) -> None:
    told = failure(error(529), tmp_path)
    [line] = logged(tmp_path)
    assert line["error"] == told.message
    assert (line["tokens_in"], line["tokens_out"], line["usd"], line["stop_reason"]) == (0, 0, 0.0, None)


def test_room_that_a_failed_call_held_is_given_back(tmp_path: Path) -> None:
    from gitops.config import Budget

    with MessagesServer([error(500), text("yes")]) as server:
        client = opened(server, tmp_path, Budget(output_tokens=100), max_tokens=100)
        with pytest.raises(CannotRun):
            client.create(HELLO)
        assert client.used == NOTHING
        assert client.create(HELLO)["stop_reason"] == "end_turn"
        assert server.bodies[1]["max_tokens"] == 100


def test_a_refused_connection_names_the_address(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    client = open_messages(llm_at(url), "verifier", ledger_in(tmp_path))
    with pytest.raises(CannotRun, match="Connection refused") as caught:
        client.create(HELLO)
    assert url in caught.value.message
    assert logged(tmp_path)[0]["error"] == caught.value.message


def test_a_slow_answer_is_not_waited_for(tmp_path: Path) -> None:
    before = time.monotonic()
    told = failure(slow(30, text("late")), tmp_path, timeout_s=0.3)
    assert "did not answer in time" in told.message
    assert "timeout_s" in told.hint
    assert time.monotonic() - before < 15


def test_a_connection_that_drops_in_the_middle_is_told(tmp_path: Path) -> None:
    assert "peer closed connection" in failure(drop(), tmp_path).message


@pytest.mark.slow
def test_a_connection_that_drops_is_tried_again(tmp_path: Path) -> None:
    with MessagesServer([drop(), error(529), text("there")]) as server:
        client = opened(server, tmp_path, max_retries=2)
        assert client.create(HELLO)["content"][0]["text"] == "there"
    assert client.used.calls == 2  # what was sent and never answered was read all the same
    assert len(logged(tmp_path)) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"<html>a gateway</html>",
        b"",
        b"[]",
        b'{"content": "words"}',
        b'{"content": [{"type": "text"}], "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}}',
        b'{"content": [{"type": "tool_use", "id": "a", "name": "b", "input": NaN}], "stop_reason": "tool_use",'
        b' "usage": {"input_tokens": 1, "output_tokens": 1}}',
        b'{"content": [], "stop_reason": "end_turn"}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_message_is_told_and_accounted_for(tmp_path: Path, data: bytes) -> None:
    told = failure(raw(data), tmp_path)
    assert "not a message" in told.message
    [line] = logged(tmp_path)
    assert line["tokens_in"] > 0
    assert line["usd"] > 0
    assert line["error"] == told.message


@pytest.mark.slow
def test_a_wait_that_the_server_asks_for_is_kept(tmp_path: Path) -> None:
    with MessagesServer([error(429, headers={"retry-after": "1"}), text("now")]) as server:
        opened(server, tmp_path, max_retries=1).create(HELLO)
        first, second = server.requests
    assert second.at - first.at >= 1.0


@pytest.mark.parametrize("wait", [{"retry-after": "86400"}, {"retry-after-ms": "86400000"}])
def test_a_wait_of_a_day_is_the_users_to_decide(tmp_path: Path, wait: dict[str, str]) -> None:
    with MessagesServer([error(429, headers=wait)]) as server:
        client = opened(server, tmp_path, max_retries=4)
        with pytest.raises(CannotRun, match="asks to wait 86400 s"):
            client.create(HELLO)
        assert len(server.requests) == 1


def test_a_redirect_takes_neither_key_nor_text_along(tmp_path: Path) -> None:
    with MessagesServer([text("mine now")]) as thief:
        told = failure(error(307, headers={"location": f"{thief.url}/v1/messages"}), tmp_path)
        assert thief.requests == []
    assert "another address" in told.message


def test_a_key_that_a_server_repeats_is_not_told(tmp_path: Path) -> None:
    told = failure(error(401, message=f"the key {KEY} is unknown"), tmp_path)
    assert "[key]" in told.message
    assert KEY not in told.message


def test_a_key_that_a_stream_repeats_is_not_told(tmp_path: Path) -> None:
    event = b'data: {"type": "error", "error": {"type": "api_error", "message": "you are ' + KEY.encode() + b'"}}\n\n'
    told = failure(raw(event, content_type="text/event-stream"), tmp_path, max_tokens=64_000)
    assert "you are [key]" in told.message
    assert KEY not in (tmp_path / "llm-usage-2024-01-02.jsonl").read_text()


def test_a_header_that_cannot_be_sent_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-note: \udce9")
    client = open_messages(llm_at("http://127.0.0.1:1"), "verifier", ledger_in(tmp_path))
    with pytest.raises(CannotRun) as caught:
        client.create(HELLO)
    assert "ANTHROPIC_CUSTOM_HEADERS" in caught.value.hint


def test_an_unfit_proxy_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://somewhere")
    client = open_messages(llm_at("https://api.anthropic.com"), "verifier", ledger_in(tmp_path))
    with pytest.raises(CannotRun) as caught:
        client.create(HELLO)
    assert "ALL_PROXY" in caught.value.hint
    assert logged(tmp_path) == []
