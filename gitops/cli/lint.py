"""`git assay lint`: every page check over the whole wiki, as it stands or at a revision."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import lint_backfill, surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitops.runs.context import Context
    from gitops.runs.lintchoice import Choice, Chosen
    from gitops.runs.linting import Linted
    from gitops.runs.linttargets import Target

LEVELS = ("error", "warning", "note")


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=lint)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="only these pages, or those in these folders")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--rev", metavar="REV", help="lint a revision (default: the working tree; if bare, HEAD)")
    what.add_argument("--staged", action="store_true", help="lint what is staged for commit")
    what.add_argument("--fix", action="store_true", help="mend what is certain, on a run of its own, and land it")
    lint_backfill.declare(parser)
    shown = "the lowest level to show: error, warning or note (default: warning; in JSON and SARIF note)"
    parser.add_argument("--level", choices=LEVELS, metavar="LEVEL", help=shown)
    one = "only this check; may be given several times. 'uncited' is asked only so: it speaks of what changes add"
    parser.add_argument("--check", action="append", default=[], metavar="CHECK", help=one)
    parser.add_argument("--debt", action="store_true", help="list what was accepted when the wiki was adopted, only")
    parser.add_argument("--prune", action="store_true", help="with --debt: take off it what is mended by now")
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings too")
    parser.add_argument("--explain", metavar="CHECK", help="say what a check does, as git assay explain")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print JSON")
    shape.add_argument("--sarif", action="store_true", help="print the findings as SARIF 2.1.0")
    shape.add_argument("--github", action="store_true", help="print annotations for a GitHub Actions run")


def lint(arguments: argparse.Namespace) -> int:
    """Lint and print; 1 where an error was found that was not accepted as debt."""
    if arguments.explain is not None:
        return _explain(arguments)
    lint_backfill.refuse_mixed(arguments)
    is_run = arguments.fix or arguments.cascade_backfill or arguments.resolve_contradictions
    context = surroundings.context(arguments, sweep=is_run)
    if arguments.cascade_backfill:
        return lint_backfill.backfill(arguments, context)
    if arguments.resolve_contradictions:
        from gitops.cli.lint_resolving import resolve

        return resolve(arguments, context)
    if arguments.prune:
        from gitops.cli.lint_pruning import prune

        return prune(arguments, context)
    if arguments.fix:
        from gitops.cli.lint_fixing import fix

        return fix(arguments, context)
    from gitops.runs import linttargets

    if arguments.staged:
        target = linttargets.of_index(context)
    elif arguments.rev is not None:
        target = linttargets.of_revision(context, arguments.rev)
    else:
        target = linttargets.of_worktree(context)
    return tell(arguments, context, target)


def tell(arguments: argparse.Namespace, context: Context, target: Target) -> int:
    """Lint a target, print what was asked for, and give the exit code."""
    from gitops.cli.places import inside
    from gitops.runs import linttargets

    places = tuple(inside(context.repository, path) for path in arguments.paths)
    roots = linttargets.chosen(target, arguments.workspace, places or (context.repository.prefix,))
    surroundings.refuse_unknown_judges(target.tree, roots, target.called)
    is_whole = not (places or arguments.check or arguments.level or arguments.debt)
    if arguments.json and is_whole:  # what was kept is printed without loading all that would choose from it
        every = [_linted(arguments, context, target, root) for root in roots]
        _print_json(every)
        return _code(arguments, [linted.counts for linted in every])
    return _tell_chosen(arguments, context, target, roots, places)


def _tell_chosen(
    arguments: argparse.Namespace, context: Context, target: Target, roots: Sequence[str], places: tuple[str, ...]
) -> int:
    from gitops.runs.lintchoice import refuse_unknown

    _refuse_unknown_checks(arguments.check)
    refuse_unknown(target.tree, [target.workspace(root).layout for root in roots], places)
    choice = _choice(arguments, places)
    every = [_linted(arguments, context, target, root) for root in roots]
    chosen = [_chosen(target, each, choice) for each in every]
    if arguments.json:
        surroundings.print_json(_filtered(every, chosen))
    elif arguments.sarif:
        _print_sarif(chosen)
    elif arguments.github:
        _print_annotations(chosen)
    else:
        _print_words(arguments, every, chosen, choice)
    return _code(arguments, [each.counts for each in chosen])


def _explain(arguments: argparse.Namespace) -> int:
    from gitops.cli.basics import explain

    return explain(argparse.Namespace(check=arguments.explain, json=arguments.json))


def _refuse_unknown_checks(names: Sequence[str]) -> None:
    from gitops.errors import UsageError
    from gitops.verify.registry import nearest, registry

    known = [name for name, one in registry().items() if one.check.page is not None]
    for name in names:
        if name not in known:
            raise UsageError(f"there is no check of pages called '{name}'", nearest(name, known))


def _choice(arguments: argparse.Namespace, places: tuple[str, ...]) -> Choice:
    from gitops.runs.lintchoice import Choice
    from gitops.verify.finding import Level

    for_people = not (arguments.json or arguments.sarif)
    level = arguments.level or ("warning" if for_people else "note")
    # The top of the repository holds every page: to name it is to leave none out.
    return Choice(() if "" in places else places, tuple(arguments.check), Level(level), arguments.debt)


def _linted(arguments: argparse.Namespace, context: Context, target: Target, root: str) -> Linted:
    from gitops.runs.linting import lint

    of_additions = False
    if arguments.check:
        from gitops.verify.registry import registry

        of_additions = any(registry()[name].check.of_additions for name in arguments.check)
    return lint(context, target.tree, root, target.commit, rev=target.rev, of_additions=of_additions)


def _chosen(target: Target, linted: Linted, choice: Choice) -> Chosen:
    from gitops.runs.lintchoice import choose, count_pages

    pages = linted.counts["pages"]
    if choice.places:
        pages = count_pages(target.tree, target.workspace(linted.root).layout, choice.places)
    return choose(linted, choice, pages)


def _print_json(every: Sequence[Linted]) -> None:
    lines = [each.json() for each in every]
    one = '{"lints":[' + ",".join(lines) + '],"schema":"assay/lints/1"}'
    surroundings.print_canonical(lines[0] if len(lines) == 1 else one)


def _filtered(every: Sequence[Linted], chosen: Sequence[Chosen]) -> dict[str, object]:
    lints: list[dict[str, object]] = [
        {
            **linted.head(),
            "counts": each.counts,
            "findings": [finding.model_dump(mode="json") for finding in each.findings],
        }
        for linted, each in zip(every, chosen, strict=True)
    ]
    return lints[0] if len(lints) == 1 else {"schema": "assay/lints/1", "lints": lints}


def _print_sarif(chosen: Sequence[Chosen]) -> None:
    from gitops.report.sarif import log
    from gitops.runs.lintchoice import is_debt

    found = [finding for each in chosen for finding in each.findings]
    surroundings.print_json(log(f.model_copy(update={"new": False}) if is_debt(f) else f for f in found))


def _print_annotations(chosen: Sequence[Chosen]) -> None:
    from gitops.report.github import commands

    for line in commands(finding for each in chosen for finding in each.findings):
        print(line)


def _print_words(
    arguments: argparse.Namespace, every: Sequence[Linted], chosen: Sequence[Chosen], choice: Choice
) -> None:
    from gitops.report import text
    from gitops.report.lint import hints, words

    for number, (linted, each) in enumerate(zip(every, chosen, strict=True)):
        if number:
            print()
        name = " ".join([linted.name] * (len(every) > 1) + ["debt"] * choice.debt)
        asides = () if arguments.quiet else hints(each.counts, choice.level.value, debt=choice.debt)
        text.show(words(each.findings, each.counts, name=name, hints=asides))
    sys.stdout.flush()


def _code(arguments: argparse.Namespace, counts: Sequence[Mapping[str, int | None]]) -> int:
    if arguments.debt:
        return 0
    gating = ("error", "warning") if arguments.strict else ("error",)
    return int(any(each[level] for each in counts for level in gating))
