"""What a writing model is told: its task and the rules of this wiki as system prompt, the source as delimited data."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.agents.fencing import DATA_NOTICE, fenced
from gitops.agents.writers import passages
from gitops.agents.writers.ground import Ground, mentioning
from gitops.agents.writers.placing import Places
from gitops.llm.estimate import BYTES_PER_TOKEN
from gitops.wiki.source_text import SourceText

SHARE_OF_CONTEXT = 0.25
"""A source that takes more of what the model reads at once is read by parts."""
_PAGES_NAMED = 60
_HEADINGS_NAMED = 200

SYSTEM = f"""You write a wiki from its sources. You are given one source; bring what it says into the wiki, by the \
tools you have, as one change that a hostile verifier will read claim by claim against the source.

How to work: plan; read the source whole and the pages that it touches; then write; then call finish with a summary.

Rules, each of which the verifier checks:
1. Every sentence of prose you add carries a footnote reference: [^1]. Its definition is one line, exactly so:
   [^1]: raw/path.md, "words of the source, verbatim" @offset
   Leave out @offset unless you know it. For a PDF the page stands before the quotation: raw/x.pdf, p.12, "…".
   Inside the quotation, \\ and " are escaped as \\\\ and \\". Quote one passage, word for word, no ellipsis, long \
enough to say all that the claim says; white space may differ, nothing else.
2. A claim says what its quotation says: no more, not stronger, no other number, date, name or unit. Keep hedges \
("may", "about"). What the source does not say is not written, however true it is.
3. Update every page the source touches, not only new ones; the task names pages that mention its terms. A page that \
the source has nothing to say about stays as it is.
4. Never remove, reword or un-cite a cited claim that is there. Where the source disagrees, the old claim stays as a \
dated survivor, word for word: "As of YYYY-MM-DD, old claim.[^1]", and the new claim stands beside it.
5. Each new page is linked from the index or from another page, begins with a # title, and is about one topic. Links \
between pages lead to pages that exist or that you make. Never write the log, nor anything outside the wiki.
6. Footnote labels are unique on a page, defined once and used.

{DATA_NOTICE}"""


@dataclass(frozen=True, slots=True)
class Brief:
    """The first turn, and the source that it is about."""

    source: str
    text: str
    is_whole: bool
    """Whether the source's text is part of it; else it is to be read by parts."""


def brief(ground: Ground, source: str, context_tokens: int) -> Brief:
    """The first turn about a source. Unreadable where the source has no text."""
    shown, is_whole = told_source(ground, source, context_tokens)
    task = f"Ingest {ground.view.layout.cited(source)} into the wiki."
    return Brief(source, "\n\n".join((task, told_wiki(ground), _touched(ground, source), shown)), is_whole)


def told_source(ground: Ground, source: str, context_tokens: float) -> tuple[str, bool]:
    """A source as the first turn has it, and whether it is whole. Unreadable where it has no text."""
    text = ground.view.source(source)
    passages.demand_text(text, source)
    cited = ground.view.layout.cited(source)
    passages.demand_name(cited)
    is_whole = len(text.text.encode("utf-8", "replace")) / BYTES_PER_TOKEN <= SHARE_OF_CONTEXT * context_tokens
    return (_whole(text, cited) if is_whole else _parts(text, source, cited)), is_whole


def told_wiki(ground: Ground) -> str:
    """What a writer has to know of the wiki before it reads a page of it."""
    layout, config = ground.view.layout, ground.view.config
    places = Places(ground.view)
    lines = [f"Today is {ground.day}. Pages lie below {layout.wiki or 'the root'}; the index is {layout.index}."]
    lines.append("Links are " + ("[[wiki-links]]." if places.is_wiki else "Markdown links, relative to the page."))
    if config.pages.required:
        lines.append(f"Each page has a YAML frontmatter with: {', '.join(config.pages.required)}.")
    paths = places.paths[:_PAGES_NAMED]
    more = len(places.paths) - len(paths)
    listed = "\n".join(paths) or "(no page yet)"
    return (
        "\n".join(lines)
        + f"\nPages there are{f', the first {len(paths)}; {more} more' if more else ''}:\n"
        + fenced(listed, what="paths of pages")
    )


def _touched(ground: Ground, source: str) -> str:
    found = mentioning(ground, ground.view.source(source).text)
    if not found:
        return "No page mentions the source's key terms yet."
    rows = "\n".join(f"{path}: {', '.join(terms)}" for path, terms in found[:_PAGES_NAMED])
    told = "Pages that mention the source's key terms, those with most first: read them and see whether they change."
    return f"{told}\n{fenced(rows, what='pages and terms')}"


def _whole(text: SourceText, cited: str) -> str:
    return f"The source, whole:\n{fenced(text.text, source=cited)}"


def _parts(text: SourceText, source: str, cited: str) -> str:
    """What a long source is made of, so that it is read part by part and none is left out."""
    headings = passages.read(text, source).headings
    lines = text.text.count("\n") + 1
    pages = f", {len(text.page_starts)} pages" if text.page_starts else ""
    told = f"The source is long ({lines} lines{pages}): read all of it, part by part, with the read tool on {cited}."
    named = "\n".join(headings[:_HEADINGS_NAMED])
    return f"{told} Its headings:\n{fenced(named, source=cited)}" if named else told


def revision(findings: str) -> str:
    """The turn that sends findings back."""
    told = (
        "The verifier sends this back. Its findings, one JSON object a line (path, line, check, message, repair)."
        " Mend each by the tools, or take the claim back where the source does not bear it; then call finish."
    )
    return f"{told}\n{fenced(findings, what='findings')}"
