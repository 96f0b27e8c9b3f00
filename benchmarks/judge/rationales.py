"""What becomes of rationales offline, without a model: `python -m benchmarks.judge.rationales CLAIMS`, as JSON.

Each claim is put before `extraction.faithfulness` as the one sentence of an atom's rationale, with its source as the
case's. Counted on claims that readers labelled; on claims and sentences of sources with an error planted, beside
themselves; on sentences that their source turns (denies, leaves to a critic, takes back, rejects); and on sentences
with a reason that is another sentence, of the same source or of another one. A claim must never be grounded that is not
supported.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.judge import labelled, measuring, mutants
from benchmarks.judge.labelled import Claim
from gitops.extraction import faithfulness
from gitops.extraction.model import Case, Matching, Source
from gitops.okf.model import Atom, Bundle, Sentence
from gitops.stats.intervals import wilson
from gitops.verify import judges

TURNED = {
    "denied": "It is not true that {said}.",
    "not the reason": "This was done, but not because {said}.",
    "a critic's": "A critic said that {said}.",
    "taken back": "{Said}, but that was not followed.",
    "taken back after": "{Said}. That is wrong.",
    "if": "It would be otherwise if {said}.",
    "an opinion": "In the view of the miller {said}.",
    "avoided": "We chose this lest {said}.",
    "struck out": "~~{Said}.~~",
    "rejected": "# Notes\n\n## Rejected reasons\n\n- {Said}.",
}
"""How a source may say a sentence that does not hold; `{Said}` begins with a capital."""


@dataclass(frozen=True)
class Told:
    """One claim, which set it is counted in, and its source."""

    name: str
    claim: str
    source: str


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    return measuring.command("rationales", __doc__, measured, arguments)


def measured(folder: Path) -> dict[str, Any]:
    """For each set how many claims there are and how they came out; of the labelled ones how often that is right."""
    claims = labelled.claims(folder)
    return _counted([*_labelled(claims), *_planted(claims), *_turned(claims), *_invented(claims), *_lent(claims)])


def of_readers(folder: Path) -> dict[str, Any]:
    """The same of the labelled claims alone."""
    return _counted(list(_labelled(labelled.claims(folder))))


def _counted(told: Sequence[Told]) -> dict[str, Any]:
    found = faithfulness.judged([_case(number, one) for number, one in enumerate(told)], judges.find("offline"))
    sets: dict[str, Counter[str]] = {}
    for one, each in zip(told, found, strict=True):
        counts = sets.setdefault(one.name, Counter())
        counts["n"] += 1
        counts.update(claim.status for claim in each.claims)
    return {"sets": {name: dict(counts) for name, counts in sets.items()}, **_right(sets)}


def _right(sets: dict[str, Counter[str]]) -> dict[str, Any]:
    """Of readers' claims: how many of those that count as grounded are supported, and as made up not wholly."""
    labels = {name.removeprefix("readers, "): counts for name, counts in sets.items() if name.startswith("readers, ")}
    grounded, made_up = (sum(counts[status] for counts in labels.values()) for status in ("grounded", "fabricated"))
    right = labels["supports"]["grounded"], made_up - labels["supports"]["fabricated"]
    return {
        "grounded and supported": _share(right[0], grounded),
        "made up and not wholly supported": _share(right[1], made_up),
    }


def _share(right: int, of: int) -> dict[str, Any]:
    low, high = wilson(right, of) or (0.0, 1.0)
    return {"right": right, "of": of, "share": round(right / of, 3), "interval": [round(low, 3), round(high, 3)]}


def _case(number: int, one: Told) -> tuple[Case, Bundle, Matching]:
    atom = Atom(f"a{number}", "decision", "A decision", f"a{number}.md", rationale=(Sentence(one.claim, 1),))
    case = Case(str(number), (Source("source.md", "source.md", one.source),), Bundle("gold"))
    return case, Bundle("extracted", (atom,)), Matching((), (), (atom,))


def _labelled(claims: Sequence[Claim]) -> Iterator[Told]:
    return (Told(f"readers, {one.label}", one.claim, one.source) for one in claims)


def _planted(claims: Sequence[Claim]) -> Iterator[Told]:
    for case in mutants.cases(claims):
        kind = "whole" if case.kind == mutants.CONTROL else case.kind
        of = case.set.rpartition(" ")[2]
        yield Told(f"{of}, {kind}", case.question.claim, case.question.source)


def _turned(claims: Sequence[Claim]) -> Iterator[Told]:
    for said in _statements(claims):
        for kind, words in TURNED.items():
            turned = words.format(said=said[0].lower() + said[1:].rstrip("."), Said=said.rstrip("."))
            yield Told(f"turned, {kind}", said, f"The board met in May.\n\n{turned}\n\nThe next meeting is in June.")


def _invented(claims: Sequence[Claim]) -> Iterator[Told]:
    """Sentences with another source's sentence for a reason."""
    said = list(_statements(claims))
    sources = {one: claim.source for claim in claims for one in mutants.sentences_of(claim)}
    for at, one in enumerate(said):
        other = said[(at + len(said) // 2) % len(said)]
        if other not in sources[one]:
            claim = f"{one.rstrip('.')} because {other[0].lower()}{other[1:]}"
            yield Told("an invented reason", claim, sources[one])


def _lent(claims: Sequence[Claim]) -> Iterator[Told]:
    """Sentences with another sentence of their source for a reason."""
    for claim in {one.source: one for one in claims}.values():
        said = mutants.sentences_of(claim)
        for one, other in zip(said, reversed(said), strict=True):
            if one != other:
                text = f"{one.rstrip('.')} because {other[0].lower()}{other[1:]}"
                yield Told("a reason of another sentence", text, claim.source)


def _statements(claims: Iterable[Claim]) -> list[str]:
    return list(dict.fromkeys(said for claim in claims for said in mutants.sentences_of(claim)))


if __name__ == "__main__":
    sys.exit(main())
