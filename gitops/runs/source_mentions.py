"""The key terms of sources, and the pages that mention them at a commit: off the index, or read where there is none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gitops.canonical import digest
from gitops.git import batch
from gitops.runs.views import Bench
from gitops.wiki.keyterms import key_terms
from gitops.wiki.wordscan import WordScan

_KIND, _VERSION = "mentions", "1"


class NoTerms(LookupError):
    """A source has no words to go by: it is not there, or nothing can be read in it."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Key terms by weight (those of several sources one after another), and by page those that it mentions.

    The pages are all of the wiki but the log; those that are exempt from something are the caller's to leave out.
    """

    terms: tuple[str, ...]
    pages: dict[str, tuple[str, ...]]


def of_sources(bench: Bench, sources: Sequence[str]) -> Mentions:
    """What the sources at some repository paths speak of at the bench's commit. It is remembered there.

    NoTerms for a source without words, `Absent` where this clone lacks a page or source that has to be read.
    """
    key = _key(bench, sources)
    kept = bench.cache.get(_KIND, _VERSION, key)
    if kept is not None:
        terms, pages = json.loads(kept)
        return Mentions(tuple(terms), {page: tuple(held) for page, held in pages.items()})
    found = list(dict.fromkeys(term for source in sources for term in terms_of(bench, source)))
    mentions = Mentions(tuple(found), {page: tuple(held) for page, held in _pages(bench, found).items()})
    bench.cache.put(_KIND, _VERSION, key, json.dumps([mentions.terms, mentions.pages]).encode())
    return mentions


def terms_of(bench: Bench, source: str) -> list[str]:
    """The key terms of one source, as many as `[coverage] terms` says. NoTerms, `Absent` as for `of_sources`."""
    try:
        text = bench.library.source(bench.base_tree, source).text
    except KeyError as error:
        raise NoTerms(f"{source} is not there at {bench.base[:10]}") from error
    found = key_terms(text, bench.source_corpus(), bench.workspace.config.coverage.terms)
    if not found:
        raise NoTerms(f"{source} holds no word that can be read")
    return found


def _key(bench: Bench, sources: Sequence[str]) -> str:
    layout, tree = bench.layout, bench.base_tree
    folders = [tree.folder_id(layout.raw), tree.folder_id(layout.wiki)]
    number = bench.workspace.config.coverage.terms
    return digest([layout.root, list(layout.nested), folders, list(sources), number, bench.terms_made_by])


def _pages(bench: Bench, terms: Sequence[str]) -> dict[str, list[str]]:
    # To count the terms of every page for the first time takes far longer than to look for these.
    if not bench.has_page_terms:
        return _read(bench, terms)
    reader = bench.page_terms()
    return reader.by_document(terms) if reader.is_whole else _read(bench, terms)


def _read(bench: Bench, terms: Sequence[str]) -> dict[str, list[str]]:
    tree, layout = bench.base_tree, bench.layout
    paths = [path for path in tree.paths(layout.wiki) if layout.is_page(path) and path != layout.log]
    scan, found = WordScan(terms), {}
    for path, held in zip(paths, _scanned(bench, paths, scan), strict=True):
        if held:
            found[path] = [term for term in terms if term in held]
    return found


def _scanned(bench: Bench, paths: Sequence[str], scan: WordScan) -> Iterable[set[str]]:
    ids = [blob for path in paths if (blob := bench.base_tree.blob(path)) is not None]
    pages = batch.read(bench.context.repository, ids)
    yield from map(scan.held, bench.context.progress("looking for key terms", pages, len(ids)))
