"""Of runs on any commits, the newest that stands in the history of the branch of landings: what is in use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from gitops.git import history, objects
from gitops.runs.context import Context

_NEAR = 50
"""So many of the newest are looked up one by one; behind them, the whole history is read once."""


class _Stands(Protocol):
    @property
    def commit(self) -> str: ...


Stands = TypeVar("Stands", bound=_Stands)


def newest_landed(context: Context, newest: Sequence[Stands], tip: str) -> Stands | None:
    """The first of some, which come newest first, whose commit has landed at the branch's tip; '' is no branch.

    However many changes were measured since: it does not drop out of sight.
    """
    for each in newest[:_NEAR]:
        if _is_within(context, each.commit, tip):
            return each
    if not tip or len(newest) <= _NEAR:
        return None
    landed = frozenset(history.between(context.repository, None, tip))
    return next((each for each in newest[_NEAR:] if each.commit in landed), None)


def _is_within(context: Context, commit: str, tip: str) -> bool:
    here = bool(tip) and objects.exists(context.repository, commit)
    return here and history.is_ancestor(context.repository, commit, tip)
