"""`lint --fix`: the mends that are certain, written by a run of its own and landed like any other."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from gitops.git.renames import renames
from gitops.runs import landing, linting, staging
from gitops.runs.context import Context
from gitops.runs.outcome import Outcome
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.verify.finding import Finding
from gitops.verify.mending import Mend, Renames, mended, mends
from gitops.verify.view import View

REASON = "mend what is certain: quotations as their sources have them, links to pages by their present names"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written: the new bytes of each page, and how many mends they hold."""

    pages: Mapping[str, bytes]
    mends: int


def plan(context: Context, workspace: Workspace, commit: str) -> Plan:
    """The certain mends of a workspace as a commit has it."""
    linted = linting.lint(context, context.tree(commit), workspace.layout.root, commit, rev=commit)
    found = linted.findings()
    pages: dict[str, bytes] = {}
    count = 0
    with Bench(context, workspace, commit) as bench:
        view = bench.base_view()
        past = Renames(renames(context.repository, commit, workspace.layout.wiki) if _breaks(found) else {})
        for path, group in groupby(found, key=lambda finding: finding.path):
            certain = mends(view, path, view.page(path), list(group), past)
            data = _spliced(view, path, certain)
            if data is not None:
                pages[path] = data
                count += len(certain)
    return Plan(pages, count)


def land(context: Context, workspace: Workspace, target: str, made: Plan) -> Outcome:
    """Write the mends on a run and finish it. NotLanded where something that is not committed is in the way."""
    run = staging.start(context, workspace, target, staging.Request("lint", (), REASON))
    for path, data in made.pages.items():
        staging.write(context, run, workspace, path, data)
    return landing.finish(context, run.id)


def _breaks(findings: list[Finding]) -> bool:
    return any((one.check, one.result) == ("links", "broken") for one in findings)


def _spliced(view: View, path: str, certain: list[Mend]) -> bytes | None:
    """The page's new bytes; None where there is nothing to mend, or its text is not what its bytes spell."""
    data, text = view.snapshot.read(path), view.page(path).text
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    if not certain or mark + text.encode("utf-8", "surrogatepass") != data:
        return None
    changed = mended(text, certain)
    return mark + changed.encode() if changed != text else None
