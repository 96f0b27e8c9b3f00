from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from gitops.canonical import dumps
from gitops.report.sarif import SCHEMA, log
from gitops.verify.finding import Finding, Level
from gitops.verify.registry import registry

Made = Callable[..., Finding]

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
REGION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["startLine"],
    "properties": {name: {"type": "integer", "minimum": 1} for name in ("startLine", "startColumn", "endLine")},
}
LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "additionalProperties": False,
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["uri"],
                    "properties": {
                        # RFC 3986: a relative reference of unreserved characters, `/` and percent-encoded bytes.
                        "uri": {
                            "type": "string",
                            "pattern": r"^[A-Za-z0-9._~/-]([A-Za-z0-9._~/-]|%[0-9A-F]{2})*$|^(%[0-9A-F]{2})",
                        },
                        "uriBaseId": {"type": "string"},
                    },
                },
                "region": REGION,
            },
        }
    },
}
RESULT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["ruleId", "ruleIndex", "message", "level", "baselineState", "partialFingerprints", "locations"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "message": TEXT,
        "level": LEVEL,
        "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
        "partialFingerprints": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}},
        "locations": {"type": "array", "minItems": 1, "items": LOCATION},
    },
}
RULE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "shortDescription", "fullDescription", "defaultConfiguration"],
    "properties": {
        "id": {"type": "string"},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "defaultConfiguration": {"type": "object", "required": ["level"], "properties": {"level": LEVEL}},
    },
}
SARIF: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "runs", "$schema"],
    "properties": {
        "$schema": {"const": SCHEMA},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["tool", "results", "columnKind"],
                "properties": {
                    "columnKind": {"const": "unicodeCodePoints"},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["name", "version", "rules"],
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {"type": "array", "uniqueItems": True, "items": RULE},
                                },
                            }
                        },
                    },
                    "results": {"type": "array", "items": RESULT},
                },
            },
        },
    },
}
"""What this program uses of the SARIF 2.1.0 schema, closed: a property that is not here is not SARIF's, or not ours."""


def checked(findings: list[Finding]) -> dict[str, Any]:
    """The one run of the log, once the log has gone through JSON and the schema."""
    value = json.loads(dumps(log(findings)))
    jsonschema.validate(value, SARIF)
    run: dict[str, Any] = value["runs"][0]
    return run


def test_a_result_nobody_declared_is_refused(make_finding: Made) -> None:
    with pytest.raises(KeyError):
        log([make_finding(check="quote_anchor", result="made_up")])


def test_no_findings_are_a_run_without_results() -> None:
    run = checked([])
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []


def test_evidence_that_nothing_is_wrong_is_left_out(make_finding: Made) -> None:
    assert checked([make_finding(level=Level.NONE, result="verified")])["results"] == []


def test_every_result_of_every_check_is_valid(make_finding: Made) -> None:
    findings = [
        make_finding(check=check.id, result=result, level=Level.ERROR, scope=check.check.scope)
        for check in registry().values()
        for result in check.check.results
    ]
    run = checked(findings)
    rules = run["tool"]["driver"]["rules"]
    assert len(rules) == len(findings)
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert all(rule["shortDescription"]["text"].endswith((".", "?")) for rule in rules)


@pytest.mark.parametrize("level", [Level.ERROR, Level.WARNING, Level.NOTE])
def test_levels_are_those_of_sarif(level: Level, make_finding: Made) -> None:
    assert checked([make_finding(level=level)])["results"][0]["level"] == level.value


def test_what_stood_at_the_base_is_unchanged(make_finding: Made) -> None:
    results = checked([make_finding(), make_finding(new=False)])["results"]
    assert [result["baselineState"] for result in results] == ["new", "unchanged"]


def test_the_fingerprint_travels(make_finding: Made) -> None:
    result = checked([make_finding(fingerprint="0123")])["results"][0]
    assert result["partialFingerprints"] == {"assay/v1": "0123"}


def test_a_place_counts_from_one(make_finding: Made) -> None:
    place = checked([make_finding(line=7, column=0, end_line=0)])["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 7, "startColumn": 1, "endLine": 7}


def test_a_finding_without_a_line_has_no_region(make_finding: Made) -> None:
    place = checked([make_finding(line=0, column=0, end_line=0)])["results"][0]["locations"][0]["physicalLocation"]
    assert "region" not in place


@pytest.mark.parametrize(
    "path", ["wiki/a b.md", "wiki/100%.md", "wiki/c#d?.md", "wiki/日本.md", "c:d/é.md", "wiki/[x].md"]
)
def test_paths_are_percent_encoded(path: str, make_finding: Made) -> None:
    place = checked([make_finding(path=path)])["results"][0]["locations"][0]["physicalLocation"]
    assert unquote(place["artifactLocation"]["uri"]) == path
    assert place["artifactLocation"]["uri"].isascii()


def test_a_path_that_is_no_utf8_keeps_its_bytes(make_finding: Made) -> None:
    path = b"wiki/caf\xe9.md".decode("utf-8", "surrogateescape")
    place = checked([make_finding(path=path, message="x")])["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "wiki/caf%E9.md"


def test_a_finding_of_the_run_is_shown_on_its_source_or_the_policy(make_finding: Made) -> None:
    of_source = make_finding(check="coverage", result="missed", scope="run", path="", line=0, source="raw/a.md")
    of_run = make_finding(check="budget", result="exceeded", scope="run", path="", line=0)
    results = checked([of_source, of_run])["results"]
    shown = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
    assert shown == ["raw/a.md", "assay.toml"]


def test_the_mend_stands_below_the_message(make_finding: Made) -> None:
    message = checked([make_finding(message="wrong", repair="do this")])["results"][0]["message"]["text"]
    assert message == "wrong\nMend: do this"
