"""Holds outputs to statements with a judge that reads no meaning: it decides only what it is sure enough of to gate.

Criteria in free words ("is polite, names a source") are no claim that a text could support, so it abstains from them.
A statement that the output has to make is one: the output is the source that it is looked for in. What refutes it is
hard evidence (another number, a denial). That words are alike is none: a vote for it counts only where the output says
it in just these words, and says nothing besides the statements that are asked for: any other sentence could take it
back ("that is wrong", "the following is false"). `docs/benchmark-judging.md` says how often it decides, and how often
wrongly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from gitops.canonical import digest, sha256
from gitops.usage import Usage
from gitops.verify.criteria import Criteria, Scored
from gitops.verify.judge import Judge, Question, Vote

_ENDS = re.compile(r"(?<=[.!?;])\s+")
_BULLET = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+")
_EMPHASIS = re.compile(r"[*_`]+")
_RULES = sha256(Path(__file__).read_bytes())


class Statements:
    """Scores by statements alone: the share of them that the output makes."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        """The judge's id and version."""
        return f"{self._judge.id}/{self._judge.version}"

    @property
    def used(self) -> Usage:
        """The judge's."""
        return self._judge.used

    def snapshot(self) -> list[dict[str, str]]:
        """The judge's id and version, and the digest of it and of the rules here."""
        whole = digest([self._judge.digest, _RULES])
        return [{"id": self._judge.id, "version": self._judge.version, "digest": whole}]

    def scores(self, asked: Sequence[Criteria]) -> list[Scored]:
        """A score where every statement is decided; an abstention otherwise."""
        questions = [Question(claim, source=one.output) for one in asked if not one.text for claim in one.statements]
        votes = iter(self._judge.votes(questions))
        return [self._scored(one, [] if one.text else [next(votes) for _ in one.statements]) for one in asked]

    def _scored(self, asked: Criteria, votes: Sequence[Vote]) -> Scored:
        if asked.text:
            return self._said(None, "criteria in free words take a model to judge")
        if not asked.output.strip():
            return self._said(0.0, "the output is empty")
        said = _sentences(asked.output)
        is_all = said <= frozenset[str]().union(*map(_sentences, asked.statements))
        for claim, vote in zip(asked.statements, votes, strict=True):
            if not vote.may_gate or (vote.vote == "supports" and not (is_all and _sentences(claim) <= said)):
                return self._said(None, f"not sure enough of '{claim}'")
        against = [vote for vote in votes if vote.vote != "supports"]
        reason = against[0].reason if against else "every statement is made"
        return self._said(round(1.0 - len(against) / len(votes), 6), reason)

    def _said(self, score: float | None, reason: str) -> Scored:
        return Scored(score, reason, self._judge.id)


def _sentences(text: str) -> frozenset[str]:
    """What a text says, sentence by sentence, as it is compared: case, emphasis, and what ends or lists it aside."""
    lines = (_BULLET.sub("", line.strip(), count=1) for line in text.splitlines())
    parts = (_EMPHASIS.sub("", part) for line in lines for part in _ENDS.split(line))
    return frozenset(" ".join(part.casefold().split()).rstrip(".!;: ") for part in parts if part.strip())
