"""`git assay lint --resolve-contradictions`: settles what M5 finds, on a run of its own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.agents.disagreements import Contradiction
    from gitops.agents.reconciling import Mend
    from gitops.agents.resolving import Request, Resolved
    from gitops.evals.metric import MetricResult
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def resolve(arguments: argparse.Namespace, context: Context) -> int:
    """Measure M5 on the target's tip, settle what it finds, and tell; 1 where the run was refused.

    CannotRun where nothing could be measured: that nothing was found would say nothing then.
    With `--dry-run` no judge is asked that costs something: what such judges have answered before counts.
    """
    from gitops.agents.resolving import Request
    from gitops.errors import CannotRun, UsageError
    from gitops.runs.outcome import Options

    if arguments.paths or arguments.check:
        raise UsageError("--resolve-contradictions mends a whole workspace", "leave out PATH and --check")
    target = surroundings.target(arguments, context)
    tip = surroundings.tip(context, target)
    workspace = surroundings.workspace(arguments, context, tip)
    preset = arguments.preset or workspace.config.llm.writer
    options = Options(draft_only=arguments.draft_only, push=arguments.push)
    request = Request(target, tip, preset, arguments.dry_run, options)
    workspace.config.llm.preset(preset)  # UsageError before anything is measured
    found = _measured(context, workspace, tip, only_kept=arguments.dry_run)
    contradictions = _contradictions(found)
    if found.score is None and not contradictions:
        told = f"whether pages contradict each other is not known, for M5 is not measured: {found.reason}"
        error = CannotRun(told, "git assay eval run --metric M5")
        surroundings.tell_no_verdict(arguments, "assay/resolve/1", error)
        raise error
    done = _done(arguments, context, workspace, contradictions, request)
    _tell(arguments, done, found)
    if done.outcome is not None and done.outcome.result == "landed":
        from gitops.evals import after_landing

        after_landing.mended(context, workspace.layout.root, target, "M5")
    return 1 if done.is_refused else 0


def _measured(context: Context, workspace: Workspace, commit: str, *, only_kept: bool) -> MetricResult:
    from gitops.evals.registry import registry
    from gitops.evals.subject import Subject
    from gitops.runs import names
    from gitops.runs.seating import Asking
    from gitops.runs.views import Bench

    with Bench(context, workspace, commit) as bench:
        run_id = names.new_id(context.clock())
        return registry()["M5"].compute(Subject(bench, context.clock(), run_id, asking=Asking(only_kept=only_kept)))


def _contradictions(found: MetricResult) -> list[Contradiction]:
    """What M5 shows of them, also where too few pairs were judged for a number."""
    from gitops.agents.disagreements import Contradiction, Told

    return [
        Contradiction(
            Told(one["a"]["page"], one["a"]["claim"], one["a"]["line"]),
            Told(one["b"]["page"], one["b"]["claim"], one["b"]["line"]),
            one["topic"],
            one["reason"],
        )
        for one in found.details.get("contradictions", ())
    ]


def _done(
    arguments: argparse.Namespace,
    context: Context,
    workspace: Workspace,
    contradictions: Sequence[Contradiction],
    request: Request,
) -> Resolved:
    from gitops.agents.resolving import resolve as settle
    from gitops.errors import CannotRun

    try:
        return settle(context, workspace, contradictions, request, surroundings.sayer(arguments))
    except CannotRun as error:
        surroundings.tell_no_verdict(arguments, "assay/resolve/1", error)
        raise


def _tell(arguments: argparse.Namespace, done: Resolved, found: MetricResult) -> None:
    if arguments.json:
        surroundings.print_json(_as_json(done, found))
        return
    from gitops.report.resolving import words
    from gitops.report.text import show

    show(words(done, found.reason))


def _as_json(done: Resolved, found: MetricResult) -> dict[str, Any]:
    from gitops.cli.run_landing import outcome_json

    return {
        "schema": "assay/resolve/1",
        "state": done.state,
        "score": found.score,
        "contradictions": done.contradictions,
        "mends": [_mend(one) for one in done.mends],
        "left": [
            {"a": f"{one.a.page}:{one.a.line}", "b": f"{one.b.page}:{one.b.line}", "reason": why}
            for one, why in done.left
        ],
        "first_turn": done.asked or None,
        "used": done.used.record() if done.used is not None else None,
        "run": outcome_json(done.outcome) if done.outcome is not None else None,
    }


def _mend(one: Mend) -> dict[str, Any]:
    each = one.disagreement
    return {
        "how": one.how,
        "pages": list(one.pages),
        "topic": each.contradiction.topic,
        "older": {"page": each.older.path, "claim": each.older.words, "day": each.day} if each.older else None,
        "claims": [{"page": side.path, "claim": side.words, "sources": list(side.sources)} for side in each.sides],
    }
