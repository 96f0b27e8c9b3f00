"""What the judges say of pairs of statements, and where two of them disagree: both places side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.evals.cited_spans import cited
from gitops.evals.statements import Statement
from gitops.evals.topic_pairs import Pair, Sampled
from gitops.evals.topics import Topic
from gitops.runs.measurements import Sample, SampleStatus
from gitops.verify.judge import PairQuestion, PairVote
from gitops.verify.panel import Panel, Voted
from gitops.verify.resolution import resolve
from gitops.verify.view import View

AGREE = ("supports", "independent")
AGAINST = ("direct_contradiction", "partial_contradiction")
VOTES = (*AGREE, *AGAINST)


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair and what was said of it. Only a vote that is sure enough to decide is one (`PROTOCOL.md` 9)."""

    pair: Pair
    voted: Voted[PairVote]

    @property
    def vote(self) -> str:
        """The vote that counts; `abstained` where none does."""
        return self.voted.vote.vote if self.voted.vote.may_gate else "abstained"

    @property
    def is_judged(self) -> bool:
        """Whether there is a vote that counts."""
        return self.vote in VOTES

    @property
    def agrees(self) -> bool:
        """Whether the two can both be true."""
        return self.vote in AGREE


def judged(panel: Panel, sampled: Iterable[Sampled]) -> Iterator[Judged]:
    """A vote for each pair, topic by topic, so that what was answered is kept where a later topic's answer fails."""
    for one in sampled:
        asked = [PairQuestion(pair.a.text, pair.b.text, pair.topic.title) for pair in one.pairs]
        for pair, voted in zip(one.pairs, panel.pair_votes(asked), strict=True):
            yield Judged(pair, voted)


def by_topic(every: Sequence[Judged]) -> dict[Topic, tuple[int, int]]:
    """Of each topic with judged pairs: how many agree, of how many."""
    found: dict[Topic, tuple[int, int]] = {}
    for one in every:
        if one.is_judged:
            hits, of = found.get(one.pair.topic, (0, 0))
            found[one.pair.topic] = hits + one.agrees, of + 1
    return found


def sample(one: Judged) -> Sample:
    """One pair as it is recorded. Where the two agree, its id says enough: there are thousands."""
    status: SampleStatus = "abstained" if not one.is_judged else "pass" if one.agrees else "fail"
    score = {"M5": float(one.agrees)} if one.is_judged else None
    said: dict[str, Any] = {"vote": one.vote} if one.agrees and one.vote != "independent" else {}
    if status == "fail":
        pair, vote = one.pair, one.voted.vote
        places = {name: f"{each.path}:{each.place.line}" for name, each in (("a", pair.a), ("b", pair.b))}
        said = {"vote": vote.vote, **places}
    return Sample(id=one.pair.id, status=status, scores=score, tags=(one.pair.topic.path,), details=said)


def contradictions(every: Iterable[Judged]) -> list[Judged]:
    """The pairs that were found to contradict, flat contradictions first, then the surest; always in the same order."""
    found = (one for one in every if one.is_judged and not one.agrees)
    return sorted(found, key=lambda one: (AGAINST.index(one.vote), -one.voted.vote.confidence, one.pair.id))


def record(view: View, one: Judged) -> dict[str, Any]:
    """A contradiction as plain JSON: both places, who says so, how sure that is, and why."""
    vote = one.voted.vote
    return {
        "id": one.pair.id,
        "topic": one.pair.topic.title,
        "vote": vote.vote,
        "confidence": vote.confidence,
        "reason": vote.reason,
        "judge": one.voted.judge,
        "a": place(view, one.pair.a),
        "b": place(view, one.pair.b),
    }


def place(view: View, statement: Statement) -> dict[str, Any]:
    """Where a statement stands and what backs it; `sources` are the files that its citations mean, if they are here."""
    found = [resolve(view, statement.path, cite) for cite in statement.cites]
    return {
        "page": statement.path,
        "line": statement.place.line,
        "claim": statement.text,
        "citation": "; ".join(dict.fromkeys(map(cited, statement.cites))),
        "sources": list(dict.fromkeys(path for each in found if each.status == "ok" for path in each.paths)),
    }
