"""Small words that turn an English sentence: a denial put in or taken out, another quantifier, a hedge dropped."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from gitops.evals.planting.ground import Ground, is_english
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import Splice, cased, in_any_order

Turn = tuple[re.Pattern[str], str]
"""What is looked for, and what stands there instead (as in `re.sub`)."""


def _turns(rows: Sequence[tuple[str, str]]) -> tuple[Turn, ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), new) for pattern, new in rows)


_ASIDE = r"(?!\s+(?:only|just|not|also|even|never|n['’]t|because|if|so|no)\b)"
_PUT_IN = _turns(
    [
        (rf"\b(is|are|was|were){_ASIDE}(?=\s+[a-z])", r"\1 not"),
        (rf"\bcan{_ASIDE}(?=\s+[a-z])", r"cannot"),
        (rf"\b(will|must){_ASIDE}(?=\s+[a-z])", r"\1 not"),
        (rf"\b(has|have|had){_ASIDE}(?=\s+(?:been|[a-z]+(?:ed|en|wn))\b)", r"\1 not"),
    ]
)
_TAKEN_OUT = _turns(
    [
        (r"\b(is|are|was|were|will|must|does|do|did|has|have|had)\s+not\b(?!\s+(?:only|just|even))", r"\1"),
        (r"\b(is|are|was|were|does|do|did|has|have|had)n['’]t\b", r"\1"),
        (r"\bcan(?:not|['’]t)\b", "can"),
        (r"\bwon['’]t\b", "will"),
        (r"\bno longer\b", "still"),
        (r"\bnever\b", "always"),
    ]
)
_DENIES = re.compile(r"\b(?:no|not|never|none|neither|nor|cannot|without|hardly|barely)\b|n['’]t\b", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"\b(?:if|when|whether|unless|because|since|while|although|though|that|which|who|whose|where|until|as|than)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:—–(]\s*")

_REACH = 6
"""So many words before a quantifier a denial turns it round."""
_NO_COUNT = r"(?!\s+(?:two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|million)\b)"
_NO_OWNER = r"(?!\s+(?:the|these|those|its|their|his|her|our|of|often|[a-z]+ly)\b)"
_NOUNS = rf"{_NO_COUNT}{_NO_OWNER}(?=\s+(?:[a-z-]+\s+)?[a-z-]{{3,}}s\b)"
"""A plural noun follows, perhaps behind an adjective."""
_NOT_TIMES = r"(?!\s+(?:seconds|minutes|hours|days|weeks|months|years|decades|centuries|times|degrees))"
_QUANTIFIERS = _turns(
    [
        (r"\ball (?:of )?(the|these|those|its|their)\b", r"none of \1"),
        (rf"\ball{_NOUNS}", "no"),
        (r"\bevery(?=\s+(?!day|time|year|week|month|hour|night|morning|other|one)[a-z]+)", "no"),
        (r"\beach of\b", "none of"),
        (r"\bnone of\b", "all of"),
        (r"\balways\b", "never"),
        (r"\bnever\b", "always"),
        (
            r"(?<!most )(?<!more )(?<!less )\b(?:often|usually|frequently|typically|generally|commonly|mostly)\b",
            "rarely",
        ),
        (r"\b(?:rarely|seldom)\b", "usually"),
        (r"\bsometimes\b", "always"),
        (r"\bmost of\b", "hardly any of"),
        (rf"(?<!the )(?<!at )\bmost{_NOUNS}", "few"),
        (rf"(?<!how )(?<!as )(?<!so )(?<!too )\bmany{_NOUNS}", "few"),
        (r"\bsome of\b", "all of"),
        (rf"\b(?:some|several|a few){_NOT_TIMES}{_NOUNS}", "all"),
        (r"\bhalf (?:of )?(the|its|their)\b", r"all of \1"),
        (r"\bmajority\b", "minority"),
        (r"\bminority\b", "majority"),
        (r"\bat least(?=\s+(?:\d|one|two|three))", "at most"),
        (r"\bat most(?=\s+(?:\d|one|two|three))", "at least"),
        (r"\bmore than(?=\s+\$?\d)", "less than"),
        (r"\b(?:less|fewer) than(?=\s+\$?\d)", "more than"),
        (r"\btwice(?=\s+(?:the|as)\b)", "half"),
    ]
)
_BASE = r"(?=\s+[a-z]{2,})(?!\s+not\b)"
_HEDGES = _turns(
    [
        (rf"\b(?:may|might|could(?=\s+(?:be|have)\b)){_BASE}", "will"),
        (r"\bsuggests?\b(?=\s+(?:that|a|an|the)\b)", "PROVE"),
        (r"\bsuggested\b(?=\s+that\b)", "proved"),
        (r"\b(?:appears|seems) to be\b", "is"),
        (r"\b(?:appear|seem) to be\b", "are"),
        (r"\b(?:appears|seems) to\b(?! be\b)", "is certain to"),
        (r"\blikely to\b", "certain to"),
        (r"\b(?:thought|believed) to\b", "proven to"),
        (r"\b(?:said|reported) to\b", "known to"),
        (r"\btends to\b", "is bound to"),
        (r"\btend to\b", "are bound to"),
        (
            r"(?<=[a-z] )(?:probably|possibly|perhaps|reportedly|allegedly|apparently|presumably|supposedly) (?=[a-z])",
            "",
        ),
    ]
)
_ONE_NUMBER = r"(?=\s+[$€£]?\d)(?!\s+[$€£]?\d[\d.,]*\s?(?:[–-]\s?\d|to\s+\d))"
_BEHIND = "".join(rf"(?<!\b{word} )" for word in ("a", "an", "under", "over", "below", "above", "past", "than"))
_ABOUT = _turns([(rf"{_BEHIND}\b(?:about|roughly|approximately|nearly|almost){_ONE_NUMBER}", "exactly")])
_IS_HEDGED = re.compile(
    r"\b(?:may|might|could|can|suggest|appear|seem|likely|probabl|possibl|perhaps|reported|alleged|apparent|presum|"
    r"suppos|believed|thought|said to|tend|legend|often|usually|some)",
    re.IGNORECASE,
)
_IS_VAGUE = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|or so|some|up to|between|over|under)\b|[~≈]|\d\s?[–-]\s?\d",
    re.IGNORECASE,
)


def negation(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Splice]:
    """The main verb denied; where the claim denies something, that taken back."""
    text = sound.claim.text
    if not is_english(text) or text.rstrip().endswith("?"):
        return
    if _DENIES.search(text):
        yield from _turned(text, _TAKEN_OUT, chance)
        return
    for start, end, new in _turned(text, _PUT_IN, chance):
        if not _SUBORDINATE.search(_CLAUSE.split(text[:start])[-1]):
            yield start, end, new


def quantifier(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Splice]:
    """All made none, some made all, many made few: what can not be true beside what was said."""
    text, near = sound.claim.text, ground.near(sound).casefold()
    if is_english(text):
        for start, end, new in _turned(text, _QUANTIFIERS, chance):
            follows = " ".join(text[end:].split()[:1])
            is_denied = _DENIES.search(" ".join(text[:start].split()[-_REACH:])) is not None
            if not is_denied and f"{new} {follows}".casefold() not in near:
                yield start, end, new


def hedge(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Splice]:
    """A hedge dropped that the source has too: what may be, is; about so many are exactly so many."""
    text, near = sound.claim.text, ground.near(sound)
    if not is_english(text):
        return
    turns = (*(_HEDGES if _IS_HEDGED.search(near) else ()), *(_ABOUT if _IS_VAGUE.search(near) else ()))
    for start, end, new in _turned(text, turns, chance):
        proof = "proves" if text[start:end].lower() == "suggests" else "prove"
        yield start, end, new.replace("PROVE", proof)


def _turned(text: str, turns: Sequence[Turn], chance: random.Random) -> Iterator[Splice]:
    found = [(one, new) for pattern, new in turns for one in pattern.finditer(text)]
    for one, new in in_any_order(found, chance):
        yield one.start(), one.end(), cased(one.expand(new), one[0])
