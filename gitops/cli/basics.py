"""`git assay help`, `version`, `schema` and `explain`: what needs no repository."""

from __future__ import annotations

import argparse

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

SCHEMAS = ("config", "finding", "verdict", "run", "state", "plan", "landed")


def declare(name: str, parser: Parser) -> None:
    """Fill in a command."""
    if name == "schema":
        parser.add_argument("name", nargs="?", metavar="NAME", help=f"one of {', '.join(SCHEMAS)}; none lists them")
    elif name == "explain":
        parser.add_argument("check", nargs="?", metavar="CHECK", help="a check's id; none lists them")
    elif name == "help":
        parser.add_argument("words", nargs="*", metavar="COMMAND", help="the command to explain")
    functions = {"schema": schema, "explain": explain, "help": show_help, "version": version}
    parser.set_defaults(function=functions[name])


def schema(arguments: argparse.Namespace) -> int:
    """Print a record's JSON schema (draft 2020-12)."""
    if arguments.name is None:
        print("\n".join(SCHEMAS))
        return 0
    from gitops.runs.schemas import schema_of

    surroundings.print_json(schema_of(arguments.name))
    return 0


def explain(arguments: argparse.Namespace) -> int:
    """Print what a check's own module says of it, with its results and their levels."""
    from gitops.errors import UsageError
    from gitops.verify.registry import nearest, registry

    known = registry()
    if arguments.check is None:
        for each in known.values():
            print(f"{each.id:<16} {each.explanation.splitlines()[0]}")
        return 0
    if arguments.check not in known:
        raise UsageError(f"there is no check '{arguments.check}'", nearest(arguments.check, known))
    found = known[arguments.check]
    print(f"{found.id} ({found.check.scope})\n\n{found.explanation}\n")
    for result, level in found.check.results.items():
        print(f"  {result:<24} {level.value}{' (fixed)' if found.check.sealed else ''}")
    return 0


def show_help(arguments: argparse.Namespace) -> int:
    """Print the help of a command, as `COMMAND --help` would."""
    from gitops.cli.parser import parse

    parse([*arguments.words, "--help"])
    return 0


def version(arguments: argparse.Namespace) -> int:
    """Print the version."""
    from gitops import __version__

    print(f"git-assay {__version__}")
    return 0
