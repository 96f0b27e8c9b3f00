"""What of the offline judge's votes between claims may decide: `python -m benchmarks.judge.pair_gates CLAIMS`.

Counted on readers' pairs, on sentences with an error planted beside themselves, and on sentences of one source, which
are taken to agree. For each of the two rules (`verify/judging/judged_pairs.py`) how often it speaks, as JSON.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.judge import labelled, measuring, mutants
from benchmarks.judge.labelled import Claim
from gitops.verify.judging import contradicting, judged_pairs, pairing
from gitops.verify.judging.claiming import parse
from gitops.verify.judging.reading import Reading

Texts = tuple[str, str]
SENTENCES = 12
"""Of each source, so many sentences are held against each other."""
MOST = 8_000


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    return measuring.command("pair_gates", __doc__, measured, arguments)


def measured(folder: Path) -> dict[str, Any]:
    """For each set how many pairs, how many differ in one thing alone (by kind), how many speak of different things."""
    pairs, claims = labelled.pairs(folder), labelled.claims(folder)
    sets: dict[str, Iterable[Texts]] = {
        "readers, contradict": [(pair.a, pair.b) for pair in pairs if pair.is_contradiction],
        "readers, do not": [(pair.a, pair.b) for pair in pairs if not pair.is_contradiction],
        "one source": _of_sources(claims),
    }
    planted: dict[str, list[Texts]] = {}
    for kind, texts in _planted(claims):
        planted.setdefault(f"planted, {kind}", []).append(texts)
    return {name: _counted(texts) for name, texts in {**sets, **planted}.items()}


def _counted(pairs: Iterable[Texts]) -> dict[str, Any]:
    n, apart, kinds = 0, 0, Counter[str]()
    for a, b in pairs:
        one, other = parse(a), parse(b)
        n += 1
        if pairing.shared_besides(one, other, _topic(a, b)) <= judged_pairs.FAR:
            apart += 1
        elif (found := contradicting.exchange(one, other)) is not None:
            kinds[found.kind] += 1
    return {"n": n, "one thing differs": sum(kinds.values()), "by kind": dict(kinds), "different things": apart}


def _topic(a: str, b: str) -> str:
    """The names that both have: what two claims of one topic share anyway."""
    one, other = parse(a), parse(b)
    theirs = {other.words[at].stem for at in other.names}
    return " ".join(one.words[at].text for at in one.names if one.words[at].stem in theirs)


def _planted(claims: Sequence[Claim]) -> Iterator[tuple[str, Texts]]:
    sound = ""
    for case in mutants.cases(claims):
        if case.kind == mutants.CONTROL:
            sound = case.question.claim
        elif case.kind != mutants.SWAPPED:
            yield case.kind, (sound, case.question.claim)


def _of_sources(claims: Sequence[Claim]) -> list[Texts]:
    found = []
    for source in {claim.group: claim.source for claim in claims}.values():
        lines = [line.text for line in Reading(source).lines if len(line.words) > 5][:SENTENCES]
        found += [pair for pair in combinations(lines, 2) if pair[0] != pair[1]]
    return sorted(found, key=lambda pair: hashlib.sha256("\0".join(pair).encode()).digest())[:MOST]


if __name__ == "__main__":
    sys.exit(main())
