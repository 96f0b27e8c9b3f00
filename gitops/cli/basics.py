"""`git assay help`, `version`, `schema` and `explain`: what needs no repository."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from gitops.verify.registry import Registered

SCHEMAS = (
    "config",
    "finding",
    "verdict",
    "run",
    "state",
    "plan",
    "landed",
    "judgement",
    "judgements",
    "transcript",
    "measurement",
    "feedback",
    "accepted_regression",
)
PRINTED = (
    "run-show",
    "run-list",
    "run-transcript",
    "run-finish",
    "verdict-verify",
    "verdicts-verify",
    "verdicts",
    "status",
    "log",
    "log-sync",
    "server-hooks",
    "doctor",
    "raw",
    "lint",
    "lints",
    "blame",
    "adoption",
    "ingest",
    "synthesize",
    "synthesize-review",
    "search",
    "query",
    "query-estimate",
    "vote",
    "pair-vote",
    "judge-score",
    "eval-run",
    "eval-compare",
    "eval-report",
    "eval-history",
    "eval-bisect",
    "retrieval-score",
    "retrieval-list",
    "retrieval-compare",
    "okf-validated",
    "extract-run",
    "extract-plan",
    "extract-list",
    "extract-compare",
    "resolve",
    "backfill",
    "sync",
    "gold",
    "gold-added",
    "gold-checked",
    "benchmark-check",
    "benchmark-import",
    "benchmark-from-run",
    "benchmark-ran",
    "ablation",
    "benchmark-report",
    "benchmark-compare",
    "benchmark-baseline",
    "benchmark-list",
    "benchmark-label",
    "eviction-report",
    "eviction-calibration",
    "eviction-online",
    "eviction-proposal",
    "eviction-feedback",
    "ci",
    "cis",
    "ci-nothing",
)
FILES = ("benchmark-suite", "benchmark-case", "benchmark-run", "context-item", "okf-atom")
"""What people write."""


def declare(name: str, parser: Parser) -> None:
    """Fill in a command."""
    if name == "schema":
        parser.add_argument(
            "name", nargs="?", metavar="NAME", help=f"one of {', '.join(SCHEMAS + PRINTED + FILES)}; none lists them"
        )
    elif name == "explain":
        parser.add_argument("check", nargs="?", metavar="CHECK", help="a check's id; none lists them")
        parser.add_argument("--json", action="store_true", help="print JSON")
    elif name == "help":
        parser.add_argument("words", nargs="*", metavar="COMMAND", help="the command to explain")
    functions = {"schema": schema, "explain": explain, "help": show_help, "version": version}
    parser.set_defaults(function=functions[name])


def schema(arguments: argparse.Namespace) -> int:
    """Print the JSON schema (draft 2020-12) of what is recorded or printed."""
    if arguments.name is None:
        print("\n".join(SCHEMAS + PRINTED + FILES))
        return 0
    from gitops.eviction import schemas as evictions
    from gitops.okf.profile_schema import FILES as OKF_FILES
    from gitops.runs.schemas import schema_of
    from gitops.suites import schemas as suites

    surroundings.print_json(schema_of(arguments.name, {**suites.FILES, **evictions.FILES, **OKF_FILES}))
    return 0


def explain(arguments: argparse.Namespace) -> int:
    """Print what a check's own module says of it, with its results and their levels."""
    from gitops.errors import UsageError
    from gitops.report import text
    from gitops.verify.registry import nearest, registry

    known = registry()
    if arguments.check not in (None, *known):
        raise UsageError(f"there is no check '{arguments.check}'", nearest(arguments.check, known))
    told = [each for each in known.values() if arguments.check in (None, each.id)]
    if arguments.json:
        surroundings.print_json({"schema": "assay/explain/1", "checks": [_as_json(each) for each in told]})
    elif arguments.check is None:
        rows = [(each.id, _paragraphs(each.explanation)[0]) for each in told]
        text.show(text.table(("check", "what it holds"), rows))
    else:
        [found] = told
        fixed = " (fixed)" if found.check.sealed else ""
        levels = [(result, f"{level.value}{fixed}") for result, level in found.check.results.items()]
        parts = [f"{found.id}, about a {found.check.scope}", *_paragraphs(found.explanation)]
        text.show(*(piece for part in parts for piece in (part, "")), text.table(("result", "level"), levels))
    return 0


def _as_json(found: Registered) -> dict[str, Any]:
    return {
        "id": found.id,
        "scope": found.check.scope,
        "explanation": found.explanation,
        "results": {result: level.value for result, level in found.check.results.items()},
        "fixed": found.check.sealed,
    }


def _paragraphs(explanation: str) -> list[str]:
    """Each paragraph as one line, to be wrapped where it is shown."""
    return [" ".join(part.split()) for part in explanation.split("\n\n")]


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
