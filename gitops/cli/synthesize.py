"""`git assay synthesize` and `synthesize review`: what came in since last time, and what is left of such runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser, count

if TYPE_CHECKING:
    from gitops.agents.synthesizing import Request, Synthesized
    from gitops.runs.context import Context
    from gitops.runs.outcome import Options
    from gitops.runs.workspace import Workspace

_REVIEW = "review"


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=synthesize)
    review = "list the syntheses that are pending or came to nothing, and how to go on with each"
    parser.add_argument("review", nargs="?", choices=(_REVIEW,), metavar="review", help=review)
    parser.add_argument("--due", action="store_true", help="only if [synthesis] every has passed since the last one")
    parser.add_argument("--draft-only", action="store_true", help="leave the run pending, unverified, to be looked at")
    parser.add_argument("--preset", metavar="NAME", help="who writes: offline, or a model (default: [llm] writer)")
    parser.add_argument("--no-verify", action="store_true", help="land without verification; recorded as unverified")
    parser.add_argument("--dry-run", action="store_true", help="print what would be written or asked; write nothing")
    parser.add_argument("--push", action="store_true", help="land on the target's upstream first, by a plain push")
    parser.add_argument("--fresh", action="store_true", help="ask the judges anew what they have answered before")
    parser.add_argument("--target", metavar="BRANCH", help="the branch to land on (default: the current one)")
    parser.add_argument("--limit", type=count, default=10, metavar="N", help="of review: at most N runs (default 10)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def synthesize(arguments: argparse.Namespace) -> int:
    """Synthesize, or review."""
    from gitops.agents.synthesizing import Request

    context = surroundings.context(arguments)
    target = surroundings.target(arguments, context)
    workspace = surroundings.workspace(arguments, context, surroundings.tip(context, target))
    if arguments.review:
        return _review(arguments, context, workspace)
    preset = arguments.preset or workspace.config.llm.writer
    request = Request(target, preset, arguments.due, arguments.dry_run, _options(arguments))
    return _told(arguments, _done(arguments, context, workspace, request))


def _options(arguments: argparse.Namespace) -> Options:
    from gitops.runs.outcome import Options

    return Options(
        no_verify=arguments.no_verify, draft_only=arguments.draft_only, push=arguments.push, fresh=arguments.fresh
    )


def _done(arguments: argparse.Namespace, context: Context, workspace: Workspace, request: Request) -> Synthesized:
    from gitops.agents.synthesizing import synthesize
    from gitops.errors import Blocked, CannotRun

    try:
        return synthesize(context, workspace, request, surroundings.sayer(arguments))
    except (Blocked, CannotRun) as error:
        surroundings.tell_no_verdict(arguments, "assay/synthesize/1", error)
        raise


def _told(arguments: argparse.Namespace, done: Synthesized) -> int:
    if arguments.json:
        surroundings.print_json(_as_json(done))
    else:
        from gitops.report.synthesize import words
        from gitops.report.text import show

        show(words(done))
    return 1 if done.is_refused else 0


def _as_json(done: Synthesized) -> dict[str, Any]:
    from gitops.cli.run_landing import outcome_json

    made = done.composed
    return {
        "schema": "assay/synthesize/1",
        "state": done.state,
        "since": done.since or None,
        "due": f"{done.due:%Y-%m-%dT%H:%M:%SZ}" if done.due is not None else None,
        "claims": done.claims,
        "page": made.path if made is not None else None,
        "pages": made.pages if made is not None and done.state == "planned" else {},
        "used": done.used.record() if done.used is not None else None,
        "run": outcome_json(done.outcome) if done.outcome is not None else None,
    }


def _review(arguments: argparse.Namespace, context: Context, workspace: Workspace) -> int:
    from gitops.agents.synthesis import reviewing, since
    from gitops.runs import store

    runs = since.of_workspace(store.all_runs(context).values(), workspace)
    found = reviewing.reviewed(context, runs, arguments.limit)
    if arguments.json:
        listed = [each.as_json() for each in found]
        surroundings.print_json({"schema": "assay/synthesize-review/1", "runs": listed})
        return 0
    from gitops.report.synthesize import review
    from gitops.report.text import show

    show(review(found))
    return 0
