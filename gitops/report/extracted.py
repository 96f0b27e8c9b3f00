"""What an extraction came to, in words and as JSON: the atoms, what links them, what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.okf.naming import FOLDERS
from gitops.report import text
from gitops.report.ingest import usage
from gitops.report.runs import outcome as outcome_words
from gitops.report.visible import inline

if TYPE_CHECKING:
    from gitops.agents.atom_files import Planned
    from gitops.agents.extracting import Asked, Extracted
    from gitops.okf.draft import Draft
    from gitops.runs.outcome import Outcome

MEND = {
    False: "preset offline finds what is said plainly; a model finds more: --preset claude",
    True: "the sources may hold none; docs/extract.md says what an atom is",
}
"""What helps where nothing was found, by whether a model was asked."""
_SIGNS = {"create": ("+", "green"), "update": ("~", "yellow"), "none": ("=", "dim"), "keep": ("!", "yellow")}
_HEADS = {
    "written": ("wrote", "green"),
    "would_write": ("would write", "green"),
    "nothing_new": ("nothing new", "green"),
}


def words(folder: str, result: str, done: Extracted, planned: Planned, outcome: Outcome | None) -> RenderableType:
    """The run's outcome, if there is one, then each atom with its edges, then what was left out.

    Where nothing was found only the last: that there is nothing is an error, and told as one.
    """
    parts: list[RenderableType] = []
    if outcome is not None and done.drafts and planned.files:
        parts.append(outcome_words(outcome.result, outcome.run, outcome.verdict, outcome.commit, outcome.signer))
    elif done.drafts:
        told = "all that was found is" if result == "nothing_new" else _counted(planned)
        parts.append(Text.assemble(_HEADS.get(result, (result, "")), f"  {told} in {inline(folder)}"))
    parts += [line for draft in planned.drafts for line in _atom(draft, planned)]
    parts += [text.indented(Text.assemble(("left out  ", "yellow"), inline(one)), 2) for one in done.dropped]
    parts += [Text.assemble(("  no atom in ", "dim"), inline(name)) for name in done.empty if done.drafts]
    parts += [
        Text.assemble(("  left as it is ", "yellow"), f"{inline(path)}: somebody has worked on it")
        for path in planned.kept
    ]
    if done.used.calls:
        parts.append(text.indented(Text(usage(done.used), style="dim"), 2))
    return Group(*parts)


def _counted(planned: Planned) -> str:
    """`6 atoms (2 roles, …)`: how many there are, and how many files change."""
    kinds = Counter(draft.type for draft in planned.drafts)
    told = ", ".join(
        f"{number} {kind if number == 1 else FOLDERS[kind]}" for kind in FOLDERS if (number := kinds[kind])
    )
    files = f"; {_some(len(planned.files), 'file')}" if planned.files else ""
    return f"{_some(len(planned.drafts), 'atom')}{f' ({told})' if told else ''}{files}"


def _some(number: int, what: str) -> str:
    return f"{number:,} {what if number == 1 else what + 's'}"


def _atom(draft: Draft, planned: Planned) -> Iterator[RenderableType]:
    """A line for the atom, and one for each type of its edges."""
    sign, style = _SIGNS[planned.operation(planned.paths[draft.id])]
    why = f"  {_some(len(draft.rationale), 'reason')}" if draft.rationale else ""
    yield Text.assemble((f"  {sign} ", style), f"{draft.type:10}", (inline(draft.title), "bold"), (why, "dim"))
    by_rel: dict[str, list[str]] = {}
    for edge in draft.relationships:
        by_rel.setdefault(edge.rel, []).append(inline(edge.target))
    for rel, targets in by_rel.items():
        yield text.indented(Text(f"{rel} {(' → ' if rel == 'stages' else ', ').join(targets)}", style="dim"), 14)


def as_json(done: Extracted, planned: Planned) -> dict[str, Any]:
    """The atoms with their places, what was left out and what was used."""
    atoms = [
        {
            "id": draft.id,
            "type": draft.type,
            "title": draft.title,
            "path": planned.paths[draft.id],
            "op": planned.operation(planned.paths[draft.id]),
            "relationships": [{"rel": edge.rel, "target": edge.target} for edge in draft.relationships],
            "rationale": len(draft.rationale),
        }
        for draft in planned.drafts
    ]
    return {
        "model": done.model,
        "sources": list(done.sources),
        "empty": done.empty,
        "atoms": atoms,
        "files": sorted(planned.files),
        "kept": list(planned.kept),
        "dropped": list(done.dropped),
        "used": {**done.used.record(), "calls": done.used.calls},
    }


def asked(found: Asked) -> RenderableType:
    """What a model would be asked, and about what it would cost."""
    head = Text.assemble(("would ask", "green"), f" {found.model} about {_some(len(found.sources), 'source')}")
    told = f"about {usage(found.estimate)}, if nothing of it is cached; the first request:"
    return Group(head, text.indented(Text(told), 2), Text(found.system, style="dim"), Text(), Text(found.first_turn))


def asked_json(found: Asked) -> dict[str, Any]:
    """The same as JSON."""
    turns = {"system": found.system, "first_turn": found.first_turn}
    estimate = {**found.estimate.record(), "calls": found.estimate.calls}
    return {"result": "would_ask", "model": found.model, "sources": list(found.sources), **turns, "estimate": estimate}
