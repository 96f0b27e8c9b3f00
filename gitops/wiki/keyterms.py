"""What a source speaks of, and the pages that speak of it too: what the check `coverage`, M2 and writers go by.

A page mentions a term where it is one of the page's words: of the whole file, as `terms.tokens` finds them, so whole
words in any script, whatever their case. Substrings would count about a fifth more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from gitops.config import Config
from gitops.wiki.layout import Layout
from gitops.wiki.terms import Corpus, tokens, top_terms


def key_terms(text: str, corpus: Corpus, number: int) -> list[str]:
    """So many terms of a source's text that weigh most by TF-IDF against the sources, heaviest first."""
    return [term for term, _ in top_terms(tokens(text), corpus.frequency, corpus.documents, number)]


def by_page(terms: Iterable[str], mentioning: Callable[[str], Iterable[str]]) -> dict[str, list[str]]:
    """The pages that mention any of some terms, each with those it mentions, in the terms' order."""
    found: dict[str, list[str]] = {}
    for term in terms:
        for page in mentioning(term):
            found.setdefault(page, []).append(term)
    return found


def expects_touch(path: str, layout: Layout, config: Config) -> bool:
    """Should a cascade look at a page: is it not the index, not the log, and not exempt (`[pages] exempt`)?"""
    if path in (layout.index, layout.log):
        return False
    return not any(fnmatchcase(layout.inside(path), pattern) for pattern in config.pages.exempt)
