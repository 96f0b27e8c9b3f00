"""Which kinds of hard evidence may refuse a claim, and from which closeness on: cross-validated, kind by kind.

Held against readers' claims, sentences with an error planted, and the same sentences untouched (`mutants`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold

from benchmarks.accuracy.intervals import wilson
from benchmarks.judge import mutants
from benchmarks.judge.labelled import Claim
from gitops.verify.judge import Question
from gitops.verify.judging import refuting
from gitops.verify.judging.sighting import Sighted, sight

PRECISE, FEWEST = 0.95, 20
"""A kind gates where so large a share of its refusals is right, of so many at least."""
TOLERATED = 0.001
"""And where it refuses at most so large a share of what is true: a wrong refusal is worse than a miss."""
LEVELS = tuple(round(0.6 + 0.05 * step, 2) for step in range(9))
"""The closenesses to choose from; below the first, kinds of evidence are too seldom seen in true claims to be told."""
FOLDS = 10


@dataclass(frozen=True)
class Seen:
    """A case with the closest evidence of each kind that was found against it."""

    set: str
    kind: str
    """What was planted, `control`, or `readers` for a claim that readers labelled."""
    is_wrong: bool
    group: int
    closeness: Mapping[str, float]


def seen(claims: Sequence[Claim]) -> list[Seen]:
    """Every case, looked at once."""
    found = [_seen(claim.set, "readers", claim.label != "supports", claim.group, _asked(claim)) for claim in claims]
    for case in mutants.cases(claims):
        if case.kind == mutants.CONTROL and case.question.span == case.question.source:
            continue  # a reader's claim against its whole source, which is there already
        found.append(_seen(case.set, case.kind, case.kind != mutants.CONTROL, case.group, case.question))
    return found


def _asked(claim: Claim) -> Question:
    return Question(claim.claim, source=claim.source)


def _seen(name: str, kind: str, is_wrong: bool, group: int, asked: Question) -> Seen:
    closeness: dict[str, float] = {}
    for one in evidence(asked):
        closeness[one.kind] = max(one.closeness, closeness.get(one.kind, 0.0))
    return Seen(name, kind, is_wrong, group, closeness)


def evidence(asked: Question) -> list[refuting.Refutation]:
    """What the judge finds against a claim, whether it gates or not."""
    found = sight(asked)
    return found.refutations() if isinstance(found, Sighted) else []


def gates(cases: Sequence[Seen], measured: Mapping[str, Any]) -> dict[str, dict[str, float] | None]:
    """For each kind the closeness from which on it gates, and how sure that is; None where it may not.

    It may where it is precise in cross-validation as well. The rule of succession, (right + 1) / (all + 2), says how
    sure: no number of right refusals makes the next one certain.
    """
    found: dict[str, dict[str, float] | None] = {}
    for kind, level in levels(cases).items():
        unseen = measured["by evidence"][kind]
        if level is None or unseen["n"] < FEWEST or unseen["share"] < PRECISE:
            found[kind] = None
        else:
            found[kind] = {"from": level, "precision": round((unseen["hits"] + 1) / (unseen["n"] + 2), 4)}
    return found


def levels(cases: Sequence[Seen]) -> dict[str, float | None]:
    """For each kind of evidence the least closeness from which on it is precise; None where there is none."""
    return {kind: _level(kind, cases) for kind in refuting.KINDS}


def _level(kind: str, cases: Sequence[Seen]) -> float | None:
    true = sum(not case.is_wrong for case in cases)
    for level in LEVELS:
        fired = [case.is_wrong for case in cases if case.closeness.get(kind, 0.0) >= level]
        is_precise = len(fired) >= FEWEST and sum(fired) >= PRECISE * len(fired)
        if is_precise and len(fired) - sum(fired) <= TOLERATED * true:
            return level
    return None


def cross_validated(cases: Sequence[Seen]) -> dict[str, Any]:
    """What levels chosen on the other folds refuse in each: by kind of evidence, and by kind of error."""
    refused = [frozenset[str]()] * len(cases)
    groups = [case.group for case in cases]
    for train, test in GroupKFold(FOLDS).split(np.zeros(len(cases)), groups=groups):
        chosen = levels([cases[at] for at in train])
        for at in test:
            refused[at] = frozenset(_gating(chosen, cases[at]))
    return {
        "by evidence": {kind: _precision(kind, cases, refused) for kind in refuting.KINDS},
        "by evidence, readers": {kind: _precision(kind, cases, refused, alone="readers") for kind in refuting.KINDS},
        "by error": dict(_caught(cases, refused)),
        "readers": dict(_by_readers(cases, refused)),
    }


def _gating(chosen: Mapping[str, float | None], case: Seen) -> Iterator[str]:
    for kind, level in chosen.items():
        if level is not None and case.closeness.get(kind, 0.0) >= level:
            yield kind


def _precision(kind: str, cases: Sequence[Seen], refused: Sequence[frozenset[str]], alone: str = "") -> dict[str, Any]:
    fired = [
        case for case, kinds in zip(cases, refused, strict=True) if kind in kinds and case.kind == (alone or case.kind)
    ]
    return _share(sum(case.is_wrong for case in fired), len(fired))


def _caught(cases: Sequence[Seen], refused: Sequence[frozenset[str]]) -> Iterator[tuple[str, Any]]:
    for kind in (mutants.CONTROL, *mutants.MUTATIONS, mutants.SWAPPED):
        for name in ("claims", "sentences"):
            kinds = [found for case, found in zip(cases, refused, strict=True) if case.kind == kind
                     and case.set.endswith(name)]  # fmt: skip
            yield f"{kind}, {name}", _share(sum(map(bool, kinds)), len(kinds))


def _by_readers(cases: Sequence[Seen], refused: Sequence[frozenset[str]]) -> Iterator[tuple[str, Any]]:
    for is_wrong, name in ((True, "not wholly supported"), (False, "supported")):
        found = [bool(kinds) for case, kinds in zip(cases, refused, strict=True) if case.kind == "readers"
                 and case.is_wrong is is_wrong]  # fmt: skip
        yield name, _share(sum(found), len(found))


def _share(hits: int, of: int) -> dict[str, Any]:
    return {"n": of, "hits": hits, "share": hits / of if of else None, "interval": wilson(hits, of) if of else None}
