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
from gitops.verify import judging
from gitops.verify.judge import ClaimVote, PairQuestion, PairVote, Question, Vote
from gitops.verify.judging import features, judged_pairs, weighing, wordings
from gitops.verify.judging.features import Compared
from gitops.verify.judging.reading import Reading
from gitops.verify.judging.refuting import Refutation
from gitops.verify.judging.sighting import Sighted, sight
from gitops.wiki import tongue
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
        files = sorted([*Path(judging.__path__[0]).glob("*.py"), Path(__file__), Path(tongue.__file__), weighing.FILE])
        return digest({file.name: sha256(file.read_bytes()) for file in files})

    def gate(self, vote: ClaimVote) -> float | None:
        """The confidence from which on a vote may gate; None for votes against, which gate on hard evidence alone."""
        return self._trained.support.gate.get(vote)

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """A vote for each question."""
        return [self._vote(question) for question in questions]

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """A vote for each pair."""
        return [judged_pairs.vote(self._trained.contradiction, pair) for pair in questions]

    def _vote(self, asked: Question) -> Vote:
        seen = sight(asked, self._corpus, self._read)
        if isinstance(seen, Vote):
            return seen
        against = seen.refutations()
        return self._refused(seen, against) or self._weighed(seen.every, is_disputed=bool(against))

    def _refused(self, seen: Sighted, against: Sequence[Refutation]) -> Vote | None:
        """The vote on hard evidence against the claim, if there is any of a kind that may refuse it."""
        found = [
            (level, one)
            for one in against
            if (level := self._trained.evidence.get(one.kind)) and one.closeness >= level.closeness
        ]
        if not found:
            return None
        sure = max(level.precision for level, _ in found)
        why = wordings.refused([one for _, one in found])
        lacking = wordings.unsupported(seen.every[0], [one for _, one in found])
        return Vote("does_not_support", sure, why, lacking, round(1.0 - sure, 4), may_gate=True)

    def _weighed(self, every: Sequence[Compared], *, is_disputed: bool) -> Vote:
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
        lacking = wordings.unsupported(it)
        why = wordings.reason(it, lacking)
        if confidence < support.abstain_below:
            return Vote("abstained", round(confidence, 4), f"Too unsure. {why}", lacking, round(probability, 4))
        is_disputed = is_disputed or any(values[name] for name in features.AGAINST)
        gate = self.gate(vote)
        may_gate = gate is not None and confidence >= gate and not is_disputed
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
