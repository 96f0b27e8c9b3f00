"""Answers from the network, by the Anthropic SDK's own client. Imported here alone, since that costs seconds."""

from __future__ import annotations

import json
import os
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gitops.config import Preset
from gitops.errors import CannotRun
from gitops.llm import attempts, endpoints, failures
from gitops.llm.client import Send
from gitops.llm.streaming import Failed, Gathered

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic._middleware import CallNext
    from anthropic._request import APIRequest
    from anthropic._response import APIResponse

LONGEST_UNSTREAMED = 21_333
"""Answers that may be longer are streamed: the SDK reckons 128,000 tokens an hour, and that ten silent minutes are the
most that a connection survives."""
_CONNECT_S = 10.0
_SECRET = 8


class Live:
    """The real interface, one client for all threads, made when the first request is."""

    replays = False

    def __init__(self, name: str, preset: Preset) -> None:
        self._name = name
        self._preset = preset
        self._address = endpoints.base_url(name, preset, os.environ)
        self._client: Anthropic | None = None
        self._lock = threading.Lock()

    def prepared(self, request: Mapping[str, Any], digest: str) -> Send:
        """CannotRun where there is no key, or no client can be made."""
        key = endpoints.key(self._name, self._preset, os.environ)
        with self._lock:
            if self._client is None:
                self._client = self._opened(key)
            client = self._client
        return lambda body: self._sent(client, body)

    def keep(self, request: Mapping[str, Any], digest: str, answer: Mapping[str, Any]) -> None:
        """Nothing is kept."""

    def _directly(self) -> dict[str, Any]:
        """What is on this machine is reached directly: a proxy would read the key.

        The SDK's client looks for proxies by itself, whatever `trust_env` says, unless it is given a transport.
        """
        import httpx2

        if not endpoints.is_loopback(self._address):
            return {}
        return {"trust_env": False, "transport": httpx2.HTTPTransport(trust_env=False)}

    def _opened(self, key: str) -> Anthropic:
        import anthropic

        preset = self._preset
        timeout = anthropic.Timeout(preset.timeout_s, connect=min(_CONNECT_S, preset.timeout_s))
        try:
            # A redirect would take the request, sources and all, to where nobody allowed.
            network = anthropic.DefaultHttpxClient(timeout=timeout, follow_redirects=False, **self._directly())
        except (ValueError, ImportError, OSError) as error:
            told = f"no connection to {self._address} can be made: {failures.one_line(str(error))}"
            raise CannotRun(told, "look at HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE") from error
        weakref.finalize(self, network.close)
        return anthropic.Anthropic(
            # Given a key, the SDK looks for no other credential: no token, no profile, no file.
            api_key=key,
            base_url=self._address,
            timeout=timeout,
            max_retries=preset.max_retries,
            http_client=network,
            middleware=[_bounded(preset.model)],
            # Traces would carry sources to wherever a variable of the environment says.
            open_telemetry=False,
        )

    def _sent(self, client: Anthropic, body: Mapping[str, Any]) -> bytes:
        import anthropic
        import httpx2

        try:
            return self._answered(client, body)
        except anthropic.APIError as error:
            preset = self._preset
            told = failures.told(error, preset.model, self._name, self._address, preset.api_key_env)
            raise type(told)(_without_key(told.message, client), told.hint) from error
        except httpx2.HTTPError as error:
            raise failures.lost(self._address, error) from error
        except ValueError as error:
            why = failures.one_line(str(error))
            hint = "look at ANTHROPIC_CUSTOM_HEADERS"
            raise CannotRun(f"the request to {self._address} cannot be sent: {why}", hint) from error

    def _answered(self, client: Anthropic, body: Mapping[str, Any]) -> bytes:
        fixed = {name: body[name] for name in ("model", "max_tokens", "messages")}
        rest = {name: value for name, value in body.items() if name not in fixed}
        if body["max_tokens"] <= LONGEST_UNSTREAMED:
            response = client.messages.with_raw_response.create(**fixed, extra_body=rest)
            return bytes(response.http_response.content)
        with client.messages.with_streaming_response.create(**fixed, extra_body=rest, stream=True) as streamed:
            if not streamed.headers.get("content-type", "").startswith("text/event-stream"):
                return bytes(streamed.read())
            return self._gathered(streamed, client)

    def _gathered(self, streamed: APIResponse[Any], client: Anthropic) -> bytes:
        import httpx2

        gathered = Gathered()
        why = "the connection closed"
        try:
            gathered.take(streamed.iter_bytes())
        except (httpx2.HTTPError, Failed, ValueError) as error:
            why = failures.one_line(str(error)) or type(error).__name__
        data = json.dumps(gathered.message, ensure_ascii=False).encode("utf-8", "backslashreplace")
        if gathered.is_whole:
            return data
        told = f"{self._preset.model} at {self._address} broke off in the middle of an answer: {why}"
        raise failures.Broken(_without_key(told, client), "try again", data)


def _without_key(told: str, client: Anthropic) -> str:
    """A server may repeat what it was sent, and what it says is printed and logged.

    A few letters are no secret, and stand in every word: local servers take keys like that.
    """
    key = client.api_key
    return told.replace(key, "[key]") if key and len(key) >= _SECRET else told


def _counted(request: APIRequest, call_next: CallNext) -> APIResponse[Any]:
    import anthropic
    import httpx2

    try:
        return call_next(request)
    except anthropic.APIConnectionError as error:
        if not isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
            attempts.lose()
        raise


def _bounded(model: str) -> Callable[[APIRequest, CallNext], APIResponse[Any]]:
    """No server is waited for without end; the SDK itself would sleep for as long as it is told to."""

    def attempt(request: APIRequest, call_next: CallNext) -> APIResponse[Any]:
        response = _counted(request, call_next)
        status, wait = response.http_response.status_code, failures.wait_of(response.http_response.headers)
        if status >= 400 and wait > failures.LONGEST_WAIT_S:
            response.http_response.close()
            raise failures.too_long(model, status, wait)
        return response

    return attempt
