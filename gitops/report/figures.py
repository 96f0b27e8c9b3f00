"""The numbers of one comparison, each with as many digits as it takes to see the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from gitops.stats.comparison import Compared

NONE = "-"
_SHARES = ("share", "product")
_COUNTED = ("ms", "tokens")
"""Means of what is counted in large numbers."""
_MOST = 3


@dataclass(frozen=True, slots=True)
class Figures:
    """Writes the numbers of a metric: with so many digits after the point, or, where None, as short as they are."""

    digits: int | None

    def plain(self, value: float | None) -> str:
        """A score; `-` of None."""
        return NONE if value is None else self._told(value, "")

    def signed(self, value: float | None) -> str:
        """A difference, with its sign."""
        return NONE if value is None else self._told(value, "+")

    def _told(self, value: float, sign: str) -> str:
        if self.digits is not None:
            return f"{round(value, self.digits) + 0.0:{sign},.{self.digits}f}"  # + 0.0: no negative nought
        return f"{value:{sign},.0f}" if float(value).is_integer() else f"{value:{sign}.4g}"


def figures(units: Sequence[tuple[Compared, str]]) -> dict[str, Figures]:
    """How the numbers of each metric of a table are written, by its unit.

    Shares all with three digits, or with four where three would hide a difference; milliseconds and tokens with as many
    as show two digits of the difference.
    """
    of_shares = Figures(
        4 if any(is_hidden(one.difference, one.interval) for one, unit in units if unit in _SHARES) else 3
    )
    return {
        one.metric: of_shares if unit in _SHARES else Figures(_counted(one) if unit in _COUNTED else None)
        for one, unit in units
    }


def p_value(value: float | None) -> str:
    """A p value with three digits; `-` of None."""
    return NONE if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def is_hidden(difference: float | None, interval: tuple[float, float] | None) -> bool:
    """Whether three digits would make a difference none, or hide on which side of nought its interval lies."""
    ends = interval if interval and interval[0] * interval[1] > 0 else ()
    return any(5e-5 <= abs(each) < 5e-4 for each in (difference, *ends) if each is not None)


def _counted(one: Compared) -> int:
    sizes = [abs(each) for each in (one.difference, one.reference.value, one.other.value) if each]
    size = next((each for each in sizes if isfinite(each)), 1.0)
    return min(_MOST, max(0, 1 - floor(log10(size))))
