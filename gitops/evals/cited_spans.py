"""The place in a source that a vote is about, cut out with what stands around it: what is read beside a claim."""

from __future__ import annotations

from typing import Any

from gitops.evals.citation_claims import Told
from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki.chunks import source_passages
from gitops.wiki.model import Cite
from gitops.wiki.source_text import SourceText, page_of
from gitops.wiki.terms import STOP_WORDS, tokens

AROUND = 300
"""How many characters before and after the words are shown."""
_LONGEST = 1_200
_GAP = "\n…\n"
"""What stands between the spans of one question."""
_SHARED = 2
"""So many content words make a passage one that speaks of the same thing."""
_SEARCHED = 200_000
"""In a longer source nobody looks for the nearest words."""


def failing(view: View, told: Told) -> dict[str, Any]:
    """A claim that its source does not bear out, as plain JSON: where it stands, what it cites, who says no and why."""
    drawn, found = told.drawn, _found(view, told)
    return {
        "id": drawn.id,
        "page": drawn.path,
        "line": drawn.claim.place.line,
        "claim": drawn.claim.text,
        "citation": "; ".join(dict.fromkeys(cited(cite) for cite in told.cites)),
        "vote": told.vote,
        "reason": told.reason,
        "judge": told.by,
        "confidence": told.confidence,
        "unsupported": list(told.answer.vote.unsupported) if told.answer is not None else [],
        "source": found,
    }


def cited(cite: Cite) -> str:
    """What a citation points to, as a person reads it."""
    pages = [] if cite.first_page is None else [f"p.{cite.first_page}"]
    if cite.last_page not in (None, cite.first_page):
        pages = [f"p.{cite.first_page}-{cite.last_page}"]
    said = [cite.locator.said] if cite.locator is not None else []
    quoted = [f'"{cite.quote}"'] if cite.quote is not None else []
    return ", ".join([cite.path, *pages, *said, *quoted])


def _found(view: View, told: Told) -> dict[str, Any] | None:
    """The words that are cited, else those that come nearest to the claim; None where no source can be shown."""
    sources = [
        (path, view.source(path))
        for cite in told.cites
        if (found := resolve(view, told.drawn.path, cite)).status == "ok"
        for path in found.paths
    ]
    for is_cited, span in ((True, _span), (False, _nearest)):
        for path, source in sources:
            start, end = span(told, source)
            if start < end:
                return _shown(path, source, start, end, is_cited=is_cited)
    return _shown(*sources[0], 0, 0, is_cited=False) if sources else None


def _shown(path: str, source: SourceText, start: int, end: int, *, is_cited: bool) -> dict[str, Any]:
    """Half-open `[start, end)` in code points of the source's text; both 0 where nothing of it is shown."""
    stop, is_nothing = min(end, start + _LONGEST), start == end
    return {
        "source": path,
        "page": None if is_nothing else page_of(source, start),
        "start": start,
        "end": end,
        "before": "" if is_nothing else source.text[max(0, start - AROUND) : start],
        "span": source.text[start:stop],
        "after": "" if is_nothing or stop < end else source.text[end : end + AROUND],
        "is_cited": is_cited,
    }


def _span(told: Told, source: SourceText) -> tuple[int, int]:
    if told.draft is not None:
        start = told.draft.evidence.get("offset", 0)
        says = told.draft.evidence.get("source_says") or told.draft.evidence.get("quote") or ""
        return start, min(len(source.text), told.draft.evidence.get("end") or start + len(says))
    first = told.answer.asked.question.span.partition(_GAP)[0] if told.answer is not None else ""
    start = source.text.find(first) if first else -1
    return (start, start + len(first)) if start >= 0 else (0, 0)


def _nearest(told: Told, source: SourceText) -> tuple[int, int]:
    """The first of the passages that share the most content words with the claim; none where few are shared."""
    wanted = _content(told.drawn.claim.text)
    passages = source_passages(source) if len(source.text) <= _SEARCHED else []
    most, best = 0, (0, 0)
    for one in passages:
        if (shared := len(wanted & _content(one.text))) > most:
            most, best = shared, (one.start, one.end)
    return best if most >= _SHARED else (0, 0)


def _content(text: str) -> frozenset[str]:
    return frozenset(tokens(text)) - STOP_WORDS
