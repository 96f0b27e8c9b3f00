"""How far a call has come, told now and then from the thread in which it works."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")
EVERY_S = 0.5


@dataclass(frozen=True, slots=True)
class Step:
    """How many items of all kinds are done, which rises with each step, and at which one the work is."""

    done: int
    told: str


class Progressing:
    """Tells of iterations, at most every half second; what is done sooner is not told of (`runs.context.Progress`)."""

    def __init__(self, tell: Callable[[Step], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._done, self._last = 0, clock()

    def __call__(self, what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
        """The same items, one by one."""
        for number, item in enumerate(items, 1):
            self._done += 1
            if (now := self._clock()) - self._last >= EVERY_S:
                self._last = now
                self._tell(Step(self._done, f"{what}: {number:,} of {total:,}"))
            yield item
