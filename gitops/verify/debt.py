"""Debt: the findings that were there when a wiki was adopted, kept in a file of the repository by fingerprint.

One canonical JSON object a line, sorted, so that two branches that both shrink it merge by lines. A finding's
fingerprint holds no line number, so edits elsewhere on a page do not disturb it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from gitops.canonical import dumps
from gitops.verify.finding import Finding, Level

ACCEPTED = (Level.ERROR, Level.WARNING)
"""What is recorded: notes gate nothing, so nothing need be accepted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding that was accepted: enough to know it again, and to tell a person what it was."""

    path: str
    check: str
    result: str
    level: str
    fingerprint: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Debt:
    """The entries by fingerprint, and the numbers of the lines that could not be read."""

    entries: Mapping[str, Entry]
    unread: tuple[int, ...] = ()


NONE = Debt({})


def read(data: bytes) -> Debt:
    """The debt that a file holds. A line that is no entry is named and skipped: it excuses nothing."""
    entries: dict[str, Entry] = {}
    unread = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        entry = _entry(line)
        if entry is None:
            unread.append(number)
        else:
            entries[entry.fingerprint] = entry
    return Debt(entries, tuple(unread))


def _entry(line: bytes) -> Entry | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    if not isinstance(value, dict) or not value.get("fingerprint"):
        return None
    known = {name: value.get(name, "") for name in Entry.__dataclass_fields__}
    if not all(isinstance(each, str) for each in known.values()):
        return None
    return Entry(**known)


def of(findings: Iterable[Finding]) -> dict[str, Entry]:
    """The entries that today's findings make."""
    return {
        each.fingerprint: Entry(
            each.path, each.check, each.result, each.level.value, each.fingerprint, " ".join(each.message.split())
        )
        for each in findings
        if each.level in ACCEPTED
    }


def written(entries: Iterable[Entry]) -> bytes:
    """The file's bytes: by path, check and result, so that a page's debt stands together."""
    ordered = sorted(entries, key=lambda one: (one.path, one.check, one.result, one.fingerprint))
    return b"".join(dumps(asdict(entry)).encode("utf-8", "backslashreplace") + b"\n" for entry in ordered)
