"""Numbers held against each other: whether two say the same, and whether they cannot both be said of one thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, isclose, log10

from gitops.verify.judging import measures
from gitops.verify.judging.quantities import Quantity

_EXACT = ("year", "month", "decade", "clock")
"""Kinds of number that nobody rounds."""
_LOOSE, _SLIGHT = 0.25, 0.02
"""How far a number may be from another that says the same: where either is said to be about so much, and else."""
_COUNTED = 30
"""Whole numbers below this are counted, not measured."""


def agrees(claim: Quantity, source: Quantity) -> bool:
    """Whether a source's number says what a claim's says, rounded as the claim rounds."""
    if not _comparable(claim, source):
        return False
    if isclose(claim.value, source.value, rel_tol=1e-9):
        return True
    if claim.kind in ("year", "ordinal", "month", "clock", "decade") or claim.value == 0:
        return False
    within = 0.06 if claim.is_about or source.is_about else 0.0
    off = abs(claim.value - source.value)
    return off <= within * abs(source.value) or (abs(source.value) >= 100 and off < _half_step(claim.value))


def _half_step(value: float) -> float:
    """Half a unit in the last significant place: 1,200,000 stands for 1,150,000 up to 1,250,000."""
    digits = _significant(value)
    return 0.5 * 10.0 ** (floor(log10(abs(value))) - digits + 1) if digits > 1 else 0.0


def _comparable(claim: Quantity, source: Quantity) -> bool:
    if claim.kind == source.kind:
        return True
    kinds = {claim.kind, source.kind}
    return kinds in ({"plain", "ordinal"}, {"plain", "money"}, {"plain", "year"})


def covered(claim: Quantity, source: Iterable[Quantity]) -> bool:
    """Whether any number of a source says what the claim's does; a decade also by a year in it."""
    for each in source:
        if agrees(claim, each):
            return True
        if claim.kind == "decade" and each.kind == "year" and claim.value <= each.value < claim.value + 10:
            return True
    return False


def conflicting(claim: Quantity, source: Sequence[Quantity]) -> Quantity | None:
    """A number of the source that counts the same thing and differs, where none agrees."""
    if covered(claim, source):
        return None
    for each in source:
        same_unit = bool(claim.unit) and claim.unit == each.unit
        if claim.kind == each.kind and (same_unit or claim.kind in ("year", "share", "money", "month")):
            return each
    return None


def differ(claim: Quantity, source: Quantity) -> bool:
    """Whether two numbers of one thing differ however loosely they are meant: rounded, converted, or said to be about.

    Stricter than that they don't agree: what is between counts as neither.
    """
    if claim.kind in _EXACT or source.kind in _EXACT:
        return claim.kind == source.kind and claim.value != source.value
    factor = 1.0 if claim.unit == source.unit else measures.factor(claim.unit, source.unit) or 1.0
    a, b = claim.value * factor, source.value
    within = (_LOOSE if claim.is_about or source.is_about else _SLIGHT) * max(abs(a), abs(b))
    if a == int(a) and b == int(b) and max(abs(a), abs(b)) < _COUNTED and within < 1:
        return a != b
    return abs(a - b) > max(within, _rounding(a), _rounding(b)) + 1e-9


def _rounding(value: float) -> float:
    """Half a unit in the last significant place, of a number of two digits at most."""
    return (
        0.5 * 10.0 ** (floor(log10(abs(value))) - _significant(value) + 1)
        if 0 < _significant(value) <= 2 and value
        else 0.0
    )


def other_unit(claim: Quantity, source: Quantity) -> bool:
    """Whether one number is said in two units of one measure: 20 miles for 20 kilometres."""
    if claim.kind != "plain" or source.kind != "plain" or claim.unit == source.unit:
        return False
    factor = measures.factor(claim.unit, source.unit)
    return factor is not None and abs(factor - 1) > 0.15


def _significant(value: float) -> int:
    """The number of digits that a value is given with."""
    return len(f"{abs(value):.10g}".replace(".", "").strip("0") or "0")
