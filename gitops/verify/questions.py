"""What a judge is asked of a page: each claim against each source that it cites, with the span that is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from gitops.errors import Absent
from gitops.verify.judge import Question
from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki.anchors import locate
from gitops.wiki.model import Cite, Claim
from gitops.wiki.places_in_source import stretch
from gitops.wiki.source_headings import headings
from gitops.wiki.source_text import SourceText, page_of, page_span

CONTEXT = 500
"""How many characters before and after a span are shown with it, cut at the end of a line where there is one."""
_FOUND = ("verified", "repaired", "misattributed")
_MOST_SOURCES = 3
"""Of the files that a source page stands for, so many are asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about one claim: against the source of one of its citations, or against all of them together."""

    path: str
    claim: Claim
    cites: tuple[Cite, ...]
    question: Question

    @property
    def about(self) -> tuple[str, str, int]:
        """The claim that it is about: page, words, and the how-manieth of equal ones."""
        return self.path, self.claim.text, self.claim.ordinal


def questions(view: View, path: str, claims: Iterable[Claim]) -> Iterator[Asked]:
    """A question for each claim and each source of it that can be read; none where no source is here.

    A sentence of a page that cites as a whole (its ordinal is below 0) is asked of all sources at once.
    """
    for claim in claims:
        asked = [
            Asked(path, claim, (cite,), _question(view, claim, cite, source))
            for cite in claim.cites
            for source in _readable(view, path, cite)
        ]
        yield from [joined(asked)] if claim.ordinal < 0 and len(asked) > 1 else asked


def joined(asked: Sequence[Asked]) -> Asked:
    """The question whether all cited sources together say what a claim says."""
    first = asked[0]
    texts = [one.question for one in asked]

    def together(name: str) -> str:
        return "\n\n".join(dict.fromkeys(text for one in texts if (text := getattr(one, name)).strip()))

    question = Question(
        claim=first.claim.text,
        before=texts[0].before,
        after=texts[0].after,
        **{name: together(name) for name in ("span", "context", "source")},
        title=" and ".join(dict.fromkeys(one.title for one in texts)),
    )
    return Asked(first.path, first.claim, tuple(cite for one in asked for cite in one.cites), question)


def _readable(view: View, path: str, cite: Cite) -> Iterator[str]:
    resolved = resolve(view, path, cite)
    if resolved.status == "ok":
        yield from islice((to for to in resolved.paths if _text(view, to)), _MOST_SOURCES)


def _text(view: View, path: str) -> str:
    try:
        source = view.source(path)
    except Absent:
        return ""
    return "" if source.problem else source.text.strip()


def _question(view: View, claim: Claim, cite: Cite, path: str) -> Question:
    source = view.source(path)
    before, after = _around(claim)
    spans = merged(_spans(view, claim, cite, path, source))
    return Question(
        claim=claim.text,
        before=before,
        after=after,
        span="\n…\n".join(source.text[start:end] for start, end in spans),
        context="\n…\n".join(surroundings(source, start, end) for start, end in spans),
        title=title_of(path, source),
        source=source.text,
    )


def _around(claim: Claim) -> tuple[str, str]:
    """What stands before a claim, with a list's lead-in or a cell's heads, and after it (`PROTOCOL.md` 7)."""
    near = [words for words in (claim.before, claim.after) if words]
    heads = claim.context[: len(claim.context) - len(near)]
    return " ".join((*heads, *([claim.before] if claim.before else []))), claim.after


def _spans(view: View, claim: Claim, cite: Cite, path: str, source: SourceText) -> Iterator[tuple[int, int]]:
    """Where the citation points: its quotation, else quotations beside it, else the place that it names."""
    if cite.quote is not None:
        anchor = view.library.anchor(cite, view.snapshot.blob(path) or "", source)
        if anchor.result in _FOUND:
            yield anchor.start, anchor.end
        return
    for quotation in dict.fromkeys(one.text for one in (*cite.quotations, *claim.quotations)):
        found = locate(quotation, source, nearest=False)
        if found.result in _FOUND:
            yield found.start, found.end
    place = stretch(cite, source)
    if place is not None:
        yield from place.spans


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(set(spans)):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        elif start < end:
            merged.append((start, end))
    return merged


def surroundings(source: SourceText, start: int, end: int) -> str:
    """The span with what stands around it, on its pages: from the beginning of a line to the end of one where those are
    near.
    """
    text = source.text
    pages = [page_span(source, page_of(source, at) or 0) for at in (start, end - 1)]
    low, high = pages[0][0] if pages[0] else 0, pages[1][1] if pages[1] else len(text)
    first, last = max(low, start - CONTEXT), min(high, end + CONTEXT)
    if first > low and (line := text.find("\n", first, start)) >= 0:
        first = line + 1
    if last < high and (line := text.rfind("\n", end, last)) >= 0:
        last = line
    return text[first:last].strip()


def title_of(path: str, source: SourceText) -> str:
    """What the source is called: by its first heading, else by its file's name."""
    first = next(iter(headings(source.text)), None) if source.is_markdown else None
    if first is not None and first.start < CONTEXT:
        return first.text
    return path.rpartition("/")[2].rpartition(".")[0].replace("-", " ").replace("_", " ").strip()
