"""What a writing model is told that mends what ingests missed: which pages, which terms, and the sources whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitops.agents.fencing import fenced
from gitops.agents.writers.backfill_planning import Missed
from gitops.agents.writers.briefing import Brief, told_source, told_wiki
from gitops.agents.writers.document import Unreadable
from gitops.agents.writers.ground import Ground

MOST_PAGES = 60
"""Pages that one conversation is asked to look at; the next run asks for more."""


def brief(ground: Ground, missed: Sequence[Missed], context_tokens: int) -> Brief:
    """The first turn. Unreadable where none of the sources has a text."""
    sources = tuple(dict.fromkeys(source for each in missed for source in each.sources))
    shown = list(_sources(ground, sources, context_tokens / len(sources)))
    if not shown:
        told = f"none of these sources has text that can be read: {', '.join(sources)}"
        raise Unreadable(told, "git assay raw add them as text")
    task = (
        "These pages mention what a source speaks of, and were not touched when it was ingested. For each, read the"
        " page, and add what the source says of the terms named beside it, cited and quoted, where that belongs on"
        " the page. A page that the source has nothing to say about gets a link to the page that says most of what"
        " the source says, if it has none yet. Change nothing else, and make no new page but for a source that none"
        " stands for."
    )
    parts = (task, told_wiki(ground), _pages(ground, missed), *(text for text, _ in shown))
    return Brief(", ".join(sources), "\n\n".join(parts), all(is_whole for _, is_whole in shown))


def _sources(ground: Ground, sources: Sequence[str], context_tokens: float) -> Iterator[tuple[str, bool]]:
    for source in sources:
        try:
            yield told_source(ground, source, context_tokens)
        except (Unreadable, KeyError):
            continue  # what the others say can be added all the same


def _pages(ground: Ground, missed: Sequence[Missed]) -> str:
    rows = [
        (len(terms), f"{path}: {', '.join(terms)} ({', '.join(map(ground.view.layout.cited, each.sources))})")
        for each in missed
        for path, terms in each.pages.items()
        if ground.view.snapshot.blob(path) is not None
    ]
    chosen = [row for _, row in sorted(rows, key=lambda one: (-one[0], one[1]))[:MOST_PAGES]]
    return "The pages, with the terms and the source:\n" + fenced("\n".join(chosen), what="pages, terms and sources")
