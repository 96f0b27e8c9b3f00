"""What of a claim's words stands in a text: the sentence that has the most of them, and whether hardly any is there."""

from __future__ import annotations

from collections import Counter

from gitops.verify.judging import claiming, evidence
from gitops.verify.judging.reading import Line, Reading
from gitops.verify.judging.turns import QUANTIFIERS, denies
from gitops.verify.judging.words import Token, family, tokens
from gitops.wiki.tongue import not_english

LEAST, SHARE = 3, 0.75
"""A claim with so many content words (and numbers), of which so large a share is missing, has no basis in a text
(docs/faithfulness.md has how often that is right).
"""
SEVERAL = 5
"""Of a part of a claim with fewer such words, none may be there for it to have no basis."""
NEARLY = 0.75
"""A claim that has so large a share of its content words from one sentence is a copy of it, and no paraphrase."""
_HALF = 0.5
_ORDER = frozenset(("before", "after", "above", "below", "until"))
"""Small words that a copy must not change either."""
_PROSE = 2
"""A claim has so many function words, or it may be of another language."""


def nearest(claim: str, reading: Reading) -> Line | None:
    """The sentence that has the most of a claim's words; None where none has any."""
    best = evidence.find(claiming.parse(claim), reading).best
    return reading.lines[best] if best >= 0 else None


def absent(claim: str, reading: Reading) -> bool:
    """Whether hardly a word of a claim stands in a text, in whatever form: of `LEAST` content words and more, `SHARE`
    are in none of the two neighbouring sentences that have the most of them; or so with its numbers, which are sought
    everywhere. False where words tell nothing: where the claim or the text is not English, or the claim is no prose.
    """
    return any(of >= LEAST and missing >= SHARE * of for missing, of in _missing(claim, reading, ""))


def baseless(part: str, reading: Reading, besides: str) -> bool:
    """The same of a part of a claim, without the words of `besides`: a title says what is spoken of, and not why.

    There are fewer words to go by, so of less than `SEVERAL` not one may be there.
    """
    counts = _missing(part, reading, besides)
    return bool(counts) and all(
        of >= LEAST and missing >= (SHARE * of if of >= SEVERAL else of) for missing, of in counts
    )


def _missing(claim: str, reading: Reading, besides: str) -> list[tuple[int, int]]:
    """How many of the words that count are missing, of how many, and the same with numbers; empty where that tells
    nothing.
    """
    parsed = claiming.parse(claim)
    is_prose = sum(not word.is_content for word in parsed.words) >= _PROSE
    if not is_prose or not_english(claim) or reading.unreadable:
        return []
    found = evidence.find(parsed, reading)
    held = found.masks(found.window)[1]
    known = {word.stem for word in claiming.parse(besides).words}
    counted = [at for at in range(len(parsed.units)) if parsed.unit(at).stem not in known]
    missing = sum(not held >> at & 1 for at in counted)
    numbers = [reading.says(number) for number in parsed.hard_numbers]
    return [(missing, len(counted)), (missing + numbers.count(False), len(counted) + len(numbers))]


def altered(claim: str, sentence: str) -> str:
    """The first word that a claim has in the place of another, where it nearly copies a sentence; '' where it does not.

    A word that comes twice has to come twice in the sentence; a derived form (`rose`, `rising`) is the same word.
    """
    left = Counter(_families(sentence))
    words = [word for word in tokens(claim) if _says(word)]
    found = []
    for word in words:
        left[family(word.stem)] -= 1
        if left[family(word.stem)] < 0:
            found.append(word.text)
    return found[0] if found and len(found) <= (1 - NEARLY) * len(words) else ""


def reordered(claim: str, sentence: str) -> str:
    """The first word that a claim has in another place than the sentence that it has all its words from; '' where it
    keeps their order, or is no copy. `From 90 to 30` is not `from 30 to 90`, nor what A owes B what B owes A.
    """
    there = _families(sentence)
    words = [(family(word.stem), word.text) for word in tokens(claim) if _says(word)]
    if not {stem for stem, _ in words}.issubset(there):
        return ""
    left = iter(there)
    return next((text for stem, text in words if stem not in left), "")


def scattered(claim: str, reading: Reading) -> bool:
    """Whether a claim is put together: `NEARLY` of its content words stand in no one sentence."""
    parsed = claiming.parse(claim)
    found = evidence.find(parsed, reading)
    return found.masks((found.best,))[1].bit_count() < NEARLY * len(parsed.units)


def parted(claim: str, stretch: tuple[int, int], reading: Reading) -> bool:
    """Whether a claim takes its reason, which stands at `stretch`, from another sentence than the rest of it: no one
    sentence has `NEARLY` of the reason's content words and half of the rest's, those that both have as often.
    """
    start, end = stretch
    parts = [(claim[start:end], NEARLY), (f"{claim[:start]} {claim[end:]}", _HALF)]
    held = [_holding(part, share, reading) for part, share in parts]
    return not any(_has_twice(claim, stretch, reading.lines[at].text) for at in held[0] & held[1])


def _has_twice(claim: str, stretch: tuple[int, int], sentence: str) -> bool:
    """Whether half of the words that a claim has both in its reason and beside it come twice in a sentence too."""
    start, end = stretch
    within, beside = (Counter(_families(part)) for part in (claim[start:end], f"{claim[:start]} {claim[end:]}"))
    there = Counter(_families(sentence))
    both = [word for word in within if word in beside]
    return sum(there[word] >= 2 for word in both) >= _HALF * len(both)


def _families(text: str) -> list[str]:
    return [family(word.stem) for word in tokens(text) if _says(word)]


def _holding(part: str, share: float, reading: Reading) -> set[int]:
    """The sentences that have a share of a text's content words; all of them where it has none."""
    parsed = claiming.parse(part)
    found = evidence.find(parsed, reading)
    least = share * len(parsed.units)
    return {at for at in range(len(reading.lines)) if found.masks((at,))[1].bit_count() >= least}


def _says(word: Token) -> bool:
    return word.is_content or word.folded in QUANTIFIERS or word.folded in _ORDER or denies(word.folded)
