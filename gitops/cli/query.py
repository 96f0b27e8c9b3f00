"""`git assay query`: a question to the wiki, answered with citations or refused."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser, count

if TYPE_CHECKING:
    from gitops.agents.answers import Answer
    from gitops.agents.querying import Asking, Estimate
    from gitops.errors import AssayError
    from gitops.runs.context import Context
    from gitops.runs.outcome import Outcome


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=query)
    parser.add_argument("question", metavar="QUESTION", help="the question, in quotation marks")
    preset = "who answers: offline, claude or a preset of assay.toml (default: [llm] writer)"
    parser.add_argument("--preset", default="", metavar="NAME", help=preset)
    parser.add_argument("--rev", metavar="REV", help="the wiki as this revision has it (default: HEAD)")
    parser.add_argument(
        "--limit", type=count, default=10, metavar="N", help="how many of the chunks found --json tells (default 10)"
    )
    parser.add_argument("--archive", action="store_true", help="keep the answer as a page, by a run that must pass")
    parser.add_argument("--target", metavar="BRANCH", help="with --archive: the branch to land on (default: current)")
    dry = "ask nobody and keep nothing: say who would be asked, and what the first call would cost"
    parser.add_argument("--dry-run", action="store_true", help=dry)
    parser.add_argument("--json", action="store_true", help="print JSON")


def query(arguments: argparse.Namespace) -> int:
    """Answer; 1 where the wiki does not say, or what was to be kept did not land."""
    from gitops.agents import querying

    context = surroundings.context(arguments, sweep=arguments.archive)
    asking = _asking(arguments, context)
    if arguments.dry_run:
        return _tell_estimate(arguments, querying.estimate(asking))
    found = querying.answer(asking)
    if arguments.archive and not found.said.refused:
        return _keep(arguments, context, asking, found)
    _tell(arguments, found)
    return 1 if found.said.refused else 0


def _asking(arguments: argparse.Namespace, context: Context) -> Asking:
    from gitops.agents.answering.keeping import title_of
    from gitops.agents.querying import Asking
    from gitops.errors import UsageError
    from gitops.git import snapshot

    if arguments.archive and arguments.rev is not None:
        raise UsageError("--archive keeps what the branch says now, not what --rev says", "leave one of them out")
    if arguments.target and not arguments.archive:
        raise UsageError("--target is for --archive", "leave it out, or add --archive")
    if arguments.archive:
        title_of(arguments.question)  # before anything is spent on what could not be kept
        commit = surroundings.tip(context, surroundings.target(arguments, context))
    else:
        commit = snapshot.resolve(context.repository, arguments.rev or "HEAD")
    workspace = surroundings.workspace(arguments, context, commit)
    return Asking(context, workspace, commit, arguments.question, arguments.preset, arguments.limit)


def _keep(arguments: argparse.Namespace, context: Context, asking: Asking, found: Answer) -> int:
    from gitops.agents.archiving import archive
    from gitops.errors import AssayError

    if not arguments.json:
        _tell(arguments, found)
    try:
        outcome, kept = archive(context, asking.workspace, surroundings.target(arguments, context), found)
    except AssayError as error:
        if arguments.json:
            surroundings.print_json({**found.record(), "archive": _failed(error)})
        raise
    for text in kept.left_out:
        context.warn(f"not kept, for no source's own words were found for it: {text}")
    if arguments.json:
        surroundings.print_json({**found.record(), "archive": _as_json(outcome)})
    else:
        _tell_kept(arguments, outcome, kept.path)
    return 0 if outcome is None or outcome.result == "landed" else 1


def _failed(error: AssayError) -> dict[str, Any]:
    from gitops.cli.run_landing import outcome_json
    from gitops.runs.outcome import NotLanded

    told = {"error": error.message, "hint": error.hint}
    return {**outcome_json(error.outcome), **told} if isinstance(error, NotLanded) else {"result": "not_kept", **told}


def _as_json(outcome: Outcome | None) -> dict[str, Any]:
    from gitops.cli.run_landing import outcome_json

    return {"result": "kept_already"} if outcome is None else outcome_json(outcome)


def _tell_kept(arguments: argparse.Namespace, outcome: Outcome | None, path: str) -> None:
    from gitops.report import runs
    from gitops.report.text import show

    if outcome is not None:
        show(runs.outcome(outcome.result, outcome.run, outcome.verdict, outcome.commit))
    elif not arguments.quiet:
        show(f"{path} says so already")


def _tell(arguments: argparse.Namespace, found: Answer) -> None:
    if arguments.json:
        surroundings.print_json(found.record())
        return
    from gitops.report.query import words
    from gitops.report.text import show

    show(words(found))


def _tell_estimate(arguments: argparse.Namespace, found: Estimate) -> int:
    if arguments.json:
        usage: dict[str, Any] = found.usage.record()
        told = {"schema": "assay/query-estimate/1", "preset": found.preset, "model": found.model, "found": found.found}
        surroundings.print_json({**told, "first_call": usage})
        return 0
    from gitops.report.query import estimate
    from gitops.report.text import show

    show(estimate(found))
    return 0
