"""Train, calibrate and measure the offline judge: `python -m benchmarks.judge.train CLAIMS [--write]`.

What is printed is cross-validated: each case is judged by weights and a strength of penalty that never saw its source.
Calibration, gates and the point of abstention are fitted on these unseen sums.
With `--write` the weights trained on all cases are written to the package.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.judge import fitting, gating, labelled, planting, tables
from benchmarks.judge.fitting import Array, Fitted, Table
from gitops.errors import AssayError
from gitops.verify.judge_scoring import Figure, Scored, figures
from gitops.verify.judging import weighing

REPEATS = 5
PRECISE, FEWEST = 0.95, 20
"""What a gate asks: so large a share right, of so many votes."""
UNSURE, MOST_UNSURE = 0.55, 0.55
"""Votes below a confidence are withheld where less than this share of them is right; never above the second."""


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judge.train", description=__doc__)
    parser.add_argument("claims", type=Path, help="the folder of labelled claims")
    parser.add_argument("--write", action="store_true", help="write the weights to the package")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="cross-validations with other folds")
    options = parser.parse_args(arguments)
    try:
        kept, measured = trained(options.claims, options.repeats)
    except AssayError as error:
        print(f"{error.message}\n{error.hint}", file=sys.stderr)
        return error.exit_code
    if options.write:
        weighing.FILE.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(measured, indent=2))
    return 0


def trained(folder: Path, repeats: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The weights file's content, and what cross-validation measures."""
    claims = labelled.claims(folder)
    claims += planting.planted(claims)
    labels = np.array([claim.label for claim in claims])
    table = tables.of_claims(claims)
    graded = table.sets != "begin-wow-dev"  # its labels know no partial support
    some = tables.relabelled(table, labels != "does_not_support").rows(graded)
    support, support_cv = _question(table, repeats)
    any_, any_cv = _question(some, repeats)
    any_votes = np.full(len(table.truth), np.nan)
    any_votes[graded] = any_cv[0]
    of_begin = fitting.fit(some, fitting.chosen(some, 0)).sums(table.rows(~graded))
    any_votes[~graded] = of_begin  # never trained on: nothing to leave out
    support |= _limits(table, support, support_cv[0])
    seen = gating.seen(labelled.claims(folder))
    refused = gating.cross_validated(seen)
    two = labelled.pairs(folder)
    pairs = tables.of_pairs([*two, *planting.planted_pairs(labelled.claims(folder), len(two))])
    contradiction, pairs_cv = _question(pairs, repeats)
    contradiction |= {"abstain_below": _abstains(pairs, contradiction, pairs_cv[0]), "gate": {}}
    any_ |= {"abstain_below": 0.0, "gate": {}}
    kept = {
        "version": "2",
        "trained": {
            "by": "benchmarks/judge/train.py",
            "on": datetime.now(UTC).date().isoformat(),
            "cases": {name: int((table.sets == name).sum()) for name in np.unique(table.sets)} | {"pairs": len(two)},
        },
        "support": support,
        "any": any_,
        "contradiction": contradiction,
        "evidence": gating.gates(seen, refused),
    }
    measured = {
        "support": _by_set(table, support, support_cv),
        "any support (graded sets)": _by_set(some, any_, any_cv),
        "contradiction": _by_set(pairs, contradiction, pairs_cv),
        "votes": _votes(table, labels, support, support_cv[0], any_votes),
        "refused": refused,
    }
    return kept, measured


def _question(table: Table, repeats: int) -> tuple[dict[str, Any], list[Array]]:
    """Weights from all cases, calibrated on unseen sums; and the unseen sums of each repeat."""
    unseen = [fitting.unseen_sums(table, seed) for seed in range(repeats)]
    slope, offset = fitting.calibrated(table, np.mean(unseen, axis=0))
    strength = fitting.chosen(table, 0)
    fitted = fitting.fit(table, strength)
    return {
        "weights": _rounded(fitted),
        "calibration": [round(slope, 4), round(offset, 4)],
        "strength": strength,
    }, unseen


def _rounded(fitted: Fitted) -> dict[str, Any]:
    return {
        name: [round(side, 4) for side in value] if isinstance(value, list) else round(value, 4)
        for name, value in fitted.weights.items()
    }


def _probabilities(question: dict[str, Any], sums: Array) -> Array:
    slope, offset = question["calibration"]
    found: Array = 1 / (1 + np.exp(-(slope * sums + offset)))
    return found


def _confidence(question: dict[str, Any], sums: Array) -> Array:
    probability = _probabilities(question, sums)
    found: Array = np.where(sums >= 0, probability, 1 - probability)
    return found


def _abstains(table: Table, question: dict[str, Any], sums: Array) -> float:
    """The confidence below which too few votes are right, either side and every set counting the same."""
    confidence, right = _confidence(question, sums), (sums >= 0) == table.truth
    weight = fitting.evened(table)
    for at in np.arange(MOST_UNSURE, 0.5, -0.005):
        below = confidence < at
        if below.sum() >= FEWEST and np.average(right[below], weights=weight[below]) < UNSURE:
            return round(float(at), 3)
    return 0.5


def _limits(table: Table, question: dict[str, Any], sums: Array) -> dict[str, Any]:
    """Below which confidence the judge abstains, and from which on `supports` may gate; by what readers labelled.

    A vote against a claim never gates by its confidence: claims that readers had before them are of other kinds than a
    wiki's, whose true ones the same confidence would refuse. It takes hard evidence (`gating`).
    """
    human = table.sets != planting.SET
    sure = human & (sums >= 0)
    found = fitting.precise_from(
        _confidence(question, sums)[sure].tolist(), table.truth[sure].tolist(), PRECISE, FEWEST
    )
    gate = {"supports": None if found is None else round(found + 5e-5, 4)}
    gate |= {"partially_supports": None, "does_not_support": None}
    return {"abstain_below": _abstains(table.rows(human), question, sums[human]), "gate": gate}


def _voted(sums: Array, any_sums: Array) -> Array:
    return np.where(sums >= 0, "supports", np.where(any_sums >= 0, "partially_supports", "does_not_support"))


def _votes(table: Table, labels: Array, question: dict[str, Any], sums: Array, any_sums: Array) -> dict[str, Any]:
    """For each set and vote: how many, how many right as labelled, the same from the gate on; and abstentions."""
    votes, confidence = _voted(sums, any_sums), _confidence(question, sums)
    told: dict[str, Any] = {}
    for name in np.unique(table.sets):
        here = table.sets == name
        told[str(name)] = {"abstained": int((here & (confidence < question["abstain_below"])).sum())}
        for vote, gate in question["gate"].items():
            mask = here & (votes == vote)
            gated = mask & (confidence >= (2 if gate is None else gate))
            told[str(name)][vote] = {
                kind: {"votes": int(of.sum()), "right": int((of & (labels == votes)).sum()),
                       "right_side": int((of & ((labels == "supports") == (votes == "supports"))).sum())}
                for kind, of in (("all", mask), ("from the gate on", gated))
            }  # fmt: skip
    return told


def _by_set(table: Table, question: dict[str, Any], unseen: list[Array]) -> dict[str, Any]:
    """Per set every metric over all cases, none withheld: of the first folds with its interval, and the mean of all."""
    told = {}
    for name in np.unique(table.sets):
        here = table.sets == name
        every = [
            figures(_scored(table, question, sums, here), 1000 if not number else 1)
            for number, sums in enumerate(unseen)
        ]
        told[str(name)] = {"n": int(here.sum())} | {
            metric: asdict(figure) | {"mean": _mean([each[metric] for each in every])}
            for metric, figure in every[0].items()
        }
    return told


def _mean(repeats: list[Figure]) -> float | None:
    values = [figure.value for figure in repeats if figure.value is not None]
    return sum(values) / len(values) if values else None


def _scored(table: Table, question: dict[str, Any], sums: Array, here: Array) -> list[Scored]:
    probability = _probabilities(question, sums)
    return [Scored(bool(table.truth[at]), bool(sums[at] >= 0), float(probability[at])) for at in np.flatnonzero(here)]


if __name__ == "__main__":
    sys.exit(main())
