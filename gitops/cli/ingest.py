"""`git assay ingest SOURCE…`: bring what sources say into the wiki, one run for each, verified and landed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from gitops.agents.ingesting import Ingested, Request
    from gitops.agents.sourcing import Found
    from gitops.errors import AssayError
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=ingest)
    parser.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="sources; a file outside raw/ is added to it first"
    )
    parser.add_argument("--preset", metavar="NAME", help="who writes: offline, or a model (default: [llm] writer)")
    parser.add_argument("--draft-only", action="store_true", help="leave each run pending, unverified, to be looked at")
    parser.add_argument("--no-verify", action="store_true", help="land without verification; recorded as unverified")
    parser.add_argument("--dry-run", action="store_true", help="print what would be written or asked; write nothing")
    parser.add_argument("--push", action="store_true", help="land on the target's upstream first, by a plain push")
    parser.add_argument(
        "--again", action="store_true", help="ingest a source also where nothing of it has changed since"
    )
    parser.add_argument(
        "--fresh", action="store_true", help="as --again, and ask the judges anew what they have answered"
    )
    parser.add_argument("--into", default="", metavar="FOLDER", help="a folder below raw/ for files from outside")
    parser.add_argument("--target", metavar="BRANCH", help="the branch to land on (default: the current one)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def ingest(arguments: argparse.Namespace) -> int:
    """One run for each source, in order; one that is refused does not hold the next."""
    from gitops.agents import sourcing
    from gitops.agents.ingesting import Request, demand_canonical
    from gitops.runs.outcome import Options

    context = surroundings.context(arguments)
    target = surroundings.target(arguments, context)
    workspace = surroundings.workspace(arguments, context, surroundings.tip(context, target))
    preset = arguments.preset or workspace.config.llm.writer
    workspace.config.llm.preset(preset)  # UsageError before anything is done
    demand_canonical(workspace)
    options = Options(
        no_verify=arguments.no_verify,
        draft_only=arguments.draft_only,
        push=arguments.push,
        fresh=arguments.fresh,
    )
    request = Request(target, preset, options, again=arguments.again or arguments.fresh)
    folder = surroundings.folder(arguments)
    found = sourcing.find(context, workspace, target, folder, arguments.sources, arguments.into)
    if arguments.dry_run:
        return _rehearse(arguments, context, workspace, request, found)
    return _each(arguments, context, workspace, request, found)


def _each(
    arguments: argparse.Namespace, context: Context, workspace: Workspace, request: Request, found: list[Found]
) -> int:
    from gitops.agents import sourcing
    from gitops.agents.ingesting import ingest as one
    from gitops.agents.writers.document import Unreadable
    from gitops.errors import Blocked, CannotRun
    from gitops.runs import gates
    from gitops.runs.outcome import NotLanded

    told: list[dict[str, Any]] = []
    codes = [0]
    any_landed = False
    try:
        for source in found:
            try:
                if source.data is not None:  # a source that waits is not committed either
                    gates.demand_open(context, workspace.name, "ingest")
                sourcing.bring_in(context, workspace, request.target, source, push=arguments.push)
                done = one(context, workspace, source.path, request, surroundings.sayer(arguments))
            except Unreadable as error:
                codes.append(_cannot(arguments, told, source, error))
                continue
            except (Blocked, CannotRun) as error:
                told.append(_failed(source, error.outcome if isinstance(error, NotLanded) else None, error))
                raise
            codes.append(_shown(arguments, told, done))
            any_landed = any_landed or (done.outcome is not None and done.outcome.result == "landed")
    finally:
        if arguments.json:
            surroundings.print_json({"schema": "assay/ingest/1", "runs": told})
        if any_landed:
            from gitops.evals import after_landing

            after_landing.ingested(context, workspace.layout.root, request.target)
    return 1 if 1 in codes else max(codes)


def _shown(arguments: argparse.Namespace, told: list[dict[str, Any]], done: Ingested) -> int:
    if arguments.json:
        told.append(_as_json(done))
    else:
        from gitops.report.ingest import ingested
        from gitops.report.text import show

        show(ingested(done))
    return 1 if done.is_refused else 0


def _as_json(done: Ingested) -> dict[str, Any]:
    from gitops.cli.run_landing import outcome_json

    used = done.used.record() if done.used is not None else {}
    if done.outcome is None or done.outcome.run.status == "abandoned":
        run = done.before or (done.outcome.run if done.outcome is not None else None)
        return {"source": done.source, "result": "nothing", "run_id": run.id if run is not None else None, "used": used}
    return {**outcome_json(done.outcome), "source": done.source, "used": used}


def _cannot(arguments: argparse.Namespace, told: list[dict[str, Any]], source: Found, error: AssayError) -> int:
    """Tell of a source that cannot be read, and go on."""
    from gitops.cli import tell

    told.append(_failed(source, None, error))
    tell(error.message, error.hint)
    return 3


def _failed(source: Found, outcome: Any, error: AssayError) -> dict[str, Any]:
    from gitops.cli.run_landing import outcome_json

    said = {"source": source.path, "error": error.message, "hint": error.hint}
    return {**outcome_json(outcome), **said} if outcome is not None else {"result": "no_verdict", **said}


def _rehearse(
    arguments: argparse.Namespace, context: Context, workspace: Workspace, request: Request, found: list[Found]
) -> int:
    """Say what would be written, or asked of a model and at what price."""
    from gitops.agents import rehearsing
    from gitops.agents.writers.document import Unreadable
    from gitops.report import ingest as report
    from gitops.report.text import show

    _tell_what_waits(context, workspace)
    rows: list[dict[str, Any]] = []
    code = 0
    for source in found:
        if not arguments.json and source.data is not None:
            show(f"would add {source.path} to the sources first")
        try:
            rehearsed = rehearsing.rehearse(context, workspace, request, source)
        except Unreadable as error:
            code = _cannot(arguments, rows, source, error)
            continue
        rows.append(report.rehearsed_json(rehearsed))
        if not arguments.json:
            show(report.rehearsed(rehearsed))
    if arguments.json:
        surroundings.print_json({"schema": "assay/ingest/1", "runs": rows})
    return code


def _tell_what_waits(context: Context, workspace: Workspace) -> None:
    """A rehearsal asks no gate to open, but does not keep quiet about one that is closed."""
    from gitops.errors import Blocked
    from gitops.runs import gates

    try:
        gates.demand_open(context, workspace.name, "ingest")
    except Blocked as error:
        context.warn(f"{error.message}: {error.hint}")
