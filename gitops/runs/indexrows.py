"""What the index holds of a run and of a verdict: plain fields in, rows out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitops.canonical import dumps, sha256
from gitops.index.replacing import Block
from gitops.runs.measurements import RETRIEVAL, Measurement
from gitops.runs.records import Run
from gitops.verify.verdict import Verdict

Fields = Mapping[str, Any]
"""The fields of a record or verdict, as its line has them."""
Row = dict[str, Any]
Values = tuple[Any, ...]

RUN = (
    *("run_id", "workspace", "triggered_by", "run_type", "status", "started_at", "ended_at", "verifier_preset"),
    *("verdict", "reject_reason", "loop_count", "budget_input_tokens_used", "budget_output_tokens_used"),
    *("budget_usd_used", "target", "base", "root", "head", "candidate", "unverified", "sources", "plan"),
)
VERDICT = (
    *("id", "run_id", "workspace", "target", "base", "head", "candidate", "tree", "policy", "verifier", "judge"),
    *("verdict", "reasoning", "judged", "unjudged", "unverified", "tokens_used", "created_at", "supersedes"),
)
PROVENANCE = (
    *("run_id", "workspace", "page_path", "claim", "claim_hash", "label", "source_path", "source_page"),
    *("source_quote", "source_quote_hash", "source_quote_offset", "result", "extractor", "extractor_version"),
    *("source_blob", "candidate", "recorded_at"),
)
EVAL = (
    *("run_id", "workspace", "metric", "run_at", "score", "status", "tokens_used", "usd_used", "details"),
    *("aggregate_json", "config_json"),
)
ANSWER = ("run_id", "query_id", "hits_top_k", "answer", "error", "latency_ms")


def of_run(run: Run) -> Values:
    """The columns `RUN` of a folded run."""
    steps = [step.model_dump(mode="json") for step in run.plan.operations] if run.plan else None
    record, state = run.record.model_dump(mode="json"), run.state.model_dump(mode="json")
    return run_values(record, state, run.ended_at, dumps(record["sources"]), None if steps is None else dumps(steps))


def run_values(record: Fields, state: Fields, ended_at: str | None, sources: str, plan: str | None) -> Values:
    """The columns `RUN` of a run: how it began, its latest transition, and, as JSON, its sources and plan's steps."""
    used = state["used"]
    return (
        record["run_id"],
        record["workspace"],
        record["triggered_by"],
        record["run_type"],
        state["status"],
        record["started_at"],
        ended_at,
        record["verifier_preset"],
        state["verdict"] or None,
        state["reason"] if state["status"] == "rejected" else None,
        state["loop_count"],
        int(used.get("input_tokens", 0)),
        int(used.get("output_tokens", 0)),
        used.get("usd", 0.0),
        record["target"],
        state["base"] or record["base"],
        record["root"],
        state["head"],
        state["candidate"],
        int(state["unverified"]),
        sources,
        plan,
    )


def verdict_values(verdict: Fields) -> Values:
    """The columns `VERDICT` of a verdict."""
    counts, tokens = verdict["counts"], verdict["tokens_used"]
    return (
        verdict["id"],
        verdict["run_id"] or None,
        verdict["workspace"],
        verdict["target"],
        verdict["base"],
        verdict["head"],
        verdict["candidate"],
        verdict["tree"],
        verdict["policy"],
        verdict["verifier"],
        verdict["judge"],
        verdict["verdict"],
        verdict["reasoning"],
        counts["judged"],
        counts["unjudged"],
        counts["unverified"],
        int(tokens.get("input", 0) + tokens.get("output", 0)),
        verdict["created_at"],
        ",".join(verdict["supersedes"]) or None,
    )


def provenance_values(verdict: Fields) -> Iterator[Values]:
    """The columns `PROVENANCE` for each claim that an anchor was found for: the source's exact slice."""
    if not verdict["run_id"]:
        return
    for finding in verdict["per_claim_findings"]:
        evidence = finding["evidence"]
        if finding["check"] == "quote_anchor" and evidence.get("quote") is not None:
            claims = evidence.get("claims", [finding["claim"]])
            for claim in claims if isinstance(claims, list) else []:
                if isinstance(claim, str):  # evidence is free in its form, and anybody may have written it
                    yield _pointer(verdict, finding, evidence, claim)


def _pointer(verdict: Fields, finding: Fields, evidence: Fields, claim: str) -> Values:
    return (
        verdict["run_id"],
        verdict["workspace"],
        finding["path"],
        claim,
        sha256(claim.encode("utf-8", "backslashreplace")),
        evidence.get("label", ""),
        finding["source"],
        evidence.get("page"),
        evidence["quote"],
        evidence.get("sha256"),
        evidence.get("offset"),
        finding["result"],
        evidence.get("extractor"),
        evidence.get("extractor_version"),
        evidence.get("blob"),
        verdict["candidate"],
        verdict["created_at"],
    )


def eval_values(measured: Measurement) -> Values:
    """The columns `EVAL` of a measurement. `details` are the findings on each sample."""
    used, record = measured.used, measured.record()
    is_retrieval = measured.kind == RETRIEVAL
    details, aggregate, config = (_of_retrieval if is_retrieval else _of_metric)(measured, record)
    number = measured.metrics["mrr" if is_retrieval else measured.suite]
    return (
        measured.run_id,
        measured.workspace,
        RETRIEVAL if is_retrieval else measured.suite,
        measured.completed_at,
        number.value,
        "measured" if is_retrieval else number.status,
        int(used.get("input_tokens", 0) + used.get("output_tokens", 0)),
        float(used.get("usd", 0.0)),
        dumps(details),
        dumps(aggregate),
        dumps(config),
    )


def _of_metric(measured: Measurement, record: Fields) -> tuple[Row, Row, Row]:
    """`details`, `aggregate_json` and `config_json` of the measurement of one metric."""
    details = {"reason": measured.reason, "samples": record["samples"]}
    return details, record["metrics"], {"subject": record["subject"], "instrument": record["instrument"]}


def _of_retrieval(measured: Measurement, record: Fields) -> tuple[Row, Row, Row]:
    """The same of retrieval (kebab p5-2): the aggregate as it is written there; what chunker, embedding, prompt and
    model made the results. Hits and answers have a table of their own.
    """
    samples = [{name: value for name, value in sample.items() if name != "details"} for sample in record["samples"]]
    told = {"suite": measured.suite, "remarks": measured.details.get("remarks", []), "samples": samples}
    return told, measured.details["aggregate"], {**record["subject"], "instrument": record["instrument"]}


def answer_values(measured: Measurement) -> Iterator[Values]:
    """The columns `ANSWER` of each query that a measurement had answered: those whose sample holds an answer.

    Of retrieval those of every query: that one failed, or is missing in the results, its row says.
    """
    for sample in measured.samples:
        answer, hits = sample.details.get("answer"), sample.details.get("hits_top_k")
        if answer is not None or hits is not None or measured.kind == RETRIEVAL:
            told = (None if hits is None else dumps(hits), None if answer is None else dumps(answer))
            yield (measured.run_id, sample.id, *told, sample.error, sample.latency_ms)


def eval_row(measured: Measurement) -> Row:
    """A row of `eval_runs`."""
    return dict(zip(EVAL, eval_values(measured), strict=True))


def answer_rows(measured: Measurement) -> list[Row]:
    """Rows of `eval_query_results`."""
    return [dict(zip(ANSWER, values, strict=True)) for values in answer_values(measured)]


def workspace_row(run: Run) -> Row:
    """A row of `workspaces`."""
    return {"slug": run.record.workspace, "root": run.record.workspace_root}


def run_row(run: Run) -> Row:
    """A row of `runs`."""
    return dict(zip(RUN, of_run(run), strict=True))


def verdict_row(verdict: Verdict) -> Row:
    """A row of `verdicts`."""
    return dict(zip(VERDICT, verdict_values(verdict.record()), strict=True))


def provenance_rows(verdict: Verdict) -> list[Row]:
    """Rows of `wiki_claim_provenance`."""
    return [dict(zip(PROVENANCE, values, strict=True)) for values in provenance_values(verdict.record())]


def blocks(
    workspaces: Mapping[str, str],
    runs: list[Values],
    verdicts: list[Values],
    claims: list[Values],
    measured: Iterable[Measurement] = (),
) -> dict[str, Block]:
    """All tables of an index that mirror notes; of two rows with one key the later stays, and of two measurements
    of one run (one that was scored again) all rows of the later.

    A measurement whose run was never recorded is left out by the index, and named: once, not for each of its queries.
    """
    shown = {one.run_id: one for one in measured if one.is_indexed}.values()
    begun = {row[0] for row in runs}
    return {
        "workspaces": Block(("slug", "root"), list(workspaces.items())),
        "runs": Block(RUN, runs),
        "verdicts": Block(VERDICT, verdicts),
        "wiki_claim_provenance": Block(PROVENANCE, claims),
        "eval_runs": Block(EVAL, [eval_values(one) for one in shown]),
        "eval_query_results": Block(
            ANSWER, [row for one in shown if one.run_id in begun for row in answer_values(one)]
        ),
    }
