"""Scores what was extracted by gold: atoms, edges, how files hang together, and what rationales rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitops.extraction import edges, faithfulness, matching
from gitops.extraction.model import VARIANTS, Case, CaseScore, Faithfulness, Matching, Scored, Variant
from gitops.okf import graph
from gitops.okf.model import Bundle
from gitops.runs.garbage import uncollected
from gitops.verify.judge import Judge


def scored(cases: Sequence[Case], emitted: Mapping[str, Bundle], judge: Judge, stray: Sequence[str] = ()) -> Scored:
    """Score each case by the files that were written for it, parsed back; `emitted` has them by the case's id.

    All rationales are judged in one batch. A case for which there is nothing has missed everything. What a judge
    raises (no key, no budget) ends the scoring: a vote is never made up.
    """
    pairs = _pairs(cases, emitted)
    with uncollected():
        found = [{name: matching.match(case.gold, bundle, name) for name in VARIANTS} for case, bundle in pairs]
    canonical = [(case, bundle, each["canonical"]) for (case, bundle), each in zip(pairs, found, strict=True)]
    said = faithfulness.judged(canonical, judge)
    with uncollected():
        each = [
            _case(case, bundle, by_variant, claims)
            for (case, bundle), by_variant, claims in zip(pairs, found, said, strict=True)
        ]
    return Scored(tuple(each), tuple(stray))


def matched(cases: Sequence[Case], emitted: Mapping[str, Bundle]) -> list[tuple[Case, Bundle, Matching]]:
    """Each case with what was extracted for it and how the atoms of both are matched: what a judge is asked about."""
    return [(case, bundle, matching.match(case.gold, bundle, "canonical")) for case, bundle in _pairs(cases, emitted)]


def _pairs(cases: Sequence[Case], emitted: Mapping[str, Bundle]) -> list[tuple[Case, Bundle]]:
    return [(case, emitted.get(case.id, Bundle(case.id))) for case in cases]


def _case(case: Case, bundle: Bundle, matched: Mapping[Variant, Matching], claims: Faithfulness) -> CaseScore:
    return CaseScore(
        case=case,
        emitted=bundle,
        matching=matched,
        edges={name: edges.score(case.gold, bundle, matched[name], name) for name in VARIANTS},
        graph=tuple(graph.faults(bundle)),
        faithfulness=claims,
    )
