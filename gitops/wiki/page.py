"""A page's bytes, parsed: claims, links, headings, problems. A pure function that raises on no bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from gitops.wiki import dialects as registry
from gitops.wiki import footnotes, frontmatter, html_text, markdown, pagelinks, quotations, reading, wikilinks
from gitops.wiki.blocks import Body
from gitops.wiki.claims import Cited, claims
from gitops.wiki.conventions import CANONICAL, Conventions
from gitops.wiki.decode import decode
from gitops.wiki.model import Heading, Link, Page, Problem
from gitops.wiki.outline import Outline
from gitops.wiki.positions import Lines
from gitops.wiki.prose import folded
from gitops.wiki.sentences import sentences as sentences
from gitops.wiki.slugs import numbered, slug
from gitops.wiki.wikilinks import within

_SEEN = re.compile("[^\\s\u200b\u200c\u200d\u2060\ufeff\0]")


def parse(data: bytes, conventions: Conventions = CANONICAL) -> Page:
    """Everything that is read off a page. UsageError only for a dialect that does not exist.

    `sentences` stays empty: `sentences(page)`, here beside it, reads them when they are wanted.
    """
    found = read(data, conventions)
    text, lines, start, citations = found.outline.text, found.outline.lines, found.outline.body, found.citations
    backed = claims(citations.cited, lines) if citations.has_cites else ()
    claimed = quotations.attach(backed, citations.cited, text, lines) if backed else ()
    return Page(
        text=text,
        frontmatter=dict(found.outline.frontmatter),
        claims=claimed,
        links=_links(found.outline, citations),
        headings=_headings(citations.cited, lines),
        problems=_problems(found.outline, found.body, citations),
        schema_problems=(*found.problems, *_empty(text, start, lines)),
        cites=citations.page_cites,
        quotations=quotations.unclaimed(claimed, citations.cited, text, lines) if citations.page_cites else (),
        body=start,
        reread=partial(prose, data, conventions),
    )


def prose(data: bytes, conventions: Conventions = CANONICAL) -> str:
    """The prose of a page, without what else is read off it (`Page.prose`)."""
    cited = read(data, conventions).citations.cited
    return "\n".join(filter(str.strip, map(reading.without_code, cited)))


class Read(NamedTuple):
    """The blocks of a page with what is cited in each; `problems` are those of its bytes and frontmatter."""

    outline: Outline
    body: Body
    citations: reading.Citations
    problems: tuple[Problem, ...]


def read(data: bytes, conventions: Conventions = CANONICAL) -> Read:
    """The blocks, frontmatter and citations of a page, of which `parse` makes the rest in as much time again."""
    chosen = registry.named(conventions.dialects)
    decoded = decode(data)
    text, lines = decoded.text, Lines(decoded.text)
    front = frontmatter.read(text, lines)
    body = markdown.read(text, front.end)
    definitions = footnotes.definitions(text, body.definitions)
    # One sign is looked for many times as fast as two.
    linking = (one for one in body.blocks if "[" in one.text and "[[" in one.text)
    wiki = {one: found for one in linking if (found := wikilinks.find(one, text))}
    outline = Outline(text, front.values, body.blocks, definitions, lines, conventions, front.end, wiki)
    return Read(outline, body, reading.read(outline, wiki, chosen), (*decoded.problems, *front.problems))


def _empty(text: str, body: int, lines: Lines) -> Iterator[Problem]:
    if _SEEN.search(text, body) is None:
        told = "the page has no visible text"
        yield Problem("empty", told, lines.place(body, body), "write the page, or remove it")


def _problems(outline: Outline, body: Body, citations: reading.Citations) -> tuple[Problem, ...]:
    problems, used = list(citations.problems), set(citations.used)
    for span in body.html:
        for label, problem in html_text.hidden(outline.text, span, outline.lines):
            problems.append(problem)
            used.add(footnotes.fold(label))
    problems += footnotes.misused(outline.definitions, used, outline.lines)
    return tuple(sorted(problems, key=lambda problem: problem.place.start))


def _links(outline: Outline, citations: reading.Citations) -> tuple[Link, ...]:
    """The links of every block; of definitions that some dialect reads, those that are its citations."""
    text, lines, wiki = outline.text, outline.lines, outline.wiki
    linking = [block for block in outline.blocks if block.links or block in wiki]
    has_references = any(link.reference for block in linking for link in block.links)
    defined = pagelinks.destinations(text, outline.body) if has_references else {}
    found: list[Link] = []
    for block in linking:
        links = pagelinks.links(block, wiki.get(block, ()), text, lines, defined)
        if not citations.linked and block.definition not in citations.claimed:
            found += links
            continue
        for link in links:
            if within(link.place.start, citations.linked):
                found.append(replace(link, is_cited=True))
            elif block.definition not in citations.claimed:
                found.append(link)
    return tuple(found)


def _headings(cited: Sequence[Cited], lines: Lines) -> tuple[Heading, ...]:
    found = [(one.block, folded(one.prose.text)) for one in cited if one.block.kind == "heading"]
    slugs = numbered(slug(words) for _, words in found)
    return tuple(
        Heading(block.level, words, name, lines.place(*block.extent))
        for (block, words), name in zip(found, slugs, strict=True)
    )
