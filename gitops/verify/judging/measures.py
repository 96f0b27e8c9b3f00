"""Units of measure: which of them measure the same thing, and how many of the one make the other."""

from __future__ import annotations

from functools import cache

from gitops.verify.judging.lexicon import groups
from gitops.verify.judging.words import stem

_MEASURES = {
    "length": "1e-3 mm millimetre millimeter; 1e-2 cm centimetre centimeter; 1 metre meter; 1e3 km kilometre kilometer;"
    "1609.34 mile mi; 0.3048 foot feet ft; 0.0254 inch inches; 0.9144 yard yd",
    "mass": "1e-3 mg milligram; 1 gram gm; 1e3 kg kilogram kilo; 1e6 tonne; 453.6 pound lb lbs; 28.35 ounce oz",
    "volume": "1e-3 ml millilitre milliliter; 1 litre liter; 100 hectolitre hectoliter; 3.785 gallon; 0.4732 pint",
    "time": "1 second sec; 60 minute min mins; 3600 hour hr hrs; 86400 day; 604800 week; 2629800 month;"
    "31557600 year yr; 315576000 decade; 3155760000 century centuries",
    "memory": "1 byte; 1e3 kb kilobyte; 1e6 mb megabyte; 1e9 gb gigabyte; 1e12 tb terabyte",
    "power": "1 watt; 1e3 kw kilowatt; 1e6 mw megawatt; 1e9 gw gigawatt",
}
"""Of each thing that is measured the units, a group between semicolons: how many of the first, then its names."""


@cache
def _units() -> dict[str, dict[str, float]]:
    """For each stem of a unit what it measures, and how many of the first unit it is."""
    found: dict[str, dict[str, float]] = {}
    for measured, listed in _MEASURES.items():
        for factor, *names in groups(listed):
            for name in names:
                found.setdefault(stem(name), {})[measured] = float(factor)
    return found


def factor(unit: str, other: str) -> float | None:
    """How many of the other unit one unit is; None where they don't measure the same thing."""
    units = _units()
    for measured, one in units.get(unit, {}).items():
        if measured in units.get(other, {}):
            return one / units[other][measured]
    return None


def measured(unit: str) -> str:
    """What a unit measures; nothing where it is none."""
    return next(iter(_units().get(unit, ())), "")
