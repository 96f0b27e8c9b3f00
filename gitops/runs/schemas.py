"""JSON schemas of everything that is recorded or printed, made from the models themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter

from gitops.config import Config
from gitops.errors import UsageError
from gitops.runs import (
    printed,
    printed_ablation,
    printed_answers,
    printed_benchmark_cases,
    printed_benchmark_run,
    printed_benchmarks,
    printed_ci,
    printed_comparison,
    printed_eval_report,
    printed_evals,
    printed_eviction,
    printed_eviction_learning,
    printed_extract_run,
    printed_extraction,
    printed_extraction_compare,
    printed_gold,
    printed_gold_check,
    printed_history,
    printed_labels,
    printed_mends,
    printed_models,
    printed_okf,
    printed_retrieval,
    printed_retrieval_compare,
    printed_server,
    printed_sync,
    printed_wikis,
    printed_workflows,
)
from gitops.runs.feedback import SCHEMA as FEEDBACK
from gitops.runs.feedback import AcceptedRegression, Ack
from gitops.runs.judgements import JudgementRecord, VotesRecord
from gitops.runs.measurements import Measurement
from gitops.runs.records import SCHEMA, LandedRecord, PlanRecord, RunRecord, StateRecord
from gitops.runs.transcripts import TranscriptRecord
from gitops.verify.finding import Finding
from gitops.verify.registry import nearest
from gitops.verify.verdict import Verdict

RECORDS: dict[str, type[BaseModel]] = {
    "config": Config,
    "finding": Finding,
    "verdict": Verdict,
    "run": RunRecord,
    "state": StateRecord,
    "plan": PlanRecord,
    "landed": LandedRecord,
    "judgement": JudgementRecord,
    "judgements": VotesRecord,
    "transcript": TranscriptRecord,
    "measurement": Measurement,
    "feedback": Ack,
    "accepted_regression": AcceptedRegression,
}
PRINTED: dict[str, TypeAdapter[Any]] = {
    "run-show": TypeAdapter(printed.ShownRun),
    "run-list": TypeAdapter(printed.RunList),
    "run-transcript": TypeAdapter(printed_models.RunTranscript),
    "run-finish": TypeAdapter(printed.Finished | printed.NoVerdict),
    "verdict-verify": TypeAdapter(printed.VerifiedVerdict),
    "verdicts-verify": TypeAdapter(printed.VerifiedVerdicts),
    "verdicts": TypeAdapter(printed.Verdicts),
    "status": TypeAdapter(printed.Status),
    "log": TypeAdapter(printed.Log),
    "log-sync": TypeAdapter(printed_server.LogSync),
    "server-hooks": TypeAdapter(printed_server.ServerHooks),
    "doctor": TypeAdapter(printed.Doctor),
    "raw": TypeAdapter(printed.Raw),
    "lint": TypeAdapter(printed.Lint),
    "lints": TypeAdapter(printed.Lints),
    "blame": TypeAdapter(printed_wikis.Blame),
    "adoption": TypeAdapter(printed_wikis.Adoption),
    "ingest": TypeAdapter(printed_workflows.Ingest),
    "synthesize": TypeAdapter(printed_workflows.Synthesis | printed_workflows.NoSynthesis),
    "synthesize-review": TypeAdapter(printed_workflows.SynthesisReview),
    "search": TypeAdapter(printed_answers.Search),
    "query": TypeAdapter(printed_answers.Query),
    "query-estimate": TypeAdapter(printed_answers.QueryEstimate),
    "vote": TypeAdapter(printed_models.ClaimVoted),
    "pair-vote": TypeAdapter(printed_models.PairVoted),
    "judge-score": TypeAdapter(printed_models.JudgeScore),
    "eval-run": TypeAdapter(printed_evals.EvalRun),
    "eval-compare": TypeAdapter(printed_comparison.EvalCompare),
    "eval-report": TypeAdapter(printed_eval_report.EvalReport),
    "eval-history": TypeAdapter(printed_history.EvalHistory),
    "eval-bisect": TypeAdapter(printed_history.EvalBisect),
    "retrieval-score": TypeAdapter(printed_retrieval.RetrievalScore),
    "retrieval-list": TypeAdapter(printed_retrieval.RetrievalList),
    "retrieval-compare": TypeAdapter(printed_retrieval_compare.RetrievalCompare),
    "okf-validated": TypeAdapter(printed_okf.OkfValidated),
    "extract-run": TypeAdapter(
        printed_extract_run.ExtractRun | printed_extract_run.ExtractAsked | printed_extract_run.NotExtracted
    ),
    "extract-plan": TypeAdapter(printed_extraction.ExtractPlan),
    "extract-list": TypeAdapter(printed_extraction.ExtractList),
    "extract-compare": TypeAdapter(printed_extraction_compare.ExtractCompare),
    "resolve": TypeAdapter(printed_mends.Resolve | printed_mends.NotResolved),
    "backfill": TypeAdapter(printed_mends.Backfill | printed_mends.NotBackfilled),
    "sync": TypeAdapter(printed_sync.Sync),
    "gold": TypeAdapter(printed_gold.GoldListed),
    "gold-added": TypeAdapter(printed_gold.GoldAdded),
    "gold-checked": TypeAdapter(printed_gold_check.GoldChecked),
    "benchmark-check": TypeAdapter(printed_benchmark_cases.BenchmarkCheck),
    "benchmark-import": TypeAdapter(printed_benchmark_cases.BenchmarkImport),
    "benchmark-from-run": TypeAdapter(printed_benchmark_cases.BenchmarkFromRun),
    "benchmark-ran": TypeAdapter(printed_benchmark_run.BenchmarkRan),
    "ablation": TypeAdapter(printed_ablation.Ablation),
    "benchmark-report": TypeAdapter(printed_benchmarks.BenchmarkReport),
    "benchmark-compare": TypeAdapter(printed_benchmarks.BenchmarkCompare),
    "benchmark-baseline": TypeAdapter(printed_benchmarks.BenchmarkAccepted),
    "benchmark-list": TypeAdapter(printed_benchmarks.BenchmarkList),
    "benchmark-label": TypeAdapter(printed_labels.Labelled),
    "eviction-report": TypeAdapter(printed_eviction_learning.EvictionReport),
    "eviction-calibration": TypeAdapter(printed_eviction_learning.EvictionCalibration),
    "eviction-online": TypeAdapter(printed_eviction_learning.EvictionOnline),
    "eviction-proposal": TypeAdapter(printed_eviction.EvictionProposal),
    "eviction-feedback": TypeAdapter(printed_eviction.EvictionFeedback),
    "ci": TypeAdapter(printed_ci.Result),
    "cis": TypeAdapter(printed_ci.Several),
    "ci-nothing": TypeAdapter(printed_ci.Nothing),
}


def schema_of(name: str, files: Mapping[str, type[BaseModel]]) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what is recorded or printed, or of one of the `files` that people write.

    UsageError for a name there is none for.
    """
    if name in files:
        schema = files[name].model_json_schema(by_alias=True, mode="validation")
    elif name in RECORDS:
        schema = RECORDS[name].model_json_schema(by_alias=True, mode="serialization")
        _require(schema, "schema", "kind", "id")
    elif name in PRINTED:
        schema = PRINTED[name].json_schema(by_alias=True, mode="serialization")
    else:
        raise UsageError(f"there is no schema '{name}'", nearest(name, {**RECORDS, **PRINTED, **files}))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_named(name), **schema}


def _named(name: str) -> dict[str, str]:
    """What a record carries as its `schema`. Records of runs share one, as feedback does; their kind tells them apart.

    The kind is an anchor, so that `assay/run/1#state` names a schema: an `$id` itself must have no fragment
    (JSON Schema 2020-12, core, 8.2.1).
    """
    if name == "accepted_regression":
        return {"$id": FEEDBACK, "$anchor": name}
    of_a_run = name in ("run", "state", "plan", "landed")
    return {"$id": SCHEMA, "$anchor": name} if of_a_run else {"$id": f"assay/{name}/1"}


def _require(schema: dict[str, Any], *fields: str) -> None:
    """What is recorded always has these, though the models have defaults for them."""
    there = [field for field in fields if field in schema["properties"]]
    schema["required"] = list(dict.fromkeys([*schema.get("required", ()), *there]))
