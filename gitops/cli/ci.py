"""`git assay ci`: what the workflows call, and a laptop alike, so that it shows what they will say."""

from __future__ import annotations

import argparse
from importlib import import_module

from gitops.cli.arguments import Commands, Parser, count

MODES = ("on-change", "always", "on-failure", "off")
"""When a comment is kept on a pull request."""
_JOBS = "so many cases of a benchmark at once (default: cores less one, 4 at most)"
_SUMMARY = "append the summary as Markdown (default: $GITHUB_STEP_SUMMARY, where that is set)"


def declare(name: str, parser: Parser) -> None:
    """Fill in the commands."""
    inner = Commands(parser, "ci_command")
    _check(inner)
    _comment(inner)
    _verify_run(inner)
    _land(inner)
    told = "record who let a regression pass by the label on a pull request that was merged; on GitHub"
    inner.add("accepted", told, accepted)
    told = "run the benchmark suites that are due at the branch's tip; what shows no regression becomes the baseline"
    made = inner.add("benchmarks", told, benchmarks)
    made.add_argument("--jobs", type=count, metavar="N", help=_JOBS)
    told = "measure and put together what is due, land the log's lines, bring the notes in step, by one command"
    made = inner.add("scheduled", told, scheduled)
    made.add_argument("--push", action="store_true", help="land on the upstream by plain pushes, and push the notes")
    for each in inner.parsers():
        named = "which workspace of the repository"
        each.add_argument("--workspace", default=argparse.SUPPRESS, metavar="NAME", help=named)


def _check(inner: Commands) -> None:
    made = inner.add(
        "check", "check a change as its base's policy wants it, and measure what it does to the wiki", check
    )
    base = "what the change is judged against (default: the event's, else the upstream or target)"
    made.add_argument("--base", metavar="REV", help=base)
    made.add_argument("--head", metavar="REV", help="the change (default: the pull request's head, else HEAD)")
    metrics = "which metrics (default: M1, M2, M3, M5, M6 and retrieval, as far as there is something to measure)"
    made.add_argument("--metric", metavar="M1[,M2]|none", help=metrics)
    judge = "let this judge vote instead of the policy's: offline where no key is, or one that is asked and paid"
    made.add_argument("--judge", metavar="NAME", help=judge)
    neutral = "exit 3 also where nothing was gated because there was nothing to gate: a first run, an untouched wiki"
    made.add_argument("--fail-on-neutral", action="store_true", help=neutral)
    suites = "run the benchmark suites that the change affects: its own code runs (default: unless --judge is paid)"
    made.add_argument("--benchmarks", action=argparse.BooleanOptionalAction, default=None, help=suites)
    made.add_argument("--jobs", type=count, metavar="N", help=_JOBS)
    accept = "let regressions pass, and record on the head that you did and why"
    made.add_argument("--accept", metavar="REASON", help=accept)
    _files(made)
    made.add_argument("--annotations", action="store_true", help="print GitHub annotations, ten at most")
    made.add_argument("--json", action="store_true", help="print JSON")


def _comment(inner: Commands) -> None:
    made = inner.add("comment", "keep one comment on the pull request that a result is about", comment)
    made.add_argument("--result", metavar="FILE", required=True, help="what `ci check --result` wrote")
    made.add_argument("--pr", type=int, metavar="N", help="the pull request (default: found by the head's SHA)")
    made.add_argument("--mode", choices=MODES, default=MODES[0], help=f"when (default: {MODES[0]})")
    made.add_argument("--dry-run", action="store_true", help="print the comment; write nothing")


def _verify_run(inner: Commands) -> None:
    made = inner.add("verify-run", "judge a pushed run's branch as landing would; record and land nothing", verify_run)
    which = "a run's id or branch (default: the branch that was pushed, else the current one)"
    made.add_argument("run", nargs="?", metavar="RUN", help=which)
    _files(made)
    made.add_argument("--json", action="store_true", help="print JSON")


def _land(inner: Commands) -> None:
    made = inner.add("land", "verify pushed runs again, and land those whose verdict lets them", land)
    which = "ids or branches (default: every branch run/* of the remote)"
    made.add_argument("runs", nargs="*", metavar="RUN", help=which)
    how = "open a pull request: auto where this may not push, never, or always (default: auto)"
    made.add_argument("--pull-request", choices=("auto", "never", "always"), default="auto", help=how)


def _files(made: Parser) -> None:
    made.add_argument("--result", metavar="FILE", help="write the result as JSON; one file for each workspace")
    made.add_argument("--summary", metavar="FILE", help=_SUMMARY)


def check(arguments: argparse.Namespace) -> int:
    """Check a change."""
    return _called("ci_check", "check", arguments)


def comment(arguments: argparse.Namespace) -> int:
    """Keep the comment."""
    return _called("ci_comment", "comment", arguments)


def verify_run(arguments: argparse.Namespace) -> int:
    """Judge a run's branch."""
    return _called("ci_check", "verify_run", arguments)


def land(arguments: argparse.Namespace) -> int:
    """Land runs."""
    return _called("ci_land", "land", arguments)


def accepted(arguments: argparse.Namespace) -> int:
    """Record what labels accepted."""
    return _called("ci_accepted", "accepted", arguments)


def benchmarks(arguments: argparse.Namespace) -> int:
    """Have baselines follow the branch."""
    return _called("ci_benchmarks", "benchmarks", arguments)


def scheduled(arguments: argparse.Namespace) -> int:
    """Do what is due."""
    return _called("ci_scheduled", "scheduled", arguments)


def _called(module: str, name: str, arguments: argparse.Namespace) -> int:
    return int(getattr(import_module(f"gitops.cli.{module}"), name)(arguments))
