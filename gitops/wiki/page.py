"""A page's bytes, parsed: claims, links, headings, problems. A pure function that raises on no bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gitops.wiki import dialects as registry
from gitops.wiki import footnotes, frontmatter, html_text, markdown, pagelinks, quotations, reading, wikilinks
from gitops.wiki.blocks import Block, Body
from gitops.wiki.claims import Cited, claims
from gitops.wiki.conventions import CANONICAL, Conventions
from gitops.wiki.decode import decode
from gitops.wiki.model import Heading, Link, Page, Problem
from gitops.wiki.outline import Outline
from gitops.wiki.positions import Lines
from gitops.wiki.prose import folded
from gitops.wiki.sentences import sentences as sentences
from gitops.wiki.slugs import numbered, slug
from gitops.wiki.wikilinks import WikiLink, within

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\0"

WikiLinks = Mapping[Block, Sequence[WikiLink]]


def parse(data: bytes, conventions: Conventions = CANONICAL) -> Page:
    """Everything that is read off a page. UsageError only for a dialect that does not exist.

    `sentences` stays empty: `sentences(page)`, here beside it, reads them when they are wanted.
    """
    chosen = registry.named(conventions.dialects)
    decoded = decode(data)
    text, lines = decoded.text, Lines(decoded.text)
    front = frontmatter.read(text, lines)
    body = markdown.read(text, front.end)
    definitions = footnotes.definitions(text, body.definitions)
    wiki = {block: found for block in body.blocks if (found := wikilinks.find(block, text))}
    outline = Outline(text, front.values, body.blocks, definitions, lines, conventions, front.end, wiki)
    citations = reading.read(outline, wiki, chosen)
    backed = claims(citations.cited, lines) if citations.has_cites else ()
    return Page(
        text=text,
        frontmatter=front.values,
        claims=quotations.attach(backed, citations.cited, text, lines),
        links=_links(outline, wiki, citations, front.end),
        headings=_headings(citations.cited, lines),
        problems=_problems(outline, body, citations),
        schema_problems=(*decoded.problems, *front.problems, *_empty(text, front.end, lines)),
        prose="\n".join(filter(str.strip, map(reading.without_code, citations.cited))),
        cites=citations.page_cites,
        quotations=quotations.unclaimed(backed, citations.cited, lines) if citations.page_cites else (),
        body=front.end,
    )


def _empty(text: str, body: int, lines: Lines) -> Iterator[Problem]:
    if not text[body:].strip() or not text[body:].strip(_INVISIBLE).strip():
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


def _links(outline: Outline, wiki: WikiLinks, citations: reading.Citations, start: int) -> tuple[Link, ...]:
    """The links of every block; of definitions that some dialect reads, those that are its citations."""
    text, lines = outline.text, outline.lines
    has_references = any(link.reference for block in outline.blocks for link in block.links)
    defined = pagelinks.destinations(text, start) if has_references else {}
    found: list[Link] = []
    for block in outline.blocks:
        if block.links or block in wiki:
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
