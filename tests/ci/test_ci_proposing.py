from __future__ import annotations

from typing import Any

import pytest

from gitops.ci import proposing
from gitops.runs.records import Operation, Person, PlanRecord, Run, RunRecord, StateRecord
from gitops.verify.verdict import Counts, Verdict
from tests.ci.comment_results import needs_cmark, parsed, words

BASE, HEAD, CANDIDATE = "a" * 40, "b" * 40, "c" * 40
HOSTILE = [
    "@eve",
    "<img src=x onerror=alert(1)>",
    "</details></table><script>alert(1)</script>",
    "a](https://evil.example) [b",
    "`x` | y | z",
    "line\n\n# Heading\n- item",
    "<!-- git-assay:ci suite=wiki v=1 -->",
    "ada/wiki#1 GH-1 #1",
    "::error::x",
    "\x1b[2J\u202e",
]


def _run(text: str, **changes: Any) -> Run:
    record = RunRecord(
        summary="",
        run_id="20240102-030405-deadbeef",
        workspace="tides",
        run_type="cascade",
        triggered_by="cli:",
        target="refs/heads/main",
        base=BASE,
        root=HEAD,
        started_at="2024-01-02T03:04:05Z",
        author=Person(name=text, email="x@example.org"),
    )
    state = StateRecord(
        summary="",
        run_id=record.run_id,
        number=0,
        status="pending",
        at="2024-01-02T03:04:05Z",
        base=BASE,
        head=HEAD,
        candidate=CANDIDATE,
    )
    pages = tuple(Operation(op="create", path=f"wiki/{text}.md", blob=None, sha256=None) for _ in range(25))
    plan = PlanRecord(summary="", run_id=record.run_id, base=BASE, head=HEAD, operations=pages)
    return Run(record, (state,), plan)


def _verdict(text: str) -> Verdict:
    return Verdict(
        summary="",
        run_id="20240102-030405-deadbeef",
        workspace="tides",
        target="refs/heads/main",
        base=BASE,
        head=HEAD,
        candidate=CANDIDATE,
        tree="d" * 40,
        policy="e" * 40,
        verifier=text,
        judge=text,
        verdict="commit",
        reasoning=text,
        per_claim_findings=(),
        per_page_findings=(),
        findings=(),
        counts=Counts(judged=3, unjudged=1),
        tokens_used={},
        created_at="2024-01-02T03:04:05Z",
    ).named()


@needs_cmark
@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_foreign_in_a_pull_request_is_read_and_does_nothing(text: str) -> None:
    body = proposing.body(_run(text), _verdict(text), CANDIDATE)
    tree = parsed(body)
    assert tree.css("a, img, script, table, h1, h2, details") == []
    assert len(tree.css("li")) == 21
    assert len(tree.css("blockquote")) == 1
    shown = (tree.body.text() if tree.body else "").replace("git-assay", "")
    assert "@eve" not in shown
    assert "\x1b" not in body
    assert "\u202e" not in body


@needs_cmark
def test_what_it_says() -> None:
    tree = parsed(proposing.body(_run("Ada Writer"), _verdict("every claim is supported"), CANDIDATE))
    shown = words(tree.body.text()) if tree.body else ""
    assert "Run 20240102-030405-deadbeef is verified, and nothing but a person may move main." in shown
    assert "aaaaaaaaaa → cccccccccc, of bbbbbbbbbb by Ada Writer" in shown
    assert "3 of 4 claims judged: every claim is supported" in shown
    assert "and 5 more" in shown
