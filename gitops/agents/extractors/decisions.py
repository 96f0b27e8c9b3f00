"""Decisions: records of them (Status, Context, Decision, Consequences), and sentences that say what was decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Reading, Section
from gitops.agents.extractors.kinds import kind_of, named
from gitops.agents.writers.document import Sentence

WHY = re.compile(
    r"^Reasons?:|\b(?:because|so that|in order to|to avoid|the reason (?:is|was|for)|which is why|due to)\b",
    re.IGNORECASE,
)
"""What a sentence holds that gives a reason."""
REASONS = frozenset(("rationale", "why", "reason", "reasons", "reasoning", "justification", "motivation"))
"""Headings below which every sentence gives one."""
_DECISION = frozenset(("decision", "decision outcome", "the decision", "what we decided", "decided"))
_BESIDE = REASONS | {"status", "context", "consequences", "context and problem statement"}
_BESIDE |= {"options", "considered options", "options considered"}
_NUMBERED = re.compile(r"^(?:ADR|DEC|RFC|PDR)?[ -]?#?\d{0,5}\s*(?:[.:–—]|\s-\s)?\s*(?=\S)", re.IGNORECASE)
_LABELLED = re.compile(r"^(?:Decision|Decided)\s*[:–—]\s*(.+)$")
_SAID = re.compile(
    r"^(?:[^,]{3,60}, )?(?P<who>we|(?:the )?[\w/&'’ -]{2,50}?)\s+(?:have |has |had )?"
    r"(?:decided|agreed|chose|chosen|resolved)\s+(?P<on>to|on|that|against)?\s*(?P<what>.+)$",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"^It (?:was|has been) (?:decided|agreed|resolved)(?: by (?P<who>[\w/&'’ -]{2,50}?))?\s+(?P<on>to|on|that)\s+"
    r"(?P<what>.+)$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s*(?:[,;.:(—]|\s-\s|\b(?:because|so that|in order to|to avoid|since|due to|after|instead of|rather than)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_TITLE = 12


def records(reading: Reading, finds: Finds) -> dict[int, Sketch]:
    """Find records of decisions; which section belongs to which."""
    about: dict[int, Sketch] = {}
    for number, section in enumerate(reading.sections):
        if _plain(section.title) in _DECISION:
            parts = _family(reading.sections, number)
            if any(_plain(reading.sections[at].title) in _BESIDE for at in parts):
                made = _recorded(reading, section, [reading.sections[at] for at in parts], finds)
                about |= dict.fromkeys(parts, made) if made is not None else {}
    return about


def sentences(reading: Reading, finds: Finds, taken: Iterable[int]) -> None:
    """Find what sentences say was decided, outside of records; the reasons may stand in the sentence or after it."""
    inside = set(taken)
    for number, section in enumerate(reading.sections):
        if number not in inside:
            for at, sentence in enumerate(section.prose):
                made = _decided(reading.given, sentence, finds)
                if made is not None:
                    _reasons(reading.given, made, _block(section.prose, at))


def _block(sentences: Sequence[Sentence], at: int) -> list[Sentence]:
    """A sentence and those that follow it in its paragraph or item."""
    after = takewhile(lambda one: one.ordinal > 0, sentences[at + 1 :])
    return [sentences[at], *after]


def reasons(given: Given, section: Section, own: Sketch) -> None:
    """Take every sentence below a heading such as `Rationale` for a reason of the atom it belongs to."""
    if _plain(section.title) in REASONS:
        for sentence in section.sentences:
            if sentence.text.endswith((".", "!", "。")):
                own.reason(reading_of.said(given, sentence))


def _family(sections: tuple[Section, ...], number: int) -> list[int]:
    """The sections of one record: those beside the decision, below one heading, and that heading's own."""
    one = sections[number]
    first = last = number
    while first and sections[first].level >= one.level and sections[first - 1].level >= one.level:
        first -= 1
    while last + 1 < len(sections) and sections[last + 1].level >= one.level:
        last += 1
    return list(range(max(first - 1, 0), last + 1))


def _recorded(reading: Reading, decision: Section, parts: list[Section], finds: Finds) -> Sketch | None:
    title = decision.parents[-1] if decision.parents else reading.title
    said = next((one for each in decision.sentences if (one := reading_of.said(reading.given, each))), None)
    made = finds.add("decision", _NUMBERED.sub("", title, count=1), said)
    if made is None or made.type != "decision":
        return None
    for section in parts:
        reasons(reading.given, section, made)
        if section is decision or _plain(section.title).startswith("context"):
            _reasons(reading.given, made, section.sentences)
    return made


def _decided(given: Given, sentence: Sentence, finds: Finds) -> Sketch | None:
    labelled = _LABELLED.match(sentence.text)
    found = _PASSIVE.match(sentence.text) or _SAID.match(sentence.text)
    if (labelled is None and found is None) or not sentence.text.endswith((".", "!")):
        return None
    what = labelled[1] if labelled else found["what"] if found else ""
    title = _titled(what, (found["on"] or "").lower() if found and not labelled else "")
    who = found["who"] or "" if found and not labelled else ""
    is_role = kind_of(named(who)) == "role"
    if not title or not (labelled or is_role or who.lower() in ("we", "")):
        return None
    said = reading_of.said(given, sentence)
    made = finds.add("decision", title, said) if said is not None else None
    role = finds.get_or_made(who, ("role",), said) if is_role else None
    if made is None or made.type != "decision":
        return None
    if role is not None:
        made.link("decided_by", role)
    return made


def _titled(what: str, on: str) -> str:
    """What was decided in a few words: `to adopt Postgres because …` → `Adopt Postgres`."""
    words = _ENDS.sub("", what).split()
    if not 1 < len(words) <= _LONGEST_TITLE:
        return ""
    text = " ".join(words)
    text = f"not {text}" if on == "against" else text
    return text[:1].upper() + text[1:]


def _reasons(given: Given, made: Sketch, sentences: Iterable[Sentence]) -> None:
    for sentence in sentences:
        if WHY.search(sentence.text):
            made.reason(reading_of.said(given, sentence))


def _plain(title: str) -> str:
    return " ".join(title.casefold().split()).strip(" :")
