"""One preset under one budget: fills a request in, holds room for it, asks, and books what it used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, Protocol

from gitops import canonical
from gitops.config import Llm, Preset, Price
from gitops.errors import AssayError, CannotRun, OutOfBudget
from gitops.llm import answers, attempts, prices
from gitops.llm.estimate import tokens_of
from gitops.llm.failures import Broken
from gitops.llm.ledger import Held, Ledger
from gitops.usage import NOTHING, Usage

Send = Callable[[Mapping[str, Any]], bytes]
"""Sends a request and gives the bytes of the answer. `Broken` where only a part of it came."""


class Source(Protocol):
    """Where answers come from: the network, or recordings."""

    @property
    def replays(self) -> bool:
        """Whether answers cost no real money."""
        ...

    def prepared(self, request: Mapping[str, Any], digest: str) -> Send:
        """All that can go wrong before a request is under way goes wrong here, with CannotRun."""
        ...

    def keep(self, request: Mapping[str, Any], digest: str, answer: Mapping[str, Any]) -> None:
        """Told of each answer, but for those that the budget cut off."""
        ...


class Client:
    """The Messages of one preset (see `messages.Messages`), asked of a source."""

    def __init__(self, llm: Llm, preset: str, ledger: Ledger, source: Source) -> None:
        self._llm = llm
        self._name = preset
        self._preset: Preset = llm.preset(preset)
        self._ledger = ledger
        self._source = source
        self._used = NOTHING
        self._lock = threading.Lock()
        self._doors = threading.BoundedSemaphore(self._preset.concurrency)

    @property
    def model(self) -> str:
        """The model that answers."""
        return self._preset.model

    @property
    def context_tokens(self) -> int:
        """How many tokens the model reads at once."""
        return self._preset.context_tokens

    @property
    def concurrency(self) -> int:
        """How many calls may be under way at a time; more wait."""
        return self._preset.concurrency

    @property
    def used(self) -> Usage:
        """What the calls of this object have used so far."""
        with self._lock:
            return self._used

    def apart(self) -> Client:
        """The same, with a count of its own: what one of several conversations used."""
        other = copy(self)
        other._used, other._lock = NOTHING, threading.Lock()
        return other

    @property
    def note(self) -> str:
        """What a person should know of its costs; '' for nothing."""
        return prices.unpriced(self.model, self._llm.prices)

    def create(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send one request and give the answer, both as the Messages API has them (see `messages.Messages`)."""
        request = self._filled(body)
        price = self._price(tokens_of(request))
        digest = canonical.digest(request)
        send = self._source.prepared(request, digest)
        with self._doors:
            held = self._ledger.reserve(tokens_of(request), request["max_tokens"], price)
            return self._asked(request, digest, send, held, price)

    def _filled(self, body: Mapping[str, Any]) -> dict[str, Any]:
        longest = min(body.get("max_tokens") or self._preset.max_tokens, self._preset.max_tokens)
        request = {**body, "model": self.model, "max_tokens": longest}
        if self._preset.effort:
            request["output_config"] = {"effort": self._preset.effort, **(body.get("output_config") or {})}
        sendable = _sendable(request)
        assert isinstance(sendable, dict)
        return sendable

    def _price(self, read: int) -> Price | None:
        found = prices.price(self.model, self._llm.prices, read)
        if found is None and self._ledger.budget.usd:
            told = f"the budget is in dollars, and the price of {self.model} is not known"
            raise CannotRun(told, prices.how_to_price(self.model))
        return found

    def _asked(
        self, request: Mapping[str, Any], digest: str, send: Send, held: Held, price: Price | None
    ) -> dict[str, Any]:
        sent = {**request, "max_tokens": held.usage.output}
        used, answer, failure = NOTHING, None, "interrupted"
        attempts.begin()
        try:
            data = send(sent)
            used, answer, failure = answers.used(data, sent, price), answers.parsed(data), ""
            if answer is None:
                failure = f"{self.model} answered with something that is not a message"
                raise CannotRun(failure, f"is base_url of preset '{self._name}' a Messages interface?")
        except Broken as error:
            used, failure = answers.used(error.partial, sent, price, is_part=True), error.message
            raise
        except AssayError as error:
            failure = error.message
            raise
        finally:
            self._book(held, used + _unanswered(sent, price), digest, answer, failure)
        self._whole(answer, sent, request)
        self._source.keep(request, digest, answer)
        return answer

    def _book(self, held: Held, used: Usage, digest: str, answer: Mapping[str, Any] | None, failure: str) -> None:
        with self._lock:
            self._used += used
        about = {"preset": self._name, "model": self.model, "request": digest, "replayed": self._source.replays}
        stopped = answer["stop_reason"] if answer else None
        self._ledger.settle(held, used, {**about, "stop_reason": stopped, "error": failure or None})

    def _whole(self, answer: Mapping[str, Any], sent: Mapping[str, Any], request: Mapping[str, Any]) -> None:
        """OutOfBudget for an answer that was cut off not where the preset ends but where the budget did."""
        if answer["stop_reason"] == "max_tokens" and sent["max_tokens"] < request["max_tokens"]:
            told = f"the budget had {sent['max_tokens']} tokens left for an answer of {self.model}, and it was cut off"
            raise OutOfBudget(told, "raise [llm.budgets] output_tokens or usd")


def _unanswered(sent: Mapping[str, Any], price: Price | None) -> Usage:
    """What attempts that brought no answer used: at least their requests were read. In bytes over 3.5."""
    read = Usage(input=tokens_of(sent) * attempts.lost(), calls=attempts.lost())
    return replace(read, usd=prices.dollars(read, price)) if read.calls else NOTHING


def _sendable(value: Any) -> Any:
    """A copy without lone surrogates (bytes of a file that were no UTF-8), which no request can carry."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {_sendable(key): _sendable(item) for key, item in value.items()}
    return [_sendable(item) for item in value] if isinstance(value, list | tuple) else value
