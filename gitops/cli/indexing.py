"""`git assay index rebuild` and `git assay doctor`: what can be made anew, and what is wrong."""

from __future__ import annotations

import argparse

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser


def declare(name: str, parser: Parser) -> None:
    """Fill in a command."""
    if name == "index":
        inner = Commands(parser, "index_command")
        inner.add("rebuild", "make the index anew from the notes", rebuild)
        inner.add("path", "print where the index lies", path)
        return
    parser.set_defaults(function=doctor)
    parser.add_argument("--check", action="store_true", help="mend nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")


def rebuild(arguments: argparse.Namespace) -> int:
    """Make the index anew."""
    from gitops.runs import remaking

    made = remaking.remake(context := surroundings.context(arguments))
    for left_out in made.left_out:
        context.warn(f"left out: {left_out}")
    if not arguments.quiet:
        print(f"{made.runs} runs and {made.verdicts} verdicts from the notes")
    return 0


def path(arguments: argparse.Namespace) -> int:
    """Say where the index lies."""
    print(surroundings.context(arguments, sweep=False).folder / "index.sqlite3")
    return 0


def doctor(arguments: argparse.Namespace) -> int:
    """Look at everything; 0 if nothing is left to do."""
    from gitops.cli.guard import symptoms as of_the_hook
    from gitops.runs.health import examine

    context = surroundings.context(arguments, sweep=False)
    symptoms = [*examine(context, mend=not arguments.check), *of_the_hook(context, mend=not arguments.check)]
    left = [symptom for symptom in symptoms if not symptom.mended]
    if arguments.json:
        rows = [{"what": s.what, "mend": s.mend, "mended": s.mended} for s in symptoms]
        surroundings.print_json({"schema": "assay/doctor/1", "symptoms": rows})
        return 1 if left else 0
    for symptom in symptoms:
        print(f"{'mended' if symptom.mended else 'wrong '}  {symptom.what}")
        if not symptom.mended and symptom.mend:
            print(f"        mend: {symptom.mend}")
    if not symptoms and not arguments.quiet:
        print("nothing is wrong")
    return 1 if left else 0
