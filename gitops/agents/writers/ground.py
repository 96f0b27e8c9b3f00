"""What a plan is made on, and what it is: values that the parts of the offline writer hand one another."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.agents.writers.document import Sentence
from gitops.verify.view import Corpus, View
from gitops.wiki.keyterms import by_page, expects_touch, key_terms


@dataclass(frozen=True, slots=True)
class Ground:
    """The wiki as it stands, the terms of its sources and pages, and the day."""

    view: View
    corpus: Corpus
    day: str


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of one page: its new bytes, and the claims it gains."""

    path: str
    data: bytes
    is_new: bool
    claims: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """All steps of one ingest, by path. Empty where the wiki says all of it already."""

    source: str
    title: str
    steps: tuple[Step, ...] = ()

    @property
    def claims(self) -> int:
        """How many claims are new."""
        return sum(len(step.claims) for step in self.steps)


def mentioning(ground: Ground, text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The pages that hold a source's key terms, those with most first, as the check `coverage` counts them."""
    corpus, layout, config = ground.corpus, ground.view.layout, ground.view.config
    every = by_page(key_terms(text, corpus, config.coverage.terms), corpus.mentioning)
    found = {path: terms for path, terms in every.items() if expects_touch(path, layout, config)}
    ranked = sorted(found, key=lambda path: (-len(found[path]), path))
    return [(path, tuple(found[path])) for path in ranked]
