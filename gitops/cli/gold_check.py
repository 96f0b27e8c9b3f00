"""`git assay gold check`: whether all that was authored to measure by keeps its rules, and what it leaves out."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.extraction.model import Case
    from gitops.runs.printed_gold_check import GoldChecked, GoldKind


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("check", "say whether gold keeps its rules, and which atoms and edges no case has", check)
    where = made.add_mutually_exclusive_group()
    folder = "cases of extraction in this folder alone, which needs no repository"
    where.add_argument("--gold", metavar="DIR", help=folder)
    where.add_argument("--rev", metavar="REV", help="as this revision has it (default: the working tree)")
    made.add_argument("--json", action="store_true", help="print JSON")


def check(arguments: argparse.Namespace) -> int:
    """Check all gold there is: 1 where some breaks a rule. CannotRun where there is none at all."""
    checked = _in_folder(arguments) if arguments.gold is not None else _of_workspace(arguments)
    if arguments.json:
        surroundings.print_json(checked)
    else:
        from gitops.report import gold_check
        from gitops.report.text import show

        show(gold_check.words(checked))
    return 0 if checked["ok"] else 1


def _in_folder(arguments: argparse.Namespace) -> GoldChecked:
    from gitops.cli import gold_kinds
    from gitops.errors import CannotRun, UsageError
    from gitops.extraction import gold

    if not arguments.gold:
        raise UsageError("--gold names no folder", "name the folder that holds the cases")
    found = gold.read_folder(surroundings.folder(arguments) / arguments.gold, arguments.gold.rstrip("/"))
    if not (found.cases or found.faults):
        raise CannotRun(f"there is no case of gold in {arguments.gold}", "docs/extraction-gold.md shows one")
    return _checked(None, None, [gold_kinds.extraction(found, arguments.gold)], found.cases)


def _of_workspace(arguments: argparse.Namespace) -> GoldChecked:
    from gitops.cli import gold_kinds
    from gitops.errors import CannotRun
    from gitops.git import snapshot
    from gitops.runs.gold_place import Place

    context = surroundings.context(arguments, sweep=False)
    commit = snapshot.resolve(context.repository, arguments.rev or "HEAD")
    is_past = arguments.rev is not None or context.repository.is_bare
    place = Place(context, surroundings.workspace(arguments, context, commit), commit, is_past)
    kinds, cases = gold_kinds.every(place)
    if not kinds:
        told = f"there is no gold below {place.workspace.layout.gold}/"
        raise CannotRun(
            told, "docs/extraction-gold.md, docs/retrieval.md and docs/benchmark-cases.md show how to write it"
        )
    return _checked(place.workspace.name, commit if is_past else None, kinds, cases)


def _checked(
    workspace: str | None, commit: str | None, kinds: Sequence[GoldKind], cases: Sequence[Case]
) -> GoldChecked:
    """What is printed. Of coverage something is told where there is a case at all."""
    from gitops.extraction import coverage

    return {
        "schema": "assay/gold-checked/1",
        "workspace": workspace,
        "commit": commit,
        "ok": all(fault["level"] != "error" for one in kinds for fault in one["faults"]),
        "gold": list(kinds),
        "coverage": [
            {"kind": one.kind, "name": one.name, "count": one.count, "cases": one.cases}
            for one in (coverage.covered(cases) if cases else ())
        ],
        "missing": coverage.missing(cases) if cases else [],
        "thin": coverage.thin(cases) if cases else [],
    }
