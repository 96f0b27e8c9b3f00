"""What model calls used: tokens and dollars, in one frozen value that adds up."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and US dollars of any number of calls.

    `input` counts tokens that were read at the full price; those written to and read from a prompt cache stand apart.
    """

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    usd: float = 0.0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Both together."""
        sums = {name: value + getattr(other, name) for name, value in asdict(self).items()}
        return Usage(**sums)

    def __sub__(self, before: Usage) -> Usage:
        """What came to this since it was that."""
        return Usage(**{name: value - getattr(before, name) for name, value in asdict(self).items()})

    @property
    def read(self) -> int:
        """All tokens that the model read, cached or not: what an input budget bounds."""
        return self.input + self.cache_read + self.cache_write

    def record(self) -> dict[str, float]:
        """What records hold of it: the three quantities that a budget bounds, by its names."""
        return {"input_tokens": self.read, "output_tokens": self.output, "usd": round(self.usd, 6)}


NOTHING = Usage()
