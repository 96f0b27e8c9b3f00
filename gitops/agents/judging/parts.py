"""The votes of a source's parts on one claim, as one vote: what any part says, the source says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gitops.verify.judge import ClaimVote, Vote

# That nothing supports a claim is sure only where every part was judged: an abstention outweighs it.
_ORDER: tuple[ClaimVote, ...] = ("supports", "partially_supports", "abstained", "does_not_support", "source_missing")


def folded(votes: Sequence[Vote]) -> Vote:
    """The best vote; `source_missing` only where all are. At least one is needed.

    Lacking are the words that every part of that vote lacks. That no part supports is as sure as the least sure part.
    """
    best = min((vote.vote for vote in votes), key=_ORDER.index)
    of_best = [vote for vote in votes if vote.vote == best]
    surest = max(of_best, key=lambda vote: vote.confidence)
    if best == "does_not_support":
        surest = min(of_best, key=lambda vote: vote.confidence)
    lacking = tuple(words for words in surest.unsupported if all(words in vote.unsupported for vote in of_best))
    return replace(surest, unsupported=lacking)
