"""`git assay run …`: a write as a branch that lands only by its verdict. The grammar, and all that stages."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import run_listing, surroundings
from gitops.cli.arguments import Commands, Parser, amount, count
from gitops.cli.run_landing import finish, override
from gitops.cli.run_listing import diff, list_runs, show

if TYPE_CHECKING:
    from pathlib import Path

    from gitops.runs.context import Context
    from gitops.runs.records import Run
    from gitops.runs.workspace import Workspace

RUN_TYPES = ("ingest", "cascade", "synthesis", "lint", "archive", "eval", "benchmark", "extraction")
STATUSES = ("pending", "verifying", "committed", "rejected", "abandoned")


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "run_command")
    _add_start(inner.add("start", "begin a run on the target's tip; prints its id", start))
    write_parser = _on_page(inner.add("write", "stage a page's whole content", write))
    write_parser.add_argument("--file", metavar="FILE", help="read the content from FILE, not standard input")
    replacing = _on_page(inner.add("replace", "replace text that stands exactly once in a page", replace))
    replacing.add_argument("--old", required=True, metavar="TEXT", help="the text that stands there exactly once")
    replacing.add_argument("--new", required=True, metavar="TEXT", help="what to put in its place")
    _on_page(inner.add("remove", "stage a page's removal", remove))
    _add_finish(_on_run(inner.add("finish", "verify the run and, if the verdict is commit, land it", finish)))
    listing = inner.add("list", "list runs, newest first", list_runs)
    states = f"only runs that are {', '.join(STATUSES[:-1])} or {STATUSES[-1]}"
    listing.add_argument("--status", metavar="STATUS", choices=STATUSES, help=states)
    listing.add_argument("--limit", type=count, default=50, metavar="N", help="at most N runs (default 50)")
    listing.add_argument("--json", action="store_true", help="print JSON")
    showing = _on_run(inner.add("show", "show a run, its plan and its verdict", show))
    said = "show what was said to models and what they answered"
    showing.add_argument("--transcript", action="store_true", help=said)
    showing.add_argument("--json", action="store_true", help="print JSON")
    differing = _on_run(inner.add("diff", "show what a run changes", diff))
    differing.add_argument("--stat", action="store_true", help="names and counts only")
    rebasing = _on_run(inner.add("rebase", "bring a run up to its target's tip", rebase))
    take = "whose version of conflicting pages stands (default: none, and nothing is changed)"
    rebasing.add_argument("--take", choices=("run", "target"), help=take)
    abandoning = _on_run(inner.add("abandon", "end a run; its content is kept", abandon))
    abandoning.add_argument("--reason", default="", metavar="TEXT", help="why")
    overriding = _on_run(inner.add("override", "land what the verdict refused; recorded with your name", override))
    overriding.add_argument("--reason", required=True, metavar="TEXT", help="why")
    overriding.add_argument("--json", action="store_true", help="print JSON")


def _add_start(parser: Parser) -> None:
    kinds = f"what kind of run: {', '.join(RUN_TYPES)} (default: cascade)"
    parser.add_argument("--type", dest="run_type", metavar="TYPE", choices=RUN_TYPES, help=kinds)
    source = "a source that the run reads; may be given several times"
    parser.add_argument("--source", action="append", default=[], metavar="raw/FILE", help=source)
    why = "why; only lint and archive runs that say may remove claims"
    parser.add_argument("--reason", default="", metavar="TEXT", help=why)
    taken_up = "stage what a rejected or abandoned run left, as its type and of its sources, to mend it"
    parser.add_argument("--from", dest="old", metavar="RUN", help=taken_up)
    parser.add_argument("--target", metavar="BRANCH", help="the branch to land on (default: the current one)")
    parser.add_argument(
        "--id", dest="run_id", default="", metavar="ID", help="the run's id (default: made from the time)"
    )
    by = "who began it: cli:, mcp:, push:, ci: or daemon: and the command"
    parser.add_argument("--triggered-by", default="", metavar="WHO", help=by)
    parser.add_argument("--json", action="store_true", help="print the record as JSON, not the id alone")


def _add_finish(parser: Parser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="judge, record nothing, move nothing")
    parser.add_argument("--no-verify", action="store_true", help="land without verification; recorded as unverified")
    parser.add_argument("--draft-only", action="store_true", help="leave the run pending, to be looked at")
    parser.add_argument("--push", action="store_true", help="land on the target's upstream first, by a plain push")
    parser.add_argument("--fresh", action="store_true", help="ask the judges anew what they have answered before")
    for name, unit in (("input-tokens", "tokens read"), ("output-tokens", "tokens written"), ("usd", "US dollars")):
        parser.add_argument(f"--{name}", type=amount, metavar="N", help=f"what the writer used: {unit}")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _on_run(parser: Parser) -> Parser:
    parser.add_argument("run", metavar="RUN", help="the run's id, or the beginning of it")
    return parser


def _on_page(parser: Parser) -> Parser:
    _on_run(parser)
    parser.add_argument("path", metavar="PATH", help="the page, from the workspace: wiki/PAGE.md")
    return parser


def start(arguments: argparse.Namespace) -> int:
    """Begin a run."""
    from gitops.runs import resuming, staging

    context = surroundings.context(arguments)
    old = resuming.left_by(context, arguments.old) if arguments.old else None
    target = old.record.target if old and not arguments.target else surroundings.target(arguments, context)
    workspace = _where(arguments, context, surroundings.tip(context, target), old)
    run_type = arguments.run_type or (old.record.run_type if old else "cascade")
    sources = tuple(arguments.source) or (old.record.sources if old else ())
    reason = arguments.reason or (old.record.reason if old else "")
    request = staging.Request(run_type, sources, reason, arguments.run_id, arguments.triggered_by)
    run = staging.start(context, workspace, target, request)
    if old is not None:
        _take_up(context, run, old)
    if arguments.json:
        surroundings.print_json(run_listing.as_json(run))
    else:
        print(run.id)
    return 0


def _where(arguments: argparse.Namespace, context: Context, tip: str, old: Run | None) -> Workspace:
    """The workspace that is named, else the one that the run to take up was of, else the nearest."""
    from gitops.runs.workspace import rooted

    if old is not None and arguments.workspace is None:
        return rooted(context.repository, tip, old.record.workspace_root)
    return surroundings.workspace(arguments, context, tip)


def _take_up(context: Context, run: Run, old: Run) -> None:
    """Stage what an old run left. A run that cannot is begun all the same, and is told: its id is not printed."""
    from gitops.errors import CannotRun
    from gitops.runs import resuming

    try:
        resuming.take_up(context, run, old)
    except CannotRun as error:
        told = f"{error.message}; run {run.id} is begun, with nothing of it"
        hint = f"git assay run write {run.id} PATH, for each page of git assay run diff {old.id}"
        raise CannotRun(told, hint) from error


def write(arguments: argparse.Namespace) -> int:
    """Stage a page."""
    from gitops.runs import staging

    content = _content(arguments)
    context, run, workspace = _opened(arguments)
    staging.write(context, run, workspace, arguments.path, content)
    path = staging.page_path(workspace, arguments.path)
    if not workspace.layout.is_wiki(path) or path == workspace.layout.log:
        pages = f"{workspace.layout.wiki}/" if workspace.layout.wiki else "the wiki"
        context.warn(f"{path} is not for runs to write (only {pages}, less its log): the verifier will refuse {run.id}")
    return 0


def replace(arguments: argparse.Namespace) -> int:
    """Replace one text in a page."""
    from gitops.runs import staging

    context, run, workspace = _opened(arguments)
    staging.replace(context, run, workspace, arguments.path, arguments.old, arguments.new)
    return 0


def remove(arguments: argparse.Namespace) -> int:
    """Stage a removal."""
    from gitops.runs import staging

    context, run, workspace = _opened(arguments)
    staging.remove(context, run, workspace, arguments.path)
    return 0


def rebase(arguments: argparse.Namespace) -> int:
    """Bring a run up to its target."""
    from gitops.runs import rebasing

    context, run, _ = _opened(arguments)
    print(rebasing.rebase(context, run, arguments.take))
    return 0


def abandon(arguments: argparse.Namespace) -> int:
    """End a run."""
    from gitops.runs import abandoning, names

    context = surroundings.context(arguments)
    run = abandoning.abandon(context, arguments.run, arguments.reason or "abandoned by hand")
    if not arguments.quiet:
        print(f"run {run.id} is abandoned; its content is kept as {names.kept(run.id)}")
    return 0


def _opened(arguments: argparse.Namespace) -> tuple[Context, Run, Workspace]:
    from gitops.runs import adopting
    from gitops.runs.workspace import rooted

    context = surroundings.context(arguments)
    run = adopting.open_run(context, arguments.run)
    base = surroundings.tip(context, run.record.target)
    return context, run, rooted(context.repository, base, run.record.workspace_root)


def _content(arguments: argparse.Namespace) -> bytes:
    from gitops.errors import UsageError

    if arguments.file in (None, "-"):
        if sys.stdin.isatty():
            print("reading the page from the terminal; end it with Ctrl-D", file=sys.stderr)
        return sys.stdin.buffer.read()
    try:
        file: Path = surroundings.folder(arguments) / arguments.file
        return file.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{arguments.file}: {why}", "name a file that can be read, or pipe the page in") from error
