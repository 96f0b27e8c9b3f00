"""Puts a streamed answer together from its server-sent events, block by block as they came.

The SDK has a gatherer of its own; it reads blocks of a kind that it does not know as something else, and what is sent
back to the model must be what the model sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

_GROWING = {"text_delta": "text", "thinking_delta": "thinking"}
_REPLACED = {"signature_delta": "signature"}


class Failed(Exception):
    """The server reported an error in the middle of its answer."""


class Gathered:
    """An answer that is coming. `message` is what has come, `is_whole` whether that is all."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {}
        self.is_whole = False
        self._inputs: dict[int, str] = {}

    def take(self, chunks: Iterable[bytes]) -> None:
        """Read events to their end. `Failed` with the server's words; ValueError for what are no such events."""
        try:
            for event in _events(chunks):
                self._add(event)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ValueError(f"an event that no answer has: {error}") from error

    def _add(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "error":
            raise Failed(str(event["error"]["message"]))
        if kind == "message_start":
            self.message = {**event["message"], "content": []}
        elif kind == "content_block_start":
            self.message["content"].append(event["content_block"])
        elif kind == "content_block_delta":
            self._grow(event["index"], event["delta"])
        elif kind == "content_block_stop" and event["index"] in self._inputs:
            self.message["content"][event["index"]]["input"] = json.loads(self._inputs[event["index"]] or "{}")
        elif kind == "message_delta":
            counted = {name: count for name, count in event.get("usage", {}).items() if count is not None}
            self.message |= {**event["delta"], "usage": {**self.message["usage"], **counted}}
        elif kind == "message_stop":
            self.is_whole = True

    def _grow(self, index: int, delta: dict[str, Any]) -> None:
        block, kind = self.message["content"][index], delta["type"]
        if kind in _GROWING:
            block[_GROWING[kind]] += delta[_GROWING[kind]]
        elif kind in _REPLACED:
            block[_REPLACED[kind]] = delta[_REPLACED[kind]]
        elif kind == "input_json_delta":
            self._inputs[index] = self._inputs.get(index, "") + delta["partial_json"]
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        else:
            raise ValueError(f"a part of an answer of an unknown kind, {kind}")


def _events(chunks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in _lines(chunks):
        if line.startswith(b"data:"):
            event = json.loads(line[len(b"data:") :])
            if not isinstance(event, dict):
                raise ValueError("an event that is no object")
            yield event


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines by line feed alone: a text may hold other line separators as they are."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    yield rest
