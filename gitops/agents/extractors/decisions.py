"""Decisions: records of them (Status, Context, Decision, Consequences), and sentences that say what was decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors import lines, outline
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Reading, Section
from gitops.agents.extractors.kinds import kind_of, named
from gitops.agents.extractors.words import LABELS
from gitops.agents.writers.document import Sentence
from gitops.wiki import frontmatter
from gitops.wiki.positions import Lines

WHY = re.compile(
    r"^(?:Reasons?|Why|Rationale|Grounds|Justification)\s*:"
    r"|\b(?:because|so that|in order to|to avoid|the reason (?:is|was|for)|which is why|due to)\b|, since\b",
    re.IGNORECASE,
)
"""What a sentence holds that gives a reason."""
_DENIED = re.compile(
    r"(?:\b(?:not|never|hardly|no longer|nicht)|n['’]t)\b[^.;]{0,40}\b(?:because|so that|in order to|to avoid|due to)\b"
    r"|\b(?:no|not (?:the|a|our|its)|never (?:the|a)) reason\b|\bnot (?:so|true|the case)\b|\bno part in\b"
    r"|\bplayed no (?:part|role)\b|\b(?:was|were|been) (?:also )?(?:said|argued|claimed|suggested|rumoured) that\b"
    r"|\bsome (?:of us )?(?:say|said|argued?|claim(?:ed)?|think|thought)\b",
    re.IGNORECASE,
)
"""With these a reason is denied, or only told of: it is none, wherever it stands."""
REASONS = frozenset(("rationale", "why", "reason", "reasons", "reasoning", "justification", "motivation"))
"""Headings below which every sentence gives one."""
_DECISION = frozenset(("decision", "decision outcome", "the decision", "what we decided", "decided"))
_BESIDE = REASONS | {"status", "context", "consequences", "context and problem statement"}
_BESIDE |= {"options", "considered options", "options considered", "decision drivers"}
_NUMBERED = re.compile(r"^(?:ADR|DEC|RFC|PDR)?[ -]?#?\d{0,5}\s*(?:[.:–—]|\s-\s)?\s*(?=\S)", re.IGNORECASE)
_DRIVERS = frozenset(("decision drivers", "drivers", "forces"))
"""Headings of records below which every item is something that it was decided for."""
_LABELLED = re.compile(
    r"^(?:Decision|Decided|Agreed|Resolved)(?: [#A-Z]?[\w.-]{0,3}\d{1,4})?(?: \((?P<who>[\w/&'’ -]{2,50})\))?\s*[:–—]"
    r"\s*(?P<what>.+)$"
)
_BARE = re.compile(r"^(?:Agreed|Decided|Resolved) (?P<on>to|on|that|against)\s+(?P<what>.+)$")
_FACT = re.compile(r"\b(?:consists? of|goes through|(?:runs|leads) from|is made up of)\b")
"""With these it was agreed how something is, and the sentence tells a path."""
_FRONT = re.compile(
    r"^(?:decision[-_]makers?|deciders?|decided[-_]by):[ \t]*\[?([^\n\]]+)\]?[ \t]*$", re.MULTILINE | re.I
)
_SAID = re.compile(
    r"^(?:[^,]{3,60}, )?(?P<who>we|it|they|(?:the )?[\w/&'’ -]{2,50}?)\s+(?:have |has |had )?"
    r"(?:decided|agreed|chose|chosen|resolved)\s+(?:in \d{4} |on \d{1,2} \w+ (?:\d{4} )?)?"
    r"(?P<on>to|on|that|against)?\s*(?P<what>.+)$",
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
_FOLLOWS = re.compile(
    r"^(?:Reasons?|Why|Rationale|Grounds|Justification|Decided by|Deciders?|Approved by|Agreed by|Date|Status)\s*:"
)
"""Lines that go on with a decision though they stand apart."""
_ACCEPTED = re.compile(r"^(?:Accepted|Approved|Agreed|Decided) by (?:the )?([^,.;(]{2,60})")
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
    """Find what sentences say was decided, outside of records; who and why may stand in the sentence or after it."""
    inside = set(taken)
    for number, section in enumerate(reading.sections):
        if number not in inside:
            for at, sentence in enumerate(section.prose):
                made = _decided(reading.given, sentence, finds)
                if made is not None:
                    _minuted(reading.given, made, _block(section.prose, at), finds)


def _block(sentences: Sequence[Sentence], at: int) -> list[Sentence]:
    """A sentence, those that follow it in its paragraph or item, and lines such as `Reason: …` behind these."""
    after = takewhile(
        lambda one: _LABELLED.match(one.text) is None and (one.ordinal > 0 or _FOLLOWS.match(one.text) is not None),
        sentences[at + 1 :],
    )
    return [sentences[at], *after]


def _minuted(given: Given, made: Sketch, block: Sequence[Sentence], finds: Finds) -> None:
    _reasons(given, made, block)
    for sentence in block:
        label = outline.label_of(sentence)
        if label is not None and LABELS.get(label.name) == "decided_by":
            outline.link_label(given, label, made, finds)


def reasons(given: Given, section: Section, own: Sketch) -> None:
    """Take every sentence below a heading such as `Rationale` for a reason of the atom it belongs to."""
    title = _plain(section.title)
    if title in REASONS or title in _DRIVERS or title.startswith("why "):
        for sentence in section.sentences:
            is_driver = title in _DRIVERS and sentence.block == "item"
            if is_driver or (sentence.text.endswith((".", "!", "。")) and not _DENIED.search(sentence.text)):
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
    for label in _front(reading):
        outline.link_label(reading.given, label, made, finds)
    for section in parts:
        reasons(reading.given, section, made)
        _accepted(reading, section, made, finds)
        if section is decision or _plain(section.title).startswith("context"):
            _reasons(reading.given, made, section.sentences)
    return made


def _accepted(reading: Reading, section: Section, made: Sketch, finds: Finds) -> None:
    """Who decided, by the status of a record: `Accepted by the Release Board`."""
    for sentence in section.sentences if _plain(section.title) == "status" else ():
        if (found := _ACCEPTED.match(sentence.text)) is not None:
            outline.link_label(reading.given, outline.Label("decided by", found[1], sentence), made, finds)


def _front(reading: Reading) -> Iterator[outline.Label]:
    """Who decided, by the frontmatter of a record."""
    text = reading.given.text.text
    end = frontmatter.read(text, Lines(text)).end if reading.given.text.is_markdown else 0
    for found in _FRONT.finditer(text, 0, end):
        whole = Sentence("", "", found.start(), found.end())
        yield outline.Label("decided by", found[1].strip("\"' "), lines.of_span(text, *found.span(), whole, 0))


def _decided(given: Given, sentence: Sentence, finds: Finds) -> Sketch | None:
    labelled = _LABELLED.match(sentence.text)
    found = labelled or _BARE.match(sentence.text) or _PASSIVE.match(sentence.text) or _SAID.match(sentence.text)
    is_whole = sentence.text.endswith((".", "!")) or (sentence.block == "item" and labelled is not None)
    if found is None or not is_whole or _FACT.search(sentence.text):
        return None
    given_by = found.groupdict()
    title = _titled(found["what"], (given_by.get("on") or "").lower())
    who = given_by.get("who") or ""
    is_role = kind_of(named(who)) == "role"
    if not title or not (labelled or is_role or who.lower() in ("we", "it", "they", "")):
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
    text = f"against {text}" if on == "against" else text
    return text[:1].upper() + text[1:]


def _reasons(given: Given, made: Sketch, sentences: Iterable[Sentence]) -> None:
    for sentence in sentences:
        if WHY.search(sentence.text) and not _DENIED.search(sentence.text):
            made.reason(reading_of.said(given, sentence))


def _plain(title: str) -> str:
    return " ".join(title.casefold().split()).strip(" :")
