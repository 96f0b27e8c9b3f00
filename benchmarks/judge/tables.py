"""Labelled claims and pairs as tables of the judge's own features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.judge.fitting import Array, Table
from benchmarks.judge.labelled import Claim, Pair
from gitops.verify.judging import features, pairing
from gitops.verify.judging.claiming import parse
from gitops.verify.judging.reading import Reading


def of_claims(claims: Sequence[Claim], wanted: Sequence[str] = ("supports",)) -> Table:
    """True where the label is among those wanted."""
    rows, lengths = [], []
    for claim in claims:
        source = Reading(claim.source)
        rows.append(features.features(features.compare(parse(claim.claim), source)))
        lengths.append(features.length(source))
    return _table(
        rows, lengths, [claim.label in wanted for claim in claims], [claim.set for claim in claims],
        [claim.group for claim in claims], features.BY_LENGTH, features.AGAINST, is_raised=False,
    )  # fmt: skip


def of_pairs(pairs: Sequence[Pair]) -> Table:
    """True where the pair contradicts."""
    rows = [pairing.features(parse(pair.a), parse(pair.b)) for pair in pairs]
    truth, groups = [pair.is_contradiction for pair in pairs], [pair.group for pair in pairs]
    sets = [pair.set for pair in pairs]
    return _table(rows, [0.0] * len(rows), truth, sets, groups, (), pairing.AGAINST, is_raised=True)


def relabelled(table: Table, truth: Array) -> Table:
    """The same cases asked another question."""
    return Table(
        table.names,
        table.by_length,
        table.against,
        table.is_raised,
        table.values,
        table.length,
        truth,
        table.sets,
        table.groups,
    )


def _table(
    rows: Sequence[Mapping[str, float]],
    lengths: Sequence[float],
    truth: Sequence[bool],
    sets: Sequence[str],
    groups: Sequence[int],
    by_length: Sequence[str],
    against: Sequence[str],
    *,
    is_raised: bool,
) -> Table:
    names = tuple(rows[0])
    values = np.array([[row[name] for name in names] for row in rows])
    return Table(
        names, frozenset(by_length), frozenset(against), is_raised, values, np.array(lengths),
        np.array(truth, dtype=bool),
        np.array(sets), np.array(groups),
    )  # fmt: skip
