from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops.config import Budget
from gitops.errors import CannotRun, OutOfBudget, UsageError
from gitops.llm.opening import open_messages
from gitops.usage import Usage
from tests.llm.asking import HELLO, ledger_in, llm_at, logged, opened
from tests.messages_server import (
    Answer,
    MessagesServer,
    drop,
    error,
    message,
    raw,
    slow,
    text,
    thought,
    tool_use,
)

STREAMED = 64_000
BLOCKS: list[dict[str, Any]] = [
    {"type": "text", "text": "line\u2028separator, “quoted”\n"},
    {"type": "redacted_thinking", "data": "opaque"},
    {"type": "of_the_future", "inner": {"empty": None, "list": [1, 2.5, "é"]}},
    {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "raw/é.md", "lines": [1, 2]}},
    {"type": "tool_use", "id": "toolu_2", "name": "list", "input": {}},
]


def test_an_unknown_preset_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no preset 'nobody'"):
        open_messages(llm_at("http://localhost"), "nobody", ledger_in(tmp_path))


def test_the_offline_preset_has_no_model_to_ask(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'offline' has no model"):
        open_messages(llm_at("http://localhost"), "offline", ledger_in(tmp_path))


def test_a_budget_that_is_used_up_stops_before_the_request(tmp_path: Path) -> None:
    with MessagesServer([text("yes")]) as server:
        client = opened(server, tmp_path, Budget(output_tokens=5))
        client.create(HELLO)
        with pytest.raises(OutOfBudget):
            client.create(HELLO)
        assert len(server.requests) == 1
    assert len(logged(tmp_path)) == 1


def test_a_request_that_is_too_large_for_the_input_budget_is_not_sent(tmp_path: Path) -> None:
    with MessagesServer([]) as server:
        client = opened(server, tmp_path, Budget(input_tokens=1000))
        with pytest.raises(OutOfBudget, match="input_tokens"):
            client.create({"messages": [{"role": "user", "content": "x" * 4000}]})
        assert server.requests == []


def test_an_answer_that_the_budget_cut_off_is_out_of_budget_and_paid(tmp_path: Path) -> None:
    with MessagesServer([text("only half of", "max_tokens")]) as server:
        client = opened(server, tmp_path, Budget(output_tokens=7))
        with pytest.raises(OutOfBudget, match="7 tokens left"):
            client.create(HELLO)
        assert server.bodies[0]["max_tokens"] == 7
    assert client.used.output > 0
    assert logged(tmp_path)[0]["stop_reason"] == "max_tokens"


def test_dollars_of_a_model_without_a_price_cannot_be_bounded(tmp_path: Path) -> None:
    with MessagesServer([]) as server:
        client = opened(server, tmp_path, Budget(usd=1), model="local-7b")
        with pytest.raises(CannotRun, match="price of local-7b is not known") as caught:
            client.create(HELLO)
    assert '[llm.prices."local-7b"]' in caught.value.hint


def test_without_a_dollar_budget_an_unpriced_model_is_free_and_a_note_says_so(tmp_path: Path) -> None:
    with MessagesServer([text("yes")]) as server:
        client = opened(server, tmp_path, model="local-7b")
        client.create(HELLO)
    assert client.used.usd == 0
    assert "counted as 0" in client.note


def test_the_request_is_filled_in_from_the_preset(tmp_path: Path) -> None:
    with MessagesServer([text("yes"), text("yes")]) as server:
        client = opened(server, tmp_path, effort="low", max_tokens=900)
        client.create({**HELLO, "system": "be brief", "model": "another", "max_tokens": 5000})
        client.create({**HELLO, "max_tokens": 100, "output_config": {"effort": "max"}})
    assert server.bodies == [
        {**HELLO, "system": "be brief", "model": client.model, "max_tokens": 900, "output_config": {"effort": "low"}},
        {**HELLO, "model": client.model, "max_tokens": 100, "output_config": {"effort": "max"}},
    ]


def test_what_a_call_used_is_what_the_answer_says(tmp_path: Path) -> None:
    counts = {"input_tokens": 10, "output_tokens": 20, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 40}
    with MessagesServer([text("yes", usage=counts)]) as server:
        client = opened(server, tmp_path)
        client.create(HELLO)
    assert client.used == Usage(10, 20, 30, 40, (10 * 2 + 20 * 10 + 30 * 0.10 + 40 * 2.5) / 1e6, 1)
    [line] = logged(tmp_path)
    assert line["stop_reason"] == "end_turn"
    assert (line["model"], line["preset"], line["replayed"]) == ("claude-sonnet-5-5", "verifier", False)


def test_bytes_that_are_no_text_are_sent_as_replacements(tmp_path: Path) -> None:
    with MessagesServer([text("yes")]) as server:
        opened(server, tmp_path).create({"messages": [{"role": "user", "content": "caf\udce9 é"}]})
        assert server.bodies[0]["messages"][0]["content"] == "caf? é"


@pytest.mark.parametrize("longest", [500, STREAMED])
def test_an_answer_can_be_sent_back_as_it_came(tmp_path: Path, longest: int) -> None:
    answer = thought("Let me see.", message(BLOCKS, "tool_use"))
    with MessagesServer([answer, text("done")]) as server:
        client = opened(server, tmp_path, max_tokens=longest)
        first = client.create(HELLO)
        results = [{"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": "ok"} for n in (1, 2)]
        turns = [*HELLO["messages"], {"role": "assistant", "content": first["content"]}]
        client.create({"messages": [*turns, {"role": "user", "content": results}]})
        assert bool(server.bodies[0].get("stream")) == (longest == STREAMED)
        assert server.bodies[1]["messages"][1]["content"] == answer.payload["content"]
    assert first["content"] == answer.payload["content"]
    assert first["stop_reason"] == "tool_use"


def test_a_streamed_answer_that_breaks_off_is_told_and_its_tokens_are_booked(tmp_path: Path) -> None:
    with MessagesServer([drop()]) as server:
        client = opened(server, tmp_path, max_tokens=STREAMED)
        with pytest.raises(CannotRun, match="broke off in the middle"):
            client.create(HELLO)
    assert client.used.input > 0
    assert client.used.output > 20
    assert logged(tmp_path)[0]["usd"] > 0


@pytest.mark.parametrize(
    "data",
    [
        b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}\n\n',
        b'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}}\n\n',
        b"data: [1]\n\n",
        b"data: {half\n\n",
        b"",
    ],
)
def test_a_stream_that_is_no_answer_is_told(tmp_path: Path, data: bytes) -> None:
    with MessagesServer([raw(data, content_type="text/event-stream")]) as server:
        client = opened(server, tmp_path, max_tokens=STREAMED)
        with pytest.raises(CannotRun, match="broke off"):
            client.create(HELLO)


def test_a_server_that_does_not_stream_is_understood(tmp_path: Path) -> None:
    whole = b'{"content": [], "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 2}}'
    with MessagesServer([raw(whole)]) as server:
        assert opened(server, tmp_path, max_tokens=STREAMED).create(HELLO)["usage"]["output_tokens"] == 2


def test_a_server_that_does_not_stream_and_breaks_off_is_told(tmp_path: Path) -> None:
    with MessagesServer([replace(raw(b"{" + b" " * 5000), dropped=True)]) as server:
        client = opened(server, tmp_path, max_tokens=STREAMED)
        with pytest.raises(CannotRun, match="no answer from"):
            client.create(HELLO)


def test_an_error_before_a_stream_is_told_like_any_other(tmp_path: Path) -> None:
    with MessagesServer([error(529)]) as server:
        client = opened(server, tmp_path, max_tokens=STREAMED)
        with pytest.raises(CannotRun, match="answered 529"):
            client.create(HELLO)
    assert client.used.calls == 0


def test_threads_share_a_client_up_to_its_concurrency(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> Answer:
        return slow(0.1, text(body["messages"][0]["content"]))

    def asked(number: int) -> str:
        answer = client.create({"messages": [{"role": "user", "content": f"n{number}"}]})
        return str(answer["content"][0]["text"])

    with MessagesServer(script) as server, ThreadPoolExecutor(16) as pool:
        client = opened(server, tmp_path, concurrency=5)
        assert list(pool.map(asked, range(20))) == [f"n{number}" for number in range(20)]
        assert server.high_water == 5
    assert client.used.calls == 20
    assert len(logged(tmp_path)) == 20


def test_a_call_that_is_interrupted_gives_its_room_back(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path, Budget(output_tokens=50))
    client = open_messages(llm_at("http://localhost"), "verifier", ledger)

    class Pressed:
        replays = False

        def prepared(self, request: object, digest: str) -> Any:
            def send(body: object) -> bytes:
                raise KeyboardInterrupt

            return send

    client._source = Pressed()  # type: ignore[assignment]  # only a person can press the keys
    with pytest.raises(KeyboardInterrupt):
        client.create(HELLO)
    assert ledger.reserve(1, 50, None).usage.output == 50
    assert logged(tmp_path)[0]["error"] == "interrupted"


def test_tools_and_their_answers_go_through(tmp_path: Path) -> None:
    with MessagesServer([tool_use("read", {"path": "raw/a.md"}, said="I look.")]) as server:
        client = opened(server, tmp_path)
        tool = {"name": "read", "description": "reads", "input_schema": {"type": "object"}}
        answer = client.create({**HELLO, "tools": [tool]})
        assert server.bodies[0]["tools"] == [tool]
    assert [block["type"] for block in answer["content"]] == ["text", "tool_use"]


def test_the_sdk_is_made_once_for_all_threads(tmp_path: Path) -> None:
    with MessagesServer(lambda body, number: text("yes")) as server:
        client = opened(server, tmp_path)
        threads = [threading.Thread(target=client.create, args=(HELLO,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.requests) == 6
