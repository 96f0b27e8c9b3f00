"""Which sentences of a source can stand alone as a claim: whole, in prose, and about something that they name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from gitops.agents.writers.document import HIDDEN, Sentence
from gitops.agents.writers.english import BARE, INFLECTED, LITTLE, ORDERS, POINTERS
from gitops.agents.writers.phrases import WORD, is_spaceless
from gitops.wiki.late import late
from gitops.wiki.tongue import language

SHORTEST, LONGEST = 28, 420
_SHORTEST_SPACELESS, _LONGEST_SPACELESS = 14, 220
_ENDS = re.compile(r"[.。．][\"”’)\]」』）]*$")
_KOREAN_END = late(r"[다요음함됨임][.]?$")
_UNUSABLE = re.compile(r"\[\^|\]:|<[A-Za-z/!]|\[\[|\]\]|%%|\$\$|\\\(|`{2,}|https?://\S{60,}")
_POINTING = re.compile(
    r"^(?:the (?:same|answer|point|reason|story|result|two|interesting|main thing|message|former|latter))"
    r"\b|,\s+(?:no|yes)\.$|\b(?:above|below|the following|as follows|the (?:former|latter)|see also|for example:|click"
    r"|in this (?:article|section|guide|post|document|chapter|video|brief|note)|subscribe|the previous|the next section"
    r"|this (?:article|section|guide|page|file|post|document|chapter|faq|video|brief|primer|sheet)|mentioned earlier"
    r"|(?:of|in|for|with|by|to) (?:these|those|this|them)\b(?=[.,;])|by contrast|on the other hand|the other"
    r"|(?:of|between|from) (?:these|those) (?:two|three|four|five|six)|no such thing)\b"
    r"|^all (?:two|three|four|five|six|seven|eight|nine|ten)\b|^\w+(?:ed|ing)\b[^.]*?, (?:it|they|he|she)\b"
    r"|[,;(]\s*see (?:the|our|my|page|section)\b",
    re.IGNORECASE,
)
_SPEAKING = re.compile(r"\b(?:we|our|ours|us|i|i'm|i've|my|me|you|your|you're|you'll|let's)\b", re.IGNORECASE)
_PAST = re.compile(r"[a-z]{4,}ed")
_ADJECTIVAL = ("er", "est", "ful", "al", "ic", "ous", "ive", "each", "same", "first")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|may|must|will|does|do)\b|\w+s (?:higher|lower|more|less)\b"
)
"""What makes a sentence of a note that begins with a small letter."""
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|whom)\b")
"""The verb of a relative clause makes no sentence: "A blend that lifts."."""
_UNSAID = re.compile(r"\b(?:it|its|they|them|their|he|his|she|her|him)\b", re.IGNORECASE)
_FIGURE = re.compile(r"\d")


def usable(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences that make claims, in order; of two alike the first."""
    every = list(sentences)
    english = is_english(every)
    seen: set[str] = set()
    found = []
    for sentence in every:
        words = sentence.text.casefold()
        if words not in seen and is_claim(sentence, english=english):
            seen.add(words)
            found.append(sentence)
    return found


def is_english(sentences: Iterable[Sentence]) -> bool:
    """Are these sentences English, or too little to tell? Words are told apart in English alone."""
    return language(" ".join(one.text for one in sentences)[:20_000]) in ("en", "")


def is_claim(sentence: Sentence, *, english: bool = True) -> bool:
    """Is it whole, of a fair length, told and not asked, and does it name what it is about?"""
    text = sentence.text
    if (
        HIDDEN.search(sentence.quote)
        or _UNUSABLE.search(sentence.quote)
        or _UNUSABLE.search(text)
        or "|" in text
        or "\ufffd" in text
    ):
        return False
    if is_spaceless(text):
        return _is_spaceless_claim(text)
    if not SHORTEST <= len(text) <= LONGEST or not _ENDS.search(text) or text.endswith(("...", "…")):
        return False
    words = WORD.findall(text)
    if "=" in text and _FINITE.search(text) is None:
        return False  # a formula
    if len(words) < 5 or not _opens_well(sentence, words) or _POINTING.search(text):
        return False
    if len(_SPEAKING.findall(text)) > 1:
        return False  # talk, and about whoever talks
    return not english or len(words) > 16 or _has_verb(WORD.findall(_RELATIVE.split(text, maxsplit=1)[0]))


def _has_verb(words: list[str]) -> bool:
    """Can any word after the first be the verb? A bare form is none behind an article, nor of `A full stop`.

    What begins with a figure is a note as often as a sentence: of it only a form with an ending counts.
    """
    plain = [word.casefold().replace("’", "'") for word in words]
    is_bare_none = plain[0] in ("a", "an", "each", "every", "another") or plain[0].isdigit()
    return any(
        word in INFLECTED
        or "'" in word
        or _PAST.fullmatch(word) is not None
        or (word in BARE and not (is_bare_none or before in LITTLE or before.endswith(_ADJECTIVAL)))
        for before, word in pairwise(plain)
    )


def _is_spaceless_claim(text: str) -> bool:
    is_whole = _ENDS.search(text) is not None or _KOREAN_END.search(text) is not None
    return is_whole and _SHORTEST_SPACELESS <= len(text) <= _LONGEST_SPACELESS


def _opens_well(sentence: Sentence, words: list[str]) -> bool:
    """It opens with a capital, a digit or a quotation mark (a note in a list with any), and points nowhere."""
    text = sentence.text
    first = text.lstrip("\"“‘'([*")
    opener = words[0].casefold().partition("'")[0].partition("’")[0]
    if not first or opener in POINTERS or opener in ORDERS:
        return False
    if not (first[0].isupper() or first[0].isdigit() or not first[0].isascii()):
        return sentence.block == "item" and _FINITE.search(text) is not None
    if text.count("(") != text.count(")") or text.count("“") != text.count("”") or text.count('"') % 2:
        return False
    return not (words[0].isdigit() and re.match(r"\d+[.)]\s", text))


def bearing(sentence: Sentence) -> float:
    """How well a sentence serves as a claim, whatever it is about: 1 is plain, less for talk, more for facts."""
    text, weight = sentence.text, 1.0
    weight *= 0.45 if _SPEAKING.search(text) else 1.0
    weight *= 0.6 if _UNSAID.search(" ".join(text.split()[:8])) else 1.0
    weight *= 1.15 if _FIGURE.search(text) else 1.0
    weight *= 1.1 if sentence.ordinal == 0 else 1.0
    weight *= 0.8 if sentence.block == "item" else 1.0
    weight *= 0.6 if sentence.block == "quote" else 1.0
    weight *= 0.75 if len(text) > 260 else 1.0
    return weight
