"""The verdict: a fold of findings, and the statement that records it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from gitops.canonical import digest
from gitops.verify.finding import Finding, Level

Decision = Literal["commit", "reject", "revise", "commit_override"]
SCHEMA = "assay/verdict/1"


class Counts(BaseModel):
    """How many claims there were, and how many of them a judge voted on."""

    model_config = ConfigDict(frozen=True, extra="allow")

    judged: int = 0
    unjudged: int = 0
    unverified: int = 0


class Member(BaseModel):
    """A judge that sat: what it is called, its version, and the sha256 of all that decides its answers."""

    model_config = ConfigDict(frozen=True)

    id: str
    version: str
    digest: str


class Followed(BaseModel):
    """A measurement that a gate followed when it let a change through: its metric, what it measured, and its id."""

    model_config = ConfigDict(frozen=True)

    commit: str
    id: str
    metric: str


def _optional(schema: dict[str, Any]) -> None:
    """A verdict that rests on no measurement says nothing of them, as verdicts did before there was such a field."""
    schema["required"] = [name for name in schema.get("required", ()) if name != "measurements"]


class Verdict(BaseModel):
    """One statement about one candidate (`PROTOCOL.md` 5). `findings` is the flat view, evidence left out.

    `per_claim_findings` also hold the anchors that verified, with their evidence: what provenance is made of.
    Fields that a later version adds are kept, so that the id is still the digest of all that was stated.
    """

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True, json_schema_extra=_optional)

    summary: str
    schema_: str = Field(default=SCHEMA, alias="schema")
    kind: Literal["verdict"] = "verdict"
    id: str = ""
    run_id: str = ""
    workspace: str
    target: str = ""
    base: str
    head: str
    candidate: str = ""
    tree: str
    policy: str
    verifier: str
    judge: str = "none"
    judges: tuple[Member, ...] = ()
    verdict: Decision
    reasoning: str
    per_claim_findings: tuple[Finding, ...] = ()
    per_page_findings: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()
    counts: Counts = Counts()
    tokens_used: dict[str, float] = Field(default_factory=lambda: {"input": 0, "output": 0, "usd": 0.0})
    created_at: str
    supersedes: tuple[str, ...] = ()
    measurements: tuple[Followed, ...] = ()
    """What the gates followed that were asked before this was judged."""

    def record(self) -> dict[str, Any]:
        """The statement as plain JSON."""
        return self.model_dump(mode="json", by_alias=True, exclude=set() if self.measurements else {"measurements"})

    def named(self) -> Verdict:
        """The same statement with its id: the digest of all but the id and the untrusted summary."""
        body = self.record()
        del body["id"], body["summary"]
        return self.model_copy(update={"id": digest(body)[:40]})


def fold(findings: Iterable[Finding]) -> Literal["commit", "reject", "revise"]:
    """Any new error rejects; else any new warning asks for revision; else commit (`PROTOCOL.md` 8)."""
    levels = {finding.level for finding in findings if finding.new}
    if Level.ERROR in levels:
        return "reject"
    return "revise" if Level.WARNING in levels else "commit"


def reasoning(findings: Sequence[Finding], claims: int) -> str:
    """One sentence that says why: how much of what was found, and how many claims were read."""
    gating = Counter(f.level.value for f in findings if f.new and f.level in (Level.ERROR, Level.WARNING))
    read = f"{claims} cited {'claim' if claims == 1 else 'claims'} read against the sources"
    if not gating:
        return f"{read}; nothing in the change is refused."
    told = " and ".join(
        f"{gating[level]} new {level}{'s' * (gating[level] > 1)}" for level in ("error", "warning") if gating[level]
    )
    first = next(f for f in findings if f.new and f.level is (Level.ERROR if gating["error"] else Level.WARNING))
    where = f"{first.path}:{first.line}: " if first.line else f"{first.path}: " if first.path else ""
    return f"{read}; {told}, first {where}{called(first)}: {first.message.rstrip('.')}."


def called(finding: Finding) -> str:
    """What a person calls a finding: its check and result; once, where both are the same word."""
    return finding.check if finding.check == finding.result else f"{finding.check} {finding.result}"


def said(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that say something is wrong; the evidence of claims and pages stays with the detailed views."""
    wrong = [finding for finding in findings if finding.level is not Level.NONE]
    return tuple(f if f.scope == "run" else f.model_copy(update={"evidence": {}}) for f in wrong)


def shown(verdict: Verdict) -> tuple[Finding, ...]:
    """What a person reads: the findings that say something is wrong, with their evidence, in page order."""
    detailed = [*verdict.per_claim_findings, *verdict.per_page_findings]
    detailed += [finding for finding in verdict.findings if finding.scope == "run"]
    wrong = [finding for finding in detailed if finding.level is not Level.NONE]
    return tuple(sorted(wrong, key=lambda f: (f.path, f.line, f.column, f.check, f.fingerprint)))
