"""`git assay extract run SOURCE… --out DIR`: sources into atoms, in a folder or, by a run, in the wiki."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from gitops.agents.extractors.given import Given
    from gitops.agents.writers.document import Unreadable
    from gitops.cli.extract_out import Out


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("run", "extract atoms (processes, roles, decisions, …) from sources", run)
    made.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="sources; on their way into the wiki they are added to raw/"
    )
    made.add_argument("--out", required=True, metavar="DIR", help="the folder of the atoms; in the wiki, by a run")
    made.add_argument("--preset", metavar="NAME", help="who extracts: offline (default), or a model")
    made.add_argument("--dry-run", action="store_true", help="print what would be written or asked; write nothing")
    made.add_argument("--force", action="store_true", help="overwrite files of the folder; never in the wiki")
    made.add_argument("--draft-only", action="store_true", help="leave the run pending, unverified, to be looked at")
    made.add_argument("--no-verify", action="store_true", help="land without verification; recorded as unverified")
    made.add_argument("--push", action="store_true", help="land on the target's upstream first, by a plain push")
    made.add_argument("--fresh", action="store_true", help="ask the judges anew what they have answered")
    made.add_argument("--into", default="", metavar="FOLDER", help="a folder below raw/ for files from outside")
    made.add_argument("--target", metavar="BRANCH", help="the branch to land on (default: the current one)")
    made.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Extract."""
    from gitops.cli import extract_out

    out = extract_out.find(arguments)
    return _into_folder(arguments, out) if out.folder is not None else _into_wiki(arguments, out)


def _into_folder(arguments: argparse.Namespace, out: Out) -> int:
    from gitops.agents import extracting, extraction_folders

    _refuse(arguments, out)
    assert out.folder is not None
    sources, unreadable = extraction_folders.given(surroundings.folder(arguments), arguments.sources, out.cited)
    _tell_unreadable(unreadable)
    told: dict[str, Any] = {"folder": arguments.out, "preset": out.preset}
    if arguments.dry_run and not extracting.is_offline(out.workspace, out.preset):
        return _rehearsed(arguments, out, sources, told)
    if arguments.dry_run:
        done = extracting.extracted(out.context, out.workspace, sources, out.preset)
        planned, result = extraction_folders.plan(out.context, done, out.folder, force=arguments.force), "would_write"
    else:
        say = surroundings.sayer(arguments)
        made = extraction_folders.run(
            out.context, out.workspace, sources, out.preset, out.folder, force=arguments.force, say=say
        )
        done, planned, result = made.extracted, made.planned, "written"
    code = _tell(arguments, told, result, done, planned)
    return max(code, 3 if unreadable else 0)


def _into_wiki(arguments: argparse.Namespace, out: Out) -> int:
    from gitops.agents import atom_pages, extracting, extraction_runs, sourcing
    from gitops.errors import UsageError
    from gitops.runs.outcome import Options

    if arguments.force:
        raise UsageError("--force overwrites files, and a wiki is changed by a run", "leave it out")
    assert out.context is not None
    assert out.workspace is not None
    context, workspace = out.context, out.workspace
    folder = surroundings.folder(arguments)
    found = sourcing.find(context, workspace, out.target, folder, arguments.sources, arguments.into)
    options = Options(
        no_verify=arguments.no_verify, draft_only=arguments.draft_only, push=arguments.push, fresh=arguments.fresh
    )
    request = extraction_runs.Request(out.target, out.inside, out.preset, options)
    told: dict[str, Any] = {"folder": out.inside, "preset": out.preset}
    if arguments.dry_run:
        sources = extraction_runs.given_of(context, workspace, out.target, found)
        if not extracting.is_offline(workspace, out.preset):
            return _rehearsed(arguments, out, sources, told)
        tip = surroundings.tip(context, out.target)
        there = atom_pages.known(context, tip, out.inside)
        done = extracting.extracted(context, workspace, sources, known=there)
        planned = atom_pages.plan(context, workspace, tip, out.inside, done.drafts)
        return _tell(arguments, told, "would_write", done, planned)
    return _landed(arguments, out, found, request, told)


def _landed(arguments: argparse.Namespace, out: Out, found: Any, request: Any, told: dict[str, Any]) -> int:
    from gitops.agents import extraction_runs, sourcing
    from gitops.cli.run_landing import outcome_json
    from gitops.errors import Blocked, CannotRun
    from gitops.runs import gates
    from gitops.runs.outcome import NotLanded

    assert out.context is not None
    assert out.workspace is not None
    try:
        gates.demand_open(out.context, out.workspace.name, "ingest")  # what goes into the wiki waits alike
        for source in found:
            sourcing.bring_in(out.context, out.workspace, out.target, source, push=arguments.push)
        paths = [source.path for source in found]
        made = extraction_runs.run(out.context, out.workspace, paths, request, surroundings.sayer(arguments))
    except (Blocked, CannotRun) as error:
        if arguments.json:
            kept = outcome_json(error.outcome) if isinstance(error, NotLanded) else None
            failed = {"result": "no_verdict", "error": error.message, "hint": error.hint, "run": kept}
            surroundings.print_json({"schema": "assay/extract-run/1", **told, **failed})
        raise
    code = _tell(arguments, told, "finished", made.extracted, made.planned, made.outcome)
    return 1 if made.is_refused else code


def _refuse(arguments: argparse.Namespace, out: Out) -> None:
    """UsageError for what only a run has."""
    from gitops.errors import UsageError

    of_runs = ("draft_only", "no_verify", "push", "fresh", "into", "target")
    given = [name for name in of_runs if getattr(arguments, name)]
    if given:
        told = f"--{given[0].replace('_', '-')} is for a run, and --out {arguments.out} lies in no wiki"
        raise UsageError(told, "leave it out, or name a folder of the wiki: --out wiki/atoms")


def _rehearsed(arguments: argparse.Namespace, out: Out, sources: list[Given], told: dict[str, Any]) -> int:
    """Say what a model would be asked, and about what it would cost."""
    from gitops.agents import extracting
    from gitops.report import extracted
    from gitops.report.text import show

    asked = extracting.rehearsed(out.workspace, sources, out.preset)
    if arguments.json:
        surroundings.print_json({"schema": "assay/extract-run/1", **told, **extracted.asked_json(asked)})
    else:
        show(extracted.asked(asked))
    return 0


def _tell(
    arguments: argparse.Namespace,
    told: dict[str, Any],
    result: str,
    done: Any,
    planned: Any,
    outcome: Any = None,
) -> int:
    """Print what came of it; 3 where nothing was found at all, for green never means that."""
    from gitops.cli import tell
    from gitops.cli.run_landing import outcome_json
    from gitops.report import extracted
    from gitops.report.text import show

    result = "nothing_found" if not done.drafts else "nothing_new" if not planned.files else result
    if arguments.json:
        body = extracted.as_json(done, planned)
        finished = outcome_json(outcome) if outcome is not None and done.drafts else None
        surroundings.print_json({"schema": "assay/extract-run/1", **told, "result": result, **body, "run": finished})
    elif done.drafts or done.dropped or done.used.calls:
        show(extracted.words(told["folder"], result, done, planned, outcome))
    if not done.drafts:
        tell(f"no atom was found in {', '.join(done.sources) or 'the sources'}", extracted.MEND[bool(done.model)])
        return 3
    return 0


def _tell_unreadable(unreadable: list[Unreadable]) -> None:
    from gitops.cli import tell

    for error in unreadable:
        tell(error.message, error.hint)
