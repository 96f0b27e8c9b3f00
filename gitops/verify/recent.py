"""A dictionary that forgets what was asked for longest ago once it holds too much."""

from __future__ import annotations

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(dict[Key, Value]):
    """At most `most` of weight, whatever unit the weights have; the last value kept stays, however heavy."""

    def __init__(self, most: float) -> None:
        super().__init__()
        self._most, self._held = most, 0
        self._weights: dict[Key, int] = {}

    def recall(self, key: Key) -> Value | None:
        """The value, which now counts as asked for last; None where there is none."""
        value = self.pop(key, None)
        if value is not None:
            self[key] = value
        return value

    def keep(self, key: Key, value: Value, weight: int = 1) -> None:
        """Hold a value, and let go of others if it gets too much."""
        self._held += weight - self._weights.pop(key, 0)
        self.pop(key, None)
        self[key], self._weights[key] = value, weight
        while self._held > self._most and len(self) > 1:
            oldest = next(iter(self))
            del self[oldest]
            self._held -= self._weights.pop(oldest)

    def clear(self) -> None:
        """Forget everything."""
        super().clear()
        self._weights.clear()
        self._held = 0
