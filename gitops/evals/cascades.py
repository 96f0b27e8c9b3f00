"""How far an ingest reached: the pages that mention what its source speaks of, and those that were touched for it.

An ingest is looked at as it landed. Of the pages of that commit, all count that mention one of its source's key terms,
but for those that the ingest made itself (the question is of *existing* pages), the index, the log, and pages that are
exempt (`[pages] exempt`). Touched is what its plan touches; and what any other run in the history touches that names
the same source with the same content: an earlier ingest of it, a cascade by hand, a `lint --cascade-backfill`. Of a run
that names other sources too, only the pages that cite this one or link to a page that the ingest made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gitops.errors import Absent
from gitops.evals.landings import Landing, touched
from gitops.evals.subject import Subject
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import source_mentions
from gitops.runs.source_mentions import NoTerms
from gitops.runs.views import Bench
from gitops.wiki.keyterms import expects_touch
from gitops.wiki.names import name_key, source_key


@dataclass(frozen=True)
class Cascade:
    """One ingest: the key terms of its sources, the pages that mention them, and the pages touched for them.

    `terms` are by weight, those of several sources one after another; `mentioning` gives by page those that it
    mentions. `own` are the pages that the ingest itself changed, of those that were there.
    """

    ingest: Landing
    sources: tuple[str, ...]
    terms: tuple[str, ...]
    mentioning: Mapping[str, tuple[str, ...]]
    touched: frozenset[str]
    own: frozenset[str]

    @cached_property
    def reached(self) -> list[str]:
        """The pages that mention a key term and were touched."""
        return sorted(self.touched.intersection(self.mentioning))

    @cached_property
    def missed(self) -> list[str]:
        """The pages that mention a key term and were not touched, those with most terms first."""
        found = [page for page in self.mentioning if page not in self.touched]
        return sorted(found, key=lambda page: (-len(self.mentioning[page]), page))

    @cached_property
    def idle(self) -> list[str]:
        """The pages that the ingest changed though they mention no key term."""
        return sorted(self.own - self.mentioning.keys())

    @property
    def share(self) -> float | None:
        """|touched ∩ mentioning| / |mentioning|; None where no page mentions a term."""
        return len(self.reached) / len(self.mentioning) if self.mentioning else None


class LeftOut(NamedTuple):
    """An ingest of which nothing can be measured, and why."""

    run_id: str
    why: str


def of(subject: Subject, ingest: Landing, every: Sequence[Landing]) -> Cascade | LeftOut:
    """How far one ingest reached, `every` being the landings of the same history."""
    if not ingest.run.record.sources:
        return LeftOut(ingest.id, "it names no source")
    try:
        with Bench(subject.context, subject.workspace, ingest.commit) as bench:
            return _cascade(bench, ingest, every)
    except NoTerms as error:
        return LeftOut(ingest.id, str(error))
    except Absent as error:
        return LeftOut(ingest.id, f"this clone lacks what has to be read: {error}")


def _cascade(bench: Bench, ingest: Landing, every: Sequence[Landing]) -> Cascade:
    layout, config = bench.layout, bench.workspace.config
    sources = tuple(layout.source(source) for source in ingest.run.record.sources)
    found = source_mentions.of_sources(bench, sources)
    own = touched(bench.context, layout, ingest)
    made = frozenset(path for path, op in own.items() if op == "create")
    expected = {
        page: terms for page, terms in found.pages.items() if page not in made and expects_touch(page, layout, config)
    }
    others = (page for other in every if other.id != ingest.id for page in _for_the_same(bench, ingest, other, made))
    changed = frozenset(path for path in own if path not in made and expects_touch(path, layout, config))
    return Cascade(ingest, sources, found.terms, expected, changed.union(others), changed)


def _for_the_same(bench: Bench, ingest: Landing, other: Landing, made: Collection[str]) -> list[str]:
    """The pages that another run touched for the sources of an ingest, as long as those had the same content."""
    wanted = set(ingest.run.record.sources)
    named = wanted.intersection(other.run.record.sources)
    if not named:
        return []
    tree, layout = bench.context.tree(other.commit), bench.layout
    same = {one for one in named if tree.blob(layout.source(one)) == bench.base_tree.blob(layout.source(one))}
    pages = list(touched(bench.context, layout, other))
    if not same or wanted.issuperset(other.run.record.sources):
        return pages if same else []
    return [page for page in pages if _leads_to(bench, tree, page, same, made)]


def _leads_to(bench: Bench, tree: TreeSnapshot, page: str, sources: Iterable[str], made: Iterable[str]) -> bool:
    """Does a page of a tree cite one of some sources, or link to a page that was made for them?"""
    facts = bench.page_facts(tree, page) if tree.blob(page) is not None else None
    if facts is None:
        return False
    linked = {key for _, _, key in facts.links}
    return not (linked.isdisjoint(map(name_key, made)) and {source_key(one) for one in sources}.isdisjoint(facts.cites))
