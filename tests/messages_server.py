"""A real HTTP server on loopback that speaks the Messages interface, for tests of whatever asks a model.

    with MessagesServer([text("Yes."), error(429, "rate_limit_error", "slow down")]) as server:
        ...  # a preset with base_url = server.url and any key
    assert server.requests[0].body["model"] == "claude-sonnet-5-5"

A script decides each answer: a list, in order of arrival, or a callable from the body and the request's number
(from 0; the client's own retries count). What the real interface refuses, it refuses too (`messages_rules`). A script
that raises or runs out makes the `with` block fail. It needs no SDK and no pytest.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from tests.loopback import Handler, Loopback
from tests.messages_answers import (
    Answer,
    drop,
    error,
    message,
    raw,
    slow,
    structured,
    text,
    thought,
    tool_use,
    tool_uses,
)
from tests.messages_rules import refused
from tests.messages_wire import dumps, events_of, prefixes, tokens

__all__ = [
    "Answer",
    "MessagesServer",
    "Request",
    "Script",
    "drop",
    "error",
    "message",
    "raw",
    "slow",
    "structured",
    "text",
    "thought",
    "tool_use",
    "tool_uses",
]
Script = Callable[[dict[str, Any], int], Answer] | Sequence[Answer]


@dataclass(frozen=True)
class Request:
    """One request as it came. Header names are in lower case; `at` is `time.monotonic()`.

    `known` is how many tokens of it the prompt cache held when it came.
    """

    number: int
    path: str
    headers: Mapping[str, str]
    raw: bytes
    body: dict[str, Any]
    at: float
    known: int


class MessagesServer(Loopback):
    """The server. `requests` are all that came, `high_water` the most that were under way at once."""

    def __init__(self, script: Script) -> None:
        super().__init__(_Handler)
        self.requests: list[Request] = []
        self.high_water = 0
        self._under_way = 0
        self._script = script
        self._cached: set[str] = set()
        self._closing = threading.Event()
        self._off = ""

    @property
    def url(self) -> str:
        """The `base_url` of a preset that is to ask this server."""
        return self.origin

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies of all requests, in order of arrival."""
        return [request.body for request in self.requests]

    def toml(self, *presets: str, model: str = "claude-sonnet-5-5", **keys: Any) -> str:
        """Lines of `assay.toml` that make these presets (default: writer's `claude` and `verifier`) ask this server."""
        table = {"model": model, "base_url": self.url, "max_retries": 0, **keys}
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
        return "".join(f"[llm.presets.{name}]\n{lines}\n" for name in presets or ("claude", "verifier"))

    def close(self) -> None:
        """Stop, and cut the connections that are open."""
        self._closing.set()
        super().close()

    def __enter__(self) -> Self:
        if os.environ.get("ASSAY_LLM") == "off":  # as `tests/conftest.py` sets it: here is a network that may be used
            self._off = os.environ.pop("ASSAY_LLM")
        return super().__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._off:
            os.environ["ASSAY_LLM"] = self._off
        super().__exit__(kind, failure, _)

    def _received(self, path: str, headers: Mapping[str, str], data: bytes) -> Request:
        body = json.loads(data)
        found = prefixes(body) if body.get("model") and body.get("messages") else []
        with self.lock:
            known = max((one.tokens for one in found if one.digest in self._cached), default=0)
            self._under_way += 1
            self.high_water = max(self.high_water, self._under_way)
            self.requests.append(Request(len(self.requests), path, headers, data, body, time.monotonic(), known))
            return self.requests[-1]

    def _answered(self) -> None:
        with self.lock:
            self._under_way -= 1

    def _answer(self, request: Request) -> Answer:
        refusal = refused(request.path, request.headers, request.body)
        if refusal is not None:
            return error(refusal[0], message=refusal[1])
        try:
            return self._scripted(request)
        except BaseException as failure:
            self.failures.append(failure)
            return error(400, message=f"the script failed: {failure!r}")

    def _scripted(self, request: Request) -> Answer:
        if callable(self._script):
            return self._script(request.body, request.number)
        assert request.number < len(self._script), f"the script has no answer to request {request.number}"
        return self._script[request.number]

    def _whole(self, request: Request, answer: Answer) -> dict[str, Any]:
        """The answer's payload with what every message carries."""
        if answer.status != 200:
            return dict(answer.payload)
        written = tokens(dumps(answer.payload["content"]))
        usage = answer.usage or {**self._read(request), "output_tokens": written}
        head = {"id": f"msg_{request.number:06}", "type": "message", "role": "assistant"}
        return {**head, "model": request.body["model"], "stop_sequence": None, **answer.payload, "usage": dict(usage)}

    def _read(self, request: Request) -> dict[str, int]:
        """Input tokens by where they came from. What a request marks is kept once its answer begins, not before."""
        total = tokens(request.raw)
        found = prefixes(request.body)
        with self.lock:
            self._cached |= {prefix.digest for prefix in found if prefix.is_marked}
        read = min(request.known, total)
        written = min(found[-1].tokens, total) - read if found else 0
        counts = {"cache_read_input_tokens": read, "cache_creation_input_tokens": written}
        return {"input_tokens": total - read - written, **counts}


class _Handler(Handler):
    @property
    def _messages(self) -> MessagesServer:
        assert isinstance(self.server.owner, MessagesServer)
        return self.server.owner

    def do_POST(self) -> None:
        owner = self._messages
        data = self.body()
        request = owner._received(self.path, {name.lower(): value for name, value in self.headers.items()}, data)
        try:
            answer = owner._answer(request)
            owner._closing.wait(answer.delay)
            self._send(request, answer)
        finally:
            owner._answered()

    def _send(self, request: Request, answer: Answer) -> None:
        streamed = bool(request.body.get("stream")) and answer.status == 200 and answer.data is None
        data, kind = answer.data, "application/json"
        if data is None:
            whole = self._messages._whole(request, answer)
            data, kind = (events_of(whole), "text/event-stream") if streamed else (dumps(whole), kind)
        headers = {"content-type": kind, "request-id": f"req_{request.number:06}", **answer.headers}
        lines = [f"HTTP/1.1 {answer.status} {self.responses.get(answer.status, ('Error',))[0]}"]
        lines += [f"{name}: {value}" for name, value in headers.items()] + [f"content-length: {len(data)}"]
        head = "\r\n".join(lines).encode() + b"\r\n\r\n"
        # One write: two small ones would wait for an acknowledgement in between.
        self.wfile.write(head + (data[: len(data) // 2] if answer.dropped else data))
        if answer.dropped:
            self.hang_up()
