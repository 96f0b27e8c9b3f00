"""Puts the claims that a change brings in before the judges, and keeps what they said of each."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitops.verify.judge import Vote
from gitops.verify.panel import Panel, Voted
from gitops.verify.questions import Asked, joined
from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki.dated import Said, normalised, said
from gitops.wiki.model import Claim, Page
from gitops.wiki.page import sentences

ClaimKey = tuple[str, int]
"""A claim's words, and the how-manieth of equal ones on its page it is."""

_RANK = {"supports": 4, "partially_supports": 3, "does_not_support": 2, "source_missing": 1, "abstained": 0}


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with the vote that was given."""

    asked: Asked
    voted: Voted[Vote]

    @property
    def vote(self) -> Vote:
        """The vote itself."""
        return self.voted.vote


@dataclass(frozen=True, slots=True)
class Heard:
    """All that was said of one claim: of each of its sources alone, and of all together where none alone supports it.

    The claim is supported as well as its best single or joint span supports it (`PROTOCOL.md` 7).
    """

    claim: Claim
    alone: tuple[Answer, ...]
    together: Answer | None = None

    @property
    def best(self) -> Answer:
        """The answer that counts for the claim: support where there is any, else what is sure, else the mildest."""
        every = [*self.alone, *([self.together] if self.together is not None else [])]
        support = [one for one in every if one.vote.vote == "supports"]
        sure = [one for one in every if one.vote.may_gate]
        best: Answer = max(support or sure or every, key=_weight)
        return best

    @property
    def is_judged(self) -> bool:
        """Whether there is a vote on it at all: an abstention is none."""
        return self.best.vote.vote != "abstained"


def _weight(answer: Answer) -> tuple[int, bool, float]:
    vote = answer.vote
    return _RANK[vote.vote], vote.may_gate, vote.confidence


Identity = tuple[Said, str, frozenset[tuple[str, str, int | None, str]]]
"""What makes a claim the same claim: what it says, after what, and which places of which sources it cites for that."""


def identities(pages: Iterable[Page]) -> frozenset[Identity]:
    """The claims that stood on some pages."""
    return frozenset(_identity(claim, page) for page in pages for claim in (*page.claims, *_uncited(page)))


def added(view: View, base: View, path: str, known: Collection[Identity]) -> list[Claim]:
    """The claims of a page that have to be judged: those that are not known, citing the same place of the same content.

    A dated survivor, or a claim with struck words, says nothing new where its words stood before. A page that cites as
    a whole has its new sentences judged against all that it cites.
    """
    page = view.page(path)
    stood = {said.words for said, _, _ in known}
    found = []
    for claim in (*page.claims, *_uncited(page)):
        identity = _identity(claim, page)
        is_kept = identity[0].is_struck or identity[0].day is not None
        if not claim.cites or (is_kept and identity[0].words in stood):
            continue
        if identity not in known or _has_moved(view, base, path, claim):
            found.append(claim)
    return found


def _uncited(page: Page) -> Iterator[Claim]:
    """The sentences of a page that cites as a whole which cite nothing themselves. Their ordinals are below 0."""
    if not page.cites:
        return
    seen: Counter[str] = Counter()
    ends = sorted((claim.place.end, claim.place.start) for claim in page.claims)
    for sentence in sentences(page, lambda _: True):
        # The first claim that ends behind its beginning is the only one that it could be.
        at = bisect_right(ends, (sentence.place.start, len(page.text)))
        is_claim = at < len(ends) and ends[at][1] < sentence.place.end
        if not sentence.free and not is_claim:
            seen[sentence.text] += 1
            yield Claim(sentence.text, sentence.place, sentence.block, page.cites, ordinal=-seen[sentence.text])


def _identity(claim: Claim, page: Page) -> Identity:
    cites = frozenset(
        (cite.path, normalised(cite.quote or ""), cite.first_page, cite.locator.said if cite.locator else "")
        for cite in claim.cites
    )
    lead = claim.context[:-1] if claim.after else claim.context
    return said(claim, page.text), normalised(" ".join(lead)), cites


def _has_moved(view: View, base: View, path: str, claim: Claim) -> bool:
    """Whether a source of the claim has other content than it had at the base."""
    for cite in claim.cites:
        for source in resolve(view, path, cite).paths:
            if view.snapshot.blob(source) != base.snapshot.blob(source):
                return True
    return False


def hear(panel: Panel, asked: Sequence[Asked]) -> dict[str, dict[ClaimKey, Heard]]:
    """What the judges say, by page and claim: first of each source alone, then, where none does, of all together."""
    if not panel.judges:
        return {}
    # Sources come together, so that who reads them reads each once.
    order = sorted(range(len(asked)), key=lambda at: (asked[at].question.title, asked[at].question.source, at))
    votes = panel.votes([asked[at].question for at in order])
    voted = dict(zip(order, votes, strict=True))
    answers: dict[tuple[str, str, int], list[Answer]] = {}
    for at, one in enumerate(asked):
        answers.setdefault(one.about, []).append(Answer(one, voted[at]))
    again = {about: joined([one.asked for one in mine]) for about, mine in answers.items() if _is_open(mine)}
    second = panel.votes([one.question for one in again.values()])
    joint = {about: Answer(one, vote) for (about, one), vote in zip(again.items(), second, strict=True)}
    heard: dict[str, dict[ClaimKey, Heard]] = {}
    for about, mine in answers.items():
        path, words, ordinal = about
        heard.setdefault(path, {})[words, ordinal] = Heard(mine[0].asked.claim, tuple(mine), joint.get(about))
    return heard


def _is_open(answers: Sequence[Answer]) -> bool:
    """Several sources, and none that surely supports the claim alone: perhaps they do together."""
    several = len({one.asked.question.source for one in answers}) > 1 or len({one.asked.cites for one in answers}) > 1
    return several and not any(one.vote.vote == "supports" and one.vote.may_gate for one in answers)
