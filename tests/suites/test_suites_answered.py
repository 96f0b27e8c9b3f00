"""What a target answered: results as JSON, text as it is, and why something is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.suites.answered import attempt_of, read
from gitops.suites.model import Limits
from gitops.suites.workers import Ended


def ended(**fields: Any) -> Ended:
    return Ended(**{"code": 0, "ended": "", "latency_ms": 5.0, "output": b"", "said": "", **fields})


def told(**fields: Any) -> tuple[str, str]:
    attempt = attempt_of(ended(**fields), Limits(output_mb=2, disk_mb=3, processes=4), 1.5)
    assert attempt.output is None
    return attempt.category, attempt.error


@pytest.mark.parametrize(
    ("fields", "category", "error"),
    [
        ({"ended": "timeout", "code": -9}, "timeout", "it took longer than 1.5 s"),
        ({"ended": "output", "code": -9}, "output", "it printed more than 2 MiB"),
        ({"ended": "disk"}, "disk", "it wrote more than 3 MiB"),
        ({"code": -25}, "disk", "it wrote a file that is larger than it may be (SIGXFSZ)"),
        ({"ended": "processes", "code": -9}, "processes", "it started more than 4 processes"),
        ({"ended": "start", "said": "no such file"}, "start", "it could not be started: no such file"),
        ({"code": 139}, "signal", "exit 139 (of a shell: SIGSEGV)"),
        ({"code": -11, "said": "a\nb\n"}, "signal", "signal 11 (SIGSEGV): b"),
        ({"code": 2, "said": "usage: …\n\n"}, "exit", "exit 2: usage: …"),
        ({"code": 1, "said": "Traceback\nMemoryError"}, "memory", "exit 1: MemoryError"),
        ({"code": 1, "said": "cp: No space left on device"}, "disk", "exit 1: cp: No space left on device"),
        ({"code": 255}, "exit", "exit 255"),
        ({"output": b"{oops"}, "invalid_json", "what it answered begins like a JSON object and is none: "),
        ({"output": b'{"output": NaN}'}, "invalid_json", "what it answered begins like a JSON object and is none: "),
        ({"output": b'{"output": "a", "token": 3}'}, "invalid_json", "its result is not valid: token: "),
        ({"output": b'{"output": "a", "tokens": -3}'}, "invalid_json", "its result is not valid: tokens: "),
        ({"output": b'{"output": "a", "tokens": 1%s}' % (b"0" * 20)}, "invalid_json", "its result is not valid: tok"),
        ({"output": b'{"output": "a", "usd": 1e300}'}, "invalid_json", "its result is not valid: usd: "),
        ({"output": b'{"output": "a", "metrics": {"m": -1e300}}'}, "invalid_json", "its result is not valid: m"),
        ({"ended": "lost"}, "lost", "it was ended with all that shut it in"),
        ({"output": b'{"output": "a", "metrics": {"m": 1e999}}'}, "invalid_json", "its result is not valid: metrics.m"),
        ({"output": b'{"error": "I give up"}'}, "target", "I give up"),
        ({"output": b'{"output": null}'}, "no_output", "its result has no output"),
        ({"output": b"\xff"}, "not_utf8", "what it answered is not UTF-8: byte 1"),
    ],
)
def test_what_counts_for_nothing_has_a_reason_and_a_category(fields: dict[str, Any], category: str, error: str) -> None:
    found = told(**fields)
    assert found[0] == category
    assert found[1].startswith(error)


def test_a_timeout_is_told_apart() -> None:
    assert attempt_of(ended(ended="timeout"), Limits(), 1).is_timeout
    assert not attempt_of(ended(ended="output"), Limits(), 1).is_timeout


@pytest.mark.parametrize(
    ("data", "output"),
    [
        (b"", ""),
        (b"yes\n\n", "yes"),
        (b"  yes", "  yes"),
        (b'{"answer": 4}\n', '{"answer": 4}'),
        (b'["output"]', '["output"]'),
        (b'{"output": "yes\\n"}', "yes\n"),
        (b'{"output": {"b": 1, "a": [2]}}', '{"a":[2],"b":1}'),
        (b"\xef\xbb\xbfyes", "yes"),
    ],
)
def test_an_output_is_text_or_what_a_result_has(data: bytes, output: str) -> None:
    attempt = read(data, 5.0)
    assert (attempt.output, attempt.error, attempt.latency_ms) == (output, "", 5.0)


def test_a_result_tells_what_it_took() -> None:
    attempt = read(b'{"output": "a", "tokens": 7, "usd": 0.5, "latency_ms": 1.5, "metrics": {"steps": 3}}', 5.0)
    assert (attempt.tokens, attempt.usd, attempt.latency_ms, attempt.metrics) == (7, 0.5, 1.5, {"steps": 3.0})


@given(st.binary(max_size=200))
def test_no_bytes_are_a_traceback(data: bytes) -> None:
    attempt = read(data, 1.0)
    assert (attempt.output is None) == bool(attempt.error) == bool(attempt.category)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner), max_leaves=5))
def test_whatever_is_put_out_can_be_read_back(value: Any) -> None:
    attempt = read(json.dumps({"output": value}).encode(), 1.0)
    if isinstance(value, str):
        assert attempt.output == value
    elif value is not None:
        assert attempt.output is not None
        assert json.loads(attempt.output) == value
