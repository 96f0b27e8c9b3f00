"""`git assay hooks pre-receive`: what the hook of a repository that others push to asks about a push.

All is said on standard error, which git shows to whoever pushes, each line behind `remote:`.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.reflines import Examined

MOST = 20
"""So many findings are printed; a terminal shows no more at once."""


def pre_receive(arguments: argparse.Namespace) -> int:
    """Judge every ref line on standard input; 1 where one is refused, and with it the push."""
    gc.set_threshold(100_000)  # what is loaded stays, and to look through it for what does not is most of a collection
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for some takes as long as to judge a push
    from gitops.runs.receiving import gate, lines

    os.environ["ASSAY_LLM"] = "off"  # a push never waits for a model, and costs nothing
    pushed = lines.parse(sys.stdin.read())
    context = _context(arguments)
    with redirect_stdout(sys.stderr):
        found = gate.judge(context, pushed)
        _show(context, found, quiet=arguments.quiet)
    refused = [each for each in found if not each.passes]
    if not refused:
        return 0
    from gitops.cli import tell

    mends = dict.fromkeys(each.mend or _mend(context, each) for each in refused)
    tell(f"not taken: {', '.join(lines.short(each.ref) for each in refused)}", "; ".join(mends))
    return 1


def _context(arguments: argparse.Namespace) -> Context:
    from gitops.runs.context import Context, system_clock

    return Context(
        surroundings.repository(arguments),
        clock=surroundings.fixed_clock() or system_clock,
        warn=_note,
        progress=surroundings.progress,
        triggered_by="push:",
    )


def _note(message: str) -> None:
    from gitops.cli import one_line

    print(f"note: {one_line(message)}", file=sys.stderr)


def _mend(context: Context, examined: Examined) -> str:
    return f"mend it and push again; {_same_there(context, examined)} says there what is said here"


def _same_there(context: Context, examined: Examined) -> str:
    """What says the same in a clone: a run is held against the branch it would land on, any other against itself."""
    from gitops.cli import one_line
    from gitops.runs import names, targets
    from gitops.runs.receiving.lines import short

    base = targets.default_target(context.repository) if examined.ref.startswith(names.BRANCHES) else examined.ref
    return one_line(f"git assay verify {short(examined.ref)} --base REMOTE/{short(base)}")


def _show(context: Context, found: Iterable[Examined], *, quiet: bool) -> None:
    """What is refused with its findings, the first of them all; and why the rest passes."""
    from gitops.cli import one_line

    left = MOST
    for each in found:
        if each.findings:
            _show_findings(context, each, left)
            left = max(0, left - len(each.findings))
        if each.why and not (quiet and each.passes):
            print(f"assay: {one_line(each.ref.removeprefix('refs/heads/'))}: {one_line(each.why)}")


def _show_findings(context: Context, examined: Examined, most: int) -> None:
    from rich.console import Console

    from gitops.report import text

    plain = Console(force_terminal=False, highlight=False, emoji=False, markup=False)
    if shown := examined.findings[:most]:
        text.show(text.findings(shown), console=plain)
    if more := len(examined.findings) - len(shown):
        print(f"and {more:,} more: {_same_there(context, examined)}")
