"""What a judge has answered before: asked the same of the same content, it is not asked again.

The key is all that a vote depends on (`PROTOCOL.md` 8): the claim and what stands around it, the span, its context and
the whole source, and the digest of the judge, which holds its code, its prompt and its model. The cache that is given
keeps purposes apart, and leaves out what is to be asked anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar, cast

from gitops.canonical import digest, dumps, sha256
from gitops.verify.around import Around
from gitops.verify.judge import PairQuestion, PairVote, Question, Vote
from gitops.verify.library import Cache

KIND = "judgement"

_Asked = TypeVar("_Asked", Question, PairQuestion)
_Given = TypeVar("_Given", Vote, PairVote)


@dataclass(frozen=True, slots=True)
class Made:
    """A vote on a claim, with its key."""

    key: str
    question: Question
    vote: Vote


@dataclass
class Remembered(Around):
    """A judge whose votes are kept. Only what it has not answered yet is asked; where it fails, nothing is kept.

    `given` are all votes on claims that it gave here, asked for now or remembered; `recalled` counts the questions that
    were answered from memory. Where it is `silent` nothing is asked: it abstains from what it has not answered yet, and
    those questions are `unasked`.
    """

    cache: Cache
    silent: bool = False
    given: list[Made] = field(default_factory=list)
    unasked: list[Question | PairQuestion] = field(default_factory=list)
    recalled: int = 0

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """A vote for each question, in order."""
        votes = _answered(self, questions, self.judge.votes, Vote)
        self.given += [Made(key_of(one), one, vote) for one, vote in zip(questions, votes, strict=True)]
        return votes

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """A vote for each pair, in order."""
        return _answered(self, questions, self.judge.pair_votes, PairVote)

    def still_open(self, questions: Sequence[Question]) -> list[Question]:
        """Those of some questions that it was to be asked and, being silent, was not."""
        unasked = set(self.unasked)
        return [question for question in questions if question in unasked]


def key_of(question: Question | PairQuestion) -> str:
    """What a question is called: the digest of all of it, its source by sha256."""
    asked = asdict(question)
    if "source" in asked:
        asked["source"] = sha256(asked["source"].encode("utf-8", "surrogatepass"))
    return digest([type(question).__name__, asked])


def _answered(
    of: Remembered, questions: Sequence[_Asked], ask: Callable[[Sequence[_Asked]], list[_Given]], kind: type[_Given]
) -> list[_Given]:
    version = of.digest
    keys = [key_of(question) for question in questions]
    known = _known(of.cache, version, keys, kind)
    of.recalled += len(known)
    missing = {key: question for key, question in zip(keys, questions, strict=True) if key not in known}
    if of.silent:
        of.unasked += missing.values()
        known |= dict.fromkeys(missing, kind("abstained", 0.0, "It has not been asked yet."))
    elif missing:
        for key, vote in zip(missing, ask(list(missing.values())), strict=True):
            known[key] = vote
            of.cache.put(KIND, version, key, dumps(asdict(vote)).encode("utf-8", "surrogatepass"))
    return [known[key] for key in keys]


def _known(cache: Cache, version: str, keys: Sequence[str], kind: type[_Given]) -> dict[str, _Given]:
    found = {}
    for key in dict.fromkeys(keys):
        kept = cache.get(KIND, version, key)
        if kept is not None and (vote := _read(kept, kind)) is not None:
            found[key] = vote
    return found


def _read(kept: bytes, kind: type[_Given]) -> _Given | None:
    """The vote that was kept; None for what another version wrote, or what is damaged."""
    try:
        value = json.loads(kept.decode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    if not isinstance(value, dict) or set(value) != {each.name for each in fields(kind)}:
        return None
    return kind(**_plain(value))


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(cast("list[str]", each)) if isinstance(each, list) else each for name, each in value.items()}
