"""`git assay adopt`: take a wiki as it stands into care."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.onboarding import Adopted
    from gitops.runs.surveying import Surveyed


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=adopt)
    parser.add_argument("--wiki", metavar="DIR", help="the folder of the pages, where the guess is wrong ('.': all)")
    parser.add_argument("--raw", metavar="DIR", help="the folder of the sources, where the guess is wrong")
    parser.add_argument(
        "--renew", action="store_true", help="accept today's findings anew where there is a debt already"
    )
    parser.add_argument("-n", "--dry-run", action="store_true", help="look and print, and write nothing")
    parser.add_argument("--no-hook", action="store_true", help="do not install the hooks")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def adopt(arguments: argparse.Namespace) -> int:
    """Look, print, and commit policy and debt."""
    from gitops.errors import UsageError
    from gitops.runs import onboarding

    context = surroundings.context(arguments)
    if context.repository.is_unborn:
        raise UsageError(
            "nothing is committed yet, so there is no wiki to look at", "git add -A && git commit, then again"
        )
    target = context.repository.head_branch()
    if target is None and not arguments.dry_run:
        raise UsageError(
            "HEAD is detached, so there is no branch to commit the policy on", "git switch main, or --dry-run"
        )
    tip = surroundings.tip(context, target) if target is not None else _head(context)
    every = _look(arguments, context, tip)
    plans = [onboarding.plan(context, tip, each, renew=arguments.renew) for each in every]
    files = {path: data for each in plans for path, data in each.files.items()}
    made = ""
    if files and target is not None and not arguments.dry_run:
        names = ", ".join(each.workspace.name for each in every)
        made = onboarding.commit(context, target, tip, files, f"Adopt {names} as it stands")
    _tell(arguments, plans, made)
    if made and not arguments.no_hook and not context.repository.is_bare:
        arguments.quiet = arguments.quiet or arguments.json
        _guard(arguments, context)
    return 0


def _head(context: Context) -> str:
    from gitops.git.snapshot import resolve

    return resolve(context.repository, "HEAD")


def _look(arguments: argparse.Namespace, context: Context, tip: str) -> list[Surveyed]:
    from gitops.errors import UsageError
    from gitops.runs import surveying

    prefix = context.repository.prefix
    given = None
    if arguments.wiki or arguments.raw:
        wiki, raw = arguments.wiki or "wiki", arguments.raw or "raw"
        given = surveying.given_folders(context.tree(tip), prefix, wiki, raw)
    every = surveying.look(context, tip, prefix, given)
    if arguments.workspace is None:
        return every
    named = [each for each in every if each.workspace.name == arguments.workspace]
    if not named:
        known = ", ".join(each.workspace.name for each in every)
        raise UsageError(f"no wiki here is called '{arguments.workspace}'", f"there are: {known}")
    return named


def _tell(arguments: argparse.Namespace, plans: list[Adopted], made: str) -> None:
    from gitops.report import survey, text

    if arguments.json:
        wikis = [
            {
                **survey.as_json(each.surveyed.draft, each.findings),
                "files": sorted(each.files),
                "policy": each.surveyed.policy,
            }
            for each in plans
        ]
        surroundings.print_json({"schema": "assay/adoption/1", "commit": made or None, "wikis": wikis})
        return
    if arguments.quiet:
        return
    for number, each in enumerate(plans):
        text.show(*([] if not number else [""]), survey.shown(each.surveyed.draft, each.findings))
    print()
    _tell_files(arguments, plans, made)


def _tell_files(arguments: argparse.Namespace, plans: list[Adopted], made: str) -> None:
    files = [path for each in plans for path in each.files]
    if arguments.dry_run:
        for each in plans:
            if not each.surveyed.has_policy:
                print(f"--- {each.surveyed.workspace.layout.config} would be:\n{each.surveyed.policy}", end="")
        print(f"nothing is written; without --dry-run: {', '.join(files) or 'nothing either'}")
    elif made:
        print(f"{made[:10]}: {', '.join(files)}")
        accepted = sum(1 for each in plans for one in each.findings if one.level in ("error", "warning"))
        if accepted:
            told = "finding of today is debt: it gates" if accepted == 1 else "findings of today are debt: they gate"
            print(f"{accepted:,} {told} nothing; git assay lint --debt lists them")
        print("next: read assay.toml, then git assay lint")
    else:
        print("adopted already; git assay lint says how it stands, and adopt --renew accepts that anew")


def _guard(arguments: argparse.Namespace, context: Context) -> None:
    from gitops.cli.setup import install_guard

    install_guard(arguments, context)
