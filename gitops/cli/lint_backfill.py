"""`git assay lint --cascade-backfill`: touches the pages that recent ingests missed, on a run of its own (M2)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.agents.backfilling import Backfilled, Request
    from gitops.agents.writers.backfill_planning import Missed
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def declare(parser: Parser) -> None:
    """What mends that which a metric found, on a run that is written, and the options that go with it."""
    mends = parser.add_mutually_exclusive_group()
    missed = "touch the pages that recent ingests missed (M2), on a run of its own, and land it"
    mends.add_argument("--cascade-backfill", action="store_true", help=missed)
    settled = "settle the contradictions that M5 finds between pages, on a run of its own, and land it"
    mends.add_argument("--resolve-contradictions", action="store_true", help=settled)
    parser.add_argument("--preset", metavar="NAME", help="who writes: offline, or a model (default: [llm] writer)")
    parser.add_argument("--draft-only", action="store_true", help="leave the run pending, unverified, to be looked at")
    parser.add_argument("--dry-run", action="store_true", help="print what would be written or asked; write nothing")
    parser.add_argument("--push", action="store_true", help="land on the target's upstream first, by a plain push")
    parser.add_argument("--target", metavar="BRANCH", help="the branch to land on (default: the current one)")


def refuse_mixed(arguments: argparse.Namespace) -> None:
    """UsageError for options of a run where none is made, and for what goes with none beside one that is."""
    mend = next((name for name in ("cascade_backfill", "resolve_contradictions") if getattr(arguments, name)), "")
    options = ["preset", "draft_only", "dry_run", "push", *([] if arguments.fix else ["target"])]
    wrong = ["rev", "staged", "fix", "debt", "prune", "sarif", "github"] if mend else options
    given = next((name for name in wrong if getattr(arguments, name)), None)
    if given is not None:
        from gitops.errors import UsageError

        option = _option(given)
        if mend:
            raise UsageError(f"{option} does not go with {_option(mend)}", f"git assay lint {_option(mend)}")
        told = f"{option} goes with --cascade-backfill and --resolve-contradictions"
        raise UsageError(told, f"git assay lint --cascade-backfill {option}")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def backfill(arguments: argparse.Namespace, context: Context) -> int:
    """Mend, tell what came of it, and measure M2 anew where it landed; 1 where the run was refused."""
    from gitops.errors import UsageError
    from gitops.runs.outcome import Options

    if arguments.paths or arguments.check:
        raise UsageError("--cascade-backfill mends a whole workspace", "leave out PATH and --check")
    target = surroundings.target(arguments, context)
    tip = surroundings.tip(context, target)
    workspace = surroundings.workspace(arguments, context, tip)
    missed, why = _missed(context, workspace, tip)
    preset = arguments.preset or workspace.config.llm.writer
    from gitops.agents.backfilling import Request

    options = Options(draft_only=arguments.draft_only, push=arguments.push)
    done = _done(arguments, context, workspace, missed, Request(target, tip, preset, arguments.dry_run, options))
    _tell(arguments, done, missed, why)
    if done.outcome is not None and done.outcome.result == "landed":
        from gitops.evals import after_landing

        after_landing.mended(context, workspace.layout.root, target, "M2")
    return 1 if done.is_refused else 0


def _missed(context: Context, workspace: Workspace, tip: str) -> tuple[list[Missed], str]:
    """What the ingests of the last seven days missed, and what there is to say where they missed nothing."""
    from gitops.agents.writers.backfill_planning import Missed
    from gitops.evals.recent_ingests import DAYS, week
    from gitops.evals.subject import Subject
    from gitops.runs.views import Bench

    with Bench(context, workspace, tip) as bench:
        found = week(Subject(bench, context.clock()))
    missed = [Missed(sources, pages) for sources, pages in found.missed().items()]
    if missed:
        return missed, ""
    if found.made:
        return [], f"the ingests of the last {DAYS} days missed no page ({len(found.made)} looked at)"
    return [], f"no ingest of the last {DAYS} days can be looked at"


def _done(
    arguments: argparse.Namespace, context: Context, workspace: Workspace, missed: Sequence[Missed], request: Request
) -> Backfilled:
    from gitops.agents.backfilling import backfill as mend
    from gitops.errors import CannotRun

    try:
        return mend(context, workspace, missed, request, surroundings.sayer(arguments))
    except CannotRun as error:
        surroundings.tell_no_verdict(arguments, "assay/backfill/1", error)
        raise


def _tell(arguments: argparse.Namespace, done: Backfilled, missed: Sequence[Missed], why: str) -> None:
    if arguments.json:
        surroundings.print_json(_as_json(done, missed))
        return
    from gitops.report.backfill import words
    from gitops.report.text import show

    show(words(done, sum(len(each.pages) for each in missed), why))


def _as_json(done: Backfilled, missed: Sequence[Missed]) -> dict[str, Any]:
    from gitops.cli.run_landing import outcome_json

    steps = done.plan.steps if done.plan is not None else ()
    return {
        "schema": "assay/backfill/1",
        "state": done.state,
        "missed": [
            {"sources": list(each.sources), "pages": {page: list(terms) for page, terms in each.pages.items()}}
            for each in missed
        ],
        "pages": {step.path: [claim.text for claim in step.claims] for step in steps},
        "first_turn": done.first_turn or None,
        "used": done.used.record() if done.used is not None else None,
        "run": outcome_json(done.outcome) if done.outcome is not None else None,
    }
