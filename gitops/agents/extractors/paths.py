"""The stages of workflows: numbered steps, headings that number them, or a sentence that tells the path."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.around import Around
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Section
from gitops.agents.extractors.kinds import named, parts
from gitops.agents.extractors.shapes import NAME
from gitops.agents.writers.document import Sentence

STEPS = frozenset(("steps", "the steps", "stages", "phases", "the stages", "procedure", "sequence", "flow"))
"""Headings below which the steps of what their parent is about stand."""
_TOLD = re.compile(
    rf"^(?:It (?:was|is) (?:agreed|decided) that )?(?P<x>{NAME}) (?:has|consists of|is made up of|(?:runs|leads) from"
    r"|(?:runs|goes|moves|passes) through)"
    r"(?: (?:the )?(?:\w+ )?(?:stages|steps|phases|processes))?(?: in (?:this )?order)?(?:\s*:\s*|\s+)(?P<y>.+)$",
    re.IGNORECASE,
)
_PATH = re.compile(r"\s+(?:through|via|over|to)\s+(?=[^,;]+)")
_BOLD = re.compile(r"^(?:\*\*|__)(.{2,60}?)(?:\*\*|__)")
_LEAD = re.compile(r"^(.{2,60}?)\s*(?::|—|–|\s-)\s+\S")
_HEADED = re.compile(r"^(?:(?:step|stage|phase)\s+)?\d{1,2}\s*[.:)–—-]\s*(\S.*)$", re.IGNORECASE)
_LONGEST = 6
"""Words of a step that is a name."""


def stages(given: Given, steps: Sequence[Sentence], own: Sketch, finds: Finds) -> dict[int, Sketch]:
    """The numbered steps of a workflow as its stages, in order; which step, by where it begins, is about which."""
    names = [_step(one) for one in steps]
    if len(names) < 2 or not all(names):
        return {}  # half a path would be a wrong one
    found = {}
    for name, sentence in zip(names, steps, strict=True):
        stage = finds.get(name) or finds.add("process", name, reading_of.said(given, sentence))
        if stage is not None:
            own.link("stages", stage)
            found[sentence.start] = stage
    return found


def headed(sections: Sequence[Section], number: int) -> list[tuple[int, str]]:
    """The sections below one whose headings number them, `Step 2: Picking`, and the names that those give."""
    one, found = sections[number], list[tuple[int, str]]()
    for at in range(number + 1, len(sections)):
        if sections[at].level <= one.level:
            break
        heading = sections[at].heading
        numbered = _HEADED.match(heading.text) if heading is not None else None
        if numbered and (name := named(numbered[1])):
            found.append((at, name))
    return found if len(found) > 1 else []


def is_named(steps: Sequence[Sentence]) -> bool:
    """Does each of several steps begin with a name of its own, in bold or before a colon or dash?"""
    leads = [_BOLD.match(one.quote) or _LEAD.match(one.text) for one in steps]
    return len(steps) > 1 and all(leads) and all(map(_step, steps))


def told(around: Around) -> bool:
    """Take `The order workflow goes through intake, picking and packing` for its stages; whether it is that."""
    found = _TOLD.match(around.text)
    if found is None:
        return False
    names = [_stage_of(one) for one in parts(_PATH.sub(", ", found["y"]))]
    if len(names) < 2 or not all(names):
        return False
    workflows = around.subjects(found["x"], ("workflow",))
    for name in names:
        stage = (around.finds.get(name) or around.finds.add("process", name, around.said)) if workflows else None
        for workflow in workflows:
            if stage is not None:
                workflow.link("stages", stage)
    return bool(workflows)


def _stage_of(text: str) -> str:
    return named(re.sub(r"^(?:first|next|finally|lastly)\b,?\s*", "", text, flags=re.IGNORECASE))


def _step(sentence: Sentence) -> str:
    bold, lead = _BOLD.match(sentence.quote), _LEAD.match(sentence.text)
    name = bold[1] if bold else lead[1] if lead else sentence.text
    return named(name) if len(name.split()) <= _LONGEST else ""
