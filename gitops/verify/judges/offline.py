"""The offline judge: words, numbers, names and turns of meaning, weighed by a few trained weights. No network, no key.

It reads no meaning. Where source and claim are not English, or it is too unsure, it abstains. `docs/judges.md` says
what it reaches.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from gitops.canonical import digest, sha256
from gitops.usage import NOTHING
from gitops.verify.judge import ClaimVote, PairQuestion, PairVote, Question, Vote
from gitops.verify.judging import features, judged_pairs, tongue, weighing, wordings
from gitops.verify.judging.claiming import parse
from gitops.verify.judging.features import Compared
from gitops.verify.judging.reading import Reading
from gitops.wiki.terms import Corpus

_READINGS = 16
"""Sources kept read at a time; questions about one source come together."""


class Offline:
    """Votes by weighing; see the module."""

    id = "offline"
    is_free = True
    used = NOTHING

    def __init__(self, corpus: Corpus | None = None) -> None:
        self._corpus = corpus
        self._trained = weighing.trained()
        self._readings: dict[str, Reading] = {}

    @property
    def version(self) -> str:
        """The version of its weights."""
        return self._trained.version

    @cached_property
    def digest(self) -> str:
        """The sha256 over its code and weights, file by file."""
        here = Path(__file__).parent
        files = sorted([*(here.parent / "judging").glob("*.py"), Path(__file__), weighing.FILE])
        return digest({file.name: sha256(file.read_bytes()) for file in files})

    def gate(self, vote: ClaimVote) -> float | None:
        """The confidence from which on a vote may gate."""
        return self._trained.support.gate.get(vote)

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """A vote for each question."""
        return [self._vote(question) for question in questions]

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """A vote for each pair."""
        return [judged_pairs.vote(self._trained.contradiction, pair) for pair in questions]

    def _vote(self, asked: Question) -> Vote:
        texts = _texts(asked)
        if not texts:
            return Vote("source_missing", 1.0, "There is no text of the source to look into.", support=0.0)
        claim = parse(asked.claim, self._corpus)
        if not (claim.units or claim.numbers):
            return _abstained("The claim has no word that could be looked up.")
        for what, text in (("claim", asked.claim), ("source", texts[-1])):
            if why := tongue.unreadable(text):
                return _abstained(f"The {what} is {why}, and only English was tuned.")
        return self._weighed([features.compare(claim, self._read(text)) for text in texts])

    def _weighed(self, every: Sequence[Compared]) -> Vote:
        """The vote by the text that supports the claim best: what a span says, its source says."""
        support, of_any = self._trained.support, self._trained.any
        found = [(features.features(it), features.length(it.source), it) for it in every]
        sums = [support.sum(values, length) for values, length, _ in found]
        at = max(range(len(sums)), key=lambda number: (sums[number], -number))
        values, length, it = found[at]
        probability = support.probability(sums[at])
        vote: ClaimVote = "supports"
        if sums[at] < 0:
            vote = "partially_supports" if of_any.sum(values, length) >= 0 else "does_not_support"
        confidence = probability if vote == "supports" else 1.0 - probability
        lacking, why = wordings.unsupported(it), wordings.reason(it)
        if confidence < support.abstain_below:
            return Vote("abstained", round(confidence, 4), f"Too unsure. {why}", lacking, round(probability, 4))
        gate = self.gate(vote)
        may_gate = gate is not None and confidence >= gate
        return Vote(vote, round(confidence, 4), why, lacking, round(probability, 4), may_gate)

    def _read(self, text: str) -> Reading:
        kept = self._readings.pop(text, None) or Reading(text)
        self._readings[text] = kept
        if len(self._readings) > _READINGS:
            self._readings.pop(next(iter(self._readings)))
        return kept


def judge(corpus: Corpus | None = None) -> Offline:
    """The judge as the registry gives it."""
    return Offline(corpus)


def _texts(asked: Question) -> list[str]:
    """What is looked into: the span with what stands around it, and the whole source, each under the title."""
    title = f"{asked.title.strip()}\n\n" if asked.title.strip() else ""
    near = "\n".join(part for part in (asked.context, asked.span) if part.strip()) if asked.span.strip() else ""
    return [title + text for text in dict.fromkeys((near, asked.source)) if text.strip()]


def _abstained(why: str) -> Vote:
    return Vote("abstained", 0.0, why)
