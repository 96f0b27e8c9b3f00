"""What a claim speaks of that begins with a pronoun: the subject of the sentence before it."""

from __future__ import annotations

from collections.abc import Sequence

from gitops.verify.judging import naming
from gitops.verify.judging.lexicon import FUNCTION, listed
from gitops.verify.judging.words import Token, tokens

_PRONOUNS = frozenset(listed("it they he she"))
_POINTING = frozenset(listed("this that these those"))
"""Pronouns where a function word follows, else they point at the word behind them."""
_VERBS = frozenset(
    listed("is are was were has have had can could will would may might must does do did be been become became")
)
_SUBJECT = 8
"""The words within which a subject ends, or is none that can be told."""


def subject(claim: str, before: str) -> str:
    """What the first word of a claim stands for, by the sentence before; '' where it stands for itself, or who knows.

    A name that the sentence begins with, else what stands before its first verb of the kind that can be listed.
    """
    words = tokens(claim)
    if not before.strip() or not words or not _is_pronoun(words):
        return ""
    said = tokens(before)[: _SUBJECT + 1]
    verb = next((at for at, word in enumerate(said) if word.folded in _VERBS), 0)
    names = [at for at in naming.names(said, before) if at < (verb or _SUBJECT)]
    if names:
        run = naming.runs(said, names)[0]
        first, last = run[0], run[-1]
    elif verb and any(word.is_content for word in said[:verb]):
        first, last = 0, verb - 1
    else:
        return ""
    return before[said[first].start : said[last].end]


def _is_pronoun(words: Sequence[Token]) -> bool:
    first = words[0].folded
    follows = words[1].folded if len(words) > 1 else ""
    return first in _PRONOUNS or (first in _POINTING and follows in FUNCTION)
