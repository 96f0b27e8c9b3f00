"""Errors planted in supported claims, one a claim, and sentences left as they are: what readers' labels lack.

What is planted: another number, a negation, an opposite, a stronger quantifier, another name of the same source, a
hedge dropped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator

from benchmarks.judge.labelled import Claim, Pair
from gitops.verify.judging.lexicon import OPPOSITES, groups
from gitops.verify.judging.naming import names
from gitops.verify.judging.reading import Reading
from gitops.verify.judging.words import tokens

SET = "planted"
_NUMBER = re.compile(r"\d+")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|will|would|could)\b")
_PART = re.compile(r"\b(?:some|many|several|most|often|sometimes|usually)\b", re.IGNORECASE)
_MAY = re.compile(r"\b(?:may|might|could)\b(?! \d)")
_PERHAPS = re.compile(r"\b(?:probably|possibly|reportedly|allegedly|likely) ")
_WHOLE = {"often": "always", "sometimes": "always", "usually": "always"}
_SAID = range(8, 31)
"""The words of a sentence that is taken over as a claim."""


def planted(claims: Iterable[Claim]) -> Iterator[Claim]:
    """For each supported claim the wrong ones it gives; for its source one sentence, as it is and made wrong."""
    done: set[int] = set()
    for claim in claims:
        texts = [claim.claim] if claim.label == "supports" else []
        if claim.group not in done and (said := _sentence(claim)):
            done.add(claim.group)
            texts.append(said)
            yield Claim(SET, f"{claim.id}:said", said, claim.source, "supports", claim.group)
        for number, text in enumerate(texts):
            wrong = [made for plant in PLANTS if (made := plant(text, claim))]
            if wrong:
                made = wrong[_pick(f"{claim.id}:{number}", len(wrong))]
                yield Claim(SET, f"{claim.id}:{number}", made, claim.source, "does_not_support", claim.group)


def planted_pairs(claims: Iterable[Claim], first_group: int) -> Iterator[Pair]:
    """A supported claim against itself denied or turned round, and against another sentence of its source."""
    for number, claim in enumerate(claim for claim in claims if claim.label == "supports"):
        group = first_group + number
        wrong = [made for plant in (negation, opposite) if (made := plant(claim.claim, claim))]
        other = _sentence(claim)
        if wrong and other:
            made = wrong[_pick(claim.id, len(wrong))]
            yield Pair(f"{claim.id}:wrong", claim.claim, made, True, group, SET)
            yield Pair(f"{claim.id}:other", claim.claim, other, False, group, SET)


def _pick(key: str, of: int) -> int:
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % of


def _sentence(claim: Claim) -> str:
    lines = [line.text.strip() for line in Reading(claim.source).lines if len(line.words) in _SAID]
    lines = [line for line in lines if line.endswith(".") and "meta data" not in line]
    return lines[_pick(claim.id, len(lines))] if lines else ""


def another_number(text: str, claim: Claim) -> str:
    """The last number, raised so that it is another of the same length."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return ""
    last = found[-1]
    changed = str((int(last[0]) + 1 + _pick(text, 7)) % 10 ** len(last[0])).zfill(len(last[0]))
    return text[: last.start()] + changed + text[last.end() :]


def negation(text: str, claim: Claim) -> str:
    """`not` behind the first verb that takes it."""
    found = _VERB.search(text)
    return f"{text[: found.end()]} not{text[found.end() :]}" if found else ""


def opposite(text: str, claim: Claim) -> str:
    """The first word that has an opposite, turned into it."""
    pairs = [group for group in groups(OPPOSITES) if len(group) == 2]
    turned = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
    for word in tokens(text):
        if word.folded in turned:
            return text[: word.start] + turned[word.folded] + text[word.end :]
    return ""


def quantifier(text: str, claim: Claim) -> str:
    """Some made all, often made always."""
    found = _PART.search(text)
    return text[: found.start()] + _WHOLE.get(found[0].lower(), "all") + text[found.end() :] if found else ""


def another_name(text: str, claim: Claim) -> str:
    """The last name, exchanged for one of the source that the claim does not hold."""
    words = tokens(text)
    places = names(words, text)
    if not places:
        return ""
    last = words[places[-1]]
    held = {word.stem for word in words}
    others = [
        line.words[at].text
        for line in Reading(claim.source).lines
        for at in names(line.words, line.text)
        if line.words[at].stem not in held
    ]
    return text[: last.start] + others[_pick(text, len(others))] + text[last.end :] if others else ""


def dropped_hedge(text: str, claim: Claim) -> str:
    """What may be made what is; what is so perhaps made so."""
    found = _MAY.search(text) or _PERHAPS.search(text)
    if not found:
        return ""
    return text[: found.start()] + ("will" if _MAY.fullmatch(found[0]) else "") + text[found.end() :]


PLANTS: tuple[Callable[[str, Claim], str], ...] = (
    another_number,
    negation,
    opposite,
    quantifier,
    another_name,
    dropped_hedge,
)
"""Each gives a wrong claim, or nothing where there is none to be made."""
