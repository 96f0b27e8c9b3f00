"""What tests of the offline writer share: a wiki in memory to plan on, and a source in memory to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gitops.agents.writers.ground import Ground, Plan
from gitops.agents.writers.planning import plan
from gitops.verify.view import View
from gitops.wiki.sources import SourceText, extract
from gitops.wiki.terms import MemoryCorpus, tokens
from tests.agents.shelves import Written, view_of

DAY = "2024-01-02"
EMPTY: Mapping[str, str] = {"wiki/index.md": "# Index\n"}


class Words:
    """The terms of a view's sources and pages, counted at once."""

    def __init__(self, view: View) -> None:
        layout = view.layout
        raw = [path for path in view.snapshot.paths() if layout.is_source(path)]
        self._raw = MemoryCorpus(tokens(view.source(path).text) for path in raw)
        pages = [path for path in view.snapshot.paths() if layout.is_page(path)]
        self._pages = {path: frozenset(tokens(view.page(path).prose)) for path in pages}

    @property
    def documents(self) -> int:
        return self._raw.documents

    def frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        return self._raw.frequency(terms)

    def mentioning(self, term: str) -> Iterable[str]:
        return sorted(path for path, words in self._pages.items() if term in words)


def ground_of(files: Written, policy: str = "") -> Ground:
    view = view_of({**EMPTY, **files}, policy)
    return Ground(view, Words(view), DAY)


def planned(files: Written, source: str, policy: str = "", without: frozenset[str] = frozenset()) -> Plan:
    return plan(ground_of(files, policy), source, without)


def texts(made: Plan) -> dict[str, str]:
    """The pages of a plan as text, by path."""
    return {step.path: step.data.decode() for step in made.steps}


def after(files: Written, made: Plan) -> dict[str, str | bytes]:
    """The files once the plan is written."""
    return {**EMPTY, **files, **{step.path: step.data for step in made.steps}}


def source_of(text: str, path: str = "raw/a.md") -> SourceText:
    return extract(path, text.encode())
