"""One request to one server, and its answer: the token goes below one address and nowhere else.

No redirect is followed here, no answer is read without end, and none may take for ever to come.
"""

from __future__ import annotations

import re
import time
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from gitops import __version__
from gitops.ci.github_answers import Answer
from gitops.errors import CannotRun
from gitops.llm import endpoints
from gitops.llm.failures import one_line

if TYPE_CHECKING:
    import httpx2

LARGEST = 16 * 1024 * 1024
"""So many bytes an answer may have: a hundred comments of the greatest length have less than half."""
_CONNECT_S, _SILENT_S, _WHOLE_S = 10.0, 30.0, 90.0
_LOOK = "look at GITHUB_API_URL"
_PLAIN = re.compile(r"[!-~]{1,8192}")


class Lost(Exception):
    """No answer came; `unsent` where the request did not get there either."""

    def __init__(self, why: str, unsent: bool) -> None:
        super().__init__(why)
        self.unsent = unsent


def pointed(address: str, to: str) -> str:
    """Where an answer to a request points. CannotRun for what is no address."""
    try:
        return urljoin(address, to)
    except ValueError as error:
        raise _no_address(urlsplit(address).netloc, to) from error


def _no_address(host: str, to: str) -> CannotRun:
    return CannotRun(f"{host} sends requests on to {one_line(to, 80)}, which is no address", _LOOK)


class Transport:
    """A connection to the server at `api`, made when the first request is."""

    def __init__(self, api: str, token: str) -> None:
        self._api = api
        self._token = token
        self._connection: httpx2.Client | None = None

    @property
    def host(self) -> str:
        """What is asked, for people."""
        return urlsplit(self._api).netloc

    def send(self, method: str, address: str, body: Mapping[str, Any] | None) -> Answer:
        """The answer, whatever it is. `Lost` where none came, CannotRun for another server's address."""
        import httpx2

        self._demand_inside(address)
        try:
            with self._client().stream(method, address, json=body) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Answer(response.status_code, headers, self._read(response, urlsplit(address).path))
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            raise Lost(_why(error), unsent=True) from error
        except httpx2.HTTPError as error:
            if "location header" in str(error):  # older versions read where a redirect leads, though none is followed
                told = f"{self.host} sends requests on to a place which is no address: {_why(error)}"
                raise CannotRun(told, _LOOK) from error
            raise Lost(_why(error), unsent=False) from error

    def _read(self, response: httpx2.Response, path: str) -> bytes:
        until = time.monotonic() + _WHOLE_S
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if len(data) > LARGEST:
                raise CannotRun(f"{self.host} answers {path} with more than {LARGEST:,} bytes", "try again later")
            if time.monotonic() > until:
                raise CannotRun(f"{self.host} takes more than {_WHOLE_S:.0f} s to answer {path}", "try again later")
        # A server, or a proxy before it, may repeat what it was sent; and what it refuses with is printed and logged.
        return bytes(data) if response.status_code < 400 else bytes(data).replace(self._token.encode(), b"[token]")

    def _demand_inside(self, address: str) -> None:
        if not address.startswith(f"{self._api}/") or "\\" in address or "/../" in address:
            elsewhere = one_line(urlsplit(address).netloc or address, 80)
            raise CannotRun(f"{self.host} sends requests on to {elsewhere}, which gets no token", _LOOK)
        if _PLAIN.fullmatch(address) is None:
            raise _no_address(self.host, address)

    def _client(self) -> httpx2.Client:
        import httpx2

        if self._connection is None:
            timeout = httpx2.Timeout(_SILENT_S, connect=_CONNECT_S)
            try:
                made = httpx2.Client(
                    timeout=timeout, headers=self._headers(), follow_redirects=False, **self._directly()
                )
            except (ValueError, ImportError, OSError) as error:
                told = f"no connection to {self.host} can be made: {one_line(str(error))}"
                raise CannotRun(told, "look at HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE") from error
            weakref.finalize(self, made.close)
            self._connection = made
        return self._connection

    def _directly(self) -> dict[str, Any]:
        """What is on this machine is reached directly: a proxy would read the token."""
        import httpx2

        if not endpoints.is_loopback(self._api):
            return {}
        return {"trust_env": False, "transport": httpx2.HTTPTransport(trust_env=False)}

    def _headers(self) -> dict[str, str]:
        return {
            "accept": "application/vnd.github+json",
            "accept-encoding": "identity",
            "authorization": f"Bearer {self._token}",
            "user-agent": f"git-assay/{__version__}",
            "x-github-api-version": "2022-11-28",
        }


def _why(error: Exception) -> str:
    return one_line(str(error)) or type(error).__name__
