"""`git assay retrieval run`: ask golden queries, and keep what came of it with the commit measured."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import retrieval_files, surroundings, unwinding
from gitops.cli.arguments import Commands, amount, count

if TYPE_CHECKING:
    from gitops.retrieval.command import Asking
    from gitops.retrieval.model import Results
    from gitops.retrieval.running import Gold, Ran
    from gitops.retrieval.workflow import Workflow
    from gitops.runs.context import Context
    from gitops.runs.measurements import Measurement
    from gitops.runs.workspace import Workspace

_OF_WORKFLOW = ("chunker_version", "embedding", "prompt_version", "model", "system")
"""What the query workflow tells of itself."""


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("run", "ask golden queries, and keep hits, answers and metrics in the notes", run)
    gold = "the golden queries (default: gold/retrieval.yaml of the commit measured)"
    made.add_argument("--gold", metavar="FILE", help=gold)
    top = "so many hits of each query (default: 10; of --results all)"
    made.add_argument("--top", type=count, metavar="K", help=top)
    system = made.add_mutually_exclusive_group()
    command = "ask another system: a command, run without a shell, with {query}, {query_id} and {k} in its words"
    system.add_argument("--command", dest="template", metavar="'CMD {query}'", help=command)
    system.add_argument("--results", metavar="FILE", help="take what another system gave (JSON Lines)")
    made.add_argument(
        "--timeout", type=_seconds, metavar="S", help="with --command: seconds for one query (default: 120)"
    )
    made.add_argument("--jobs", type=count, metavar="N", help="with --command: so many at once (default: 1)")
    chunks = "with --command or --results: the chunks that citations and expected chunks are looked up in (JSON Lines)"
    made.add_argument("--chunks", metavar="FILE", help=chunks)
    other = "the golden file's chunk ids are another chunker's, and not looked up"
    made.add_argument("--other-chunker", action="store_true", help=other)
    made.add_argument("--preset", metavar="NAME", help="who answers in this wiki (default: [llm] writer)")
    made.add_argument("--rev", metavar="REV", default="HEAD", help="the commit that is measured (default: HEAD)")
    named = "what was measured, for the record: chunker_version=2, embedding=…, model=…, anything=…"
    made.add_argument("--subject", type=_pair, action="append", default=[], metavar="KEY=VALUE", help=named)
    tried = "this query alone, to try it; may be given again; nothing is kept"
    made.add_argument("--query", action="append", metavar="ID", help=tried)
    made.add_argument("--no-keep", action="store_true", help="keep no measurement in the notes")
    made.add_argument("--out", metavar="FILE", help="write the results as JSON Lines too")
    made.add_argument("--dry-run", action="store_true", help="say what would be asked; ask nothing, keep nothing")
    made.add_argument("--json", action="store_true", help="print the measurement as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure; the numbers are no gate, so the exit code is 0 unless nothing could be measured."""
    from gitops.git import snapshot
    from gitops.retrieval import running

    _refuse_what_does_not_fit(arguments)
    read = (arguments.gold, arguments.results, arguments.chunks)
    retrieval_files.refuse_to_write(arguments, (arguments.out,), read)
    context = surroundings.context(arguments)
    commit = snapshot.resolve(context.repository, arguments.rev)
    workspace = surroundings.workspace(arguments, context, commit)
    if arguments.gold is not None:
        gold = retrieval_files.gold_of(arguments, arguments.gold)
    else:
        gold = running.gold_at(context, workspace, commit)
    gold = running.some_of(gold, arguments.query) if arguments.query else gold
    if arguments.dry_run:
        return _rehearsed(arguments, context, workspace, commit, gold)
    ran = _ran(arguments, context, workspace, commit, gold)
    return _done(arguments, context, workspace, running.measured(context, workspace, commit, ran), ran)


def _refuse_what_does_not_fit(arguments: argparse.Namespace) -> None:
    from gitops.errors import UsageError

    is_other = arguments.template is not None or arguments.results is not None
    for name, fits, where in (
        ("timeout", arguments.template is not None, "--command"),
        ("jobs", arguments.template is not None, "--command"),
        ("chunks", is_other, "--command and --results: the wiki has its own"),
        ("preset", not is_other, "this wiki's own query workflow"),
    ):
        if getattr(arguments, name) is not None and not fits:
            raise UsageError(f"--{name} is for {where}", f"leave --{name} out")
    given = [key for key, _ in arguments.subject]
    for key in given:
        if given.count(key) > 1:
            raise UsageError(f"--subject {key}= is given twice", "give it once")
        if not is_other and key in _OF_WORKFLOW:
            raise UsageError(f"--subject {key}=: the query workflow tells its own {key}", f"leave {key} out")
    if arguments.template is not None:
        _asking(arguments)


def _ran(arguments: argparse.Namespace, context: Context, workspace: Workspace, commit: str, gold: Gold) -> Ran:
    """Ask whom the arguments say, and look up what came."""
    from dataclasses import replace

    from gitops.retrieval import results, running

    given = dict(arguments.subject)
    if arguments.template is None and arguments.results is None:
        top = arguments.top or running.TOP
        flow = _workflow(arguments, context, workspace, commit, top)
        ran = running.by_workflow(flow, gold, top, other_chunker=arguments.other_chunker)
        return replace(ran, results=running.named(ran.results, given))
    started = context.now
    store = retrieval_files.store_of(arguments)
    gold = running.looked_up(gold, store, other_chunker=arguments.other_chunker)
    if arguments.results is not None:
        data, top = retrieval_files.data_of(arguments, arguments.results), arguments.top
        found = results.read(data, arguments.results, top)
    else:
        asking = _asking(arguments)
        top = asking.top
        found = _asked(asking, context, gold)
        if "system" in given:  # whoever names it may have a reason not to keep its command
            found = replace(found, name=given["system"])
    system = given.pop("system", found.name)
    found = running.named(found, given)
    return running.of_system(gold, found, system, started, top=top, store=store)


def _asked(asking: Asking, context: Context, gold: Gold) -> Results:
    from gitops.retrieval import command

    with unwinding.unwinding():  # what runs is ended with us
        return command.ask(
            asking,
            gold.queries,
            watch=lambda queries: context.progress("asking golden queries", queries, len(queries)),
        )


def _workflow(arguments: argparse.Namespace, context: Context, workspace: Workspace, commit: str, top: int) -> Workflow:
    from functools import partial

    from gitops import assembly
    from gitops.retrieval.workflow import Workflow

    preset = arguments.preset or ""
    prompt = assembly.prompt_version(workspace, preset)  # UsageError for an unknown preset, before anything is asked
    return Workflow(context, workspace, commit, partial(assembly.answered, limit=top), preset, prompt)


def _asking(arguments: argparse.Namespace) -> Asking:
    from gitops.retrieval import running
    from gitops.retrieval.command import TIMEOUT_S, Asking, Template

    folder = surroundings.folder(arguments)
    template = Template.of(arguments.template, folder)
    return Asking(template, folder, arguments.top or running.TOP, arguments.timeout or TIMEOUT_S, arguments.jobs or 1)


def _rehearsed(arguments: argparse.Namespace, context: Context, workspace: Workspace, commit: str, gold: Gold) -> int:
    """Read all there is to read, and say what would be asked."""
    import shlex

    from gitops.retrieval import results, running, scoring

    count = f"{len(gold.queries):,} golden {'query' if len(gold.queries) == 1 else 'queries'} of {gold.name}"
    if arguments.template is None and arguments.results is None:
        flow = _workflow(arguments, context, workspace, commit, running.TOP)
        running.looked_up_in_wiki(context, workspace, commit, gold, other_chunker=arguments.other_chunker)
        told = "nothing to pay" if flow.is_offline else "git assay query --dry-run tells what one costs"
        print(f"{count}: preset '{flow.chosen}' would be asked each at {commit[:10]}; {told}")
        return 0
    store = retrieval_files.store_of(arguments)
    gold = running.looked_up(gold, store, other_chunker=arguments.other_chunker)
    if arguments.results is not None:
        found = results.read(retrieval_files.data_of(arguments, arguments.results), arguments.results, arguments.top)
        scoring.score(gold.queries, found, has_store=store is not None)
        print(f"{count}: {len(found.by_query):,} results of {arguments.results} would be scored")
        return 0
    asking = _asking(arguments)
    print(f"{count}: a command would be run for each, such as")
    print(shlex.join(asking.template.filled(gold.queries[0], asking.top)))
    return 0


def _done(arguments: argparse.Namespace, context: Context, workspace: Workspace, made: Measurement, ran: Ran) -> int:
    """Write, keep and tell it. A record that is too large is refused once the results are written and told."""
    from gitops.errors import CannotRun
    from gitops.retrieval import measuring, results
    from gitops.runs import evalruns

    if arguments.out is not None:
        retrieval_files.write_lines(arguments, arguments.out, results.lines(ran.results))
        if not arguments.quiet:
            print(f"wrote {arguments.out}", file=sys.stderr)
    why = "a part of the queries was tried" if arguments.query else "--no-keep" if arguments.no_keep else ""
    if not why:
        try:
            measuring.refuse_too_large(context, made)
        except CannotRun:
            _tell(arguments, made, "its record is too large")
            raise
        evalruns.record(context, workspace, made, "", ran.used)
    _tell(arguments, made, why)
    return 0


def _tell(arguments: argparse.Namespace, made: Measurement, why_not: str) -> None:
    if arguments.json:
        surroundings.print_json(made.record())
        return
    from gitops.report import retrieval
    from gitops.report.text import show

    show(retrieval.words(made), retrieval.where(made, why_not))


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise argparse.ArgumentTypeError(f"'{text}' is no KEY=VALUE")
    return key.strip(), value.strip()


def _seconds(text: str) -> float:
    number = amount(text)
    if not number:
        raise argparse.ArgumentTypeError("0 seconds are no time to answer in")
    return number
