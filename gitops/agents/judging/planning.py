"""Requests: questions about one source put together, so that its excerpt is sent as few times as it fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.agents.judging import excerpts, prompts
from gitops.agents.judging.relevant import Relevance
from gitops.agents.judging.sections import Divided
from gitops.verify.judge import Question

TOGETHER = 15
"""The most claims of one request: each has to be looked into."""
BYTES_PER_TOKEN = 3.5
_FOR_SOURCE, _FOR_CLAIMS, _FOR_PROMPT = 0.5, 0.15, 3_000
_BESIDE = 80
"""Characters of a sentence beside a claim that are sent."""
_ALONE, _OPENING = 60, 60
"""Characters from which on a claim is understood by itself where no word of its opening points elsewhere."""
_POINTS = re.compile(
    r"[^\x00-\u024f\u2000-\u2bff]"  # other scripts: nobody knows
    r"|\b(?:it|its|this|that|these|those|they|their|them|he|she|his|her|such|both|here|there|same|latter|former|also"
    r"|another|others?|then|thus|instead|ones?|above|below|however)\b",
    re.IGNORECASE,
)
_ENDS = (".", "!", "?", "。", "！", "？")
_LEADS_IN = re.compile(r"[:：](?:\s|$)")
_RUNS_ON = (":", ",", ";", "—", "–", "：", "，", "；")


@dataclass(frozen=True, slots=True)
class Room:
    """How many bytes of a source and of claims go into one request."""

    source: int
    claims: int

    @staticmethod
    def of(context_tokens: int) -> Room:
        """What a model's context has room for: the rest is for what it is told, its thoughts and its answer."""
        total = context_tokens * BYTES_PER_TOKEN
        return Room(max(1_500, int(total * _FOR_SOURCE) - _FOR_PROMPT), max(500, int(total * _FOR_CLAIMS)))


@dataclass(frozen=True, slots=True)
class Request:
    """One call: the claims it asks about, by the numbers of their questions; `left_out` are sections it may ask for."""

    questions: tuple[int, ...]
    claims: tuple[str, ...]
    system: str
    content: tuple[dict[str, Any], ...]
    left_out: frozenset[int]


@dataclass(frozen=True, slots=True)
class Family:
    """Requests that begin alike: the first one's beginning is kept by the server's cache for the others."""

    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    number: int
    question: Question
    pieces: tuple[int, ...]
    cited: tuple[int, ...]


def plan(
    divided: Divided, questions: Mapping[int, Question], room: Room, more: Mapping[int, frozenset[int]] | None = None
) -> list[Family]:
    """The requests for questions about one source, the same for the same numbers.

    `more` are the sections that were asked for; then no more can be asked for. A question that needs more of the source
    than one request has room for is asked of each part.
    """
    found = Relevance(divided)
    asked = [
        _asked(divided, found, number, question, (more or {}).get(number)) for number, question in questions.items()
    ]
    asked.sort(key=lambda one: (one.pieces, one.number))  # the pages' order, as long as the source allows it
    small = [one for one in asked if excerpts.size(divided, one.pieces) <= room.source]
    large = [one for one in asked if excerpts.size(divided, one.pieces) > room.source]
    families = [
        _family(divided, group, pieces, room, may_ask_more=more is None)
        for group, pieces in _together(divided, small, room.source)
    ]
    return families + [
        _family(divided, [one for one in large if set(one.pieces) & set(part)], part, room, may_ask_more=False)
        for part in _parts(divided, sorted({index for one in large for index in one.pieces}), room.source)
    ]


def _asked(divided: Divided, found: Relevance, number: int, question: Question, more: frozenset[int] | None) -> _Asked:
    pieces = {*found.pieces(question), *divided.within(more or ())}
    return _Asked(number, question, tuple(sorted(pieces)), tuple(found.cited(question)))


def _together(divided: Divided, asked: Iterable[_Asked], room: int) -> list[tuple[list[_Asked], list[int]]]:
    """Questions in groups whose pieces fit into one request."""
    groups: list[tuple[list[_Asked], list[int]]] = []
    for one in asked:
        union = sorted({*groups[-1][1], *one.pieces}) if groups else []
        if groups and excerpts.size(divided, union) <= room:
            groups[-1] = ([*groups[-1][0], one], union)
        else:
            groups.append(([one], list(one.pieces)))
    return groups


def _parts(divided: Divided, pieces: Sequence[int], room: int) -> list[list[int]]:
    """Pieces in parts that fit."""
    parts: list[list[int]] = []
    used = 0
    for index in pieces:
        length = excerpts.size(divided, [index])
        if parts and used + length <= room:
            parts[-1].append(index)
            used += length
        else:
            parts.append([index])
            used = length
    return parts


def _family(divided: Divided, asked: list[_Asked], pieces: list[int], room: Room, *, may_ask_more: bool) -> Family:
    made = excerpts.excerpt(divided, pieces, asked[0].question.title)
    left_out = made.left_out if may_ask_more else frozenset()
    source = prompts.source_block(asked[0].question.title, made)
    system = prompts.claims_system(may_ask_more=bool(left_out))
    requests = []
    for batch in _batches(asked, room.claims):
        content = (source, prompts.claims_block([_claim(one, set(pieces)) for one in batch]))
        claims = tuple(one.question.claim for one in batch)
        requests.append(Request(tuple(one.number for one in batch), claims, system, content, left_out))
    return Family(tuple(requests))


def _batches(asked: Iterable[_Asked], room: int) -> list[list[_Asked]]:
    batches: list[list[_Asked]] = []
    used = 0
    for one in asked:
        length = len(one.question.claim.encode()) + 4 * _BESIDE
        if batches and len(batches[-1]) < TOGETHER and used + length <= room:
            batches[-1].append(one)
            used += length
        else:
            batches.append([one])
            used = length
    return batches


def _leads_in(before: str) -> bool:
    """Whether what stands before a claim is no mere sentence: it leads in, or heads the row."""
    return not before.endswith(_ENDS) or _LEADS_IN.search(before) is not None


def _leans(claim: str) -> bool:
    """Whether a claim may need the sentence before it to be understood."""
    return len(claim) < _ALONE or _POINTS.search(claim[:_OPENING]) is not None


def _claim(one: _Asked, sent: set[int]) -> prompts.Claim:
    """A claim as it is sent with an excerpt of these pieces."""
    asked = one.question
    cited = [index + 1 for index in one.cited if index in sent]
    before, after = asked.before.strip(), asked.after.strip()
    return prompts.Claim(
        asked.claim,
        where=_stretch(cited[0], cited[-1]) if cited else "",
        before=_shortened(before) if _leans(asked.claim) or _leads_in(before) else "",
        after=_shortened(after) if asked.claim.rstrip().endswith(_RUNS_ON) else "",
        cited_text=asked.span if not one.cited else "",
    )


def _stretch(first: int, last: int) -> str:
    return f"¶{first}" if first == last else f"¶{first}-{last}"


def _shortened(text: str) -> str:
    return text if len(text) <= _BESIDE else f"{text[: _BESIDE // 2]}…{text[-_BESIDE // 2 :]}"
