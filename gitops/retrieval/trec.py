"""TREC's files: relevance judgements (qrels) and rankings, as trec_eval reads them.

    topic iteration document grade          a judgement
    topic Q0 document rank score tag        a document of a ranking; what follows the tag is overlooked

Columns are parted by white space. The unit is the document: each is a chunk of itself, so that hit@k is trec_eval's
success_k and recall@k_doc its recall_k (https://github.com/usnistgov/trec_eval, `get_qrels.c` and
`get_trec_results.c`).
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Generic, TypeVar

from gitops.retrieval.bad_input import BadInput, Fault, decoded, nfc
from gitops.retrieval.model import Expected, GoldenQuery, Hit, Result, Results, Versions
from gitops.retrieval.ranking import trec_order

Number = TypeVar("Number", int, float)
_BEYOND = 10**15
"""No grade is so high."""
_QRELS, _RANKING = "topic iteration document grade", "topic Q0 document rank score tag"


@dataclass(slots=True)
class _Topics(Generic[Number]):
    """The number that each topic gives each document, topics by their first line, and how often one was repeated."""

    by_topic: dict[str, dict[str, Number]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    repeated: Counter[str] = field(default_factory=Counter)
    _seen: dict[bytes, dict[str, Number]] = field(default_factory=dict)

    def of(self, written: bytes, line: int) -> dict[str, Number]:
        """What a topic, as a line has it, gives its documents."""
        if (found := self._seen.get(written)) is None:
            name = nfc(written.decode())
            self.lines.setdefault(name, line)
            found = self._seen[written] = self.by_topic.setdefault(name, {})
        return found


def qrels(data: bytes, name: str) -> list[GoldenQuery]:
    """The topics of a file of judgements; a topic's query is its id. BadInput with the line of what cannot be taken.

    A grade of 0 or below says that a document is not relevant. A topic without a relevant one is a query for which
    nothing should be found (not one to be refused): it scores 0, as trec_eval counts it.
    """
    topics = _judged(data, name)
    return [_query(topic, grades, topics.lines[topic]) for topic, grades in topics.by_topic.items()]


def judgements(data: bytes, name: str) -> dict[str, dict[str, int]]:
    """The grade of each document of each topic, negative ones too: what `measures.evaluate` takes."""
    return _judged(data, name).by_topic


def ranking(data: bytes, name: str, top: int | None = None) -> Results:
    """The rankings of a file, of each the first `top` documents, in trec_eval's order (`ranking.trec_order`).

    The rank column is not looked at. A document that a topic ranks twice has the better of its scores. BadInput with
    the line of what cannot be taken.
    """
    topics = _ranked(data, name)
    found = {}
    for topic, by_document in topics.by_topic.items():
        order = trec_order(by_document)[:top]
        hits = map(Hit, range(1, len(order) + 1), order, order, repeat(()), map(by_document.__getitem__, order))
        duplicates, line = topics.repeated[topic], topics.lines[topic]
        found[topic] = Result(topic, tuple(hits), duplicates=duplicates, line=line)
    return Results(name, found, Versions(), has_header=False)


def scores(data: bytes, name: str) -> dict[str, dict[str, float]]:
    """The score of each document of each topic: what `measures.evaluate` takes."""
    return _ranked(data, name).by_topic


def _query(topic: str, grades: dict[str, int], line: int) -> GoldenQuery:
    relevant = {document: grade for document, grade in grades.items() if grade > 0}
    chunks = tuple(Expected(document, document, grade=grade, line=line) for document, grade in relevant.items())
    return GoldenQuery(topic, topic, relevant, chunks, line=line)


def _judged(data: bytes, name: str) -> _Topics[int]:
    topics: _Topics[int] = _Topics()
    for number, line in _lines(data, name):
        try:
            topic, _, document, written = line.split()
            grade = _grade(written)
        except ValueError:
            raise _unfit(line, 4, "grade", f"{name}:{number}", exactly=True) from None
        grades, doc_id = topics.of(topic, number), nfc(document.decode())
        if grades.setdefault(doc_id, grade) != grade:
            told = f"topic '{nfc(topic.decode())}' judges the document '{doc_id}' twice, {grades[doc_id]} and {grade}"
            raise BadInput(name, [Fault(number, told)], "keep one of the two lines")
    if not topics.by_topic:
        raise BadInput(name, [Fault(1, "it holds no judgement")], f"a line of it is: {_QRELS}")
    return topics


def _ranked(data: bytes, name: str) -> _Topics[float]:
    topics: _Topics[float] = _Topics()
    for number, line in _lines(data, name):
        try:
            topic, _, document, _, written, _ = line.split(None, 5)
            score = _score(written)
        except ValueError:
            raise _unfit(line, 6, "score", f"{name}:{number}") from None
        found, doc_id = topics.of(topic, number), nfc(document.decode())
        if doc_id in found:
            topics.repeated[nfc(topic.decode())] += 1
            score = max(score, found[doc_id])
        found[doc_id] = score
    return topics


def _lines(data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, as bytes: in them white space is ASCII's, as in C, and an id may hold any other."""
    decoded(data, name)
    return ((number, line) for number, line in enumerate(data.removeprefix(BOM_UTF8).split(b"\n"), 1) if line.strip())


def _grade(written: bytes) -> int:
    grade = int(written)
    if b"_" in written or abs(grade) >= _BEYOND:
        raise ValueError
    return grade


def _score(written: bytes) -> float:
    score = float(written)
    if score != score or b"_" in written:
        raise ValueError
    return score


def _unfit(line: bytes, columns: int, number: str, where: str, exactly: bool = False) -> BadInput:
    """Why a line cannot be taken: its columns are too few or too many, or else its number is none."""
    form, wanted = (_QRELS, "a whole number") if exactly else (_RANKING, "a number")
    parts = line.split()
    if len(parts) < columns or (exactly and len(parts) > columns):
        told = f"{len(parts)} columns, and {columns} are wanted"
    else:
        told = f"the {number} must be {wanted}, not {parts[columns - 1 - (not exactly)].decode()!r}"
    return BadInput(where, [Fault(0, told)], f"a line is: {form}")
