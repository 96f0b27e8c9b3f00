"""What is fuzzed: each a function of bytes that raises if anything is wrong. The same for hypothesis and atheris."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain

from gitops.config import Config
from gitops.extraction import edges, matching
from gitops.extraction.model import VARIANTS, Counts
from gitops.okf import graph, reading
from gitops.verify.resolution import resolve
from gitops.verify.verifier import examine
from gitops.verify.view import Library, View
from gitops.wiki import conventions, page
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout
from gitops.wiki.links import resolve as resolve_link
from gitops.wiki.model import Page, Place
from gitops.wiki.names import Files
from gitops.wiki.snapshot import MemorySnapshot
from gitops.wiki.survey import all_dialects

_CONFIG = Config.model_validate({"citations": {"dialects": all_dialects(), "require": ()}})
_SOURCE = (
    b"# One\n\nIt fell by 40 % in 2019.\n\n## Two\n\n0:12\n\nthe words that somebody said\n\n0:31\n\nand more of them\n"
)
_FILES = {
    "raw/a.md": _SOURCE,
    "raw/\u00e9t\u00e9.md": _SOURCE,
    "raw/deep/b.txt": _SOURCE,
    "wiki/sources/a.md": b"---\nsource_file: raw/a.md\n---\n\n# A\n",
    "wiki/index.md": b"[p](p.md)\n",
    "wiki/other page.md": b"---\ntitle: Another\naliases: [Other, \xec\x9c\x84\xed\x82\xa4]\n---\n",
}
_ATOMS = {
    "index.md": b"# Index\n\n* [R](r.md) - a role\n",
    "r.md": b"---\ntype: role\ntitle: R\n---\n",
    "w.md": b"---\ntype: workflow\ntitle: W\nstages: [p, q]\nowner: r\n---\n",
}


def dialects(data: bytes) -> None:
    """A page of these bytes, parsed in every convention at once: places point into it, and parsing is a function."""
    parsed = page.parse(data, conventions.of(_CONFIG))
    for place in _places(parsed):
        if not (0 <= place.start <= place.end <= len(parsed.text) and 1 <= place.line <= place.end_line):
            raise AssertionError(f"{place} lies outside of a page of {len(parsed.text)} characters")
    if page.parse(data, conventions.of(_CONFIG)) != parsed:
        raise AssertionError("parsed twice, two pages")


def frontmatter(data: bytes) -> None:
    """A page whose frontmatter is these bytes: values that JSON can hold, and no exception."""
    parsed = page.parse(b"---\n" + data + b"\n---\n\nWords.\n", conventions.of(_CONFIG))
    json.dumps(parsed.frontmatter, allow_nan=False)


def links(data: bytes) -> None:
    """These bytes as the target of every kind of link and citation on a page of a small wiki."""
    target = data.decode("utf-8", "replace")
    view = _view(b"")
    for kind in ("wiki", "embed", "markdown", "image"):
        found = resolve_link(kind, target, "wiki/p.md", view.graph, view.layout.wiki, view.layout.root)
        if (found.status in ("ok", "ambiguous")) != bool(found.paths):
            raise AssertionError(f"{kind} {target!r}: {found}")
    text = f"Words.[^1] (source: {target}) [x](<{target}>) [[{target}]] `raw/{target}`\n\n[^1]: {target}\n"
    checks(text.encode("utf-8", "replace"))


def checks(data: bytes) -> None:
    """A page of these bytes, examined by every check: findings, never an exception."""
    view = _view(data)
    for finding in examine(view, "wiki/p.md"):
        finding.model_dump_json()
    parsed = view.page("wiki/p.md")
    for cite in chain(parsed.cites, (cite for claim in parsed.claims for cite in claim.cites)):
        resolve(view, "wiki/p.md", cite)


def atoms(data: bytes) -> None:
    """These bytes as an atom of a small bundle: faults, never an exception, and by itself as gold nothing is amiss."""
    files = {"p.md": data, "q.md": b"---\ntype: process\n" + data + b"\n---\n", **_ATOMS}
    bundle = reading.bundle(MemorySnapshot(files), strict=True)
    graph.faults(bundle)
    for variant in VARIANTS:
        found = matching.match(bundle, bundle, variant)
        if found.missed or found.spurious:
            raise AssertionError(f"{variant}: a bundle beside itself lacks {found.missed or found.spurious}")
        counts = edges.score(bundle, bundle, found, variant).counts
        if not found.ties and counts != Counts(counts.tp):
            raise AssertionError(f"{variant}: a bundle beside itself has other edges: {counts}")


TARGETS: dict[str, Callable[[bytes], None]] = {
    "dialects": dialects,
    "frontmatter": frontmatter,
    "links": links,
    "checks": checks,
    "atoms": atoms,
}


def _view(data: bytes) -> View:
    tree = MemorySnapshot({**_FILES, "wiki/p.md": data})
    layout, library = Layout(), Library(_CONFIG)
    names = [path for path in tree.paths("wiki") if layout.is_page(path)]
    graph = MemoryGraph(
        {path: facts(library.page(tree, path), path, layout) for path in names},
        lambda path: tree.mode(path) is not None,
        Files(tree.paths),
    )
    return View(tree, layout, _CONFIG, library, graph)


def _places(parsed: Page) -> Iterator[Place]:
    for claim in parsed.claims:
        yield claim.place
        yield from (quotation.place for quotation in claim.quotations)
    cites = chain(parsed.cites, (cite for claim in parsed.claims for cite in claim.cites))
    for cite in cites:
        yield cite.place
        if cite.quote_place is not None:
            yield cite.quote_place
        yield from (quotation.place for quotation in cite.quotations)
    yield from (quotation.place for quotation in parsed.quotations)
    for link in parsed.links:
        yield from (link.place, link.target_place)
    yield from (problem.place for problem in (*parsed.problems, *parsed.schema_problems))
    yield from (heading.place for heading in parsed.headings)
