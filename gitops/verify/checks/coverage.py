"""An ingest touches the pages that speak of what its source speaks of.

The source's key terms are its top 20 by TF-IDF against the raw corpus; a page mentions a term as a whole
word. Pages that mention one at the base and are not touched are missed: named in a note, and a warning
when more than 30 % of them are (`[coverage]`); the index, the log and exempt pages are not asked for. A page that cites
the source already, or links to the page that stands for it (`[citations] source_pages`), was looked at when it came in.
A run of type lint mends what earlier ones missed, so far as it can; one of type extraction writes atoms and no pages
about topics. Neither is asked. The metric M2 counts the same over time.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.errors import Absent
from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Corpus, Draft, RunAt
from gitops.wiki.keyterms import by_page, expects_touch, key_terms
from gitops.wiki.names import name_key, source_key


def examine(at: RunAt) -> Iterator[Draft]:
    """What each source of the run should have touched and did not."""
    if at.corpus is None or at.run.run_type in ("lint", "extraction"):
        return
    layout = at.base.layout
    touched = {entry.path for entry in at.change.touched}
    for source in at.run.sources:
        every = by_page(_key_terms(at, at.corpus, source), at.corpus.mentioning)
        mentioning = {page: terms for page, terms in every.items() if expects_touch(page, layout, at.base.config)}
        done = touched | _settled(at, source)
        missed = {page: terms for page, terms in mentioning.items() if page not in done}
        if missed:
            yield _draft(at, source, missed, len(mentioning))


def _settled(at: RunAt, source: str) -> set[str]:
    """The pages that cite the source, and those that link to one of them that stands for a source."""
    layout, folders = at.head.layout, at.head.config.citations.source_pages
    citing = set(at.head.graph.citing(source_key(source)))
    own = [path for path in citing if any(part in folders for part in layout.inside(path).split("/")[:-1])]
    return citing.union(path for page in own for path, _ in at.head.graph.linking(name_key(page)))


def _key_terms(at: RunAt, corpus: Corpus, source: str) -> list[str]:
    try:
        text = at.head.source(at.head.source_path(source)).text
    except (KeyError, Absent):
        return []  # source_exists and the run's own start say what is wrong with it
    return key_terms(text, corpus, at.head.config.coverage.terms)


def _draft(at: RunAt, source: str, missed: dict[str, list[str]], mentioning: int) -> Draft:
    share = len(missed) / mentioning
    above = share > at.head.config.coverage.warn_above
    worst = sorted(missed, key=lambda page: (-len(missed[page]), page))
    shown = ", ".join(f"{page} ({', '.join(missed[page][:3])})" for page in worst[:5])
    more = f" and {len(worst) - 5} more" if len(worst) > 5 else ""
    return Draft(
        "missed_many" if above else "missed",
        f"{len(missed)} of {mentioning} pages that mention key terms of {source} are not touched: {shown}{more}",
        source,
        source=source,
        repair=f"look at these pages, {worst[0]} first: does the source change what they say?",
        evidence={"missed": {page: missed[page] for page in worst}, "mentioning": mentioning, "share": round(share, 4)},
    )


CHECK = Check(scope="run", version=3, results={"missed": Level.NOTE, "missed_many": Level.WARNING}, run=examine)
