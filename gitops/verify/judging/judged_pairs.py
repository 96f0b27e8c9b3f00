"""The offline judge's vote between two claims."""

from __future__ import annotations

from functools import lru_cache

from gitops.verify.judge import PairQuestion, PairVote, PairVoteName
from gitops.verify.judging import contradicting, pairing, wordings
from gitops.verify.judging.claiming import Parsed, parse
from gitops.verify.judging.weighing import Weights
from gitops.wiki.tongue import not_english

_SAME = 0.75
"""The share of the shorter claim's content from which on one repeats the other."""
_UNLIKELY = 0.05
"""How probable a contradiction is where all words are the same; set by hand, for no such pair was labelled."""
FAR = 0.2
"""The share of the shorter claim's content, besides their topic, up to which two claims speak of different things."""
_APART = 0.97
"""How sure that is: at even odds of pairs that readers found to contradict (2 in 100 are so far apart) and of sentences
from one source (85 in 100 are), see docs/judges.md.
"""


def vote(weights: Weights, asked: PairQuestion) -> PairVote:
    """Compare two claims. Sure enough to decide is what needs no weighing: they differ in one thing alone that cannot
    be both, say the same words, or speak of different things. The rest is weighed: contradiction by the trained
    weights, its kind and the rest by what differs and is shared.
    """
    a, b = _parsed(asked.a), _parsed(asked.b)
    for what, claim in (("first", a), ("second", b)):
        if not claim.words:
            return PairVote("abstained", 0.0, f"The {what} claim has no words.")
        if why := not_english(claim.text):
            return PairVote("abstained", 0.0, f"The {what} claim is {why}, and only English was tuned.")
    first, second = sorted((a, b), key=lambda claim: claim.text)  # which comes first must not matter
    values = pairing.features(first, second)
    total = weights.sum(values)
    probability = weights.probability(total)
    is_hard = bool(values["numbers_differ"] or values["opposite"] or values["negated"])
    if (shared := pairing.shared_besides(first, second, asked.topic)) <= FAR:
        told = f"They share {'few words that say' if shared else 'no word that says'} anything."
        return PairVote("independent", _APART, told, round(1 - _APART, 4), may_gate=True)
    if (one := contradicting.exchange(first, second)) is not None:
        sure = contradicting.PRECISION
        return PairVote("direct_contradiction", sure, one.told, sure, may_gate=True)
    if values["alike"] == 1 and not is_hard:
        return PairVote("supports", 1 - _UNLIKELY, "Both say the same words.", _UNLIKELY, may_gate=True)
    name: PairVoteName
    if total >= 0:
        name = "direct_contradiction" if is_hard else "partial_contradiction"
    else:
        name = "supports" if values["smaller"] >= _SAME and not is_hard else "independent"
    is_against = name.endswith("contradiction")
    confidence = probability if is_against else 1.0 - probability
    why = wordings.pair_reason(a, b)
    if confidence < weights.abstain_below:
        return PairVote("abstained", round(confidence, 4), f"Too unsure. {why}", round(probability, 4))
    return PairVote(name, round(confidence, 4), why, round(probability, 4))


@lru_cache(maxsize=4_096)
def _parsed(text: str) -> Parsed:
    """A claim taken apart once, for it is held against many others."""
    return parse(text)
