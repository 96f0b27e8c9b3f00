"""`git assay retrieval compare`: two runs of the same golden queries, metric by metric and query by query."""

from __future__ import annotations

import argparse
import os.path
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitops.cli import retrieval_files, surroundings
from gitops.cli.arguments import Commands, how_compared

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitops.retrieval.comparing import CompareReport
    from gitops.retrieval.model import Results
    from gitops.retrieval.running import Gold
    from gitops.retrieval.sides import Side
    from gitops.retrieval.stores import Store
    from gitops.runs.context import Context
    from gitops.runs.measurements import Measurement


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("compare", "compare two runs: deltas, what is more than chance, which queries moved", compare)
    sides = "runs of `retrieval run`, revisions, or files: measurements, or results (JSON Lines)"
    made.add_argument("a", metavar="A", help=sides)
    made.add_argument("b", metavar="B", help="what is compared with A")
    gold = made.add_mutually_exclusive_group()
    gold.add_argument("--gold", metavar="FILE", help="golden queries that both are scored by, whatever they were asked")
    gold.add_argument("--qrels", metavar="FILE", help="TREC relevance judgements: A and B are TREC rankings")
    chunks = "with --gold: the chunks that citations and expected chunks are looked up in (JSON Lines)"
    made.add_argument("--chunks", metavar="FILE", help=chunks)
    other = "with --gold: the chunk ids in it are another chunker's, and not looked up"
    made.add_argument("--other-chunker", action="store_true", help=other)
    strict = "refuse runs of different chunkers, instead of matching hits by document and span"
    made.add_argument("--strict-chunker-version", action="store_true", help=strict)
    chosen = "which metrics (default: all that either run has): mrr, hit@10, ndcg@10, …"
    made.add_argument("--metric", default="all", metavar="NAME[,NAME]|all", help=chosen)
    how_compared(made, has_files=True)


def compare(arguments: argparse.Namespace) -> int:
    """Compare, print and write; whoever wins, the exit code is 0, and 3 where nothing could be compared."""
    from gitops.errors import CannotRun
    from gitops.retrieval.comparing import compare_runs

    read = (arguments.a, arguments.b, arguments.gold, arguments.qrels, arguments.chunks)
    retrieval_files.refuse_to_write(arguments, (arguments.report, arguments.html), read)
    a, b = _sides(arguments)
    report = compare_runs(
        a, b, wanted=arguments.metric, alpha=arguments.alpha, is_strict=arguments.strict_chunker_version
    )
    _write(arguments, report)
    _show(arguments, report)
    if report.comparison.is_empty:
        is_apart = report.gold_a != report.gold_b
        mend = "score both by the same golden queries: --gold FILE" if is_apart else "leave --metric out: then all are"
        raise CannotRun("nothing could be compared", mend)
    return 0


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line gives for both sides: golden queries, and a store to look them up in."""

    gold: Gold | None
    store: Store | None
    digest: str = ""
    is_other_chunkers: bool = False
    """The chunk ids of the golden queries are not to be looked up."""


def _sides(arguments: argparse.Namespace) -> list[Side]:
    from gitops.errors import UsageError
    from gitops.retrieval.golden import digest_of

    if arguments.chunks is not None and arguments.gold is None:
        raise UsageError(
            "--chunks is where the chunks of --gold are looked up", "leave --chunks out, or add --gold FILE"
        )
    if arguments.other_chunker and arguments.gold is None:
        raise UsageError("--other-chunker is said of the chunk ids of --gold", "leave it out, or add --gold FILE")
    words = (arguments.a, arguments.b)
    if arguments.qrels is not None:
        return [_of_ranking(arguments, word) for word in words]
    gold = None if arguments.gold is None else retrieval_files.gold_of(arguments, arguments.gold)
    store = retrieval_files.store_of(arguments)
    given = _Given(gold, store, "" if gold is None else digest_of(gold.queries), arguments.other_chunker)
    return _scorable([_side(arguments, word, given) for word in words])


def _scorable(found: Sequence[Side | Results]) -> list[Side]:
    """The sides: results of a file, for which no golden queries are given, are scored by those of the other side."""
    from gitops.errors import UsageError
    from gitops.retrieval.sides import Side

    lender = next((one for one in found if isinstance(one, Side)), None)
    if lender is None:
        raise UsageError(f"{found[0].name} holds no measurement, and results alone cannot be scored", "add --gold FILE")
    told = f"scored by the golden queries of {lender.name}"
    return [
        one
        if isinstance(one, Side)
        else Side(one.name, lender.golden, replace(one, remarks=(*one.remarks, told)), lender.gold)
        for one in found
    ]


def _of_ranking(arguments: argparse.Namespace, word: str) -> Side:
    from gitops.retrieval import trec
    from gitops.retrieval.golden import digest_of
    from gitops.retrieval.sides import Side

    golden = trec.qrels(retrieval_files.data_of(arguments, arguments.qrels), arguments.qrels)
    return Side(word, golden, trec.ranking(retrieval_files.data_of(arguments, word), word), digest_of(golden))


def _side(arguments: argparse.Namespace, word: str, given: _Given) -> Side | Results:
    """What a word means: a file, unless a revision has its name, and in it results, unless it holds a measurement."""
    from gitops.errors import CannotRun, UsageError
    from gitops.retrieval import recalling, sides

    folder = surroundings.folder(arguments)
    file = folder / word
    # isfile is false, too, of what is too long to name a file
    if os.path.isfile(file) and (file.suffix or not _is_revision(arguments, word)):
        data = retrieval_files.data_of(arguments, word)
        if not sides.is_measurement(data):
            return _of_results(data, word, given)
        found = recalling.recall(None, folder, word, str, arguments.workspace)
        return _of_measurement(arguments, word, found, given)
    try:
        context = surroundings.context(arguments)
    except CannotRun as error:
        raise UsageError(f"'{word}' is no file, and {error.message}", error.hint) from error
    found = recalling.recall(context, folder, word, _workspaces(arguments, context), arguments.workspace)
    return _of_measurement(arguments, found.run_id, found, given)


def _is_revision(arguments: argparse.Namespace, word: str) -> bool:
    """Whether it names a commit here: in a bare repository HEAD is a file, too."""
    from gitops.errors import CannotRun, UsageError
    from gitops.git import snapshot

    try:
        snapshot.resolve(surroundings.context(arguments).repository, word)
    except (CannotRun, UsageError):
        return False
    return True


def _of_results(data: bytes, word: str, given: _Given) -> Side | Results:
    from gitops.retrieval import compare_remarks, results, running, sides, stores
    from gitops.retrieval.sides import Side

    found = results.read(data, word)
    if given.gold is None:
        return found
    gold = running.looked_up(given.gold, given.store, other_chunker=given.is_other_chunkers)
    found, golden = replace(found, remarks=(*found.remarks, *gold.remarks)), gold.queries
    if given.store is None:
        return Side(word, golden, found, given.digest)
    if sides.is_foreign(found, given.store):
        told = replace(found, remarks=(*found.remarks, compare_remarks.FOREIGN_STORE))
        return Side(word, golden, told, given.digest, has_store=False)
    return Side(word, golden, stores.resolved(found, given.store), given.digest, has_store=True)


def _of_measurement(arguments: argparse.Namespace, name: str, found: Measurement, given: _Given) -> Side:
    """The run of a measurement, with other golden queries where such are given.

    Those are looked up in the chunks of the wiki at its commit where it was the wiki that was asked, and it is here.
    """
    from gitops.retrieval import rescoring, running, sides, stores, workflow

    side = sides.of_measurement(name, found)
    if given.gold is None:
        return side
    is_of_wiki = given.store is None and found.subject.get("system") == workflow.NAME
    context = _where_it_was_measured(arguments, found) if is_of_wiki else None
    if context is None:
        gold = running.looked_up(given.gold, given.store, other_chunker=given.is_other_chunkers)
        placed = side.results if given.store is None else stores.placed(side.results, given.store)
        told = replace(placed, remarks=(*placed.remarks, *gold.remarks))
        return replace(side, golden=gold.queries, results=told, gold=given.digest, stored=None)
    made = rescoring.rescored(context, found, given.gold, other_chunker=given.is_other_chunkers)
    golden = [one.query for one in made.scored.queries]
    return replace(side, golden=golden, results=made.results, gold=given.digest, stored=None)


def _where_it_was_measured(arguments: argparse.Namespace, found: Measurement) -> Context | None:
    """The repository here, if it has the commit that a run measured: a file of one can be taken anywhere."""
    from gitops.errors import CannotRun, UsageError
    from gitops.git import snapshot

    try:
        context = surroundings.context(arguments)
        snapshot.tree_of(context.repository, found.commit)
    except (CannotRun, UsageError):
        return None
    return context


def _workspaces(arguments: argparse.Namespace, context: Context) -> Callable[[str], str]:
    return lambda commit: surroundings.workspace(arguments, context, commit).name


def _write(arguments: argparse.Namespace, report: CompareReport) -> None:
    """Write the files that are wanted, each whole or not at all."""
    if arguments.report is not None:
        from gitops.report.retrieval_compare_md import render_report_md

        retrieval_files.write_lines(arguments, arguments.report, render_report_md(report).rstrip("\n").split("\n"))
    if arguments.html is not None:
        from gitops.report.retrieval_compare_page import page

        retrieval_files.write_lines(arguments, arguments.html, page(report).rstrip("\n").split("\n"))
    if not arguments.quiet:
        for name in filter(None, (arguments.report, arguments.html)):
            print(f"wrote {name}", file=sys.stderr)


def _show(arguments: argparse.Namespace, report: CompareReport) -> None:
    if arguments.json:
        surroundings.print_json(report.record())
        return
    from gitops.report.retrieval_compare import words
    from gitops.report.text import show

    show(words(report))
