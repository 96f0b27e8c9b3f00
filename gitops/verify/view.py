"""What a check sees: one revision of a workspace, its pages parsed and its sources read, each at most once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from gitops.config import Config
from gitops.verify.finding import Level
from gitops.verify.library import Cache as Cache
from gitops.verify.library import Library as Library
from gitops.verify.library import NoCache as NoCache
from gitops.wiki.graph import Graph
from gitops.wiki.layout import Layout
from gitops.wiki.model import Page, Place
from gitops.wiki.snapshot import Change, History, Snapshot, no_history
from gitops.wiki.sources import SourceText
from gitops.wiki.values import value_class

if TYPE_CHECKING:
    from gitops.verify.voting import Heard


class Corpus(Protocol):
    """How many of the workspace's sources hold a term."""

    @property
    def documents(self) -> int:
        """How many sources there are."""
        ...

    def frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """The number of sources that hold each term."""
        ...

    def mentioning(self, term: str) -> Iterable[str]:
        """The wiki pages at the base that hold a term as a whole word."""
        ...


@dataclass(frozen=True, slots=True)
class View:
    """One revision of one workspace."""

    snapshot: Snapshot
    layout: Layout
    config: Config
    library: Library
    graph: Graph
    history: History = no_history
    meant: dict[tuple[str, str, str], Any] = field(default_factory=dict, compare=False, repr=False)
    """What citations mean (`resolution.resolve`), as long as they are not too many: each is asked by several checks."""

    def page(self, path: str) -> Page:
        """The parsed page at `path`."""
        return self.library.page(self.snapshot, path)

    def source(self, path: str) -> SourceText:
        """The extracted source at `path`."""
        return self.library.source(self.snapshot, path)

    def source_path(self, cited: str) -> str:
        """The repository path of a cited source, in the Unicode form that git has its name in.

        A citation is NFC; macOS has added file names in NFD for decades. Where nothing stands, the path as cited.
        """
        path = self.layout.source(cited)
        if cited.isascii() or self.snapshot.mode(path) is not None:
            return path
        decomposed = self.layout.source(unicodedata.normalize("NFD", cited))
        if self.snapshot.mode(decomposed) is not None:
            return decomposed
        composed = unicodedata.normalize("NFC", path)
        paths = self.snapshot.paths(self.layout.raw)
        return next((known for known in paths if unicodedata.normalize("NFC", known) == composed), path)


@value_class
class PageAt:
    """A page under examination, and what its past excuses or explains."""

    view: View
    path: str
    page: Page
    previous: tuple[Page, ...] = ()
    """The pages at the base that this one's claims may come from (itself, when the base is examined)."""
    changed_by: Mapping[str, str] = field(default_factory=dict)
    """Path → the last commit of the change that touched it."""
    is_counted: bool = False
    """What is right is only counted: nobody reads its evidence, so a check may leave it out."""
    heard: Mapping[tuple[str, int], Heard] = field(default_factory=dict)
    """What the judges said of its claims, by words and ordinal; empty until they were asked."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run besides its content. All empty when a plain revision is judged."""

    run_type: str = "cascade"
    sources: tuple[str, ...] = ()
    reason: str = ""
    budget: Mapping[str, float] = field(default_factory=dict)
    used: Mapping[str, float] | None = None
    """None where nobody could know (an adopted branch): the budget check does not apply."""
    is_run: bool = True
    log_lines: frozenset[str] = frozenset()
    """The lines that the tool itself may have added to the log: recomputed from the records, never read off."""


@dataclass(frozen=True, slots=True)
class RunAt:
    """A whole change under examination."""

    base: View
    head: View
    change: Change
    run: RunFacts
    corpus: Corpus | None


@value_class
class Draft:
    """What a check has to say, before levels and fingerprints.

    `subject` is the stable text that makes the finding the same one across commits: a claim's words, a
    link's target, never a line number.
    """

    result: str
    message: str
    subject: str
    path: str = ""
    place: Place | None = None
    claim: str = ""
    source: str = ""
    repair: str | Callable[[], str] = ""
    """A mend that is dear to find is given as a function, and asked for only where the finding is new."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    level: Level | None = None
    """The level of this one case, where it is not the result's default (a drift of a claim new in this run)."""
    at_most: Level | None = None
    """A bound that no policy lifts: what an unsure judge says is never more than a note."""
