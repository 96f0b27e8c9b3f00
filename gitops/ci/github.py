"""GitHub's REST interface, as the environment of a job names it: one repository, one token, bounded patience.

The token goes to the address that the environment names and nowhere else, whatever a redirect or a list's next page
says. What can be asked twice without doing harm is asked again; what cannot, and got lost, is `Unsure`.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

from pydantic import BaseModel, ValidationError

from gitops.ci import github_answers as answers
from gitops.ci.github_answers import Answer, Unsure
from gitops.ci.github_transport import Lost, Transport, pointed
from gitops.errors import CannotRun, UsageError
from gitops.llm import endpoints
from gitops.llm.failures import one_line

Model = TypeVar("Model", bound=BaseModel)

PUBLIC = "https://api.github.com"
TRIES = 4
"""How often a request is sent whose answers get lost, or are the server's own failures."""
LONGEST_WAIT_S = 120.0
"""A limit that ends later is not waited for: a job is told when instead."""
PATIENCE_S = 300.0
"""So long all waiting for limits may take."""
MOST_PAGES = 100

_HOPS = 3
_REPEATABLE = frozenset({"GET", "PATCH", "DELETE"})
"""Done twice they come to the same. A comment that is made twice is two."""
_ADDRESS = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?(?:/[A-Za-z0-9._~/-]*)?")
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")


class GitHub:
    """One repository at GitHub or a server of one's own kind of it. `wait` and `now` are the clock's."""

    def __init__(
        self,
        repository: str,
        token: str,
        api: str = PUBLIC,
        *,
        wait: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.repository = repository
        self._api = api.rstrip("/")
        self._wait = wait
        self._now = now
        self._waited = 0.0
        self._transport = Transport(self._api, token)

    @property
    def host(self) -> str:
        """What is asked, for people."""
        return urlsplit(self._api).netloc

    def get(self, path: str, **query: Any) -> Any:
        """What is at a path of the repository (`""` is itself)."""
        return self._asked("GET", self._address(path, query)).json(self.host)

    def pages(self, path: str, **query: Any) -> Iterator[Any]:
        """The items of a list, page after page. CannotRun for one that does not end."""
        address: str | None = self._address(path, {**query, "per_page": 100})
        seen: set[str] = set()
        while address is not None:
            if address in seen or len(seen) == MOST_PAGES:
                told = f"{self.host} has more than {MOST_PAGES} pages of {path}, or goes round in circles"
                raise CannotRun(told, "nobody reads so much: close what is long done")
            seen.add(address)
            answer = self._asked("GET", address)
            items = answer.json(self.host)
            if not isinstance(items, list):
                raise CannotRun(f"{self.host} answered {path} with no list", "is GITHUB_API_URL the API's address?")
            yield from items
            address = None if answer.following is None else pointed(address, answer.following)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Make something. `Unsure` where the answer got lost: then see what is there."""
        return self._asked("POST", self._address(path), body).json(self.host)

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        """Change something."""
        return self._asked("PATCH", self._address(path), body).json(self.host)

    def delete(self, path: str) -> None:
        """Take something away; what is gone already is gone."""
        try:
            self._asked("DELETE", self._address(path))
        except answers.Missing:
            return

    def login(self) -> str | None:
        """Whose token this is; None where it is an installation's, as in a workflow."""
        try:
            found = self._asked("GET", f"{self._api}/user").json(self.host)
        except (answers.Forbidden, answers.Missing):
            return None
        return self.read(_User, found).login

    def read(self, model: type[Model], value: Any) -> Model:
        """A part of an answer as a value. CannotRun where it is not what the interface promises."""
        try:
            return model.model_validate(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            told = f"{self.host} answered otherwise than GitHub does: {where}: {first['msg']}"
            raise CannotRun(one_line(told), "is GITHUB_API_URL the address of GitHub's API?") from error

    def _address(self, path: str, query: Mapping[str, Any] | None = None) -> str:
        given = urlencode({name: str(value) for name, value in (query or {}).items()})
        return f"{self._api}/repos/{self.repository}{path}{'?' * bool(given)}{given}"

    def _asked(self, method: str, address: str, body: Mapping[str, Any] | None = None) -> Answer:
        """The answer to a request: sent again where that is safe, waited for where a limit is met."""
        hops = lost = 0
        while True:
            path = urlsplit(address).path
            try:
                answer = self._transport.send(method, address, body)
            except Lost as error:
                lost += 1
                self._pause(lost, self._despair(method, path, error), may_repeat=error.unsent or method in _REPEATABLE)
                continue
            pause = answers.wait_of(answer, self._now())
            if pause is not None:  # nothing was done, so that anything may be sent again
                self._wait_out(pause, answer)
            elif answer.status >= 500:
                lost += 1
                self._pause(lost, self._failure(method, path, answer), may_repeat=method in _REPEATABLE)
            elif 300 <= answer.status < 400:
                hops += 1
                address = self._sent_on(method, address, answer, hops)
            elif answer.status >= 400:
                raise answers.refusal(answer, method, path, self.host)
            else:
                return answer

    def _failure(self, method: str, path: str, answer: Answer) -> CannotRun:
        told = answers.refusal(answer, method, path, self.host)
        return told if method in _REPEATABLE else Unsure(told.message, told.hint)

    def _despair(self, method: str, path: str, error: Lost) -> CannotRun:
        kind = CannotRun if error.unsent or method in _REPEATABLE else Unsure
        return kind(f"no answer from {self.host} to {method} {path}: {error}", "is the network up? try again later")

    def _pause(self, lost: int, failure: CannotRun, *, may_repeat: bool) -> None:
        if not may_repeat or lost >= TRIES:
            raise failure
        self._wait(random.uniform(0.5, 1) * 2 ** (lost - 1))

    def _wait_out(self, seconds: float, answer: Answer) -> None:
        """Wait for the end of a limit, or say when it is."""
        if seconds > LONGEST_WAIT_S or self._waited + seconds > PATIENCE_S:
            at = time.strftime("%H:%M:%S", time.gmtime(self._now() + seconds))
            told = f"{self.host} wants no more requests before {at} UTC: {answer.said or 'a rate limit is reached'}"
            raise CannotRun(told, f"run it again in {seconds:.0f} s")
        self._waited += seconds
        self._wait(seconds)

    def _sent_on(self, method: str, address: str, answer: Answer, hops: int) -> str:
        """Where a redirect leads: a repository that was renamed is asked under its new name, on the same host."""
        to = pointed(address, answer.headers.get("location", ""))
        if hops > _HOPS or (method != "GET" and answer.status not in (307, 308)):
            told = f"{self.host} sends {method} {urlsplit(address).path} on to another address"
            raise CannotRun(told, "was the repository renamed? look at GITHUB_REPOSITORY")
        return to


class _User(BaseModel):
    login: str


def from_environment(
    environ: Mapping[str, str],
    *,
    wait: Callable[[float], None] = time.sleep,
    now: Callable[[], float] = time.time,
) -> GitHub:
    """The repository, token and address of a job. CannotRun without a token, UsageError for what cannot be one."""
    api = environ.get("GITHUB_API_URL", "").strip() or PUBLIC
    if _ADDRESS.fullmatch(api) is None or (api.startswith("http:") and not endpoints.is_loopback(api)):
        told = re.sub(r"//.*@", "//[user]@", api, flags=re.DOTALL)  # a password in it is nobody's to read
        raise UsageError(f"GITHUB_API_URL {told!r} is not the https address of a server", f"as in {PUBLIC}")
    repository = environ.get("GITHUB_REPOSITORY", "").strip()
    if _REPOSITORY.fullmatch(repository) is None or ".." in repository:
        what = f"{repository!r} names no repository" if repository else "names no repository"
        raise UsageError(f"GITHUB_REPOSITORY {what}", "export GITHUB_REPOSITORY=OWNER/NAME")
    token = environ.get("GITHUB_TOKEN", "").strip()
    if not token:
        raise CannotRun("GITHUB_TOKEN holds no token", answers.GIVE_TOKEN)
    if not re.fullmatch(r"[!-~]+", token):
        raise CannotRun("GITHUB_TOKEN holds something that cannot be a token", "export it again, on one line")
    return GitHub(repository, token, api, wait=wait, now=now)
