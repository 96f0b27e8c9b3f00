"""The command's grammar: which commands there are, and where each is declared. Nothing heavy is imported here."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib import import_module

from gitops import __version__
from gitops.cli.arguments import Commands, Parser

COMMANDS = (
    ("demo", "demo", "see it work: one run lands, six poisoned ones don't"),
    ("init", "setup", "make this folder a workspace and install its hooks"),
    ("adopt", "adopt", "take a wiki as it stands into care: policy, debt, guard"),
    ("raw", "raw", "bring sources in, or renew them, by a commit of their own"),
    ("run", "run", "stage a write, have it verified, land it"),
    ("ingest", "ingest", "write what sources say into the wiki, verified and landed"),
    ("synthesize", "synthesize", "put what came in since last time together on a page"),
    ("query", "query", "ask the wiki: an answer with citations, or a refusal"),
    ("search", "search", "find the places that have most to do with some words"),
    ("verify", "verify", "judge a revision or what is staged, without landing"),
    ("lint", "lint", "every page check over the wiki as it stands, or at any revision"),
    ("status", "records", "what is open, what landed unverified or overridden"),
    ("log", "records", "runs and verdicts, newest first"),
    ("sync", "sync", "bring the records in step with a remote: fetch, unite, push, never by force"),
    ("ci", "ci", "what continuous integration runs: check a change, comment, land"),
    ("verdict", "verdict", "show the verdict that a commit landed by, or verify it and its signature"),
    ("judge", "judge", "vote on claims and their sources from standard input"),
    ("eval", "eval", "measure whether the wiki gets better or worse: metrics, gates, gold, reports"),
    ("retrieval", "retrieval", "measure how well what is asked for is found, and compare two runs"),
    ("benchmark", "benchmark", "measure agents and skills: suites, baselines, regressions, ablations"),
    ("eviction", "eviction", "what a conversation leaves out, and what is learned from what was kept back"),
    ("extract", "extract", "extract atoms from sources, and score what was extracted against gold"),
    ("okf", "okf", "check a bundle of Open Knowledge Format files, and our profile of them"),
    ("gold", "gold", "check what was authored to measure by: questions, queries, suites, atoms"),
    ("metrics", "metrics", "print everything measured as OpenMetrics text, for a monitoring system"),
    ("verifier", "verifier", "test the verifier itself: plant errors, see what it catches"),
    ("mcp", "mcp", "serve agents: they read the wiki, and write to it through the gate"),
    ("blame", "blame", "who brought each claim of a page in, by which run and verdict"),
    ("explain", "basics", "say what a check does and what its results mean"),
    ("doctor", "indexing", "find what is wrong and mend what is certain"),
    ("hooks", "setup", "install, remove or look at the guards of sources and pushes"),
    ("index", "indexing", "the local SQLite index of runs and verdicts"),
    ("schema", "basics", "print the JSON schema of a record"),
    ("completion", "completion", "print a shell's completion script"),
    ("help", "basics", "show this help, or a command's"),
    ("version", "basics", "print the version"),
)
"""Name, the module below `gitops.cli` whose `declare` fills the command's parser, and one line of help."""

PROG = "git assay"
DESCRIPTION = "No claim lands in a knowledge base unless its source says so."
EPILOG = "git assay COMMAND --help says more. Start with: git assay demo"

_TAKES_A_VALUE = re.compile(r"-[a-zA-Z]*C|--workspace")


def build(only: str | None = None, prog: str = PROG) -> Parser:
    """The grammar: whole, or filled in for one command alone, which is all that one call needs."""
    usage = f"{prog} [-C DIR] [--workspace NAME] [-q] [--debug] COMMAND …"
    parser = Parser(prog=prog, usage=usage, description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("-C", dest="directory", metavar="DIR", default=None, help="run as if started in DIR")
    parser.add_argument("--workspace", metavar="NAME", default=None, help="which workspace of the repository")
    parser.add_argument("-q", "--quiet", action="store_true", help="print results only, no progress and no remarks")
    parser.add_argument("--debug", action="store_true", help="show the traceback of a failure")
    shown = f"git-assay {__version__}"
    parser.add_argument("--version", action="version", version=shown, help="print the version")
    parser.set_defaults(parser=parser)
    commands = Commands(parser, "command")
    for name, module, help in COMMANDS:
        command = commands.add(name, help)
        if only in (None, name):
            import_module(f"gitops.cli.{module}").declare(name, command)
    return parser


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of one command. Leaves by SystemExit for help and errors."""
    words = _spelled_out(list(words))
    parser = build(only=_command(words))
    if not words:
        parser.print_help(sys.stdout)
        raise SystemExit(2)
    arguments, unknown = parser.parse_known_args(words)
    if unknown:
        arguments.parser.unknown(unknown, parser)
    return arguments


def _place(words: list[str]) -> int:
    """Where the command stands among the words: the first that is neither an option nor an option's value."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if _TAKES_A_VALUE.fullmatch(words[place]) else 1
    return place


def _command(words: list[str]) -> str:
    place = _place(words)
    return words[place] if place < len(words) else ""


def _spelled_out(words: list[str]) -> list[str]:
    """`verify override` is the specification's name for `run override`."""
    place = _place(words)
    if words[place : place + 2] == ["verify", "override"]:
        return [*words[:place], "run", *words[place + 1 :]]
    return words
