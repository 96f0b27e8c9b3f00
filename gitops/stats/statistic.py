"""How a score comes from the rows of its samples, and all that it takes to say how sure a difference of two is.

A share or a mean is a mean of rows of one number, a product of shares that of rows of two. A score that is pooled over
cases (micro precision, recall, F1) is a ratio of sums: a row is what a case adds above the line and below it, and the
mean of the cases' own ratios would be another number. A count is a total.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, prod
from statistics import fmean
from typing import Any, Protocol

from gitops.stats.bootstrap import product_of_means

Row = tuple[float, ...]
_NOTHING = 1e-12
"""A sum below the line is none that is so small a part of all: sums of repeats' means are rounded."""


class Statistic(Protocol):
    """A score of rows."""

    def value(self, rows: Sequence[Row]) -> float:
        """The score. ValueError where there is none."""
        ...

    def is_defined(self, rows: Sequence[Row]) -> bool:
        """Whether there is a score of these rows."""
        ...

    def is_bounded(self, rows: Sequence[Row]) -> bool:
        """Whether no such rows could score below 0 or above 1, and so no two differ by more than 1."""
        ...

    def parts(self, side: Sequence[Row | None]) -> list[float]:
        """What each sample adds to the score beyond the mean, in its linear part (the delta method); nothing where the
        side has it not. They add up to nothing.
        """
        ...

    def of_sums(self, sums: Any) -> Any:
        """The scores of arrays that hold sums of columns and, last, how many rows they are; nan where there is none."""
        ...


class ProductOfMeans:
    """The product of the means of the columns: of one column, its mean."""

    def value(self, rows: Sequence[Row]) -> float:
        """See `product_of_means`."""
        return product_of_means(rows)

    def is_defined(self, rows: Sequence[Row]) -> bool:
        """Of any rows at all."""
        return bool(rows)

    def is_bounded(self, rows: Sequence[Row]) -> bool:
        """Where all factors are from 0 to 1."""
        return all(0 <= value <= 1 for row in rows for value in row)

    def parts(self, side: Sequence[Row | None]) -> list[float]:
        """Each factor's distance from its mean, times the other means."""
        rows = [row for row in side if row is not None]
        means = [fmean(column) for column in zip(*rows, strict=True)]
        slopes = [prod(means[:at] + means[at + 1 :]) / len(rows) for at in range(len(means))]
        return [
            0.0 if row is None else sum(s * (value - mean) for s, value, mean in zip(slopes, row, means, strict=True))
            for row in side
        ]

    def of_sums(self, sums: Any) -> Any:
        """0 of no rows: what a side that lost all of them is worth."""
        import numpy

        counts = sums[..., -1:]
        return (sums[..., :-1] / numpy.maximum(counts, 1)).prod(axis=-1)


class RatioOfSums:
    """The sum of what stands above the line over the sum of what stands below it (Kish 1965, 6.3); rows are pairs."""

    def value(self, rows: Sequence[Row]) -> float:
        """The ratio."""
        if not self.is_defined(rows):
            raise ValueError("there is no ratio to nothing")
        return fsum(over for over, _ in rows) / fsum(under for _, under in rows)

    def is_defined(self, rows: Sequence[Row]) -> bool:
        """Where anything stands below the line."""
        return fsum(under for _, under in rows) > 0

    def is_bounded(self, rows: Sequence[Row]) -> bool:
        """Where no row has more above the line than below it."""
        return all(0 <= over <= under for over, under in rows)

    def parts(self, side: Sequence[Row | None]) -> list[float]:
        """(over - ratio · under) / all that is under."""
        rows = [row for row in side if row is not None]
        ratio, whole = self.value(rows), fsum(under for _, under in rows)
        return [0.0 if row is None else (row[0] - ratio * row[1]) / whole for row in side]

    def of_sums(self, sums: Any) -> Any:
        """Where nothing stands below the line there is no ratio."""
        import numpy

        over, under = sums[..., 0], sums[..., 1]
        is_there = under > _NOTHING * numpy.abs(under).max()
        return numpy.divide(over, under, out=numpy.full_like(over, numpy.nan), where=is_there)


class Total:
    """The sum of rows of one number: how many there are of something, over all samples."""

    def value(self, rows: Sequence[Row]) -> float:
        """The sum."""
        return fsum(value for (value,) in rows)

    def is_defined(self, rows: Sequence[Row]) -> bool:
        """Always: of nothing it is 0, where the rows are known."""
        return bool(rows)

    def is_bounded(self, rows: Sequence[Row]) -> bool:
        """Never: there may be any number."""
        return False

    def parts(self, side: Sequence[Row | None]) -> list[float]:
        """How many more a sample has than the mean; one that the side has not has none."""
        values = [0.0 if row is None else row[0] for row in side]
        centre = fmean(values)
        return [value - centre for value in values]

    def of_sums(self, sums: Any) -> Any:
        """The sums themselves."""
        return sums[..., 0]


MEANS = ProductOfMeans()
RATIO = RatioOfSums()
TOTAL = Total()
