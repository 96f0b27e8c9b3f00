"""Records of runs as landings leave them: a run, its states and plan, and a verdict with what it found."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gitops import canonical
from gitops.canonical import sha256
from gitops.git import notes
from gitops.git.commits import Identity
from gitops.git.repository import Repository, open_repository
from gitops.runs import attesting, names
from gitops.runs.records import Operation, Person, PlanRecord, Record, RunRecord, StateRecord, Status
from gitops.verify import statement
from gitops.verify.finding import Finding, Level, fingerprint
from gitops.verify.verdict import Counts, Verdict, said

WHO = Identity("Bench", "bench@example.org")
WHEN = 1_700_000_000
_DAY = "2026-01-02T03:04:05Z"


def fill(repository: Repository, runs: int, *, signed: bool = False) -> None:
    """Write the notes of so many runs: two thirds landed, the rest rejected; one commit for each ref.

    Where they are `signed`, a line beside each verdict says so, of the size that a signature has; it holds for nothing.
    """
    told = [(object_id("root", run), [each.line() for each in history(run)]) for run in range(runs)]
    notes.append(repository, names.RUNS, dict(told), "runs", WHO, WHEN)
    judged = {object_id("candidate", run): list(_lines(verdict(run), signed)) for run in range(runs)}
    notes.append(repository, names.VERDICTS, judged, "verdicts", WHO, WHEN)


def object_id(kind: str, run: int) -> str:
    """The id of an object that need not be there: notes stand on ids alone."""
    return sha256(f"{kind} {run}".encode())[:40]


def history(run: int) -> Iterator[Record]:
    """What the note of one run holds: its record, three states, its plan."""
    run_id = f"20260102-030405-{run:08x}"
    root, head, candidate = (object_id(kind, run) for kind in ("root", "head", "candidate"))
    yield RunRecord(
        summary=f"run {run_id} started: ingest of raw/source-{run}.md",
        run_id=run_id,
        workspace="bench",
        run_type="ingest",
        triggered_by="cli:run",
        sources=(f"raw/source-{run}.md",),
        target="refs/heads/main",
        base=object_id("base", run),
        root=root,
        started_at=_DAY,
        author=Person(name=WHO.name, email=WHO.email),
    )
    pending: dict[str, Any] = {
        "summary": f"run {run_id}: pending",
        "run_id": run_id,
        "at": _DAY,
        "base": object_id("base", run),
    }
    yield StateRecord(number=0, status="pending", head=root, **pending)
    yield PlanRecord(
        summary=f"run {run_id}: plan of 2 operations",
        run_id=run_id,
        base=object_id("base", run),
        head=head,
        operations=tuple(_operations(run)),
    )
    judging = pending | {"head": head, "candidate": candidate, "used": {"input_tokens": 1200.0, "usd": 0.01}}
    yield StateRecord(number=1, status="verifying", **judging | {"summary": f"run {run_id}: pending → verifying"})
    ended = verdict(run)
    status: Status
    status, why = ("rejected", ended.reasoning) if ended.verdict == "reject" else ("committed", "")
    summary = f"run {run_id}: verifying → {status}"
    said_so = {"verdict": ended.verdict, "verdict_id": ended.id, "reason": why, "summary": summary}
    yield StateRecord(number=2, status=status, **judging | said_so)


def verdict(run: int) -> Verdict:
    """The verdict on one run: two claims that stand, and in every third run one that does not."""
    findings = tuple(_findings(run))
    refused = any(finding.level is Level.ERROR for finding in findings)
    return Verdict(
        summary="reject: 1 new error" if refused else "commit: nothing in the change is refused.",
        run_id=f"20260102-030405-{run:08x}",
        workspace="bench",
        target="refs/heads/main",
        base=object_id("base", run),
        head=object_id("head", run),
        candidate=object_id("candidate", run),
        tree=object_id("tree", run),
        policy=object_id("policy", 0),
        verifier="git-assay/1",
        judge="none",
        verdict="reject" if refused else "commit",
        reasoning=f"{len(findings)} cited claims read against the sources; nothing in the change is refused.",
        per_claim_findings=findings,
        findings=said(findings),
        counts=Counts(unjudged=len(findings)),
        created_at=_DAY,
    ).named()


def opened(folder: Path) -> Repository:
    """An empty bare repository."""
    subprocess.run(["git", "init", "-q", "--bare", str(folder)], check=True, capture_output=True)
    return open_repository(folder)


def _operations(run: int) -> Iterator[Operation]:
    for op, page in (("create", f"wiki/page-{run}.md"), ("update", "wiki/index.md")):
        yield Operation(op=op, path=page, blob=object_id(page, run), sha256=sha256(page.encode()))  # type: ignore[arg-type]


def _findings(run: int) -> Iterator[Finding]:
    for place in range(2 + (run % 3 == 0)):
        wrong = place == 2
        claim = f"Solvent use fell by {place + 1} % in plant {run}, as the yearly report on emissions says."
        quote = f"the consumption of solvents at plant {run} declined by {place + 1} % against the year before"
        yield Finding(
            check="quote_anchor",
            level=Level.ERROR if wrong else Level.NONE,
            result="not_found" if wrong else "verified",
            scope="claim",
            message=f"nothing like it stands in raw/source-{run}.md" if wrong else "stands word for word",
            path=f"wiki/page-{run}.md",
            line=5 + place,
            column=1,
            end_line=5 + place,
            claim=claim,
            source=f"raw/source-{run}.md",
            fingerprint=fingerprint("quote_anchor", "verified", f"wiki/page-{run}.md", claim),
            evidence={"claims": [claim], "label": str(place)} | ({} if wrong else _evidence(run, place, quote)),
        )


def _evidence(run: int, place: int, quote: str) -> dict[str, object]:
    offset = 100 * place
    return {
        "quote": quote,
        "sha256": sha256(quote.encode()),
        "offset": offset,
        "end": offset + len(quote),
        "extractor": "text",
        "extractor_version": "1",
        "blob": object_id("source", run),
    }


def _lines(given: Verdict, signed: bool) -> Iterator[str]:
    yield _line(given)
    if signed:
        body = statement.payload(statement.statement(given, statement.Facts("", "0" * 64, "assay.toml", "0" * 64)))
        envelope = canonical.dumps(statement.envelope(body, [statement.Signed("SHA256:" + "0" * 43, bytes(180))]))
        yield attesting.line(given, envelope, "signed")


def _line(given: Verdict) -> str:
    body = given.record()
    return canonical.line(body.pop("summary"), body)
