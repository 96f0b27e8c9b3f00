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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import isnan
from typing import Any, Generic, TypeVar

from gitops.retrieval import documents
from gitops.retrieval.model import GoldenQuery, Results
from gitops.runs.bad_input import BadInput, Fault, decoded, nfc
from gitops.runs.garbage import uncollected

Number = TypeVar("Number", int, float)
_BEYOND = 10**15
"""No grade is so high."""
_BLOCK = 1 << 14
"""So many bytes of lines are parted at once: their words, as objects, stay within a processor's cache."""
_END = "\0"
"""Stands for the end of a line while a block is parted."""
_SPACES = (b"\x1c", b"\x1d", b"\x1e", b"\x1f")
"""What is white space to a text, and not to bytes, nor in C."""


@dataclass(frozen=True, slots=True)
class _Rows(Generic[Number]):
    """Lines that follow one another and are of one topic; `line` is the number of the first."""

    topic: str
    documents: Sequence[str]
    numbers: Sequence[Number]
    line: int


@dataclass(frozen=True, slots=True)
class _Form(Generic[Number]):
    """How a line is written: its columns, those with topic, document and number, and how the numbers are read.

    `number` is what the number must be, in words. `is_exact`: nothing may follow the last column.
    """

    line: str
    columns: int
    wanted: tuple[int, int, int]
    read: Callable[[Sequence[str]], list[Number]]
    number: str
    is_exact: bool = False


@dataclass(slots=True)
class _Topics(Generic[Number]):
    """The number that each topic gives each document, topics by their first line, and how often one was repeated."""

    by_topic: dict[str, dict[str, Number]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    repeated: Counter[str] = field(default_factory=Counter)

    def begins(self, topic: str, line: int) -> None:
        """A line has this topic; its first one is remembered."""
        if topic not in self.lines:
            self.lines[topic], self.by_topic[topic] = line, {}

    def takes(self, topic: str, rows: _Rows[Number]) -> bool:
        """Whether all rows could be taken: none, where a document is there already, or is twice among them."""
        new, there = dict(zip(rows.documents, rows.numbers, strict=True)), self.by_topic[topic]
        if len(new) < len(rows.documents) or not there.keys().isdisjoint(new):
            return False
        if there:
            there.update(new)
        else:
            self.by_topic[topic] = new
        return True


def qrels(data: bytes, name: str) -> list[GoldenQuery]:
    """The topics of a file of judgements (`documents.queries`). BadInput with the line of what cannot be taken."""
    topics: _Topics[int] = _Topics()
    with uncollected():
        for number, block in _blocks(data, name):
            for rows in _rows(_QRELS, block, number, name):
                _judge(topics, rows, name)
        if not topics.by_topic:
            raise BadInput(name, [Fault(1, "it holds no judgement")], f"a line of it is: {_QRELS.line}")
        return documents.queries(topics.by_topic, topics.lines)


def ranking(data: bytes, name: str, top: int | None = None) -> Results:
    """The rankings of a file, of each the first `top` documents, in trec_eval's order (`ranking.trec_order`).

    The rank column is not looked at. A document that a topic ranks twice has the better of its scores. BadInput with
    the line of what cannot be taken.
    """
    topics: _Topics[float] = _Topics()
    with uncollected():
        for number, block in _blocks(data, name):
            for rows in _rows(_RANKING, block, number, name):
                _rank(topics, rows)
        return documents.results(name, topics.by_topic, top, topics.lines, topics.repeated)


def _judge(topics: _Topics[int], rows: _Rows[int], name: str) -> None:
    topic = rows.topic
    topics.begins(topic, rows.line)
    if topics.takes(topic, rows):
        return
    grades = topics.by_topic[topic]
    for number, (document, grade) in enumerate(zip(rows.documents, rows.numbers, strict=True), rows.line):
        if grades.setdefault(document, grade) != grade:
            told = f"topic '{topic}' judges the document '{document}' twice, {grades[document]} and {grade}"
            raise BadInput(name, [Fault(number, told)], "keep one of the two lines")


def _rank(topics: _Topics[float], rows: _Rows[float]) -> None:
    topic = rows.topic
    topics.begins(topic, rows.line)
    if topics.takes(topic, rows):
        return
    scores = topics.by_topic[topic]
    for document, score in zip(rows.documents, rows.numbers, strict=True):
        topics.repeated[topic] += document in scores
        scores[document] = max(score, scores.get(document, score))


def _rows(form: _Form[Number], block: bytes, first: int, name: str) -> Iterator[_Rows[Number]]:
    """The rows of some lines: all at once where each has the columns that it should, else line by line."""
    try:
        topics, names, written = _columns(block, form.columns, form.wanted)
        numbers = form.read(written)
    except ValueError:
        yield from _rows_by_line(form, block, first, name)
    else:
        yield from _of_topics(topics, names, numbers, first)


def _rows_by_line(form: _Form[Number], block: bytes, first: int, name: str) -> Iterator[_Rows[Number]]:
    for number, line in _lines(block, first):
        try:
            words = line.split(None, form.columns - 1)
            if len(words) < form.columns:
                raise ValueError
            topic, document, written = (words[column] for column in form.wanted)
            rows = _Rows(_name(topic), [_name(document)], form.read([written.decode()]), number)
        except ValueError:
            raise _unfit(line, form, f"{name}:{number}") from None
        yield rows


def _of_topics(
    topics: Sequence[str], names: Sequence[str], numbers: Sequence[Number], first: int
) -> Iterator[_Rows[Number]]:
    start = 0
    for topic, same in groupby(topics):
        end = start + len(list(same))
        yield _Rows(topic, names[start:end], numbers[start:end], first + start)
        start = end


def _blocks(data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """The file in parts that end where a line does, each with the number of its first line. BadInput unless UTF-8."""
    decoded(data, name)
    number, start = 1, len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        block = data[start:end]
        yield number, block
        number, start = number + block.count(b"\n"), end


def _columns(block: bytes, count: int, wanted: Sequence[int]) -> list[list[str]]:
    """The wanted columns of lines that have so many each, and an end; ValueError for any others.

    White space is ASCII's, as in C, and an id may hold any other: then it is parted as bytes.
    """
    lines, width, end = block.count(b"\n"), count + 1, _END.encode()
    parted = block.replace(b"\n", b" %b " % end)
    if block.isascii() and not any(space in block for space in _SPACES):
        words = parted.decode().split()
    else:
        words = list(map(_name, parted.split()))
    if end in block or len(words) != lines * width or words[count::width].count(_END) != lines:
        raise ValueError
    return [words[column::width] for column in wanted]


def _lines(block: bytes, first: int) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers."""
    return ((number, line) for number, line in enumerate(block.split(b"\n"), first) if line.strip())


def _name(written: bytes) -> str:
    return nfc(written.decode())


def _grades(written: Sequence[str]) -> list[int]:
    grades = list(map(int, written))
    _refuse_other_digits(written)
    if max(map(abs, grades)) >= _BEYOND:
        raise ValueError
    return grades


def _scores(written: Sequence[str]) -> list[float]:
    scores = list(map(float, written))
    _refuse_other_digits(written)
    if isnan(sum(scores)) and any(map(isnan, scores)):  # the sum of both infinities is none either
        raise ValueError
    return scores


def _refuse_other_digits(written: Sequence[str]) -> None:
    """ValueError for numbers that Python reads and C does not: with other scripts' digits, or underscores."""
    joined = "".join(written)
    if "_" in joined or not joined.isascii():
        raise ValueError


def _unfit(line: bytes, form: _Form[Any], where: str) -> BadInput:
    """Why a line cannot be taken: its columns are too few or too many, or else its number is none."""
    parts = line.split()
    if len(parts) < form.columns or (form.is_exact and len(parts) > form.columns):
        told = f"{len(parts)} columns, and {form.columns} are wanted"
    else:
        told = f"the {form.number}, not {parts[form.wanted[2]].decode()!r}"
    return BadInput(where, [Fault(0, told)], f"a line is: {form.line}")


_QRELS = _Form("topic iteration document grade", 4, (0, 2, 3), _grades, "grade must be a whole number", is_exact=True)
_RANKING = _Form("topic Q0 document rank score tag", 6, (0, 2, 4), _scores, "score must be a number")
