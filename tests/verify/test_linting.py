"""A wiki as it stands, linted in memory: the same findings as page by page, and only those that make sense so."""

from __future__ import annotations

from collections.abc import Mapping

from gitops.config import parse
from gitops.verify.finding import Finding
from gitops.verify.linting import check_page, checks, lint
from gitops.verify.verifier import examine
from gitops.verify.view import Library, View
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import MemorySnapshot
from gitops.wiki.wholegraph import WholeGraph

NOTE = '[^1]: raw/a.md, "the mill employs forty people"\n'
FILES = {
    "raw/a.md": "Here the mill employs forty people.\n",
    "wiki/index.md": "# Index\n\n- [Good](good.md)\n- [[bad]]\n- [[The Titled One]]\n",
    "wiki/good.md": f"# Good\n\nForty people.[^1]\n\n{NOTE}",
    "wiki/bad.md": '# Bad\n\nFifty people.[^1] See [x](x.md).\n\n[^1]: raw/a.md, "the mill employs fifty people"\n',
    "wiki/other.md": "---\ntitle: The titled one\n---\n\nPlain words without a source.\n",
    "wiki/lost.md": "# Lost\n\n[[far]]\n",
    "wiki/far.md": "# Far\n\n[[lost]]\n",
    "wiki/alone.md": "# Alone\n",
    "wiki/log.md": "# Log\n\n[[alone]] [nowhere](nowhere.md)\n",
}


def viewed(files: Mapping[str, str], toml: str = "") -> tuple[View, WholeGraph]:
    config = parse(toml.encode())
    snapshot = MemorySnapshot({path: text.encode() for path, text in files.items()})
    graph = WholeGraph(lambda path: snapshot.mode(path) is not None)
    return View(snapshot, Layout("", config.workspace), config, Library(config), graph), graph


def linted(files: Mapping[str, str], toml: str = "", *, of_additions: bool = False) -> list[Finding]:
    return lint(*viewed(files, toml), checks(of_additions=of_additions))


def told(found: list[Finding]) -> list[tuple[str, str, str]]:
    return [(one.path, one.check, one.result) for one in found]


def test_every_page_is_checked_but_the_log() -> None:
    assert told(linted(FILES)) == [
        ("wiki/alone.md", "orphan", "orphan"),
        ("wiki/bad.md", "links", "broken"),
        ("wiki/bad.md", "quote_anchor", "altered"),
        ("wiki/far.md", "orphan", "island"),
        ("wiki/lost.md", "orphan", "island"),
    ]


def test_a_level_that_is_off_is_not_told() -> None:
    toml = '[checks.orphan]\nlevel = "off"\n[checks.links.results]\nbroken = "error"\n'
    found = linted(FILES, toml)
    assert [(one.check, one.level.value) for one in found] == [("links", "error"), ("quote_anchor", "error")]


def test_what_speaks_of_additions_is_asked_only_on_request() -> None:
    assert all(one.check != "uncited" for one in linted(FILES))
    assert ("wiki/other.md", "uncited", "uncited") in told(linted(FILES, of_additions=True))


def test_what_is_right_is_counted_and_makes_no_finding() -> None:
    view, graph = viewed(FILES)
    graph.has_all_names = True
    one = check_page(view, "wiki/good.md", view.page("wiki/good.md"), checks())
    assert (one.findings, one.claims, one.verified) == ((), 1, 1)


def test_each_page_has_the_findings_that_it_has_when_it_is_examined_alone() -> None:
    view, graph = viewed(FILES)
    found = lint(view, graph, checks(of_additions=True))
    pages = {path: facts(view.page(path), path, view.layout) for path in FILES if view.layout.is_page(path)}
    del pages["wiki/log.md"]
    memory = MemoryGraph(pages, lambda path: view.snapshot.mode(path) is not None)
    alone = View(view.snapshot, view.layout, view.config, view.library, memory)
    by_page = [one for path in sorted(pages) for one in examine(alone, path) if one.level != "none"]
    assert sorted(one.model_dump_json() for one in found) == sorted(one.model_dump_json() for one in by_page)
