"""What is counted of one case: the parts that every metric is made from, and how a number is made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from gitops.extraction.metrics import Metric
from gitops.extraction.model import CaseScore, Counts, EdgeScore, Matching, Variant
from gitops.okf.model import ATOM_TYPES

Tally = Mapping[str, int]
"""Parts by their names: `{"tp": 3, "fp": 1, "fn": 0}`."""
OTHER = "other"
"""What atoms are counted under whose type is none of the six."""


def counted(case: CaseScore, variant: Variant) -> dict[str, Tally]:
    """What each metric is made of, by its base name."""
    matching, edges = case.matching[variant], case.edges[variant]
    atoms, links = _parts(matching.counts), _parts(edges.counts)
    return {
        **dict.fromkeys(("atom_precision", "atom_recall", "atom_f1"), atoms),
        "type_accuracy": {"right": sum(pair.is_type_right for pair in matching.pairs), "pairs": len(matching.pairs)},
        **dict.fromkeys(("edge_precision", "edge_recall", "edge_f1"), links),
        **_stages(edges),
        "validity": {"valid": case.valid, "files": case.emitted.files},
        **{f"graph_{level}s": _faults(case, level) for level in ("error", "warning")},
        "faithfulness": {
            "grounded": case.faithfulness.count("grounded"),
            "fabricated": case.faithfulness.count("fabricated"),
            "omitted": case.faithfulness.count("omitted"),
            "unjudged": case.faithfulness.count("unjudged"),
        },
    }


def pooled(tallies: Iterable[Tally]) -> Tally:
    """The parts of several cases, each summed."""
    whole: Counter[str] = Counter()
    for tally in tallies:
        whole.update(tally)
    return dict(whole)


def above_and_below(metric: Metric, tally: Tally) -> tuple[int, int]:
    """What is divided by what; 1 below the line of a total."""
    return _sum(tally, metric.above), _sum(tally, metric.below) if metric.below else 1


def things(metric: Metric, tally: Tally) -> int:
    """How many things a number rests on."""
    return _sum(tally, metric.things)


def value(metric: Metric, tally: Tally) -> float | None:
    """The number; None where it rests on nothing, or where more is unjudged than judged."""
    judged = things(metric, tally)
    if not judged or tally.get("unjudged", 0) > judged:
        return None
    above, below = above_and_below(metric, tally)
    return above / below


def atoms_by_type(matching: Matching) -> dict[str, Counts]:
    """Atoms by type. One that was extracted as another type is missed in its own, and spurious in the other."""
    found: Counter[tuple[str, str]] = Counter()
    for pair in matching.pairs:
        one, other = _type(pair.gold.type), _type(pair.emitted.type)
        found.update([(one, "tp")] if pair.is_type_right else [(one, "fn"), (other, "fp")])
    found.update((_type(atom.type), "fn") for atom in matching.missed)
    found.update((_type(atom.type), "fp") for atom in matching.spurious)
    types = (*ATOM_TYPES, *([OTHER] if any(kind == OTHER for kind, _ in found) else []))
    return {kind: Counts(found[kind, "tp"], found[kind, "fp"], found[kind, "fn"]) for kind in types}


def _type(written: str) -> str:
    folded = written.casefold()
    return folded if folded in ATOM_TYPES else OTHER


def _parts(counts: Counts) -> Tally:
    return {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn}


def _stages(edges: EdgeScore) -> dict[str, Tally]:
    stages = edges.stages
    return {
        "stages_exact": {"exact": sum(one.is_exact for one in stages), "workflows": len(stages)},
        "stages_lcs": {
            "common": sum(one.common for one in stages),
            "gold": sum(len(one.gold) for one in stages),
            "extracted": sum(len(one.emitted) for one in stages),
        },
    }


def _faults(case: CaseScore, level: str) -> Tally:
    return {"faults": sum(fault.level == level for fault in case.graph), "atoms": len(case.emitted.atoms)}


def _sum(tally: Tally, parts: Iterable[str]) -> int:
    return sum(tally[part] for part in parts)
