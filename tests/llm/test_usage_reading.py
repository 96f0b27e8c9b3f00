from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.llm import usagelog
from gitops.llm.usage_reading import Call, read
from gitops.usage import Usage

AT = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
FIELDS: dict[str, Any] = {
    **{"workspace": "tides", "run_type": "query", "role": "writer", "run_id": "query-1", "usd": 0.5},
    **{"tokens_in": 1, "tokens_out": 2, "cache_read": 3, "cache_write": 4, "replayed": False},
}


def test_where_nothing_was_asked_there_are_no_files(tmp_path: Path) -> None:
    found = read(tmp_path / "assay")
    assert (found.files, found.calls, found.skipped) == (0, (), ())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"at":"2024-01-02T03:04:05+00:00","wor', "not whole JSON"),
        ("\udcff", "not UTF-8"),
        ("[]", "not a JSON object"),
        (json.dumps({**FIELDS, "at": "yesterday"}), "Invalid isoformat string: 'yesterday'"),
        (json.dumps({**FIELDS, "at": "2024-01-02T03:04:05"}), "'at' has no time zone"),
        (json.dumps({**FIELDS, "at": AT.isoformat(), "usd": -1}), "'usd' is no amount"),
        (json.dumps({**FIELDS, "at": AT.isoformat(), "usd": float("nan")}), "'usd' is no amount"),
        (json.dumps({**FIELDS, "at": AT.isoformat(), "usd": 10**400}), "int too large to convert to float"),
        (json.dumps({**FIELDS, "at": "0001-01-01T00:00:00+12:00"}), "date value out of range"),
        (json.dumps({**FIELDS, "at": AT.isoformat(), "tokens_in": True}), "'tokens_in' is no count"),
        (json.dumps({**FIELDS, "at": AT.isoformat(), "tokens_out": "2"}), "'tokens_out' is no count"),
        (json.dumps({**FIELDS, "at": AT.isoformat(), "role": None}), "'role' is no text"),
        (json.dumps({"at": AT.isoformat()}), "it lacks 'workspace'"),
    ],
)
def test_a_line_that_is_none_is_named_and_skipped(tmp_path: Path, line: str, why: str) -> None:
    usagelog.append(tmp_path, AT, FIELDS)
    path = tmp_path / "llm-usage-2024-01-02.jsonl"
    path.write_bytes(path.read_bytes() + line.encode("utf-8", "surrogateescape"))
    found = read(tmp_path)
    assert len(found.calls) == 1
    assert found.skipped == (f"llm-usage-2024-01-02.jsonl, line 2: {why}",)


def test_a_file_that_cannot_be_read_is_no_empty_one(tmp_path: Path) -> None:
    (tmp_path / "llm-usage-2024-01-02.jsonl").mkdir()
    with pytest.raises(CannotRun, match="cannot be read"):
        read(tmp_path)


def test_what_was_appended_is_read_of_all_days(tmp_path: Path) -> None:
    usagelog.append(tmp_path, AT.replace(day=3), FIELDS | {"replayed": True})
    usagelog.append(tmp_path, AT, FIELDS)
    used = Usage(input=1, output=2, cache_read=3, cache_write=4, usd=0.5, calls=1)
    first = Call(AT, "tides", "query", "writer", "query-1", used)
    found = read(tmp_path)
    assert found.files == 2
    assert found.calls == (first, Call(AT.replace(day=3), *_but_at(first), is_replayed=True))


def _but_at(call: Call) -> tuple[str, str, str, str, Usage]:
    return call.workspace, call.run_type, call.role, call.run_id, call.used
