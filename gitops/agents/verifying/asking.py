"""The verifier's first message: what the change does, and the claims by number, all of it as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from gitops.agents.fencing import fenced
from gitops.agents.verifying.plan import Spot
from gitops.canonical import dumps
from gitops.verify.judge import PairQuestion, Question

MOST_CLAIMS = 40
"""So many claims go into one conversation; more are judged in several, each as fresh as the first."""
_SPAN = 2_000
_CONTEXT = 2_400
_SOURCE = 24_000

Spots = Mapping[str, Sequence[Spot]]
Asked = TypeVar("Asked", Question, PairQuestion)


def batches(questions: Sequence[Asked], most: int, *, shows_sources: bool = False) -> Iterator[Sequence[Asked]]:
    """Questions in groups that one conversation can hold, in order: so many, of so many characters."""
    group: list[Asked] = []
    shown: set[str] = set()
    room = most
    for question in questions:
        size = _size(question, shown if shows_sources else None)
        if group and (len(group) == MOST_CLAIMS or size > room):
            yield group
            group, shown, room = [], set(), most
            size = _size(question, shown if shows_sources else None)
        group.append(question)
        room -= size
        if isinstance(question, Question):
            shown.add(question.source)
    if group:
        yield group


def _size(question: Question | PairQuestion, shown: set[str] | None) -> int:
    """How many characters a question adds; a source that is shown already adds none."""
    if isinstance(question, PairQuestion):
        return len(question.a) + len(question.b) + len(question.topic)
    size = len(question.claim) + len(question.before) + len(question.after) + len(question.title)
    size += min(len(question.span), _SPAN) + min(len(question.context), _CONTEXT)
    return size + (min(len(question.source), _SOURCE) if shown is not None and question.source not in shown else 0)


def with_tools(questions: Sequence[Question], change: str, spots: Spots) -> str:
    """The claims of a revision that the verifier can look around in, with what changed in it, if anything did."""
    lines = "\n".join(_line(number, one, spots, {}) for number, one in enumerate(questions, 1))
    shown = f"The change, page by page (lines with + are new):\n\n{change}\n\n" if change else ""
    return (
        f"{shown}The {len(questions)} claims to vote on, one JSON object a line; `span` is the cited passage where the"
        f" citation gives one. Read the sources themselves before you vote.\n{fenced(lines, what='claims')}"
    )


def without_tools(questions: Sequence[Question]) -> str:
    """Claims with all that there is to judge them by: there is no change, and nothing to look around in."""
    sources = list(dict.fromkeys((one.title, _cut(one.source, one.span)) for one in questions))
    numbers = {source: f"source {at}" for at, source in enumerate(sources, 1)}
    told = "\n\n".join(fenced(text, source=numbers[title, text], title=title) for title, text in sources)
    lines = "\n".join(
        _line(number, one, {}, {"source": numbers[one.title, _cut(one.source, one.span)]})
        for number, one in enumerate(questions, 1)
    )
    return (
        f"The sources:\n\n{told}\n\nThe {len(questions)} claims to vote on, one JSON object a line, each with its"
        f" source; `span` is the cited passage where the citation gives one.\n{fenced(lines, what='claims')}"
    )


def pairs(questions: Sequence[PairQuestion]) -> str:
    """Pairs of claims."""
    rows = [{"number": at, "a": one.a, "b": one.b, "topic": one.topic} for at, one in enumerate(questions, 1)]
    lines = "\n".join(dumps({key: value for key, value in row.items() if value != ""}) for row in rows)
    return f"The {len(questions)} pairs to vote on, one JSON object a line.\n{fenced(lines, what='pairs')}"


def _line(number: int, asked: Question, spots: Spots, more: Mapping[str, Any]) -> str:
    """A claim on one line: in JSON no text can end its line and begin another claim's."""
    places = [{"page": spot.path, "line": spot.line, "cites": list(spot.cites)} for spot in spots.get(asked.claim, ())]
    row = {
        "number": number,
        "claim": asked.claim,
        "before": asked.before,
        "after": asked.after,
        "source_title": asked.title,
        "span": _shortened(asked.span, _SPAN),
        "context": _shortened(asked.context, _CONTEXT) if asked.context != asked.span else "",
        "stands_at": places,
        **more,
    }
    return dumps({key: value for key, value in row.items() if value not in ("", [])})


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} [left out here: {len(text) - most} characters]"


def _cut(source: str, span: str) -> str:
    """A source as far as it is shown: around the span, and what is left out is said."""
    if len(source) <= _SOURCE:
        return source
    at = max(source.find(span.split("\n…\n", 1)[0]), 0) if span else 0
    start = max(0, min(at - _SOURCE // 2, len(source) - _SOURCE))
    end = start + _SOURCE
    before = f"[left out here: {start} characters]\n" if start else ""
    after = f"\n[left out here: {len(source) - end} characters]" if end < len(source) else ""
    return f"{before}{source[start:end]}{after}"
