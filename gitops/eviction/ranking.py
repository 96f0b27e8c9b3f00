"""The ranked queue of one scope: items by how relevant they are, scored in the background while nobody waits.

A model's score holds for a few turns, and not beyond the item's next reference. Where there is none, or none that
holds, the heuristic's counts; a scorer that fails once is not asked again in this scope.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gitops.errors import AssayError
from gitops.eviction.model import ContextItem
from gitops.eviction.scoring import HEURISTIC, Heuristic, Scorer

HOLDS = 5
"""A model's score counts for so many turns."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """An item, its score, and who gave it."""

    item: ContextItem
    score: float
    scorer: str


@dataclass(frozen=True, slots=True)
class _Scored:
    score: float
    turn: int


class Ranking:
    """The queue. `scorer` None is the heuristic alone, which needs no background. `warn` is told of a failure.

    Where it `waits`, a scorer is waited for all the same: then what is known does not hang on how long it took.
    """

    def __init__(
        self, heuristic: Heuristic, scorer: Scorer | None, warn: Callable[[str], None], *, waits: bool = False
    ) -> None:
        self._heuristic, self._scorer, self._warn, self._waits = heuristic, scorer, warn, waits
        self._known: dict[str, _Scored] = {}
        self._failure = ""
        self._is_told = False
        self._lock = threading.Lock()
        self._under_way: threading.Thread | None = None

    @property
    def needs_background(self) -> bool:
        """Whether a model scores, whom it takes time to ask."""
        return self._scorer is not None and not self._failure

    def look(self, items: Sequence[ContextItem], turn: int, about: str) -> None:
        """Begin to score what has no score that holds, unless that is under way."""
        scorer = self._scorer
        if scorer is None or self._failure or (self._under_way is not None and self._under_way.is_alive()):
            return
        wanted = [item for item in items if self._score(item, turn) is None]
        if wanted:
            self._under_way = threading.Thread(target=self._ask, args=(scorer, wanted, turn, about), daemon=True)
            self._under_way.start()
            if self._waits:
                self.waited()

    def waited(self) -> None:
        """Wait for what is under way."""
        if self._under_way is not None:
            self._under_way.join()

    def ranked(self, items: Sequence[ContextItem], turn: int) -> list[Ranked]:
        """The items by what is known now, the least relevant first; of equal ones the larger, then the older."""
        self._tell()
        free = self._heuristic.scores(items, turn)
        found = []
        for item in items:
            score = self._score(item, turn)
            known = Ranked(item, free[item.ctx_id], HEURISTIC)
            found.append(known if score is None or self._scorer is None else Ranked(item, score, self._scorer.name))
        return sorted(found, key=lambda one: (one.score, -one.item.token_count, one.item.turn, one.item.ctx_id))

    def _score(self, item: ContextItem, turn: int) -> float | None:
        with self._lock:
            known = self._known.get(item.ctx_id)
        if known is None or turn - known.turn > HOLDS or item.last_reference > known.turn:
            return None
        return known.score

    def _ask(self, scorer: Scorer, items: Sequence[ContextItem], turn: int, about: str) -> None:
        try:
            found = scorer.scores(items, turn, about)
        except AssayError as error:
            self._failure = error.message
            return
        with self._lock:
            self._known |= {name: _Scored(score, turn) for name, score in found.items()}

    def _tell(self) -> None:
        """Told by whoever asks for the ranking, and not by the thread: a remark has its place among others."""
        if self._failure and not self._is_told:
            self._is_told = True
            self._warn(f"what to leave out of a conversation is ranked without a model: {self._failure}")
