"""OKF's own rules: each fires for what breaks it, with its level and line, and for nothing that must be accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitops.okf import graph, reading
from gitops.okf.model import Fault
from gitops.wiki.snapshot import MemorySnapshot

BUNDLES = Path(__file__).parents[2] / "../shared/data/wikis/okf-bundles/bundles"
NAMES = ("acme_retail", "crypto_bitcoin", "ga4", "stackoverflow")
EVERYTHING = """---
type: Attested Computation
title: Revenue
description: Recognised revenue.
resource: https://example.org/revenue
tags: [finance, revenue]
status: stable
runtime: bigquery
parameters:
  - {name: year, type: integer, required: true}
executor: {resource: skills/run.md, receipt: [job_id]}
attester: {resource: attesters/equal.py}
generated: {by: agent/1.0, at: 2026-06-20T22:53:05Z}
verified:
  - {by: human:ops, at: 2026-06-25T09:00:00+02:00}
  - {by: process:nightly, at: 2026-06-25T09:00:00.5Z}
stale_after: 2026-12-31T00:00Z
usage_window: {from: 2026-06-01T00:00:00Z, to: 2026-06-30T00:00:00Z}
sources:
  - {id: policy, resource: https://example.org/p, author: team:f, usage_count: 3, last_modified: 2026-04-02T00:00:00Z}
  - {resource: all queries in project X}
owner_team: anything
---

# Computation

    SELECT 1

By [policy](/nowhere.md).[^policy]

[^policy]: The policy
"""


def faults(files: dict[str, str]) -> list[Fault]:
    return reading.bundle(MemorySnapshot({path: text.encode() for path, text in files.items()})).every_fault


def told(path: str, text: str) -> list[tuple[str, str, int]]:
    found = faults({path: text})
    assert all(fault.standard == "okf" and fault.path == path and fault.message and fault.mend for fault in found)
    return [(fault.level, fault.result, fault.line) for fault in found]


@pytest.mark.parametrize(
    "text",
    [
        EVERYTHING,
        "---\ntype: Anything At All\n---\n",
        "---\ntype: x\nsomething: {else: [1, 2]}\n---\n\nSee [this](/lost.md) and [[that]].\n",
        "---\ntype: x\nverified: {by: human:a, at: 2026-06-25T09:00:00Z}\n---\n",
        '---\n"type": x\n---\n',
    ],
)
def test_what_a_reader_must_accept_has_no_fault(text: str) -> None:
    assert told("a/b.md", text) == []


@pytest.mark.parametrize(
    ("front", "level", "result", "line"),
    [
        ("title: 3", "warning", "not_a_text", 3),
        ("description: [a]", "warning", "not_a_text", 3),
        ("tags: one", "warning", "bad_tags", 3),
        ("tags: [1]", "warning", "bad_tags", 3),
        ("status: final", "warning", "unknown_status", 3),
        ("sources: raw/a.md", "warning", "bad_sources", 3),
        ("sources: [{id: a}]", "warning", "source_without_resource", 3),
        ("x: 1\nsources: [raw/a.md]", "warning", "source_without_resource", 4),
        ("sources: [{id: a, resource: b}, {id: A, resource: c}]", "warning", "duplicate_source", 3),
        ("generated: {at: 2026-06-20T22:53:05Z}", "warning", "no_actor", 3),
        ("generated: me", "warning", "no_actor", 3),
        ("verified: [{by: ''}]", "warning", "no_actor", 3),
        ("generated: {by: somebody}", "note", "odd_actor", 3),
        ("generated: {by: 'human:'}", "note", "odd_actor", 3),
        ("generated: {by: a/1, at: 2026-06-20}", "warning", "bad_moment", 3),
        ("stale_after: 2026-06-20T22:53:05", "warning", "bad_moment", 3),
        ("stale_after: 2026-13-20T22:53:05Z", "warning", "bad_moment", 3),
        ("verified: {by: human:a, at: yesterday}", "warning", "bad_moment", 3),
        ("usage_window: {from: 2026-06-01, to: 2026-06-30T00:00:00Z}", "warning", "bad_moment", 3),
        ("sources: [{resource: a, last_modified: 2026}]", "warning", "bad_moment", 3),
        ("timestamp: 2026-06-20T22:53:05Z", "note", "old_timestamp", 3),
    ],
)
def test_what_producers_should_do_is_advice_and_no_error(front: str, level: str, result: str, line: int) -> None:
    assert told("a.md", f"---\ntype: x\n{front}\n---\n") == [(level, result, line)]


def test_an_attested_computation_says_what_it_runs_on_and_has_a_computation() -> None:
    text = "---\ntype: Attested Computation\n---\n"
    assert told("a.md", text) == [("warning", "no_computation", 2), ("warning", "no_runtime", 2)]
    assert told("a.md", text.replace("---\ntype", "---\nruntime: dbt\ncomputation: x.sql\ntype")) == []


def test_what_the_body_has_left_of_old_versions_or_joins_to_nothing_is_a_note() -> None:
    text = "---\ntype: x\nsources: [{id: a, resource: b}]\n---\n\nSo.[^a] And.[^b]\n\n# Citations\n\n[^a]: A\n[^b]: B\n"
    assert told("a.md", text) == [("note", "old_citations", 8), ("note", "loose_footnote", 11)]


def test_a_mark_without_a_footnote_is_a_note() -> None:
    text = "---\ntype: x\nsources: [{id: a, resource: b}]\n---\n\nSo.[^a]\n\nAnd.[^b]\n\n[^a]: A\n"
    assert told("a.md", text) == [("note", "undefined_footnote", 8)]


def test_footnotes_of_a_concept_without_sources_are_one_note() -> None:
    [fault] = faults({"a.md": "---\ntype: x\n---\n\nSo.[^a] And.[^b]\n\n[^a]: A\n[^b]: B\n"})
    assert (fault.result, fault.line) == ("loose_footnote", 7)
    assert fault.message == "none of 2 footnotes, [^a] the first, is the id of a source"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("index.md", "", []),
        ("index.md", "# Tables\n\n* [A](a.md) - about a\n", []),
        ("index.md", '---\nokf_version: "0.2"\n---\n# A\n', []),
        ("index.md", "---\nokf_version: 0.1\n---\n", []),
        ("index.md", '---\nokf_version: "7"\n---\n', [("note", "other_version", 2)]),
        ("index.md", '---\nokf_version: "0.2"\ntitle: X\n---\n', [("error", "index_frontmatter", 3)]),
        ("a/index.md", '---\nokf_version: "0.2"\n---\n', [("error", "index_frontmatter", 1)]),
        ("index.md", "---\nokf_version: [\n---\n", [("error", "unparsable_frontmatter", 2)]),
        ("index.md", "* [A](a.md)\n* [B](b.md)\n", [("warning", "index_without_section", 1)]),
        ("log.md", "# Log\n\n* one\n* two\n\n## 2026-05-22\n* three\n", [("warning", "log_without_day", 3)]),
        ("log.md", "", []),
        ("a/log.md", "# Log\n\n## 2026-05-22\n* **Update**: x\n\n## 2026-05-22\n\n## 2026-05-15\n", []),
        ("log.md", "# Log\n\n## 2026-05-15\n\n## 2026-05-22\n", [("error", "log_order", 5)]),
        ("log.md", "## 22 May 2026\n", [("error", "log_heading", 1)]),
        ("log.md", "## 2026-02-30\n", [("error", "log_heading", 1)]),
        ("log.md", "## [2026-05-22] ingest\n", [("error", "log_heading", 1)]),
        ("log.md", "# 2026\n\n### anything\n", []),
    ],
)
def test_listings_and_logs_have_their_own_form(path: str, text: str, expected: list[tuple[str, str, int]]) -> None:
    assert told(path, text) == expected


@pytest.mark.skipif(not BUNDLES.is_dir(), reason="the shared bundles are not here")
@pytest.mark.parametrize("name", NAMES)
def test_the_published_bundles_conform(name: str) -> None:
    found = reading.in_folder(BUNDLES / name)
    assert found.atoms
    assert not found.unread
    assert [fault for fault in found.every_fault if fault.level != "note"] == []
    assert {fault.result for fault in found.every_fault} <= {"loose_footnote"}  # `[^1]` beside `id: meta_schema_doc`
    assert graph.faults(found) == ()
