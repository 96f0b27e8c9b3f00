"""`git assay retrieval score`: a kept run computed again, or files of any system, of TREC's form or our own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import retrieval_files, surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gitops.retrieval.model import Results
    from gitops.retrieval.running import Gold
    from gitops.retrieval.scoring import Scored
    from gitops.runs.measurements import Measurement


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("score", "score a run anew from what was kept of it, or files of another system", score)
    made.add_argument("named", nargs="?", metavar="RUN", help="a run that was kept, or the beginning of its id")
    made.add_argument("--qrels", metavar="FILE", help="with --ranking: TREC relevance judgements")
    made.add_argument("--ranking", metavar="FILE", help="a TREC ranking (a TREC run)")
    gold = "golden queries: of --results; with RUN others than it was measured by"
    made.add_argument("--gold", metavar="FILE", help=gold)
    made.add_argument("--results", metavar="FILE", help="with --gold: results of a system (JSON Lines)")
    chunks = "with --gold: the chunks that citations and expected chunks are looked up in (JSON Lines)"
    made.add_argument("--chunks", metavar="FILE", help=chunks)
    other = "with --gold: the chunk ids in it are another chunker's, and not looked up"
    made.add_argument("--other-chunker", action="store_true", help=other)
    made.add_argument("--no-keep", action="store_true", help="with RUN: keep nothing, even if it comes out otherwise")
    made.add_argument("--json", action="store_true", help="print the scores as JSON")


def score(arguments: argparse.Namespace) -> int:
    """Score and print; the numbers are no gate, so the exit code is 0."""
    if arguments.named is not None:
        return _run(arguments)
    from gitops.retrieval import measuring, running

    gold, results, has_store = _files(arguments)
    scored = running.scored_by(gold, results, has_store=has_store)
    if arguments.json:
        _print(scored, results, gold.suite)
        return 0
    setting = measuring.Setting(gold=gold.suite, system=results.name, has_store=has_store)
    _show(measuring.measurement(scored, results, setting, is_whole=False))
    return 0


def _files(arguments: argparse.Namespace) -> tuple[Gold, Results, bool]:
    """The golden queries and results that files hold, and whether there is a store.

    UsageError unless the files are one of the two pairs that make sense.
    """
    from gitops.errors import UsageError
    from gitops.retrieval import results, running, stores, trec

    given = {name for name in ("qrels", "ranking", "gold", "results", "chunks") if getattr(arguments, name) is not None}
    if arguments.no_keep:
        raise UsageError("--no-keep is for a run that was kept: of files nothing is", "leave --no-keep out")
    _refuse_other_chunker(arguments)
    if given == {"qrels", "ranking"}:
        queries = trec.qrels(retrieval_files.data_of(arguments, arguments.qrels), arguments.qrels)
        found = trec.ranking(retrieval_files.data_of(arguments, arguments.ranking), arguments.ranking)
        return running.Gold(arguments.qrels, queries), found, False
    if given - {"chunks"} == {"gold", "results"}:
        store = retrieval_files.store_of(arguments)
        gold = retrieval_files.gold_of(arguments, arguments.gold)
        gold = running.looked_up(gold, store, other_chunker=arguments.other_chunker)
        found = results.read(retrieval_files.data_of(arguments, arguments.results), arguments.results)
        found = found if store is None else stores.resolved(found, store)
        return gold, found, store is not None
    named = " and ".join(f"--{name}" for name in sorted(given))
    told = f"{named} alone cannot be scored" if given else "nothing to score"
    raise UsageError(
        f"{told}: name a run, or a pair of files",
        "RUN, or --qrels FILE --ranking FILE, or --gold FILE --results FILE",
    )


def _refuse_other_chunker(arguments: argparse.Namespace) -> None:
    from gitops.errors import UsageError

    if arguments.other_chunker and arguments.gold is None:
        raise UsageError("--other-chunker is said of the chunk ids of --gold", "leave it out, or add --gold FILE")


def _run(arguments: argparse.Namespace) -> int:
    """Score what was kept of a run; where that comes out otherwise than it was recorded, record it."""
    from gitops.errors import UsageError
    from gitops.retrieval import recalling, rescoring

    if wrong := [name for name in ("qrels", "ranking", "results") if getattr(arguments, name) is not None]:
        told = f"--{wrong[0]} is not for a run that was kept: it holds its results"
        raise UsageError(told, f"leave --{wrong[0]} out")
    if arguments.chunks is not None and arguments.gold is None:
        raise UsageError(
            "--chunks is where the chunks of --gold are looked up", "leave --chunks out, or add --gold FILE"
        )
    _refuse_other_chunker(arguments)
    context, folder = surroundings.context(arguments), surroundings.folder(arguments)

    def workspace_at(commit: str) -> str:
        return surroundings.workspace(arguments, context, commit).name

    named = recalling.recall(context, folder, arguments.named, workspace_at, arguments.workspace)
    gold = None if arguments.gold is None else retrieval_files.gold_of(arguments, arguments.gold)
    store, is_other = retrieval_files.store_of(arguments), arguments.other_chunker
    made = rescoring.rescored(context, named, gold, store, other_chunker=is_other)
    is_kept = made.is_other and made.is_known and not arguments.no_keep
    if is_kept:
        rescoring.keep(context, made)
    if arguments.json:
        _print(made.scored, made.results, made.now.suite, made.now.run_id, made.now.commit)
        return 0
    from gitops.report import retrieval

    _show(made.now, retrieval.again(made.now, is_other=made.is_other, is_kept=is_kept))
    return 0


def _print(scored: Scored, results: Results, gold: str, run_id: str = "", commit: str = "") -> None:
    from gitops.retrieval.score_record import record

    surroundings.print_json(record(scored, results, gold, run_id, commit))


def _show(made: Measurement, *more: RenderableType) -> None:
    from gitops.report import retrieval
    from gitops.report.text import show

    show(retrieval.words(made), *more)
