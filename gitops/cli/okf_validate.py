"""`git assay okf validate`: whether folders or files keep the Open Knowledge Format, and our profile of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from gitops.okf.validating import Answer, Validated


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("validate", "say whether files keep the Open Knowledge Format, and whether our profile", validate)
    made.add_argument("paths", nargs="+", metavar="PATH", help="a folder that is a bundle, or a file")
    made.add_argument("--only", choices=("okf", "profile"), help="ask one of the two alone")
    made.add_argument("--json", action="store_true", help="print JSON")


def validate(arguments: argparse.Namespace) -> int:
    """Print what is found; 1 where there is an error, 3 where there was nothing to ask."""
    from gitops.okf.validating import validated

    folder = surroundings.folder(arguments)
    found = [validated((folder / named).resolve(), named, arguments.only or "") for named in arguments.paths]
    if arguments.json:
        surroundings.print_json(_record(found, arguments.only))
    else:
        from gitops.report import okf as words
        from gitops.report.text import show

        show(*(part for one in found for part in words.validated(one)))
    answers = [answer for one in found for answer in one.answers]
    if any(answer.is_kept is False for answer in answers):
        return 1
    _refuse_nothing(found, arguments.only)
    return 0


def _refuse_nothing(found: list[Validated], only: str | None) -> None:
    """CannotRun where something that was named holds nothing that could be asked."""
    from gitops.errors import CannotRun

    for one in found:
        if not any(answer.asked for answer in one.answers):
            what = "atom" if only == "profile" and one.bundle.files else "concept"
            mend = "docs/okf.md says what an atom is" if what == "atom" else "a concept is a .md file with frontmatter"
            raise CannotRun(f"there is no {what} in {one.called}: nothing was validated", mend)


def _record(found: list[Validated], only: str | None) -> dict[str, Any]:
    bundles = [
        {
            "path": one.called,
            "files": one.bundle.files,
            "unread": list(one.bundle.unread),
            "types": dict(one.types),
            "okf": _answer(one.okf),
            "profile": _answer(one.profile),
        }
        for one in found
    ]
    return {"schema": "assay/okf-validated/1", "only": only, "bundles": bundles}


def _answer(answer: Answer | None) -> dict[str, Any] | None:
    from dataclasses import asdict

    if answer is None:
        return None
    counts = {f"{level}s": answer.count(level) for level in ("error", "warning", "note")}
    faults = [asdict(fault) for fault in answer.faults]
    return {"kept": answer.is_kept, "asked": answer.asked, **counts, "faults": faults}
