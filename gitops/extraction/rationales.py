"""The claims of a rationale: its sentences. When two of them say the same, and which part of one is the reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gitops.okf.model import Atom, Sentence
from gitops.wiki.folding import base
from gitops.wiki.quoted import trimmed
from gitops.wiki.wording import sameness

_WHY = r"(?:rationale|reasons?|justification|explanation|motivation|why)"
_TOLD = r"(?:stated|given|recorded|documented|known|specified|provided|told|named|explained)"
_WHERE = r"(?: (?:in|by) (?:the|this|any) (?:sources?|documents?|texts?))?"
_SILENT = re.compile(
    rf"(?:none|n/a|unknown|unstated|not {_TOLD})"
    rf"|no (?:explicit |clear )?{_WHY}(?: (?:is|are|was|were|has been))? {_TOLD}{_WHERE}"
    rf"|(?:the |its |a )?{_WHY} (?:is|are|was|were) (?:not {_TOLD}{_WHERE}|unknown|unstated)"
    rf"|(?:the|this) (?:sources?|documents?|texts?) (?:gives?|states?|names?|tells?) no {_WHY}",
    re.IGNORECASE,
)
"""A sentence that says no more than that nobody said why."""
MARKER = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|thanks to|on account of|so that|in order to|so as to|given that"
    r"|since(?! (?:the )?(?:\d|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|then|its\b|last\b)))\s",
    re.IGNORECASE,
)
"""What a sentence gives its reason behind."""
_OPENING = 3
"""Characters (a quotation mark, a bracket) before a marker that a sentence may begin with."""

Stretch = tuple[int, int]


class Sayings:
    """Sentences by what they say: found again whatever their case, punctuation and white space."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._known: dict[str, list[str]] = {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> str:
        """The sentence that says the same and was there before; the text itself where none was."""
        there = self._known.setdefault(words(text), [])
        before = next((one for one in there if same(text, one)), None)
        if before is None:
            there.append(text)
        return text if before is None else before

    def __contains__(self, text: str) -> bool:
        return any(same(text, one) for one in self._known.get(words(text), ()))


def claims(atom: Atom) -> tuple[Sentence, ...]:
    """What an atom's rationale claims: each of its sentences is one claim, and true only as a whole.

    A sentence that comes again counts once, with all that it cites. One that only says that no reason is stated claims
    nothing.
    """
    sayings = Sayings()
    found: dict[str, Sentence] = {}
    for sentence in atom.rationale:
        if not is_silent(sentence.text):
            first = sayings.add(sentence.text)
            before = found.get(first)
            found[first] = sentence if before is None else _together(before, sentence)
    return tuple(found.values())


def is_silent(text: str) -> bool:
    """Whether a sentence says no more than that no reason is stated."""
    return _SILENT.fullmatch(trimmed(" ".join(text.split()))) is not None


def same(one: str, other: str) -> bool:
    """Whether two sentences have the same words, whatever their case, punctuation and white space.

    Numbers have to be the same numbers: 1.5 is not 15, and -5 not 5.
    """
    if words(one) != words(other):
        return False
    if not words(one):
        return one.split() == other.split()
    return sameness(trimmed(one), trimmed(other), paged=False) is not None


def words(text: str) -> str:
    """A sentence's letters and digits alone: different ones are of sentences that cannot be the same."""
    return base(text, "words")


def reason(text: str) -> Stretch | None:
    """Where a sentence gives its reason, `[start, end)`: behind `because` and the like, or before the comma where it
    begins with such a word. None where nothing tells the reason from the rest: then all of it is the reason.
    """
    found = MARKER.search(text)
    if found is None:
        return None
    if found.start() > _OPENING:
        return found.end(), len(text)
    comma = text.rfind(",", found.end())
    return (found.end(), comma) if comma > 0 else None


def touches_reason(text: str, lacking: Sequence[str]) -> bool:
    """Whether words of a sentence, as written and in order, belong to its reason; where none are named, they do."""
    stretch = reason(text)
    if stretch is None or not lacking:
        return True
    at = 0
    for each in lacking:
        found = re.compile(rf"(?<!\w){re.escape(each)}(?!\w)").search(text, at)
        if found is None or (found.start() < stretch[1] and found.end() > stretch[0]):
            return True
        at = found.end()
    return False


def _together(one: Sentence, other: Sentence) -> Sentence:
    return replace(one, backings=tuple(dict.fromkeys((*one.backings, *other.backings))))
