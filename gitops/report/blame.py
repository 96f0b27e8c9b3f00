"""Blame in words: each claim on a line, its sources with what came of them, then whence it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.blaming import Blame, Blamed
from gitops.runs.judging import is_unverified
from gitops.runs.provenance import Origin
from gitops.runs.sourced import Source
from gitops.verify.finding import Level
from gitops.verify.verdict import Verdict

_INDENT = 7
"""Where a claim begins: after its line number."""
_RESULT = 14
"""How wide the longest result is, with the space after it."""
_SINCE = {
    "claim": "",
    "citation": "cited otherwise before, the words are older",
    "unknown": "or before: the history is cut off here",
}


def words(found: Blame) -> RenderableType:
    """The whole page; a page without claims says so."""
    if not found.claims:
        where = f" on these lines of {inline(found.path)}" if found.lines else f" on {inline(found.path)}"
        return Text(f"no claims{where} at {found.rev[:10]}: nothing there is cited in a form that assay.toml names")
    parts: list[RenderableType] = [Text(inline(found.path), style="bold")]
    for claim in found.claims:
        parts += _claim(claim)
    if found.verdicts:
        parts.append(Text(text.worth(len(found.signers), len(found.verdicts)), style="dim"))
    return Group(*parts)


def _claim(claim: Blamed) -> Iterator[RenderableType]:
    said = " ".join(claim.text.split()) or "(the page as a whole)"
    yield _one_line(Text(f"{claim.place.line:>{_INDENT - 2}}  ", style="dim"), Text(inline(said), style="bold"))
    for source in claim.sources:
        style = "green" if source.level is Level.NONE else text.STYLES[source.level.value]
        head = Text.assemble(" " * _INDENT, (f"{source.result:<{_RESULT - 1}}", style))
        yield text.hanging(head, _named(source), _INDENT + _RESULT)
    yield text.indented(Text(_came(claim), style="dim"), _INDENT)
    if claim.origin.verdict is not None:
        yield text.indented(_verdict(claim.origin.verdict), _INDENT)


def _one_line(head: Text, rest: Text) -> RenderableType:
    """A head and what fits behind it; a pipe is wide enough for all."""
    return Text.assemble(head, rest, no_wrap=True, overflow="ellipsis")


def _named(source: Source) -> Text:
    """The source with its quotation; what is wrong with it in the check's own words."""
    quote = f', "{" ".join(source.quote.split())}"' if source.quote else ""
    offset = f" @{source.offset}" if source.offset is not None else ""
    locator = f", {source.locator}" if source.locator else ""
    is_plain = not source.files or any(file.endswith(source.path.lstrip("./")) for file in source.files)
    meant = "" if is_plain else f" → {', '.join(source.files)}"
    named = Text(inline(f"{source.path}{meant}{locator}{quote}{offset}"))
    if source.level is not Level.NONE and source.message:
        named.append(f": {inline(source.message)}", style="dim")
    return named


def _came(claim: Blamed) -> str:
    commit, origin = claim.origin.commit, claim.origin
    return ", ".join(_told([commit.author.name, claim.date, commit.id[:10], _SINCE[claim.since], *_run(origin)]))


def _told(parts: Iterable[str]) -> Iterator[str]:
    return (inline(part) for part in parts if part)


def _run(origin: Origin) -> Iterator[str]:
    if origin.run_id is not None:
        yield f"run {origin.run_id}"
    if origin.landed not in (None, origin.commit.id):
        yield f"landed as {str(origin.landed)[:10]}"
    yield origin.told


def _verdict(verdict: Verdict) -> Text:
    """The decision in the colours of `git assay log`, its id, its judge, and what it came after."""
    told = [f" {verdict.id[:10]}", f"judge {verdict.judge}"]
    told += ["unverified"] if is_unverified(verdict) else []
    told += [f"supersedes {', '.join(old[:10] for old in verdict.supersedes)}"] if verdict.supersedes else []
    told += [verdict.reasoning] if verdict.verdict == "commit_override" else []
    decision = (verdict.verdict, text.VERDICT_STYLES[verdict.verdict])
    return Text.assemble("verdict ", decision, (", ".join(map(inline, told)), "dim"))
