"""What moved between two scored extractions, case by case: what is newly wrong, and what is wrong no longer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gitops.extraction import bars, problems
from gitops.runs.measurements import Measurement, Sample

_BY_JUDGE = frozenset(("made_up", "omitted", "faithfulness"))
"""What a judge says: the kinds of what is wrong, and the metric."""
Problem = Mapping[str, Any]
"""A record of `problems.Wrong`, as a measurement keeps it."""


@dataclass(frozen=True, slots=True)
class Moves:
    """What one case came to on either side: the numbers that have a bar, whether it reached them, and what was wrong.

    `numbers` has by metric both values, None where a side has none; `new` is wrong in the second alone, with its places
    there, `gone` in the first alone.
    """

    case: str
    numbers: Mapping[str, tuple[float | None, float | None]]
    statuses: tuple[str, str]
    new: tuple[Problem, ...] = ()
    gone: tuple[Problem, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether anything moved."""
        return bool(self.new or self.gone) or any(one != other for one, other in self.numbers.values())

    def record(self) -> dict[str, Any]:
        """It as plain JSON."""
        return {
            "case": self.case,
            "numbers": {name: {"a": one, "b": other} for name, (one, other) in self.numbers.items()},
            "status_a": self.statuses[0],
            "status_b": self.statuses[1],
            "new": [dict(each) for each in self.new],
            "gone": [dict(each) for each in self.gone],
        }


def moves(a: Measurement, b: Measurement, *, with_judged: bool = True) -> list[Moves]:
    """The cases that both have and in which anything moved, in the order of the first; without what a judge says, too.

    What is wrong is the same on both sides where its kind and its words are: places in extracted files may differ.
    """
    left_out: frozenset[str] = frozenset() if with_judged else _BY_JUDGE
    mine, others = _by_case(a, left_out), _by_case(b, left_out)
    second = {sample.id: sample for sample in b.samples}
    found = (
        Moves(
            case=sample.id,
            numbers=_numbers(sample, second[sample.id], left_out),
            statuses=(sample.status, second[sample.id].status),
            new=tuple(_beyond(others[sample.id], mine[sample.id])),
            gone=tuple(_beyond(mine[sample.id], others[sample.id])),
        )
        for sample in a.samples
        if sample.id in second
    )
    return [one for one in found if one.is_any]


def counted(every: Iterable[Problem]) -> dict[str, int]:
    """How many there are of each kind, in the order in which kinds are told."""
    found = Counter(each["kind"] for each in every)
    return {kind: found[kind] for kind in problems.KINDS if found[kind]}


def is_whole(measurement: Measurement) -> bool:
    """Whether all that was wrong is kept with a measurement: of very much, the first of each kind are."""
    counts = _mapping(measurement.details.get("problem_counts"))
    kept = Counter(each["kind"] for each in _problems(measurement))
    return all(count == kept[kind] for kind, count in counts.items())


def _numbers(one: Sample, other: Sample, left_out: Collection[str]) -> dict[str, tuple[float | None, float | None]]:
    first, second = (_mapping(sample.details.get("numbers")) for sample in (one, other))
    return {name: (_number(first.get(name)), _number(second.get(name))) for name in bars.NAMES if name not in left_out}


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) else None


def _beyond(these: Iterable[Problem], those: Iterable[Problem]) -> Iterator[Problem]:
    """Those of the first that the others have not; of several alike, as many as there are more."""
    left = Counter(map(_what, those))
    for each in these:
        if left[_what(each)]:
            left[_what(each)] -= 1
        else:
            yield each


def _what(problem: Problem) -> tuple[str, str]:
    return problem["kind"], problem["what"]


def _by_case(measurement: Measurement, left_out: Collection[str]) -> Mapping[str, list[Problem]]:
    found: dict[str, list[Problem]] = defaultdict(list)
    for each in _problems(measurement):
        if each["kind"] not in left_out:
            found[each["case"]].append(each)
    return found


def _problems(measurement: Measurement) -> list[Problem]:
    """Those that are told in a way that is known here: a record may be another's, and hold anything."""
    told = measurement.details.get("problems")
    return [each for each in told if _is_one(each)] if isinstance(told, list | tuple) else []


def _is_one(value: Any) -> bool:
    if not isinstance(value, Mapping) or value.get("kind") not in problems.KINDS:
        return False
    words = [value.get("case"), value.get("what"), *(value.get(name, "") for name in ("path", "source", "gold", "why"))]
    lines = (value.get(name, 0) for name in ("line", "source_line", "gold_line"))
    return all(isinstance(each, str) for each in words) and all(isinstance(each, int) for each in lines)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
