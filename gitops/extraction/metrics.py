"""The metrics of extraction (dossier DEC-0009, 1): what each is called, what it is a share of, which way is better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from gitops.extraction.model import Variant

VERSION = 1
"""The version of the formulas; it rises when the same files come to another number."""
Direction = Literal["higher", "lower"]
Unit = Literal["share", "faults"]
Average = Literal["micro", "macro"]
MACRO, STRICT = "_macro", "_strict"
_Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. `base` is its name without `_macro` and `_strict`; `meaning` is one line for people.

    It is the sum of some parts of what was counted (`gitops.extraction.tallies`), by the sum of others where it is a
    share; `things` are the parts that say how many things it rests on, and `of` says in words what these are. Without
    any it is None.
    """

    name: str
    base: str
    meaning: str
    of: str
    above: _Parts
    below: _Parts
    things: _Parts
    unit: Unit = "share"
    direction: Direction = "higher"
    average: Average = "micro"
    variant: Variant = "canonical"


def _share(name: str, meaning: str, of: str, above: _Parts, below: _Parts, things: _Parts = ()) -> Metric:
    return Metric(name, name, meaning, of, above, below, things or below)


def _faults(name: str, meaning: str) -> Metric:
    return Metric(name, name, meaning, "extracted atoms", ("faults",), (), ("atoms",), "faults", "lower")


def _found(what: str) -> Iterator[Metric]:
    """Precision, recall and F1 (van Rijsbergen 1979, ch. 7) of atoms or of edges."""
    right, f1 = ("tp",), f"{what}_f1"
    yield _share(
        f"{what}_precision",
        f"share of the extracted {what}s that the gold has",
        f"extracted {what}s",
        right,
        ("tp", "fp"),
    )
    yield _share(
        f"{what}_recall",
        f"share of the gold's {what}s that were extracted",
        f"{what}s of the gold",
        right,
        ("tp", "fn"),
    )
    every = f"{what}s of the gold or extracted"
    yield _share(
        f1, f"2 TP / (2 TP + FP + FN) of {what}s", every, right * 2, ("tp", "tp", "fp", "fn"), ("tp", "fp", "fn")
    )


_BY_ID: tuple[Metric, ...] = (
    *_found("atom"),
    _share(
        "type_accuracy", "share of the matched atoms that have the gold's type", "matched atoms", ("right",), ("pairs",)
    ),
    *_found("edge"),
    _share(
        "stages_exact",
        "share of the workflows whose stages are the gold's, in its order",
        "workflows with stages",
        ("exact",),
        ("workflows",),
    ),
    _share(
        "stages_lcs",
        "2 LCS / (stages in the gold + extracted ones): longest common subsequences",
        "stages in the gold and extracted",
        ("common", "common"),
        ("gold", "extracted"),
    ),
)
"""Those that depend on which ids are the same: they have a strict variant."""
_VALIDITY = _share(
    "validity", "share of the extracted files that hold a valid atom", "extracted files", ("valid",), ("files",)
)
_GRAPH = (
    _faults("graph_errors", "errors in how the extracted files hang together"),
    _faults("graph_warnings", "warnings about how the extracted files hang together"),
)
_FAITHFULNESS = _share(
    "faithfulness",
    "grounded / (grounded + fabricated + omitted) sentences of rationales",
    "judged sentences",
    ("grounded",),
    ("grounded", "fabricated", "omitted"),
)


def _macro(metric: Metric) -> Metric:
    told = f"{metric.base} of each case, on average"
    return replace(metric, name=metric.base + MACRO, meaning=told, of="cases that have the number", average="macro")


def _strict(metric: Metric) -> Metric:
    return replace(
        metric, name=metric.base + STRICT, meaning=f"{metric.meaning}; ids letter for letter", variant="strict"
    )


TABLE: tuple[Metric, ...] = (
    *(pooled := (*_BY_ID, _VALIDITY, *_GRAPH, _FAITHFULNESS)),
    *(_macro(metric) for metric in pooled if metric.unit == "share"),
    *(_strict(metric) for metric in _BY_ID),
)
"""All metrics. Those of a bare name are pooled over all cases, by canonical ids: bars are held to these."""
NAMES: tuple[str, ...] = tuple(metric.name for metric in TABLE)
BY_NAME = {metric.name: metric for metric in TABLE}


def direction(name: str) -> Direction:
    """Which way a metric gets better. KeyError for a name that no metric has."""
    return BY_NAME[name].direction


def unit(name: str) -> Unit:
    """What a metric counts: `share` or `faults`. KeyError for a name that no metric has."""
    return BY_NAME[name].unit
