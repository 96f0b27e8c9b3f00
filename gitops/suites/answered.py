"""What a program or an endpoint answered, as an attempt: a result as JSON, text as it is, or why it is none."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops.canonical import dumps, strict_json
from gitops.suites.model import Limits
from gitops.suites.target import Attempt
from gitops.suites.workers import Ended

_SHOWN = 300
_OF_SHELLS = 128
"""A shell whose command was ended by a signal exits with so much more than the signal's number."""
_COMPLAINTS = (
    ("memory", re.compile(r"MemoryError|[Cc]annot allocate memory|[Oo]ut of memory|bad_alloc|memory exhausted")),
    ("disk", re.compile(r"No space left on device|File too large|[Dd]isk quota exceeded")),
    ("processes", re.compile(r"Resource temporarily unavailable|Cannot fork|can't start new thread")),
)
"""What programs say when they come against a limit of the system's."""

_MOST = 10**15
"""Sums of larger numbers are none any more: what a target tells must not spoil those of the other cases."""
_Amount = Annotated[float, Field(ge=0, le=_MOST)]


class Told(BaseModel):
    """A result as a target may tell it; without `output` and `error`, JSON is the output itself."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    output: Any = None
    error: str = ""
    tokens: int = Field(default=0, ge=0, le=_MOST)
    usd: _Amount = 0.0
    latency_ms: _Amount | None = None
    """How long it took by the target's own clock: without the start of a program."""
    metrics: Mapping[str, Annotated[float, Field(ge=-_MOST, le=_MOST)]] = Field(default_factory=dict)


def attempt_of(ended: Ended, limits: Limits, timeout_s: float) -> Attempt:
    """The attempt that a program's end makes."""
    if ended.ended == "timeout":
        told = f"it took longer than {timeout_s:g} s"
        return Attempt(error=told, category="timeout", is_timeout=True, latency_ms=ended.latency_ms)
    if ended.ended or ended.code:
        category, told = _too_much(ended, limits) if ended.ended else _failed(ended)
        return Attempt(error=told, category=category, latency_ms=ended.latency_ms)
    return read(ended.output, ended.latency_ms)


def read(data: bytes, latency_ms: float) -> Attempt:
    """The attempt that an answer makes: a JSON object with `output` or `error`, other JSON, or text.

    White space at the end of text is none of the output. What begins as a JSON object and is none is an error.
    """
    try:
        text = data.decode("utf-8-sig").rstrip()
    except UnicodeDecodeError as error:
        told = f"what it answered is not UTF-8: byte {error.start + 1}"
        return Attempt(error=told, category="not_utf8", latency_ms=latency_ms)
    if not text.lstrip().startswith("{"):
        return Attempt(output=text, latency_ms=latency_ms)
    try:
        value = strict_json(text)
        if not {"output", "error"} & value.keys():
            return Attempt(output=text, latency_ms=latency_ms)
        return _of(Told.model_validate(value), latency_ms)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        known = f"; known: {', '.join(Told.model_fields)}" if first["type"] == "extra_forbidden" else ""
        told = f"its result is not valid: {'.'.join(map(str, first['loc']))[:_SHOWN]}: {first['msg']}{known}"
    except ValueError as error:
        told = f"what it answered begins like a JSON object and is none: {error}"
    return Attempt(error=told, category="invalid_json", latency_ms=latency_ms)


def _of(told: Told, latency_ms: float) -> Attempt:
    took = latency_ms if told.latency_ms is None else told.latency_ms
    output = None if told.output is None else told.output if isinstance(told.output, str) else dumps(told.output)
    error = told.error or ("" if output is not None else "its result has no output")
    return Attempt(
        output=None if error else output,
        error=error,
        category="target" if told.error else "no_output" if error else "",
        latency_ms=took,
        tokens=told.tokens,
        usd=told.usd,
        metrics=dict(told.metrics),
    )


def _too_much(ended: Ended, limits: Limits) -> tuple[str, str]:
    """Category and reason of a program that could not begin, or had to be ended."""
    told = {
        "output": f"it printed more than {limits.output_mb} MiB",
        "disk": f"it wrote more than {limits.disk_mb} MiB",
        "processes": f"it started more than {limits.processes} processes",
        "start": f"it could not be started: {ended.said}",
        "lost": "it was ended with all that shut it in, by a system without memory for instance",
    }
    return ended.ended, told[ended.ended]


def _failed(ended: Ended) -> tuple[str, str]:
    """The same of one that failed by itself: how it ended, and the last line that it said on standard error."""
    if ended.code == -signal.SIGXFSZ:
        return "disk", "it wrote a file that is larger than it may be (SIGXFSZ)"
    lines = [line.strip() for line in ended.said.splitlines() if line.strip()]
    said = f": {lines[-1][:_SHOWN]}" if lines else ""
    of_shell = ended.code - _OF_SHELLS
    number = -ended.code if ended.code < 0 else of_shell if _name(of_shell) else 0
    how = f"signal {number} ({_name(number) or 'unknown'})" if ended.code < 0 else f"exit {ended.code}"
    how += f" (of a shell: {_name(number)})" if ended.code > 0 and number else ""
    complained = next((category for category, words in _COMPLAINTS if words.search(ended.said)), "")
    return complained or ("signal" if number else "exit"), how + said


def _name(number: int) -> str:
    """What a signal is called, '' where there is none of that number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""
