"""Whether what gold queries expect is there: pages of these slugs, sources at these paths, else the nearest names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gitops.runs.gold import GoldQuery, nearest
from gitops.runs.gold_file import Fault
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import Snapshot


@dataclass
class Ground:
    """The pages and sources of a workspace, as some tree has them; listed when they are first asked for."""

    tree: Snapshot
    layout: Layout

    @cached_property
    def topics(self) -> frozenset[str]:
        """The slugs of the pages: their files' names without the suffix."""
        pages = (path for path in self.tree.paths(self.layout.wiki) if self.layout.is_page(path))
        return frozenset(slug_of(path) for path in pages if path != self.layout.log)

    @cached_property
    def sources(self) -> frozenset[str]:
        """The sources as citations name them."""
        return frozenset(self.layout.cited(path) for path in self.tree.paths(self.layout.raw))

    def faults(self, queries: Iterable[GoldQuery]) -> list[Fault]:
        """What they expect and the workspace has not."""
        return [fault for one in queries for fault in self._faults(one)]

    def missing_topics(self, topics: Sequence[str]) -> Iterator[str]:
        """In words for a person, the topics that no page is of."""
        for topic in topics:
            if topic not in self.topics:
                near = nearest(topic, self.topics) or _as_slug(topic)
                yield f"no page is called '{topic}'{near}"

    def missing_sources(self, citations: Sequence[str]) -> Iterator[str]:
        """In words for a person, the citations that lead to no source."""
        for cited in citations:
            if cited not in self.sources:
                near = nearest(cited, self.sources) or self._by_name(cited)
                yield f"there is no source '{cited}'{near}"

    def _faults(self, one: GoldQuery) -> Iterator[Fault]:
        for told in (*self.missing_topics(one.topics), *self.missing_sources(one.citations)):
            yield Fault(one.line, told)

    def _by_name(self, cited: str) -> str:
        """A source of the same file's name in another folder."""
        name = cited.rpartition("/")[2]
        same = sorted(path for path in self.sources if path.rpartition("/")[2] == name)
        return f"; did you mean {' or '.join(same[:3])}?" if same else f"; sources lie below {self.layout.names.raw}/"


def slug_of(path: str) -> str:
    """A page's slug, the topic that an answer has by citing it: its file's name without the suffix."""
    return path.rpartition("/")[2].rpartition(".")[0]


def _as_slug(topic: str) -> str:
    return "; a topic is the name of a page's file, without its folder and suffix" if "/" in topic else ""
