"""Rankings and judgements of whole documents, each of which is a chunk of itself: the unit of TREC.

A ranking is a dictionary of scores, and a topic's judgements one of grades. They are measured as such: hits and
expected chunks are made of them where somebody looks at them one by one, and not in scoring, for a large run has
millions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import repeat
from typing import TypeVar, overload

from gitops.retrieval.model import Expected, GoldenQuery, Hit, Result, Results
from gitops.retrieval.ranking import trec_order, trec_ranks
from gitops.runs.garbage import uncollected

T = TypeVar("T")


class _Made(Sequence[T]):
    """A sequence that is made anew whenever its elements are asked for, and equal to any other with the same ones."""

    __slots__ = ()

    @abstractmethod
    def _made(self) -> tuple[T, ...]:
        """All elements."""

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        return self._made()[at]

    def __iter__(self) -> Iterator[T]:
        return iter(self._made())

    def __eq__(self, other: object) -> bool:
        return tuple(other) == self._made() if isinstance(other, tuple | _Made) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._made())

    def __repr__(self) -> str:
        return repr(self._made())


class DocumentHits(_Made[Hit]):
    """The hits of a topic from the score of each document, in trec_eval's order (`ranking.trec_order`).

    `top` is how many there are at most, None where all are. ValueError, once they are looked at, for a score that is
    NaN.
    """

    __slots__ = ("scores", "top")

    def __init__(self, scores: Mapping[str, float], top: int | None = None) -> None:
        self.scores, self.top = scores, top

    def __len__(self) -> int:
        return len(self.scores) if self.top is None else min(self.top, len(self.scores))

    def ranks(self, wanted: Set[str]) -> list[tuple[int, str]]:
        """Those of some documents that are among the hits, each with its rank, in their order."""
        found = trec_ranks(self.scores, wanted)
        return found if self.top is None else [place for place in found if place[0] <= self.top]

    def _made(self) -> tuple[Hit, ...]:
        order = trec_order(self.scores)[: self.top]
        return tuple(map(Hit, range(1, len(order) + 1), order, order, repeat(()), map(self.scores.__getitem__, order)))


class ExpectedDocuments(_Made[Expected]):
    """The expected chunks of a topic from the grade of each relevant document; `line` is where a file names it."""

    __slots__ = ("grades", "line")

    def __init__(self, grades: Mapping[str, int], line: int = 0) -> None:
        self.grades, self.line = grades, line

    def __len__(self) -> int:
        return len(self.grades)

    def _made(self) -> tuple[Expected, ...]:
        return tuple(Expected(name, name, grade=grade, line=self.line) for name, grade in self.grades.items())


def queries(judged: Mapping[str, Mapping[str, int]], lines: Mapping[str, int] | None = None) -> list[GoldenQuery]:
    """The golden query of each topic, from the grade of each document that was judged; a topic's query is its id.

    A grade of 0 or below says that a document is not relevant. A topic without a relevant one is a query for which
    nothing should be found (not one to be refused): it scores 0, as trec_eval counts it.
    """
    line_of = (lines or {}).get
    with uncollected():
        return [_query(topic, grades, line_of(topic, 0)) for topic, grades in judged.items()]


def results(
    name: str,
    ranked: Mapping[str, Mapping[str, float]],
    top: int | None = None,
    lines: Mapping[str, int] | None = None,
    duplicates: Mapping[str, int] | None = None,
) -> Results:
    """The results of a system from the score that it gave each document of each topic, of each topic the first `top`.

    `lines` are where a file begins with each topic; `duplicates` how many of its documents were left out.
    """
    line_of, repeated = (lines or {}).get, (duplicates or {}).get
    with uncollected():
        found = {
            topic: Result(topic, DocumentHits(scores, top), duplicates=repeated(topic, 0), line=line_of(topic, 0))
            for topic, scores in ranked.items()
        }
    return Results(name, found, has_header=False)


def _query(topic: str, grades: Mapping[str, int], line: int) -> GoldenQuery:
    relevant = {document: grade for document, grade in grades.items() if grade > 0}
    return GoldenQuery(topic, topic, relevant, ExpectedDocuments(relevant, line), line=line)
