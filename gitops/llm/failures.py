"""What the SDK raises, told as one line and its mend. Never with a key in it."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gitops.errors import CannotRun
from gitops.llm import forcing

if TYPE_CHECKING:
    from anthropic import APIError, APIStatusError

LONGEST_WAIT_S = 120.0
"""A server may ask to be left alone for so long; beyond it, waiting is the user's to decide."""


class Broken(CannotRun):
    """The connection went in the middle of an answer; `partial` is the JSON of what had come."""

    def __init__(self, message: str, hint: str, partial: bytes) -> None:
        super().__init__(message, hint)
        self.partial = partial


def wait_of(headers: Mapping[str, str]) -> float:
    """For how many seconds a response asks to be left alone (`retry-after`, RFC 9110 10.2.3); 0 where it does not."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return float(headers.get(name, "")) * unit
        except ValueError:
            continue
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return email.utils.mktime_tz(date) - time.time() if date else 0.0


def too_long(model: str, status: int, seconds: float) -> CannotRun:
    """A server that wants to be left alone for longer than anyone would watch."""
    what = "the rate limit is reached" if status == 429 else f"status {status}"
    return CannotRun(f"{model}: {what}, and the server asks to wait {seconds:.0f} s", f"try again in {seconds:.0f} s")


def told(error: APIError, model: str, preset: str, address: str, key_variable: str) -> CannotRun:
    """An error of the SDK as one line and its mend."""
    import anthropic

    if isinstance(error, anthropic.APIStatusError):
        return _status(error, model, preset, address, key_variable)
    if isinstance(error, anthropic.APITimeoutError):
        return CannotRun(f"{model} at {address} did not answer in time", f"raise timeout_s of preset '{preset}'")
    if isinstance(error, anthropic.APIConnectionError):
        return lost(address, error.__cause__ or error)
    return CannotRun(f"{model} at {address}: {one_line(str(error))}", "try again")


def lost(address: str, cause: BaseException) -> CannotRun:
    """A connection that was not made, or went before the answer came."""
    why = one_line(str(cause)) or type(cause).__name__
    return CannotRun(f"no answer from {address}: {why}", "is the network up, and base_url right?")


def _status(error: APIStatusError, model: str, preset: str, address: str, key_variable: str) -> CannotRun:
    status = error.status_code
    said = one_line(error.api_message or error.message)
    mends = {
        400: "this is what the server says of the request; a prompt that is too long wants a lower context_tokens",
        401: f"export {key_variable}=… with a key that {address} knows",
        403: f"the key in {key_variable} may not use {model}: use another, or another model",
        404: f"check model and base_url of preset '{preset}' (base_url goes without /v1)",
        413: f"lower context_tokens of preset '{preset}', so that sources are split into smaller parts",
        429: f"wait a little, or lower concurrency of preset '{preset}'",
    }
    if 300 <= status < 400:
        return CannotRun(f"{address} wants to send the request on to another address", "put that one into base_url")
    where = f"{model} at {address} answered {status}"
    if status == 400 and forcing.is_refusal(said):
        return forcing.Unforceable(f"{where}: {said}", "use a preset whose model may be forced to call a tool")
    mend = mends.get(status, "the server's fault: try again later" if status >= 500 else "see what it says")
    return CannotRun(f"{where}: {said}", mend)


def one_line(text: str, longest: int = 300) -> str:
    """Foreign words as one printable line of bounded length."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
