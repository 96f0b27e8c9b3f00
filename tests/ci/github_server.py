"""A real HTTP server on loopback that answers as GitHub's REST interface does, for tests of whatever talks to it.

    with GitHubServer("ada/wiki") as server:
        token = server.token(pull_requests="write")
        pull = server.pull(head_sha="1" * 40)
        ...  # GITHUB_API_URL=server.url GITHUB_TOKEN=token GITHUB_REPOSITORY=server.repository
    assert [each.body for each in server.comments_on(pull)] == [...]

What GitHub refuses, it refuses too: no token or a wrong one (401), a token that lacks a permission (403), what is not
there (404), a body that does not do (422). Lists come in pages of at most 100 with `Link` headers, whose addresses name
the repository by number. `server.next(...)` makes the next fitting requests fail, be limited, or get lost on the way.
With `git=` a bare repository, branches, merge bases and merges are that repository's. It needs no pytest.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.ci.github_hub import Comment, Hub, Pull, Refusal
from tests.loopback import Handler, Loopback

__all__ = ["Comment", "GitHubServer", "Pull", "Request", "Token"]

NUMBER = 4711
"""The repository's number, by which the addresses of further pages name it."""


@dataclass(frozen=True)
class Token:
    """Whose a token is and what it may do; an installation's (as in a workflow) is nobody's in particular."""

    login: str
    kind: str
    may: Mapping[str, str]
    is_installation: bool

    def allows(self, *wanted: tuple[str, str]) -> bool:
        """Whether one of the wanted (permission, level) is held."""
        return any(self.may.get(name) in (level, "write") for name, level in wanted)


@dataclass(frozen=True)
class Request:
    """One request as it came: header names in lower case, `body` the JSON in it or None, `at` `time.monotonic()`."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    at: float


@dataclass
class Mischief:
    """What the next `times` requests that fit meet with instead of an answer, or (`after`) although they were done."""

    method: str
    path: str
    status: int
    payload: Any
    headers: Mapping[str, str]
    times: int
    after: bool
    dropped: bool
    delay: float

    def fits(self, request: Request) -> bool:
        """Whether a request is one of those."""
        return self.times > 0 and self.method in ("", request.method) and bool(re.search(self.path, request.path))


@dataclass
class Answer:
    """A status, headers and JSON (None: no content), or raw bytes."""

    status: int
    payload: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    dropped: bool = False


class GitHubServer(Loopback, Hub):
    """The server, and beside it (see `Hub`) the pull requests and comments that it knows. `requests` are all that came.

    `prefix` is `/api/v3` on a server of one's own.
    """

    def __init__(self, repository: str = "ada/wiki", *, prefix: str = "", git: Path | None = None) -> None:
        Hub.__init__(self, repository, git)
        Loopback.__init__(self, _Handler)
        self.prefix = prefix
        self.requests: list[Request] = []
        self.remaining = 5_000
        self.reset = int(time.time()) + 3_600
        self._tokens: dict[str, Token] = {}
        self._mischief: list[Mischief] = []

    @property
    def url(self) -> str:
        """The GITHUB_API_URL of a job that is to ask this server."""
        return self.origin + self.prefix

    def token(self, login: str = "github-actions[bot]", *, is_installation: bool = True, **may: str) -> str:
        """A new token that may do what is said (`pull_requests="write"`); a person's if it is no installation's."""
        name = f"{'ghs' if is_installation else 'ghp'}_{len(self._tokens):036}"
        self._tokens[name] = Token(login, "Bot" if login.endswith("[bot]") else "User", may, is_installation)
        return name

    def environment(self, token: str, **more: str) -> dict[str, str]:
        """The variables that a job would have."""
        named = {"GITHUB_API_URL": self.url, "GITHUB_REPOSITORY": self.repository, "GITHUB_TOKEN": token}
        return {**named, "GITHUB_SERVER_URL": self.origin, "GITHUB_ACTIONS": "true", **more}

    def next(
        self,
        method: str = "",
        path: str = "",
        status: int = 500,
        payload: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        times: int = 1,
        after: bool = False,
        dropped: bool = False,
        delay: float = 0.0,
    ) -> None:
        """Have the next requests that fit go wrong. `payload` as bytes is sent as it is."""
        said = {"message": "Server Error"} if payload is None else payload
        with self.lock:
            given = Mischief(method, path, status, said, headers or {}, times, after, dropped, delay)
            self._mischief.append(given)

    def limit(self, seconds: float, method: str = "", times: int = 1) -> None:
        """Have the next requests meet the primary rate limit, which ends in so many seconds."""
        headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time() + seconds))}
        self.next(
            method, "", 403, {"message": "API rate limit exceeded for installation."}, headers=headers, times=times
        )

    def slow_down(self, seconds: int | None, method: str = "POST", times: int = 1) -> None:
        """Have the next requests meet a secondary limit, with or without a word of when it ends."""
        headers = {} if seconds is None else {"retry-after": str(seconds)}
        said = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
        self.next(method, "", 403, said, headers=headers, times=times)

    def sent(self, method: str, path: str = "") -> list[Request]:
        """The requests of a method that came so far, for paths that hold a pattern."""
        return [each for each in self.requests if each.method == method and re.search(path, each.path)]

    def _answered(self, request: Request) -> tuple[Answer, float]:
        """What is sent for a request, and after how long."""
        with self.lock:
            self.requests.append(request)
            bad = next((each for each in self._mischief if each.fits(request)), None)
            if bad is None:
                return self._done(request), 0.0
            bad.times -= 1
            if bad.after:
                self._done(request)
        raw = bad.payload if isinstance(bad.payload, bytes) else None
        return Answer(bad.status, bad.payload, dict(bad.headers), raw, bad.dropped), bad.delay

    def _done(self, request: Request) -> Answer:
        try:
            return self._routed(request)
        except Refusal as refusal:
            return Answer(refusal.status, {"message": str(refusal), **refusal.more}, refusal.headers)

    def _routed(self, request: Request) -> Answer:
        token = self._known(request)
        path = request.path.removeprefix(self.prefix)
        if not request.path.startswith(self.prefix):
            raise Refusal(404, "Not Found")
        if path == "/user":
            if token.is_installation:
                raise Refusal(403, "Resource not accessible by integration")
            return Answer(200, {"login": token.login, "type": token.kind})
        inside = path.removeprefix(f"/repos/{self.repository}").removeprefix(f"/repositories/{NUMBER}")
        if inside == path:
            raise Refusal(404, "Not Found")
        for method, pattern, wanted, name in _ROUTES:
            found = re.fullmatch(pattern, inside)
            if found is not None and method == request.method:
                self._demand(token, wanted)
                return self._called(request, token, name, found.groups())
        raise Refusal(404, "Not Found")

    def _called(self, request: Request, token: Token, name: str, given: tuple[str, ...]) -> Answer:
        payload = getattr(self, name)(token, request, *given)
        if request.method == "GET" and isinstance(payload, list):
            return self._page(request, payload)
        status = {"POST": 201, "DELETE": 204}.get(request.method, 200)
        return Answer(status, None if status == 204 else payload)

    def _known(self, request: Request) -> Token:
        given = re.fullmatch(r"(?:[Bb]earer|token) (\S+)", request.headers.get("authorization", ""))
        if given is None:
            raise Refusal(401, "Requires authentication")
        if given[1] not in self._tokens:
            raise Refusal(401, "Bad credentials")
        if not request.headers.get("user-agent"):
            raise Refusal(403, "Request forbidden by administrative rules.")
        return self._tokens[given[1]]

    @staticmethod
    def _demand(token: Token, wanted: tuple[tuple[str, str], ...]) -> None:
        if wanted and not token.allows(*wanted):
            need = {"x-accepted-github-permissions": "; ".join(f"{name}={level}" for name, level in wanted)}
            words = "integration" if token.is_installation else "personal access token"
            raise Refusal(403, f"Resource not accessible by {words}", headers=need)

    def _page(self, request: Request, every: list[Any]) -> Answer:
        size = min(max(_whole(request.query.get("per_page"), 30), 1), 100)
        number = max(_whole(request.query.get("page"), 1), 1)
        last = max((len(every) + size - 1) // size, 1)
        others = {name: value for name, value in request.query.items() if name not in ("page", "per_page")}
        links = {"next": number + 1, "last": last} if number < last else {}
        links |= {"prev": number - 1, "first": 1} if number > 1 else {}
        path = request.path.replace(f"/repos/{self.repository}", f"/repositories/{NUMBER}")
        extra = "".join(f"{name}={value}&" for name, value in others.items())
        told = (
            f'<{self.origin}{path}?{extra}per_page={size}&page={page}>; rel="{name}"' for name, page in links.items()
        )
        headers = {"link": ", ".join(told)} if links else {}
        return Answer(200, every[(number - 1) * size : number * size], headers)


_WRITES = (("issues", "write"), ("pull_requests", "write"))
_READS = (("issues", "read"), ("pull_requests", "read"))
_PULLS = (("pull_requests", "write"),)
_ROUTES = (
    ("GET", r"", (), "about"),
    ("GET", r"/commits/([0-9a-f]{40})/pulls", (), "pulls_of_commit"),
    ("GET", r"/compare/([0-9a-f]{40})\.\.\.([0-9a-f]{40})", (), "compare"),
    ("GET", r"/pulls", (), "list_pulls"),
    ("POST", r"/pulls", _PULLS, "open_pull"),
    ("GET", r"/pulls/(\d+)", (), "show_pull"),
    ("PATCH", r"/pulls/(\d+)", _PULLS, "edit_pull"),
    ("GET", r"/issues/(\d+)/labels", (), "list_labels"),
    ("POST", r"/issues/(\d+)/labels", _WRITES, "add_labels"),
    ("GET", r"/issues/(\d+)/events", _READS, "list_events"),
    ("GET", r"/issues/(\d+)/comments", (), "list_comments"),
    ("POST", r"/issues/(\d+)/comments", _WRITES, "add_comment"),
    ("GET", r"/issues/comments/(\d+)", (), "show_comment"),
    ("PATCH", r"/issues/comments/(\d+)", _WRITES, "edit_comment"),
    ("DELETE", r"/issues/comments/(\d+)", _WRITES, "delete_comment"),
)
"""Method, path within the repository, the permissions of which one is wanted, and the hub's method."""


def _whole(text: str | None, other: int) -> int:
    return int(text) if text is not None and text.isdigit() else other


class _Handler(Handler):
    @property
    def _github(self) -> GitHubServer:
        assert isinstance(self.server.owner, GitHubServer)
        return self.server.owner

    def _serve(self) -> None:
        data = self.body()
        asked = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(asked.query).items()}
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(data) if data else None
        request = Request(self.command, asked.path, query, headers, body, time.monotonic())
        answer, delay = self._github._answered(request)
        time.sleep(delay)
        self._send(answer)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _serve

    def _send(self, answer: Answer) -> None:
        owner = self._github
        data = answer.raw if answer.raw is not None else b""
        if answer.raw is None and answer.status != 204:
            data = json.dumps(answer.payload).encode()
        limits = {"x-ratelimit-remaining": str(owner.remaining), "x-ratelimit-reset": str(owner.reset)}
        named = {"content-type": "application/json; charset=utf-8", "date": self.date_time_string(), **limits}
        lines = [f"HTTP/1.1 {answer.status} {self.responses.get(answer.status, ('Error',))[0]}"]
        lines += [f"{name}: {value}" for name, value in {**named, **answer.headers}.items()]
        length = [] if answer.status == 204 else [f"content-length: {len(data)}"]
        head = "\r\n".join(lines + length).encode() + b"\r\n\r\n"
        self.wfile.write(b"" if answer.dropped else head + data)
        if answer.dropped:
            self.hang_up()
