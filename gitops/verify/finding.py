"""A finding: one thing a check has to say about one place."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from gitops.canonical import digest


class Level(StrEnum):
    """How much a finding weighs, as in SARIF 2.1.0 §3.27.10."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NONE = "none"
    """Nothing wrong: what a `verified` anchor is, kept as evidence and shown on request."""


class Finding(BaseModel):
    """One result of one check at one place (`PROTOCOL.md` 5). Lines and columns count from 1."""

    model_config = ConfigDict(frozen=True, extra="allow")

    check: str
    level: Level
    result: str
    scope: Literal["claim", "page", "run"]
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    claim: str = ""
    source: str = ""
    repair: str = ""
    """The mend: an exact command, or the exact text to put in its place."""
    fingerprint: str = ""
    new: bool = True
    """False when the same fingerprint stands at the base: only what the change causes gates."""
    evidence: dict[str, Any] = Field(default_factory=dict)
    """What the check read: quote, sha256, offset, extractor, the differing texts; never free prose."""


def fingerprint(check: str, result: str, path: str, subject: str, ordinal: int = 0) -> str:
    """What a finding is called across commits: free of line numbers, so edits elsewhere don't disturb it."""
    return digest([check, result, path, subject, ordinal])[:32]
