"""An HTTP endpoint as a target: the case as the JSON of a POST, its result as the body of the answer.

No redirect is followed, no answer is read without end, and none may take longer than a case may.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from gitops.errors import CannotRun, UsageError
from gitops.llm import endpoints
from gitops.llm.failures import one_line
from gitops.suites import environment
from gitops.suites.answered import read
from gitops.suites.model import BenchmarkCase, BenchmarkSuite, HttpTarget
from gitops.suites.target import Attempt

if TYPE_CHECKING:
    import httpx2

_HOST = re.compile(r"([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", re.IGNORECASE)


class Endpoint:
    """Asks a server each case, by one client for all threads. Its latency is that of request and answer."""

    is_timed = True

    def __init__(self, spec: HttpTarget, suite: BenchmarkSuite, headers: Mapping[str, str]) -> None:
        self._spec = spec
        self._limits = suite.limits
        self._headers = headers
        self._client: httpx2.Client | None = None
        self._lock = threading.Lock()

    def snapshot(self) -> dict[str, Any]:
        """That it was asked over the network; its address is the suite's."""
        return {"network": "allowed"}

    def attempt(self, case: BenchmarkCase, config: Mapping[str, Any], seed: int) -> Attempt:
        """Ask it once."""
        import httpx2

        begun = perf_counter()
        until = begun + self._limits.timeout_ms / 1000
        try:
            body = environment.request(case, config, seed)
            with self._opened().stream("POST", self._spec.url, json=body) as response:
                data = self._read(response, until)
        except (httpx2.TimeoutException, TimeoutError):
            return self._late(begun)
        except httpx2.HTTPError as error:
            told = f"no answer came: {one_line(str(error)) or type(error).__name__}"
            return Attempt(error=told, category="connection", latency_ms=_since(begun))
        except _TooLong:
            told = f"it answered with more than {self._limits.output_mb} MiB"
            return Attempt(error=told, category="output", latency_ms=_since(begun))
        if response.status_code != 200:
            told = f"it answered with status {response.status_code}: {one_line(data.decode('utf-8', 'replace'), 200)}"
            return Attempt(error=told.removesuffix(": "), category="http", latency_ms=_since(begun))
        return read(data, _since(begun))

    def close(self) -> None:
        """Close its connections."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _late(self, begun: float) -> Attempt:
        told = f"it took longer than {self._limits.timeout_ms / 1000:g} s"
        return Attempt(error=told, category="timeout", is_timeout=True, latency_ms=_since(begun))

    def _read(self, response: httpx2.Response, until: float) -> bytes:
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if len(data) > self._limits.output_mb * 2**20:
                raise _TooLong
            if perf_counter() > until:
                raise TimeoutError
        return bytes(data)

    def _opened(self) -> httpx2.Client:
        import httpx2

        with self._lock:
            if self._client is None:
                self._client = httpx2.Client(
                    timeout=httpx2.Timeout(self._limits.timeout_ms / 1000),
                    headers={"accept-encoding": "identity", **self._headers},
                    follow_redirects=False,
                    **_directly(self._spec.url),
                )
            return self._client


class _TooLong(Exception):
    """The answer has more bytes than the output of a case may have."""


def opened(spec: HttpTarget, suite: BenchmarkSuite, environ: Mapping[str, str] = os.environ) -> Endpoint:
    """The target of a suite. UsageError where the suite does not ask for the network, CannotRun without a header."""
    if not suite.limits.network:
        told = f"the suite {suite.suite_id} asks {urlsplit(spec.url).netloc}, and its limits allow no network"
        raise UsageError(told, '"limits": {"network": true} in its suite.json')
    if _HOST.fullmatch(urlsplit(spec.url).netloc) is None:
        raise UsageError(f"the suite {suite.suite_id} asks {spec.url}, which is no plain address", "https://host/path")
    environment.refuse_secrets(suite, spec.headers_from.values(), environ)
    headers = {}
    for header, variable in spec.headers_from.items():
        if variable not in environ:
            told = f"the suite {suite.suite_id} needs {variable} for the header {header}, and it is not set"
            raise CannotRun(told, f"export {variable}=…")
        headers[header] = environ[variable]
    return Endpoint(spec, suite, headers)


def _directly(url: str) -> dict[str, Any]:
    """What is on this machine is reached directly: a proxy would read what is sent."""
    import httpx2

    parts = urlsplit(url)
    if not endpoints.is_loopback(f"{parts.scheme}://{parts.netloc}"):
        return {}
    return {"trust_env": False, "transport": httpx2.HTTPTransport(trust_env=False)}


def _since(begun: float) -> float:
    return (perf_counter() - begun) * 1000
