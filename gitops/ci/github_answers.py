"""What GitHub answers, read: how long it wants to be left alone, where more of a list is, and a refusal in words."""

from __future__ import annotations

import email.utils
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gitops.errors import CannotRun
from gitops.llm.failures import one_line

GIVE_TOKEN = "env GITHUB_TOKEN: ${{ github.token }} in the workflow; by hand, export GITHUB_TOKEN=$(gh auth token)"
"""The mend where there is no token, or one that is none."""
UNSAID_S = 60.0
"""So long GitHub asks to wait after a secondary limit that does not say when it ends."""
_LONGEST_S = 366 * 86_400.0
"""Whatever a server says: nobody waits for it, and a moment beyond any calendar has no name."""
_NEXT = re.compile(r'<([^<>]*)>\s*;[^,<]*\brel="?next\b')
_PERMISSION = re.compile(r"([a-z_]+)=(read|write|admin)")


class Forbidden(CannotRun):
    """The token is known, and may not do this."""


class Missing(CannotRun):
    """There is no such thing, or the token may not know that there is."""


class Invalid(CannotRun):
    """The request was understood, and what it says does not do; `said` is GitHub's reason."""

    def __init__(self, message: str, hint: str, said: str) -> None:
        super().__init__(message, hint)
        self.said = said


class Unsure(CannotRun):
    """Something was to be written, and whether it was is not known: the answer got lost."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it came; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    data: bytes

    def json(self, host: str) -> Any:
        """What it says. CannotRun where that is no JSON."""
        try:
            return json.loads(self.data) if self.data else None
        except (ValueError, RecursionError) as error:
            told = f"{host} answered {self.status} with what is no JSON: {one_line(str(error), 80)}"
            raise CannotRun(told, "is GITHUB_API_URL the address of the API?") from error

    @property
    def said(self) -> str:
        """GitHub's own words about it, on one line."""
        try:
            value = json.loads(self.data)
        except (ValueError, RecursionError):
            return ""
        if not isinstance(value, dict):
            return ""
        errors = value.get("errors")
        reasons = [_reason(each) for each in errors[:5]] if isinstance(errors, list) else []
        return one_line("; ".join([str(value.get("message", "")), *reasons]))

    @property
    def following(self) -> str | None:
        """The address of the list's next page."""
        found = _NEXT.search(self.headers.get("link", ""))
        return found[1] if found is not None else None


def _reason(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error)
    where = " ".join(str(error[name]) for name in ("resource", "field", "code") if name in error)
    return str(error.get("message") or where)


def wait_of(answer: Answer, now: float) -> float | None:
    """For how many seconds nothing more is to be asked; None where no limit was met.

    The moment that a primary limit ends is reckoned by the server's own clock: a runner's may be off.
    """
    if answer.status not in (403, 429):
        return None
    after = answer.headers.get("retry-after", "")
    if after.isdecimal():
        return min(float(after), _LONGEST_S)
    reset = answer.headers.get("x-ratelimit-reset", "")
    if answer.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        return min(max(float(reset) - _moment(answer, now), 0.0) + 1.0, _LONGEST_S)
    is_secondary = answer.status == 429 or "secondary rate limit" in answer.said.lower()
    return UNSAID_S if is_secondary else None


def _moment(answer: Answer, now: float) -> float:
    date = email.utils.parsedate_tz(answer.headers.get("date", ""))
    try:
        return float(email.utils.mktime_tz(date)) if date else now
    except (ValueError, OverflowError):  # a day that no calendar has
        return now


def refusal(answer: Answer, method: str, path: str, host: str) -> CannotRun:
    """An answer that is none, as one line and its mend."""
    asked = f"{method} {path}"
    said = f": {answer.said}" if answer.said else ""
    match answer.status:
        case 401:
            return CannotRun(f"{host} does not accept the token in GITHUB_TOKEN{said}", GIVE_TOKEN)
        case 403:
            needed = _needed(answer, method, path)
            hint = f"permissions: {needed}, for the job in the workflow; what runs on a fork's change never has it"
            return Forbidden(f"the token in GITHUB_TOKEN may not {asked}: it lacks {needed}{said}", hint)
        case 404:
            return Missing(f"{host} has no {path}, or does not show it to this token", "look at GITHUB_REPOSITORY")
        case 422:
            return Invalid(f"{host} does not accept {asked}{said}", "see what it says", answer.said)
        case status if status >= 500:
            return CannotRun(f"{host} answered {asked} with {status}{said}", "GitHub's own fault: try again later")
        case status:
            return CannotRun(f"{host} answered {asked} with {status}{said}", "see what it says")


def _needed(answer: Answer, method: str, path: str) -> str:
    """The permission that is missing, as a workflow file spells it: what GitHub says, else what the request needs."""
    told = _PERMISSION.findall(answer.headers.get("x-accepted-github-permissions", "")[:500])
    pulls = [each for each in told if each[0] == "pull_requests"] or told
    if pulls:
        return " or ".join(f"{name.replace('_', '-')}: {level}" for name, level in pulls)
    return f"pull-requests: {'read' if method == 'GET' else 'write'}"
