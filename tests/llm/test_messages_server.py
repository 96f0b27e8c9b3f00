from __future__ import annotations

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.messages_server import Answer, MessagesServer, error, slow, text

MODEL = "claude-sonnet-5-5"
HELLO = [{"role": "user", "content": "hello"}]


def post(server: MessagesServer, path: str = "/v1/messages", key: str = "sk", **body: Any) -> dict[str, Any]:
    data = json.dumps({"model": MODEL, "max_tokens": 9, "messages": HELLO, **body}).encode()
    headers = {"x-api-key": key, "anthropic-version": "2026-10-21"}
    request = urllib.request.Request(server.url + path, data, headers)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=20) as response:
            answer: dict[str, Any] = json.loads(response.read())
    except urllib.error.HTTPError as failure:
        with failure:
            answer = {"status": failure.code, **json.loads(failure.read())}
    return answer


def said(answer: dict[str, Any]) -> str:
    return f"{answer.get('status')} {answer['error']['message']}"


CALL = {"type": "tool_use", "id": "t1", "name": "read", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t2", "content": "x"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"messages": []}, "messages: Field required"),
        ({"max_tokens": 0}, "max_tokens: Field required"),
        ({"messages": [*HELLO, {"role": "assistant", "content": "It"}]}, "prefill"),
        (
            {"messages": [*HELLO, {"role": "assistant", "content": [CALL]}, {"role": "user", "content": "x"}]},
            "tool_use",
        ),
        (
            {"messages": [*HELLO, {"role": "assistant", "content": [CALL]}, {"role": "user", "content": [RESULT]}]},
            "tool_use",
        ),
        ({"messages": [{"role": "user", "content": " "}]}, "non-whitespace"),
        ({"temperature": 0}, "temperature"),
        ({"tool_choice": {"type": "tool", "name": "read"}}, "tool_choice"),
        ({"thinking": {"type": "disabled"}}, "thinking"),
        ({"output_config": {"format": {"schema": {"type": "object"}}}}, "additionalProperties"),
        ({"output_config": {"format": {"schema": {"type": "number", "minimum": 0}}}}, "minimum"),
    ],
)
def test_what_the_interface_refuses_is_refused(body: dict[str, Any], words: str) -> None:
    with MessagesServer([]) as server:
        assert words in said(post(server, **body))
        assert said(post(server, **body)).startswith("400")


def test_a_request_without_a_key_or_to_another_path_is_refused() -> None:
    with MessagesServer([]) as server:
        assert said(post(server, key="")).startswith("401")
        assert said(post(server, path="/v1/v1/messages")).startswith("404")


def test_a_script_that_runs_out_fails_the_test() -> None:
    server = MessagesServer([text("one")])
    with pytest.raises(AssertionError, match="no answer to request 1"), server:
        assert [post(server).get("status") for _ in range(2)] == [None, 400]


def test_a_script_that_raises_fails_the_test() -> None:
    def script(body: dict[str, Any], number: int) -> Answer:
        raise LookupError(body["model"])

    server = MessagesServer(script)
    with pytest.raises(LookupError), server:
        post(server)


def test_an_error_has_its_status_type_and_headers() -> None:
    with MessagesServer([error(529)]) as server:
        assert post(server) == {
            **{"status": 529, "type": "error"},
            "error": {"type": "overloaded_error", "message": "no"},
        }


def test_requests_are_kept_and_those_at_once_are_counted() -> None:
    with MessagesServer(lambda body, number: slow(0.2, text("yes"))) as server, ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: post(server), range(6)))
        assert server.high_water == 6
        assert [request.number for request in server.requests] == list(range(6))


def test_a_prefix_that_was_marked_is_read_from_the_cache_and_a_longer_one_written() -> None:
    def turn(*words: str) -> list[dict[str, Any]]:
        blocks = [{"type": "text", "text": word * 700} for word in words]
        return [{"role": "user", "content": [*blocks[:-1], {**blocks[-1], "cache_control": {"type": "ephemeral"}}]}]

    with MessagesServer(lambda body, number: text("yes")) as server:
        first, same, longer, other = (
            post(server, messages=turn(*words), model=model)["usage"]
            for words, model in ((["a"], MODEL), (["a"], MODEL), (["a", "b"], MODEL), (["a"], "claude-opus-5-5"))
        )
    assert first["cache_read_input_tokens"] == other["cache_read_input_tokens"] == 0
    assert first["cache_creation_input_tokens"] == same["cache_read_input_tokens"] > 200
    assert same["cache_creation_input_tokens"] == 0
    # The mark has moved on, and what stood before it is known still.
    assert longer["cache_read_input_tokens"] == first["cache_creation_input_tokens"]
    assert longer["cache_creation_input_tokens"] > 200


def test_input_is_counted_from_the_bytes_of_the_request() -> None:
    with MessagesServer([text("yes")]) as server:
        usage = post(server)["usage"]
        assert usage["input_tokens"] == -(-len(server.requests[0].raw) * 2 // 7)


def test_presets_can_be_written_for_a_configuration() -> None:
    import tomllib

    with MessagesServer([]) as server:
        presets = tomllib.loads(server.toml(max_tokens=70))["llm"]["presets"]
    assert presets["claude"] == presets["verifier"]
    assert presets["claude"] == {"model": MODEL, "base_url": server.url, "max_retries": 0, "max_tokens": 70}
