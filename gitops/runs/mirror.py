"""Mirrors records in the SQLite index. The index decides nothing: it is made anew from the notes at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from pydantic_core import PydanticSerializationError

from gitops.canonical import sha256
from gitops.errors import CannotRun
from gitops.index import records as rows
from gitops.index.database import Index, open_index, transaction
from gitops.runs.context import Context
from gitops.runs.garbage import uncollected
from gitops.runs.records import Run
from gitops.verify.finding import Finding
from gitops.verify.verdict import Verdict

Row = Mapping[str, Any]
Everything = Callable[[], tuple[Iterable[Run], Iterable[Verdict]]]
"""All runs and verdicts that the notes hold, read when it is called."""


@contextmanager
def opened(context: Context) -> Iterator[Index]:
    """The index, opened and closed; what is wrong with its file is told through the context."""
    with closing(open_index(context.folder / "index.sqlite3")) as index:
        if index.notice:
            context.warn(index.notice)
        yield index


def put(context: Context, run: Run, everything: Everything) -> None:
    """Mirror one run; a file made just now is filled with everything there is."""
    with _holding_nothing_up(context), opened(context) as index:
        if index.fresh:
            fill(index, *everything())
            return
        with transaction(index):
            newest = rows.runs(index, run.record.workspace, limit=1)
            if not newest or (newest[0]["started_at"], newest[0]["run_id"]) <= _age(run):
                rows.put_workspace(index, workspace_row(run))
            rows.put_run(index, run_row(run))


def put_verdicts(context: Context, verdicts: Iterable[Verdict], everything: Everything) -> None:
    """Mirror the verdicts on one commit, oldest first, with the provenance of the claims they read."""
    with _holding_nothing_up(context), opened(context) as index:
        if index.fresh:
            fill(index, *everything())
            return
        with transaction(index):
            for verdict in verdicts:
                rows.put_verdict(index, verdict_row(verdict))
                rows.put(index, "wiki_claim_provenance", list(provenance_rows(verdict)))


@contextmanager
def _holding_nothing_up(context: Context) -> Iterator[None]:
    """An index that cannot be written is told, and stops no landing: the notes have the record already."""
    try:
        yield
    except CannotRun as error:
        context.warn(f"the index is behind the notes: {error.message}; mend it with git assay index rebuild")


def root_of(context: Context, run_id: str) -> str | None:
    """The root commit of a run, if the index knows it."""
    try:
        with opened(context) as index:
            found = rows.rows(index, "runs", {"run_id": run_id})
    except CannotRun:
        return None  # whoever asks reads the notes instead
    return found[0]["root"] if found else None


def rebuild(context: Context, runs: Iterable[Run], verdicts: Iterable[Verdict]) -> list[str]:
    """Replace the whole index by what the notes say, in one transaction; returns what could not be taken in."""
    with opened(context) as index:
        return fill(index, runs, verdicts)


def fill(index: Index, runs: Iterable[Run], verdicts: Iterable[Verdict]) -> list[str]:
    """Put all runs and verdicts into an index, in the order in which they came to be: of two rows the later stays."""
    known = sorted(runs, key=_age)
    given = sorted(verdicts, key=lambda verdict: (verdict.created_at, verdict.id))
    # One row for each: writing the same one again makes SQLite look for its children every time.
    workspaces = {run.record.workspace: workspace_row(run) for run in known}
    with uncollected():
        tables: dict[str, list[Row]] = {
            "workspaces": list(workspaces.values()),
            "runs": [run_row(run) for run in known],
            "verdicts": [verdict_row(verdict) for verdict in given],
            "wiki_claim_provenance": [row for verdict in given for row in provenance_rows(verdict)],
        }
        return [f"{each.table} {each.key}: {each.why}" for each in rows.replace_all(index, tables)]


def _age(run: Run) -> tuple[str, str]:
    return run.record.started_at, run.id


def workspace_row(run: Run) -> Row:
    """A row of `workspaces`."""
    return {"slug": run.record.workspace, "root": run.record.workspace_root}


def run_row(run: Run) -> Row:
    """A row of `runs`."""
    state, record = run.state, run.record
    return {
        "run_id": run.id,
        "workspace": record.workspace,
        "triggered_by": record.triggered_by,
        "run_type": record.run_type,
        "status": state.status,
        "started_at": record.started_at,
        "ended_at": run.ended_at,
        "verifier_preset": record.verifier_preset,
        "verdict": state.verdict or None,
        "reject_reason": state.reason if state.status == "rejected" else None,
        "loop_count": state.loop_count,
        "budget_input_tokens_used": int(state.used.get("input_tokens", 0)),
        "budget_output_tokens_used": int(state.used.get("output_tokens", 0)),
        "budget_usd_used": state.used.get("usd", 0.0),
        "target": record.target,
        "base": state.base or record.base,
        "root": record.root,
        "head": state.head,
        "candidate": state.candidate,
        "unverified": int(state.unverified),
        "sources": list(record.sources),
        "plan": [step.model_dump(mode="json") for step in run.plan.operations] if run.plan else None,
    }


def verdict_row(verdict: Verdict) -> Row:
    """A row of `verdicts`."""
    return {
        "id": verdict.id,
        "run_id": verdict.run_id or None,
        "workspace": verdict.workspace,
        "target": verdict.target,
        "base": verdict.base,
        "head": verdict.head,
        "candidate": verdict.candidate,
        "tree": verdict.tree,
        "policy": verdict.policy,
        "verifier": verdict.verifier,
        "judge": verdict.judge,
        "verdict": verdict.verdict,
        "reasoning": verdict.reasoning,
        "judged": verdict.counts.judged,
        "unjudged": verdict.counts.unjudged,
        "unverified": verdict.counts.unverified,
        "tokens_used": int(verdict.tokens_used.get("input", 0) + verdict.tokens_used.get("output", 0)),
        "created_at": verdict.created_at,
        "supersedes": ",".join(verdict.supersedes) or None,
        "record": _statement(verdict),
    }


def _statement(verdict: Verdict) -> Any:
    """The whole statement as JSON; as values where a path is not UTF-8, for pydantic writes no lone surrogates."""
    try:
        return verdict.model_dump_json(by_alias=True)
    except PydanticSerializationError:
        return verdict.record()


def provenance_rows(verdict: Verdict) -> Iterator[Row]:
    """Rows of `wiki_claim_provenance`: for each claim that an anchor was found for, the source's exact slice."""
    if not verdict.run_id:
        return
    for finding in verdict.per_claim_findings:
        if finding.check == "quote_anchor" and finding.evidence.get("quote") is not None:
            for claim in finding.evidence.get("claims", [finding.claim]):
                yield _provenance(verdict, finding, claim)


def _provenance(verdict: Verdict, finding: Finding, claim: str) -> Row:
    evidence = finding.evidence
    return {
        "run_id": verdict.run_id,
        "workspace": verdict.workspace,
        "page_path": finding.path,
        "claim": claim,
        "claim_hash": sha256(claim.encode()),
        "label": evidence.get("label", ""),
        "source_path": finding.source,
        "source_page": evidence.get("page"),
        "source_quote": evidence["quote"],
        "source_quote_hash": evidence["sha256"],
        "source_quote_offset": evidence["offset"],
        "result": finding.result,
        "extractor": evidence.get("extractor"),
        "extractor_version": evidence.get("extractor_version"),
        "source_blob": evidence.get("blob"),
        "candidate": verdict.candidate,
        "recorded_at": verdict.created_at,
    }
