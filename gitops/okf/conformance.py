"""What OKF 0.2 says of one concept beyond that it can be read: advice, told as warnings and notes, never as errors.

A concept is conformant by its frontmatter and its type (11); what sections 5 to 10 say producers should do is a
warning where it is not done, and what is left of version 0.1 or open to both a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from gitops.okf.model import Fault, FaultLevel
from gitops.okf.places import Places
from gitops.wiki import footnotes
from gitops.wiki.page import Read

STATUSES = ("draft", "stable", "deprecated")
COMPUTATION = "Attested Computation"
UNDEFINED = "undefined_footnote"
"""A mark that refers to nothing: what it should cite is lost."""
_TEXTS = ("title", "description", "resource")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})")
_ACTOR = re.compile(r"(?:human|process):\S.*|[^\s/:][^/:]*/\S.*")
_AT = "write a moment with its offset, such as `2026-06-30T14:00:00Z`"

_Told = tuple[FaultLevel, str, str, str, str]
"""Level, result, message, the key it stands at, mend."""


def faults(read: Read, path: str, places: Places) -> list[Fault]:
    """What might be better about a concept, by OKF's own words."""
    values = read.outline.frontmatter
    told = [
        *_plain(values),
        *_sources(values),
        *_trust(values),
        *_moments(values),
        *_computation(values, read),
        *_left_over(values),
    ]
    found = [
        Fault("okf", level, result, text, path, places.keys.get(key, 1), mend)
        for level, result, text, key, mend in told
    ]
    return [*found, *_body(read, path)]


def resources(values: Mapping[str, Any]) -> Iterator[str]:
    """The `resource` of each entry of `sources` that has one."""
    for entry in _listed(values.get("sources")):
        if isinstance(entry, dict) and isinstance(resource := entry.get("resource"), str) and resource.strip():
            yield resource.strip()


def _listed(value: Any) -> Sequence[Any]:
    """A list, or what stands for a list of one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _plain(values: Mapping[str, Any]) -> Iterator[_Told]:
    for key in _TEXTS:
        if values.get(key) is not None and not isinstance(values[key], str):
            yield "warning", "not_a_text", f"{key} is no text", key, f"write `{key}: …` in quotation marks"
    tags = values.get("tags")
    if tags is not None and not (isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)):
        yield "warning", "bad_tags", "tags are no list of texts", "tags", "write `tags: [one, another]`"
    status = values.get("status")
    if status is not None and status not in STATUSES:
        yield (
            "warning",
            "unknown_status",
            f"the status '{status}' is unknown",
            "status",
            f"write one of {', '.join(STATUSES)}",
        )


def _sources(values: Mapping[str, Any]) -> Iterator[_Told]:
    seen: set[str] = set()
    if values.get("sources") is not None and not isinstance(values["sources"], list):
        yield "warning", "bad_sources", "sources are no list", "sources", "write `sources: [{id: a, resource: …}]`"
        return
    for number, entry in enumerate(_listed(values.get("sources")), 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("resource"), str) or not entry["resource"].strip():
            told = f"source {number} names no resource"
            yield "warning", "source_without_resource", told, "sources", "write `resource: …`, an address or a path"
        label = entry.get("id") if isinstance(entry, dict) else None
        if isinstance(label, str | int):
            if footnotes.fold(str(label)) in seen:
                told = f"two sources have the id '{label}'"
                yield "warning", "duplicate_source", told, "sources", "give one of them another id"
            seen.add(footnotes.fold(str(label)))


def _trust(values: Mapping[str, Any]) -> Iterator[_Told]:
    events = [("generated", values["generated"])] if values.get("generated") is not None else []
    events += [("verified", event) for event in _listed(values.get("verified"))]
    for key, event in events:
        by = event.get("by") if isinstance(event, dict) else None
        if not isinstance(by, str) or not by.strip():
            yield "warning", "no_actor", f"{key} does not say by whom", key, f"write `{key}: {{by: …, at: …}}`"
        elif not _ACTOR.fullmatch(by.strip()):
            mend = "write `human:ID`, `process:ID` or `TOOL/VERSION`"
            yield "note", "odd_actor", f"{key} is by '{by}', which is in no form of an actor", key, mend


def _moments(values: Mapping[str, Any]) -> Iterator[_Told]:
    """Every moment that OKF has a key for."""
    named: list[tuple[str, str, Any]] = [("stale_after", "stale_after", values.get("stale_after"))]
    for key in ("generated", "verified"):
        named += [(key, f"{key}.at", event.get("at")) for event in _listed(values.get(key)) if isinstance(event, dict)]
    entries = [entry for entry in _listed(values.get("sources")) if isinstance(entry, dict)]
    named += [("sources", "last_modified", entry.get("last_modified")) for entry in entries]
    windows = [
        ("usage_window", values.get("usage_window")),
        *(("sources", entry.get("usage_window")) for entry in entries),
    ]
    for key, window in windows:
        if isinstance(window, dict):
            named += [(key, f"usage_window.{end}", window.get(end)) for end in ("from", "to")]
    for key, called, value in named:
        if value is not None and not _is_moment(value):
            yield "warning", "bad_moment", f"{called} is no moment with an offset: '{value}'", key, _AT


def _is_moment(value: Any) -> bool:
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _computation(values: Mapping[str, Any], read: Read) -> Iterator[_Told]:
    if values.get("type") != COMPUTATION:
        return
    if not isinstance(values.get("runtime"), str) or not values["runtime"].strip():
        yield "warning", "no_runtime", "an attested computation says what it runs on", "type", "write `runtime: …`"
    if not values.get("computation") and not _headings(read, "computation"):
        mend = "write it in a fence below `# Computation`, or name its file as `computation: …`"
        yield "warning", "no_computation", "an attested computation has its computation", "type", mend


def _left_over(values: Mapping[str, Any]) -> Iterator[_Told]:
    if "timestamp" in values:
        told = "`timestamp` is of OKF 0.1"
        yield "note", "old_timestamp", told, "timestamp", "write `generated: {by: …, at: …}`"


def _headings(read: Read, words: str) -> list[int]:
    """The lines of the headings that say this."""
    found = (one for one in read.citations.cited if one.block.kind == "heading" and one.folded.casefold() == words)
    return [read.outline.lines.place(*one.block.extent).line for one in found]


def _body(read: Read, path: str) -> Iterator[Fault]:
    for line in _headings(read, "citations"):
        told = "a list below `# Citations` is of OKF 0.1"
        yield Fault(
            "okf", "note", "old_citations", told, path, line, "name the sources in the frontmatter: `sources: […]`"
        )
    for problem in read.citations.problems:
        if problem.result == "undefined":
            yield Fault("okf", "note", UNDEFINED, problem.message, path, problem.place.line, problem.repair)
    ids = [entry.get("id") for entry in _listed(read.outline.frontmatter.get("sources")) if isinstance(entry, dict)]
    known = {footnotes.fold(str(one)) for one in ids if one is not None}
    loose = [one for one in read.outline.definitions if footnotes.fold(one.label) not in known]
    for definition in loose if known else loose[:1]:
        told = f"the footnote [^{definition.label}] is the id of no source"
        if not known and len(loose) > 1:
            told = f"none of {len(loose)} footnotes, [^{definition.label}] the first, is the id of a source"
        line = read.outline.lines.place(definition.start, definition.start).line
        mend = f"add `{{id: {definition.label}, resource: …}}` to `sources`"
        yield Fault("okf", "note", "loose_footnote", told, path, line, mend)
