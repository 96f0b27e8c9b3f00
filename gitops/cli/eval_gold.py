"""`git assay eval gold`: what people expect the wiki to answer, added to, listed, brought in and given out."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gitops.runs.gold import GoldQuery
    from gitops.runs.gold_file import BadGold
    from gitops.runs.gold_keeping import Format
    from gitops.runs.gold_place import Place


def declare(inner: Commands) -> None:
    """Add `gold` and its commands to those of `eval`."""
    gold = Commands(inner.add("gold", "the questions that the wiki should answer (metric M3)"), "gold_command")
    made = gold.add("add", "add one; asks on a terminal for what no option says", add)
    made.add_argument("--query", metavar="TEXT", help="the question")
    topics = "slugs of the pages that should answer it, commas between; '' for none"
    made.add_argument("--topics", action="append", metavar="A,B", help=topics)
    citations = "the sources that should stand behind the answer, commas between; '' for none"
    made.add_argument("--citations", action="append", metavar="FILE,FILE", help=citations)
    _json(made)
    made = gold.add("list", "show them, and what they expect that is not there", list_queries)
    made.add_argument("--rev", metavar="REV", help="as this revision has them (default: the working tree)")
    _json(made)
    made = gold.add("import", "add those of a file, all or none", import_file)
    made.add_argument("file", metavar="FILE", help="YAML, or JSON by its name; - for YAML on standard input")
    _json(made)
    made = gold.add("export", "write them to a file", export)
    made.add_argument("file", nargs="?", default="-", metavar="FILE", help="the file, which must be new (default: -)")
    made.add_argument("--format", choices=("yaml", "json"), help="default: by the file's name, else yaml")


def _json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def add(arguments: argparse.Namespace) -> int:
    """Add one query."""
    from gitops.runs.gold import GoldQuery, derived_id

    place = _place(arguments)
    query, topics, citations = _asked(arguments, place)
    made = GoldQuery(derived_id(query), query, tuple(topics), tuple(citations), place.context.now)
    return _added(arguments, place, [made], "--query")


def _asked(arguments: argparse.Namespace, place: Place) -> tuple[str, Sequence[str], Sequence[str]]:
    """What is to be added: by options, else asked on a terminal."""
    from gitops.errors import UsageError

    given = (arguments.query, arguments.topics, arguments.citations)
    missing = [name for name, value in zip(("--query", "--topics", "--citations"), given, strict=True) if value is None]
    if missing and not sys.stdin.isatty():
        told = f"{' and '.join(missing)} must be given where nobody can be asked"
        raise UsageError(told, "git assay eval gold add --query 'How …?' --topics a,b --citations raw/x.md")
    from gitops.cli.gold_asking import Asking

    asking = Asking(place)
    query = asking.query() if arguments.query is None else place.fit_query(arguments.query)
    topics = asking.topics(query) if arguments.topics is None else _names(arguments.topics, place.ground.topics)
    sources = place.ground.sources
    citations = asking.citations(query) if arguments.citations is None else _names(arguments.citations, sources)
    return query, topics, citations


def _names(given: Sequence[str], known: frozenset[str]) -> list[str]:
    """Names with commas between; one that is known as it stands, commas and all, is one name."""
    import unicodedata

    parts = [part for each in given for part in ([each] if each in known else each.split(","))]
    return list(dict.fromkeys(unicodedata.normalize("NFC", part.strip()) for part in parts if part.strip()))


def list_queries(arguments: argparse.Namespace) -> int:
    """Show the queries; what they expect and the workspace lacks is told and changes no exit code."""
    place = _place(arguments)
    queries = _read(place)
    faults = place.ground.faults(queries)
    if arguments.json:
        body = {"schema": "assay/gold/1", "workspace": place.workspace.name, "file": place.name}
        unfounded = [{"line": fault.line, "message": fault.message} for fault in faults]
        surroundings.print_json({**body, "queries": [one.record() for one in queries], "unfounded": unfounded})
        return 0
    for fault in faults:
        place.context.warn(fault.told(place.name))
    from gitops.report import gold
    from gitops.report.text import show

    show(gold.listing(queries) if queries else "there are no gold queries: git assay eval gold add")
    return 0


def import_file(arguments: argparse.Namespace) -> int:
    """Add the queries of a file."""
    from gitops.errors import UsageError
    from gitops.runs.gold import parse
    from gitops.runs.gold_file import BadGold

    place = _place(arguments)
    name = "standard input" if arguments.file == "-" else arguments.file
    try:
        data = sys.stdin.buffer.read() if arguments.file == "-" else _file(arguments).read_bytes()
        queries = parse(data, name)
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}", "git assay eval gold import FILE") from error
    except BadGold as error:
        raise _each_told(error) from error
    return _added(arguments, place, queries, name)


def export(arguments: argparse.Namespace) -> int:
    """Write the queries as a file that `import` takes."""
    from gitops.errors import UsageError
    from gitops.runs import gold_keeping

    place = _place(arguments)
    form: Format = arguments.format or ("json" if arguments.file.endswith(".json") else "yaml")
    data = gold_keeping.spelt(_read(place), form).encode()
    if arguments.file == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return 0
    if (path := _file(arguments)).exists():
        raise UsageError(f"{arguments.file} is there already", "name a new file, or - for standard output")
    gold_keeping.write(path, data)
    return 0


def _place(arguments: argparse.Namespace) -> Place:
    from gitops.git import snapshot
    from gitops.runs.gold_place import Place

    context = surroundings.context(arguments, sweep=False)
    rev = getattr(arguments, "rev", None)
    commit = snapshot.resolve(context.repository, rev or "HEAD")
    is_past = rev is not None or context.repository.is_bare
    return Place(context, surroundings.workspace(arguments, context, commit), commit, is_past)


def _file(arguments: argparse.Namespace) -> Path:
    return surroundings.folder(arguments) / str(arguments.file)


def _read(place: Place) -> list[GoldQuery]:
    from gitops.runs.gold_file import BadGold

    try:
        return place.queries()
    except BadGold as error:
        raise _each_told(error) from error


def _added(arguments: argparse.Namespace, place: Place, queries: Sequence[GoldQuery], name: str) -> int:
    from gitops.runs.gold_file import BadGold

    try:
        total = place.add(queries, name)
    except BadGold as error:
        raise _each_told(error) from error
    if arguments.json:
        body: dict[str, Any] = {"schema": "assay/gold-added/1", "workspace": place.workspace.name, "file": place.name}
        surroundings.print_json({**body, "added": [one.record() for one in queries], "queries": total})
    elif not arguments.quiet:
        _tell(place, len(queries), total, surroundings.folder(arguments))
    return 0


def _tell(place: Place, added: int, total: int, folder: Path) -> None:
    import os
    import shlex

    print(f"{place.name}: {added} {'query' if added == 1 else 'queries'} added, {total} in all")
    if added:
        path = shlex.quote(os.path.relpath(place.file, folder))
        what = "a gold query" if added == 1 else "gold queries"
        print(f"next: git add {path} && git commit -m 'Add {what}'")


def _each_told(error: BadGold) -> Exception:
    """Each fault on a line of its own, but for the last, which goes the way of all errors."""
    from gitops.cli import tell
    from gitops.errors import UsageError

    for fault in error.faults[:-1]:
        tell(fault.told(error.name))
    return UsageError(error.faults[-1].told(error.name), error.hint)
