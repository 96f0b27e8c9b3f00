"""Answers without a model: the sentences of the wiki that say what was asked, or a refusal where none says enough.

The chunks that a search finds are read sentence by sentence, and each is weighed against the question
(`answering.weighing`). What is answered is a sentence of a page as it stands, so the answer says nothing that the wiki
does not say; whether it is what was asked is measured in `docs/query.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from gitops.agents.answering import kinds
from gitops.agents.answering import question as questions
from gitops.agents.answering.question import Question
from gitops.agents.answering.weighing import Weighed, Words, weigh
from gitops.agents.answers import Citation, Lead, Said, refusal, slug_of
from gitops.runs.searching import Hit, Searcher
from gitops.wiki.chunks import ABOVE
from gitops.wiki.layout import is_about_wiki, is_entry
from gitops.wiki.names import name_key
from gitops.wiki.passages import Passage
from gitops.wiki.positions import Lines

LOOKED_AT = 24
"""How many chunks are read for an answer."""
ENOUGH = 0.62
"""The share of the question's weight that a sentence must hold with its title, headings and the sentence before."""
ALONE = 0.3
"""The share that it must hold by itself."""
AS_GOOD = 0.92
"""Further sentences are given that hold so much of what the best one holds."""
MOST = 3
"""So many sentences are given at most."""
_SOUGHT = 400
"""Among so many chunks is looked for the beginning of a page that is called what a question asks the meaning of."""
_BRACKETS = re.compile(r"[(（].*?[)）]")
_ALIKE = 0.7
"""Two sentences that share so much of the shorter one's words say the same."""
_LISTED, _FOLLOWING = 8, 3
"""So many items of a list, or sentences of a paragraph, may follow one that they belong to."""
_BEGINNING, _EARLY = 7, 300
"""The first words of a sentence, the first characters of a page: where it is said what something is."""
_HEADS = (
    *("See also", "Related", "Related pages", "Further reading"),
    *("관련 개념", "관련 문서", "참고", "相关", "相關", "関連", "関連項目"),
)
_SEE_ALSO = frozenset(map(name_key, _HEADS))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a page that may answer, with what of its page belongs to it: the items that it leads in to."""

    hit: Hit
    passage: Passage
    weighed: Weighed
    items: tuple[Passage, ...] = ()
    defines: bool = False
    begins: bool = False
    """Whether it stands at the beginning of a page that is called just what is asked for."""

    @property
    def score(self) -> float:
        """What candidates are ranked by: what the sentence holds, a little more where it holds it alone."""
        weighed = self.weighed
        return (
            weighed.share
            + 0.15 * weighed.alone
            + 0.1 * weighed.joined
            + 0.4 * weighed.titled
            + 0.2 * self.defines * (1 + self.begins)
        )


def answer(searcher: Searcher, text: str, beside: str = "") -> tuple[Said, list[Hit]]:
    """The answer to a question, and what was found for it outside a folder `beside`."""
    question = questions.parse(text, searcher.rarity)
    words = [term.word for term in question.terms]
    hits = searcher.find(words, LOOKED_AT, beside=beside)
    every = searcher.find(words, _SOUGHT, beside=beside) if kinds.asks_what_it_is(text) else hits
    beginnings = _first_of_named(question, every)
    read = list(dict.fromkeys((*hits, *beginnings)))
    found = sorted(candidates(searcher, question, read, beginnings), key=_order)
    sound = [one for one in found if not one.weighed.lacks]
    best = next((one for one in sound if is_enough(one.weighed)), None)
    if best is None:
        return refusal(_why(found, sound)), hits
    chosen = _chosen(best, sound)
    said = "\n".join(_told(one) for one in chosen)
    return Said(said, tuple(citation for one in chosen for citation in _cited(one))), hits


def _first_of_named(question: Question, hits: Sequence[Hit]) -> Sequence[Hit]:
    """Of each page that is called just what is asked for, the first chunk: pages begin with what a thing is."""
    first: dict[str, Hit] = {}
    for hit in sorted(hits, key=lambda hit: hit.start):
        if _is_named(question, hit):
            first.setdefault(hit.path, hit)
    return sorted(first.values(), key=lambda hit: hit.rank)


def _is_named(question: Question, hit: Hit) -> bool:
    """Whether a page's title, but for what stands in brackets, or its file's name is what is asked for and no more."""
    asked = {term.stem for term in question.terms}
    return asked in (set(questions.stems(_BRACKETS.sub(" ", hit.title))), set(questions.stems(slug_of(hit.path))))


def lead(sources: Searcher, text: str) -> Lead | None:
    """Where a source says what was asked, for a question that the wiki does not answer."""
    said, _ = answer(sources, text)
    if said.refused:
        return None
    first = said.citations[0]
    source = sources.bench.library.source(sources.bench.base_tree, first.path)
    return Lead(first.path, Lines(source.text).place(first.start, first.end).line, first.quote)


def is_enough(weighed: Weighed) -> bool:
    """Whether a sentence holds enough of the question to answer it."""
    return weighed.share >= ENOUGH and weighed.alone >= ALONE


def candidates(
    searcher: Searcher, question: Question, hits: Sequence[Hit], beginnings: Sequence[Hit] = ()
) -> Iterator[Candidate]:
    """Every sentence of the chunks that were found, but for pages that only lead to others."""
    for hit in hits:
        if _leads_elsewhere(searcher, hit):
            continue
        found = searcher.passages(hit)
        title = f"{hit.title} {slug_of(hit.path)}"
        titled, above = Words.of(title), Words.of(f"{title} {hit.heading}")
        before, begins = Words.of(""), hit in beginnings
        for at, passage in enumerate(found):
            if passage.points or passage.block in ("heading", "code") or passage.text.endswith(("?", "？")):
                continue
            weighed = weigh(question, passage.text, titled, above, before)
            defines = kinds.asks_what_it_is(question.text) and _defines(question, hit, passage, weighed)
            yield Candidate(hit, passage, weighed, tuple(_items(found[at:], question)), defines, begins)
            before = Words.of(passage.text)


def _leads_elsewhere(searcher: Searcher, hit: Hit) -> bool:
    """Whether a chunk only names pages and sources: of an index, of a log, below `See also` or `Sources`."""
    if is_entry(hit.path) or is_about_wiki(hit.path) or hit.path == searcher.index:
        return True
    return name_key(hit.heading.rpartition(ABOVE)[2]) in {*map(name_key, searcher.source_headings), *_SEE_ALSO}


def _defines(question: Question, hit: Hit, passage: Passage, weighed: Weighed) -> bool:
    """Whether a sentence says what something is: it begins with its name, or begins the page of that name.

    A row of a table compares things, and says of none what it is.
    """
    if passage.block == "row":
        return False
    beginning = Words.of(" ".join(passage.text.split()[:_BEGINNING]))
    if all(beginning.holds(term) for term in question.terms):
        return True
    return weighed.titled > 0.5 and ABOVE not in hit.heading and passage.start - hit.start < _EARLY


def _items(found: Sequence[Passage], question: Question) -> Iterator[Passage]:
    """What belongs to a sentence: the items it leads in to by a colon; of a list that is asked for what follows it."""
    first = found[0]
    if first.text.endswith((":", "：")):
        yield from takewhile(lambda one: one.block == "item", found[1 : _LISTED + 1])
    elif kinds.asks_for_several(question.text) and first.block in ("paragraph", "text"):
        yield from takewhile(lambda one: one.unit == first.unit, found[1 : _FOLLOWING + 1])


def _order(one: Candidate) -> tuple[float, int, int]:
    return -one.score, one.hit.rank, one.passage.start


def _chosen(best: Candidate, sound: Sequence[Candidate]) -> list[Candidate]:
    """The best, and others that hold about as much and say something else."""
    chosen = [best]
    for one in sound:
        is_as_good = one.score >= AS_GOOD * best.score and is_enough(one.weighed)
        if len(chosen) < MOST and is_as_good and not any(_is_alike(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def _is_alike(one: Candidate, other: Candidate) -> bool:
    a, b = Words.of(one.passage.text).stems, Words.of(other.passage.text).stems
    return len(a & b) >= _ALIKE * min(len(a), len(b))


def _told(one: Candidate) -> str:
    return "\n".join([one.passage.text, *(f"- {item.text}" for item in one.items)])


def _cited(one: Candidate) -> Iterator[Citation]:
    for passage in (one.passage, *one.items):
        start, end = passage.start, passage.end
        yield Citation(one.hit.path, one.hit.chunk, start, end, one.hit.line, passage.text)


def _why(found: Sequence[Candidate], sound: Sequence[Candidate]) -> str:
    """What the nearest sentence lacks, in words for a person."""
    if not found:
        return "no page holds a word of the question that tells"
    if not sound or found[0].score > sound[0].score + 0.2:
        return f"the nearest sentence, on {found[0].hit.path}, says nothing of {found[0].weighed.lacks}"
    return f"the nearest sentence, on {sound[0].hit.path}, holds {sound[0].weighed.share:.0%} of what is asked"
