"""What there is to see of a question: the claim taken apart and held against the cited stretch and the whole source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gitops.verify.judge import Question, Vote
from gitops.verify.judging import features, leading, refuting
from gitops.verify.judging.claiming import parse
from gitops.verify.judging.features import Compared
from gitops.verify.judging.reading import Line, Reading
from gitops.verify.judging.refuting import Refutation
from gitops.verify.judging.words import tokens
from gitops.wiki.terms import Corpus
from gitops.wiki.tongue import not_english

_QUOTED = 3
"""Sentences of a quotation, at most."""


@dataclass(frozen=True)
class Sighted:
    """The claim held against each text that is to support it: the cited stretch, if there is one, then the source."""

    every: tuple[Compared, ...]
    span: str = ""

    def refutations(self) -> list[Refutation]:
        """Hard evidence against the claim, the closest first."""
        return refuting.refutations(self.every[0], self.every[-1], self._cited())

    def _cited(self) -> list[Line]:
        """The sentences that the cited stretch is of, where it is short enough to be a quotation."""
        near = self.every[0].source
        first = near.text.find(self.span) if self.span else -1
        lines = [line for line in near.lines if first >= 0 and line.start < first + len(self.span) and line.end > first]
        return lines if len(lines) <= _QUOTED else []


def sight(asked: Question, corpus: Corpus | None = None, read: Callable[[str], Reading] = Reading) -> Sighted | Vote:
    """Hold a claim against its source; a vote where that cannot be done."""
    texts = _texts(asked)
    if not texts:
        return Vote("source_missing", 1.0, "There is no text of the source to look into.", support=0.0)
    claim = parse(asked.claim, corpus)
    if not (claim.units or claim.numbers):
        return _abstained("The claim has no word that could be looked up.")
    if why := not_english(asked.claim):
        return _abstained(f"The claim is {why}, and only English was tuned.")
    readings = [read(text) for text in texts]
    if why := next((reading.unreadable for reading in readings if reading.unreadable), ""):
        return _abstained(f"The source is {why}, and only English was tuned.")
    subject = leading.subject(asked.claim, asked.before)
    if subject and not _speaks_of(readings[-1], subject):
        claim = parse(asked.claim, corpus, subject=subject)
    return Sighted(tuple(features.compare(claim, reading) for reading in readings), asked.span.strip())


def _speaks_of(source: Reading, subject: str) -> bool:
    """Whether a source has all that a pronoun stands for, so that it may say `it` as well."""
    return all(word.stem in source.stems or source.kin(word.stem) for word in tokens(subject) if word.is_content)


def _texts(asked: Question) -> list[str]:
    """What is looked into: the span with what stands around it, and the whole source, each under the title."""
    title = f"{asked.title.strip()}\n\n" if asked.title.strip() else ""
    near = ""
    if asked.span.strip():
        near = asked.context if asked.span in asked.context else f"{asked.context}\n{asked.span}".strip()
    return [title + text for text in dict.fromkeys((near, asked.source)) if text.strip()]


def _abstained(why: str) -> Vote:
    return Vote("abstained", 0.0, why)
