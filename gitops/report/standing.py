"""The state of a repository's runs in words."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.runs import listing
from gitops.report.visible import inline
from gitops.runs.standing import Standing


def words(found: Standing) -> RenderableType:
    """What is open first; then what landed without the verifier's yes; then the totals."""
    parts: list[RenderableType] = []
    if found.open:
        parts += [Text("open runs", style="bold"), listing(found.open), Text()]
    if found.unverified:
        parts += [Text("landed unverified (--no-verify)", style="bold yellow"), listing(found.unverified), Text()]
    if found.overrides:
        parts.append(Text("overrides", style="bold magenta"))
        rows = [(Text(v.run_id), Text(v.candidate[:10]), Text(inline(v.reasoning))) for v in found.overrides]
        parts += [text.table(("", "", ""), rows, show_header=False), Text()]
    if found.undone:
        heading = "landed, and no longer in their target's history"
        parts += [Text(heading, style="bold red"), listing(found.undone), Text()]
    for branch in found.stray:
        told = f"{inline(branch)} is no run: ids are 3 to 63 of a-z, 0-9 and '-'"
        parts.append(Text(told, style="yellow"))
    totals = ", ".join(f"{count} {status}" for status, count in sorted(found.counts.items()))
    parts.append(Text(totals or "no runs yet: git assay run start"))
    if found.last is not None:
        parts.append(Text(f"last landed: {found.last.id} as {found.last.state.candidate[:10]}"))
    parts.append(Text(text.UNSIGNED, style="dim"))
    return Group(*parts)
