"""What the offline writer adds to pages that an ingest missed: what its source says of the terms they mention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gitops.agents.rehearsing import Added
from gitops.agents.writers import extracting, passages, selecting, topics
from gitops.agents.writers.document import Document, Sentence, Unreadable
from gitops.agents.writers.ground import Ground, Plan, Step
from gitops.agents.writers.pages import Linking, Target
from gitops.agents.writers.phrases import mentions, phrase
from gitops.agents.writers.placing import Places
from gitops.agents.writers.planning import FEW, MOST_LINKED
from gitops.agents.writers.setting import Setter
from gitops.wiki.dated import normalised
from gitops.wiki.snapshot import MemorySnapshot

MOST_PAGES = 200
"""Pages that one run mends, those with most terms first; the next run mends more."""

_SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Missed:
    """Sources that were ingested together, and the pages that mention their key terms and were not touched for them.

    Sources and pages by repository path; each page with the terms that it mentions, the weightiest first.
    """

    sources: tuple[str, ...]
    pages: Mapping[str, tuple[str, ...]]


def plan(ground: Ground, missed: Sequence[Missed], without: frozenset[str] = frozenset()) -> Plan:
    """What to write, source by source, each on what those before it left; `without` are claims to leave out.

    A page gains the sentences that name it, else those that hold several of the terms that it mentions: one alone, as
    `tea` in a wiki about tea, says little of what a page is about. Where the source has none such, it gains a link to
    the source's own page. That page is made, and the index lists it, where the wiki has none yet. A source that cannot
    be read adds nothing.
    """
    steps: dict[str, Step] = {}
    for each in missed:
        for source in each.sources:
            new = [path for path in _first(each.pages) if path not in steps][: max(0, MOST_PAGES - len(steps))]
            pages = {path: terms for path, terms in each.pages.items() if path in steps or path in new}
            for step in _steps(_on(ground, steps), source, pages, without):
                before = steps.get(step.path)
                claims = (*before.claims, *step.claims) if before is not None else step.claims
                is_new = before.is_new if before is not None else step.is_new
                steps[step.path] = Step(step.path, step.data, is_new, claims)
    sources = dict.fromkeys(source for each in missed for source in each.sources)
    return Plan(", ".join(sources), "", tuple(steps[path] for path in sorted(steps)))


def _first(pages: Mapping[str, Sequence[str]]) -> list[str]:
    return sorted(pages, key=lambda path: (-len(pages[path]), path))


def _on(ground: Ground, steps: Mapping[str, Step]) -> Ground:
    """The ground with what was planned before laid over it."""
    if not steps:
        return ground
    written = MemorySnapshot({path: step.data for path, step in steps.items()})
    return replace(ground, view=replace(ground.view, snapshot=Added(ground.view.snapshot, written)))


def _steps(ground: Ground, source: str, pages: Mapping[str, Sequence[str]], without: frozenset[str]) -> list[Step]:
    try:
        document = _document(ground, source)
    except (Unreadable, KeyError):
        return []
    usable = [one for one in extracting.usable(document.sentences) if normalised(one.text) not in without]
    if not usable:
        return []
    return _Backfill(ground, source, document, usable).steps(pages)


def _document(ground: Ground, source: str) -> Document:
    text = ground.view.source(source)
    passages.demand_text(text, source)
    passages.demand_name(ground.view.layout.cited(source))
    return passages.read(text, source, ground.view.snapshot.read(source) if text.extractor == "html" else b"")


class _Backfill:
    """What the pages gain that one source missed."""

    def __init__(self, ground: Ground, source: str, document: Document, usable: Sequence[Sentence]) -> None:
        self.usable = usable
        self.places = Places(ground.view)
        self.own = Target(self.places.of_source(source), document.title)
        known = {name: Target(path) for name, path in self.places.names.items()}
        linking = Linking(ground.view.layout.wiki, self.places.is_wiki, known)
        self.setter = Setter(ground, self.places, source, document, self.own, linking)
        self.naming = topics.naming(self.places.names, usable)

    def steps(self, pages: Mapping[str, Sequence[str]]) -> list[Step]:
        """The pages, and the source's own where there is none yet."""
        own = self._own()
        if own is None and self.places.page(self.own.path) is None:
            return []  # something else stands in its place, so no page could say where its claims are from
        made, linked = [], 0
        for path in _first(pages):
            if path == self.own.path or self.places.page(path) is None:
                continue
            sentences = self._about(path, pages[path])
            step = self.setter.step(Target(path, self.places.title(path)), sentences, ())
            if step is None or (not step.claims and linked >= MOST_LINKED):
                continue
            linked += not step.claims
            made.append(step)
        if own is None or not made:
            return made
        index = self.setter.index([self.own])
        return [*made, own, *([index] if index is not None else [])]

    def _own(self) -> Step | None:
        if self.places.page(self.own.path) is not None:
            return None
        return self.setter.step(self.own, selecting.overview(self.usable, ()), ())

    def _about(self, path: str, terms: Sequence[str]) -> tuple[Sentence, ...]:
        named = selecting.about(self.naming.get(path, ()), self.places.called(path), FEW)
        names = [phrase(term) for term in terms]
        near = [one for one in self.usable if sum(mentions(one.text, name) for name in names) >= _SEVERAL]
        return named or selecting.about(near, names, FEW)
