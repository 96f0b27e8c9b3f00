"""Findings as annotations of a GitHub Actions run: one workflow command a line; and what is foreign as none.

The escaping is that of GitHub's own toolkit (`@actions/core`, command.ts): what a page holds must not be able to end a
command and begin another.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from gitops.report.visible import visible
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import called

_WORDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def commands(findings: Iterable[Finding]) -> Iterator[str]:
    """A command for each finding; results that say nothing is wrong have none."""
    for finding in findings:
        if (word := _WORDS.get(finding.level)) is not None:
            yield f"::{word} {_properties(finding)}::{_data(_told(finding))}"


@contextmanager
def as_text(environment: Mapping[str, str]) -> Iterator[None]:
    """What is printed within is text to a runner of GitHub Actions, whatever names of pages and branches look like.

    It goes on by a word that nobody could foresee. Elsewhere nothing is printed.
    """
    if environment.get("GITHUB_ACTIONS") != "true":
        yield
        return
    word = secrets.token_hex(16)
    print(f"::stop-commands::{word}", flush=True)
    try:
        yield
    finally:
        print(f"::{word}::", flush=True)


def _told(finding: Finding) -> str:
    return finding.message + (f"\nmend: {finding.repair}" if finding.repair else "")


def _properties(finding: Finding) -> str:
    values: dict[str, str | int] = {}
    if finding.path:
        values["file"] = finding.path
    if finding.line:
        values["line"] = finding.line
        values["endLine"] = max(finding.end_line, finding.line)
        if values["endLine"] == finding.line:  # GitHub refuses a column on more than one line
            values["col"] = max(finding.column, 1)
    values["title"] = called(finding)
    return ",".join(f"{name}={_property(str(value))}" for name, value in values.items())


def _data(text: str) -> str:
    kept = visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))
    return kept.replace("\t", " ")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
