"""The offline judge's vote between two claims."""

from __future__ import annotations

from gitops.verify.judge import PairQuestion, PairVote, PairVoteName
from gitops.verify.judging import pairing, wordings
from gitops.verify.judging.claiming import parse
from gitops.verify.judging.weighing import Weights
from gitops.wiki.tongue import not_english

_SAME = 0.75
"""The share of the shorter claim's content from which on one repeats the other."""
_UNLIKELY = 0.05
"""How probable a contradiction is where all words are the same, or none; set by hand, for no such pair was labelled."""


def vote(weights: Weights, asked: PairQuestion) -> PairVote:
    """Weigh two claims: contradiction by the trained weights, its kind and the rest by what differs and is shared."""
    a, b = parse(asked.a), parse(asked.b)
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
    if values["alike"] == 1 and not is_hard:
        return PairVote("supports", 1 - _UNLIKELY, "Both say the same words.", _UNLIKELY)
    if values["smaller"] == 0:
        return PairVote("independent", 1 - _UNLIKELY, "They share no word that says anything.", _UNLIKELY)
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
