"""Words that turn what a sentence says: denials, doubts, somebody else's saying so, what was not followed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from gitops.verify.judging.lexicon import listed
from gitops.verify.judging.turns import HEDGES, denies
from gitops.verify.judging.words import Token, stem, tokens

_OTHERS = frozenset(
    listed(
        """
    said say says saying told tell tells argue argued argues allege alleged alleges insist insisted assert asserted
    asserts contend contended believe believed believes think thought thinks according critic critics opponent opponents
    objection objections rumour rumours rumor rumors supposedly allegedly reportedly wrote writes objected
    opposed opposes warn warns warned complain complains complained promise promises promised replied answered countered
    opinion opinions
    """
    )
)
"""Somebody else says so: they turn all of their sentence."""
_SAYINGS = frozenset(
    listed(
        """
    claim claims claimed feel felt fear feared fears suggest suggests suggested propose proposed proposes ask asked
    wonder wondered doubt doubts doubted deny denied denies dispute disputed
    """
    )
)
"""The same, but often said of something else: they turn what stands right beside them."""
_REJECTED = frozenset(
    listed(
        """
    reject rejected rejects dismiss dismissed dropped discarded overruled withdrew withdrawn false wrong untrue
    incorrect mistaken myth myths
    """
    )
)
_CONCEDES = frozenset(listed("although though despite unless"))
_BUT = frozenset(listed("but however yet rather instead nevertheless otherwise if unless provided although though"))
"""Words that take back what stands before them, or make it depend on something."""
_MONTH = "May"
_CLAUSE = re.compile(r"[,;:()—–]")


def turning(said: str, beside: str = "") -> str:
    """The first word of a sentence that may turn what it says and that a claim beside it lacks; '' for none."""
    known = {word.stem for word in tokens(beside)}
    return _first(said, lambda word: word.stem not in known and (_near(word) or word.folded in _BUT))


def turned(before: str, after: str) -> str:
    """The first word that may turn a stretch of a sentence, by what stands before and after it there; '' for none.

    In the stretch's own clause every such word counts; beyond it those of somebody else's saying so, and behind it
    those that take it back.
    """
    own = _CLAUSE.split(before)[-1]
    next_to, *rest = _CLAUSE.split(after)
    return (
        _first(own, _near)
        or _first(next_to, lambda word: _near(word) or word.folded in _BUT)
        or _first(before, lambda word: word.folded in _OTHERS)
        or _first(" ".join(rest), lambda word: word.folded in _OTHERS | _REJECTED | _BUT)
    )


def _first(text: str, turns: Callable[[Token], bool]) -> str:
    return next((word.text for word in tokens(text) if turns(word)), "")


def _near(word: Token) -> bool:
    is_listed = word.folded in _OTHERS | _SAYINGS | _REJECTED | _CONCEDES
    is_hedge = word.stem in _hedges() and word.text != _MONTH
    return is_listed or denies(word.folded) or is_hedge


@cache
def _hedges() -> frozenset[str]:
    return frozenset(map(stem, HEDGES))
