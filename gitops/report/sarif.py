"""Findings as SARIF 2.1.0 (OASIS), for code-scanning views: fingerprints, baseline state, help for each rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gitops import __version__
from gitops.config import FILE_NAME
from gitops.verify.finding import Finding, Level
from gitops.verify.registry import registry

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def log(findings: Iterable[Finding]) -> dict[str, Any]:
    """A SARIF log with one run. Findings that stood at the base are `unchanged`; the rest are `new`."""
    shown = [finding for finding in findings if finding.level is not Level.NONE]
    rules = sorted({(finding.check, finding.result) for finding in shown})
    index = {rule: number for number, rule in enumerate(rules)}
    driver = {
        "name": "git-assay",
        "version": __version__,
        "rules": [_rule(check, result) for check, result in rules],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, index[(finding.check, finding.result)]) for finding in shown],
            }
        ],
    }


def _rule(check: str, result: str) -> dict[str, Any]:
    known = registry()[check]
    default = known.check.results[result]
    summary = known.explanation.split("\n\n", 1)[0].replace("\n", " ")
    return {
        "id": f"{check}/{result}",
        "shortDescription": {"text": summary},
        "fullDescription": {"text": known.explanation},
        "defaultConfiguration": {"level": default.value},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    text = finding.message + (f"\nMend: {finding.repair}" if finding.repair else "")
    return {
        "ruleId": f"{finding.check}/{finding.result}",
        "ruleIndex": rule,
        "level": finding.level.value,
        "message": {"text": text},
        "partialFingerprints": {"assay/v1": finding.fingerprint},
        "baselineState": "new" if finding.new else "unchanged",
        "locations": [_location(finding)],
    }


def _location(finding: Finding) -> dict[str, Any]:
    """Where it stands; what belongs to no page, on its source or the policy, since viewers drop what has no place."""
    place: dict[str, Any] = {
        "artifactLocation": {"uri": _uri(finding.path or finding.source or FILE_NAME), "uriBaseId": "%SRCROOT%"}
    }
    if finding.line:
        place["region"] = {
            "startLine": finding.line,
            "startColumn": max(finding.column, 1),
            "endLine": max(finding.end_line, finding.line),
        }
    return {"physicalLocation": place}


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path, safe="/", errors="surrogateescape")
