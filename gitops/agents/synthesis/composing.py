"""From what changed to the pages that are written: the synthesis itself, and the index that links to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count as numbers
from itertools import islice

from gitops.agents.synthesis import changes, digesting, entry, fields, page
from gitops.agents.synthesis.changes import Changes
from gitops.agents.synthesis.digest import Digest
from gitops.agents.synthesis.writing import link, style_of, title_of
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import changed
from gitops.runs.context import Context
from gitops.runs.views import Bench
from gitops.verify import judges
from gitops.verify.view import View
from gitops.wiki import conventions
from gitops.wiki import page as pages
from gitops.wiki.dated import normalised
from gitops.wiki.graph import Overlay, PageFacts
from gitops.wiki.layout import joined
from gitops.wiki.names import name_key, without_suffix
from gitops.wiki.paths import within
from gitops.wiki.snapshot import MemorySnapshot, Snapshot, Touched

_MOST_PARSED = 200
"""So many pages tell how the wiki links and what its frontmatter has."""


@dataclass(frozen=True, slots=True)
class Since:
    """From where on things are new: a commit, and its day as the page tells it; '' for the beginning."""

    commit: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class Composed:
    """What is to be written: repository paths and texts, the synthesis first. Nothing where nothing is new.

    `refused` are the normalised words that were left out because they would not pass.
    """

    path: str
    day: str
    since: Since
    found: Changes
    digest: Digest
    pages: dict[str, str]
    refused: frozenset[str] = frozenset()


def encoded(text: str) -> bytes:
    """A page's bytes: of names that are not UTF-8 those that git has."""
    return text.encode("utf-8", "surrogateescape")


def folder(bench: Bench) -> str:
    """Where the workspace's syntheses lie in the repository."""
    return joined(bench.layout.wiki, bench.workspace.config.synthesis.folder)


def what_is_new(context: Context, bench: Bench, view: View, since: Since) -> Changes:
    """The claims that came in since then, up to the commit that the bench stands at."""
    before: Snapshot = TreeSnapshot.at(context.repository, since.commit) if since.commit else MemorySnapshot()
    old = before.tree_id if isinstance(before, TreeSnapshot) else None
    entries = changed(context.repository, old, bench.base_tree.tree_id, bench.layout.wiki)
    return changes.changes(
        before,
        view,
        [Touched(*each) for each in entries],
        folder(bench),
        lambda paths: context.progress("reading what is new", paths, len(paths)),
    )


def fresh_path(bench: Bench, day: str) -> str:
    """The path of today's synthesis; a second one on a day has a number."""
    tree = bench.base_tree
    names = (f"{day}.md" if number == 1 else f"{day}-{number}.md" for number in numbers(1))
    return next(path for name in names if tree.mode(path := joined(folder(bench), name)) is None)


def compose(
    bench: Bench, view: View, found: Changes, since: Since, day: str, refused: frozenset[str] = frozenset()
) -> Composed:
    """Write the synthesis of a day in memory, without the statements whose `normalised` words are `refused`.

    What does not read back as the very claim that it is taken from is left out too.
    """
    path = fresh_path(bench, day)
    judge = judges.find("offline")
    most = bench.workspace.config.synthesis.max_claims
    while True:
        made = digesting.digest(view, found, judge, path, most, refused)
        if made.is_empty:
            return Composed(path, day, since, found, made, {}, refused)
        text = _text(bench, view, made, since, day, path)
        lost = frozenset(_lost(bench, made, text))
        if not lost:
            written = {path: text, **_index(bench, view, path)}
            return Composed(path, day, since, found, made, written, refused)
        refused |= lost


def _lost(bench: Bench, made: Digest, text: str) -> Iterator[str]:
    read = pages.parse(encoded(text), conventions.of(bench.workspace.config))
    claims = {normalised(claim.text) for claim in read.claims if claim.cites}
    for each in made.statements:
        words = normalised(each.text)
        marked = normalised(f"[!superseded] {each.news.day} {each.text}")
        if words not in claims and marked not in claims:
            yield words


def _text(bench: Bench, view: View, made: Digest, since: Since, day: str, path: str) -> str:
    some = [view.page(each) for each in _pages_of(bench, view)]
    style = style_of(some)
    title = _title(path)
    sources = sorted({view.layout.cited(source) for each in made.statements for source in each.sources})
    frame = page.Frame(
        title,
        since.day,
        lambda to, words: link(view, style, path, to, words),
        _names(view, made),
        fields.frontmatter(view.config, some, title, day, sources),
    )
    return page.page(made, frame)


def _names(view: View, made: Digest) -> Callable[[str], str]:
    """What pages are called; those that share their title, with their folder."""
    named = {each.path for each in made.statements} | {*made.islands, *made.orphans, *made.unread, *made.bare}
    titles = {path: title_of(view.page(path), path) for path in named}
    counts = Counter(titles.values())

    def name(path: str) -> str:
        title, inside = titles[path], without_suffix(view.layout.inside(path))
        return title if counts[title] == 1 else f"{title} ({inside.rpartition('/')[0] or inside})"

    return name


def _pages_of(bench: Bench, view: View) -> list[str]:
    """Pages of the wiki that are like the one to be written."""
    layout, mine = bench.layout, folder(bench)
    skipped = (layout.index, layout.log)
    listed = (p for p in view.snapshot.paths(layout.wiki) if layout.is_page(p) and p not in skipped)
    return list(islice((path for path in listed if not within(path, mine)), _MOST_PARSED))


def _index(bench: Bench, view: View, path: str) -> dict[str, str]:
    """The index with its entry. A wiki without an index gets a list page in the folder of the syntheses."""
    layout = bench.layout
    index = layout.index if view.snapshot.blob(layout.index) is not None else joined(folder(bench), "index.md")
    there = view.snapshot.blob(index) is not None
    old = view.snapshot.read(index).decode("utf-8", "surrogateescape") if there else ""
    style = style_of([view.page(index)]) if there else "markdown"
    entered = link(_with_page(view, path), style, index, path, _title(path))
    return {index: entry.with_entry(old, entered)}


def _with_page(view: View, path: str) -> View:
    """The view as if the page were there: what a link to it leads to."""
    facts = {path: PageFacts((name_key(path),))}
    return replace(view, graph=Overlay(view.graph, facts, lambda each: each == path or view.graph.exists(each)))


def _title(path: str) -> str:
    return f"Synthesis {path.rpartition('/')[2].removesuffix('.md')}"
