"""`git assay search`: the places of the wiki and its sources that have most to do with some words."""

from __future__ import annotations

import argparse

from gitops.cli import surroundings
from gitops.cli.arguments import Parser, count

WHERE = ("wiki", "raw", "all")


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=search)
    parser.add_argument("words", nargs="+", metavar="WORD", help="what to look for, in any form and order")
    where = "where to look: in the wiki's pages, in the sources (raw) or in all (default: wiki)"
    parser.add_argument("--in", dest="where", choices=WHERE, default="wiki", metavar="WHERE", help=where)
    parser.add_argument("--limit", type=count, default=10, metavar="N", help="at most N places (default 10)")
    parser.add_argument("--rev", metavar="REV", help="the wiki as this revision has it (default: HEAD)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def search(arguments: argparse.Namespace) -> int:
    """Search; 1 where nothing is found, as grep."""
    from gitops.errors import Refused, UsageError
    from gitops.git import snapshot
    from gitops.runs import searching
    from gitops.runs.excerpts import excerpts

    text = " ".join(arguments.words)
    if not any(map(str.isalnum, text)):
        raise UsageError("that holds no word to search for", "git assay search WORD…")
    context = surroundings.context(arguments, sweep=False)
    commit = snapshot.resolve(context.repository, arguments.rev or "HEAD")
    workspace = surroundings.workspace(arguments, context, commit)
    with searching.opened(context, workspace, commit, arguments.where) as searcher:
        shown = excerpts(searcher, text, arguments.limit)
    if arguments.json:
        body = {"schema": "assay/search/1", "words": text, "in": arguments.where, "commit": commit}
        surroundings.print_json({**body, "hits": [one.record() for one in shown]})
        return 0 if shown else 1
    if not shown:
        elsewhere = {"wiki": "look in the sources too: --in all", "raw": "look in the pages too: --in all"}
        told = {"wiki": "no page holds", "raw": "no source holds", "all": "no page or source holds"}
        raise Refused(f"{told[arguments.where]} any of: {text}", elsewhere.get(arguments.where, "try other words"))
    from gitops.report.search import words
    from gitops.report.text import show

    show(words(shown))
    return 0
