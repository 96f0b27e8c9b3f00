"""What a look at a wiki found, for a terminal and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report.text import hanging
from gitops.report.visible import inline
from gitops.verify.finding import Finding, Level
from gitops.wiki.policy_draft import Draft
from gitops.wiki.survey import Survey

_INDENT = 14
_FIELDS = 8
_KINDS = {"wiki": "wiki-link", "markdown": "Markdown link", "embed": "embed", "image": "image"}


def shown(draft: Draft, findings: Iterable[Finding]) -> RenderableType:
    """One wiki: its name, and a line for each thing that was found."""
    folders, survey = draft.folders, draft.survey
    rows = [
        ("folders", _folders(draft)),
        ("index, log", f"{folders.index}: {draft.index_form}; {folders.log}: {draft.log_form}"),
        ("citations", _citations(survey)),
        ("frontmatter", _fields(survey)),
        ("links", ", ".join(_count(count, _KINDS[kind]) for kind, count in survey.links.most_common()) or "none"),
        ("claims", _claims(survey)),
        ("findings", counted(findings)),
    ]
    title = Text.assemble(
        (inline(draft.name), "bold"), (f"  in {inline(folders.root)}/" if folders.root else "", "dim")
    )
    lines = [hanging(Text(f"  {name}", style="dim"), Text(inline(told)), _INDENT + 2) for name, told in rows]
    return Group(title, *lines)


def as_json(draft: Draft, findings: Iterable[Finding]) -> dict[str, Any]:
    """The same as plain values."""
    folders, survey = draft.folders, draft.survey
    return {
        "workspace": draft.name,
        "root": folders.root,
        "folders": {"wiki": folders.wiki, "raw": folders.raw, "has_raw": folders.has_raw, "sources": draft.sources},
        "pages": survey.pages,
        "index": {"name": folders.index, "there": folders.has_index, "form": draft.index_form},
        "log": {"name": folders.log, "there": folders.has_log, "form": draft.log_form},
        "dialects": {
            name: {"citations": count, "pages": survey.citing_pages[name]} for name, count in survey.cites.items()
        },
        "frontmatter": {name: dict(kinds) for name, kinds in survey.fields.items()},
        "links": dict(survey.links),
        "sentences": {"owing": survey.owing, "cited": survey.cited, "checkable": survey.checkable},
        "findings": _levels(findings),
    }


def counted(findings: Iterable[Finding]) -> str:
    """`3 errors, 1 warning, 12 notes`."""
    levels = _levels(findings)
    told = [f"{levels[level]:,} {level}{'' if levels[level] == 1 else 's'}" for level in ("error", "warning", "note")]
    return ", ".join(told)


def _levels(findings: Iterable[Finding]) -> Mapping[str, int]:
    levels = Counter(finding.level.value for finding in findings if finding.level is not Level.NONE)
    return {level: levels[level] for level in ("error", "warning", "note")}


def _folders(draft: Draft) -> str:
    folders = draft.folders
    wiki = "the whole folder" if folders.wiki == "." else f"{folders.wiki}/"
    raw = f"{folders.raw}/ with {_count(draft.sources, 'source')}" if folders.has_raw else f"no {folders.raw}/ yet"
    return f"{wiki} with {_count(draft.survey.pages, 'page')}; {raw}"


def _citations(survey: Survey) -> str:
    told = [
        f"{name} {count:,} on {_count(survey.citing_pages[name], 'page')}" for name, count in survey.cites.most_common()
    ]
    return "; ".join(told) or "none that any dialect knows"


def _fields(survey: Survey) -> str:
    if not survey.fields:
        return "none"
    ordered = sorted(survey.fields.items(), key=lambda item: (-item[1].total(), item[0]))
    told = [f"{name} ({_most(kinds)}) {kinds.total():,}" for name, kinds in ordered[:_FIELDS]]
    more = len(ordered) - _FIELDS
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


def _most(kinds: Counter[str]) -> str:
    return kinds.most_common(1)[0][0]


def _claims(survey: Survey) -> str:
    if not survey.owing:
        return "no sentence owes a citation"
    good, cited = survey.checkable / survey.owing, survey.cited / survey.owing
    told = f"{good:.0%} cite a source that can be checked here, {cited - good:.0%} something that cannot"
    return f"of {_count(survey.owing, 'sentence')} {told}, {1 - cited:.0%} nothing"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
