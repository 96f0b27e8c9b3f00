"""A validated bundle in words: what it holds, and what OKF and our profile find in it, apart from each other."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from itertools import islice

from rich.console import RenderableType
from rich.text import Text

from gitops.okf.model import OKF_VERSION, Fault
from gitops.okf.validating import Answer, Validated
from gitops.report.text import STYLES, indented
from gitops.report.visible import inline

_SHOWN = 50
"""So many findings of one standard are shown."""
_TYPES = 8
_INDENT = 2


def validated(found: Validated) -> Iterator[RenderableType]:
    """What the bundle is, then each standard that was asked."""
    yield Text.assemble((inline(found.called), "bold"), f": {_held(found)}")
    if found.okf is not None:
        yield from _section(f"Open Knowledge Format {OKF_VERSION}", found.okf, "concept", found)
    if found.profile is not None:
        yield from _section("Profile of atoms", found.profile, "atom", found)
    yield Text()


def _held(found: Validated) -> str:
    count = _counted(found.bundle.files, "concept")
    types = [f"{number:,} {inline(type)}" for type, number in islice(found.types.items(), _TYPES)]
    if len(found.types) > _TYPES:
        types.append(f"{len(found.types) - _TYPES:,} other types")
    if found.bundle.unread:
        types.append(f"{len(found.bundle.unread):,} unread")
    return f"{count} ({', '.join(types)})" if types else count


def _section(called: str, answer: Answer, what: str, found: Validated) -> Iterator[RenderableType]:
    yield Text()
    counts = ", ".join(
        _counted(number, level) for level in ("error", "warning", "note") if (number := answer.count(level))
    )
    if answer.is_kept is None:
        word, style = f"no {what} to ask it of", "dim"
    else:
        word, style = ("kept", STYLES["none"]) if answer.is_kept else ("broken", STYLES["error"])
        word = f"{word} by {_counted(answer.asked, what)}" if answer.is_kept else word
    told = f" ({counts})" if counts else ""
    yield Text.assemble((called, "bold"), ": ", (word, style), told)
    worst = sorted(answer.faults, key=lambda fault: ("error", "warning", "note").index(fault.level))
    for fault in worst[:_SHOWN]:
        yield from _fault(fault, found)
    if len(worst) > _SHOWN:
        yield indented(Text(f"and {len(worst) - _SHOWN:,} more: --json has them", style="dim"), _INDENT)


def _fault(fault: Fault, found: Validated) -> Sequence[RenderableType]:
    path = posixpath.join(found.called, fault.path) if found.is_folder else found.called
    where = f"{path}:{fault.line}" if fault.line else path
    head = Text.assemble((inline(where), "bold"), "  ", (fault.level, STYLES[fault.level]), "  ", (fault.result, "dim"))
    parts = [indented(head, _INDENT), indented(Text(inline(fault.message)), 2 * _INDENT)]
    if fault.mend:
        parts.append(indented(Text.assemble(("mend: ", "green"), inline(fault.mend)), 2 * _INDENT))
    return parts


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
