from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.verify.finding import Level
from gitops.verify.verifier import Judged

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"
pytestmark = pytest.mark.skipif(not WIKIS.is_dir(), reason="the real wikis are not here")


def files_of(name: str) -> dict[str, bytes]:
    root = WIKIS / name
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["llm-wiki-bootstrap", "citadel-beverages", "citadel-gazette"])
def test_a_blank_line_on_every_page_makes_nothing_new(judged: Callable[..., Judged], name: str) -> None:
    files = files_of(name)
    pages = {path: data + b"\n" for path, data in files.items() if path.startswith("wiki/") and path.endswith(".md")}
    found = judged(files, pages).findings
    assert pages
    assert [one for one in found if one.new and one.scope != "run" and one.level is not Level.NONE] == []


def test_the_orphans_that_a_person_found_are_the_orphans(judged: Callable[..., Judged]) -> None:
    found = judged({}, files_of("llm-wiki-bootstrap")).findings
    assert {one.path for one in found if one.result == "orphan"} == {
        "wiki/index-FRESH.md",
        "wiki/tensions.md",
        "wiki/decision-timeline.md",
        "wiki/open-questions-dashboard.md",
    }


def test_a_true_quotation_of_a_real_source_lands_and_one_changed_letter_does_not(
    judged: Callable[..., Judged],
) -> None:
    files = files_of("llm-wiki-bootstrap")
    path = min(path for path in files if path.startswith("raw/") and path.endswith(".md"))
    words = [word for word in files[path].decode().split() if word.isalpha() and word.isascii() and len(word) > 3]
    text = " ".join(files[path].decode().split())
    at = text.index(words[len(words) // 2])
    quote = text[at : at + 80].rsplit(" ", 1)[0].replace("\\", "").replace('"', "")
    if quote not in text:
        pytest.skip("the passage holds what a quotation escapes")
    for said, results in ((quote, {"verified", "repaired"}), (quote.replace("e", "o", 1), {"altered"})):
        page = f'So it is.[^1]\n\n[^1]: {path}, "{said}"\n'
        found = judged(files, {"wiki/new-page.md": page}).findings
        told = {one.result for one in found if one.check == "quote_anchor" and one.path == "wiki/new-page.md"}
        assert told
        assert told <= results


@pytest.mark.slow
def test_every_wiki_link_of_a_wiki_in_two_languages_leads_somewhere_and_nine_by_a_stale_path(
    judged: Callable[..., Judged],
) -> None:
    found = judged({}, files_of("ai-engineering-ko")).findings
    told = [(one.path, one.line) for one in found if one.check == "links" and one.result == "inexact"]
    assert len(told) == len([one for one in found if one.check == "links"])
    sources, retrieval = "AI/sources", "wiki/AI/Engineering/Context_Engineering/Retrieval_Strategies/RAG"
    assert sorted(told) == [
        (f"{retrieval}/Agentic_RAG.md", 210),
        (f"{retrieval}/Agentic_RAG.md", 210),
        (f"{retrieval}/RAG.md", 69),
        (f"{retrieval}/RAG.md", 69),
        (f"wiki/{sources}/Agentic_RAG.md", 3),
        (f"wiki/en/{sources}/Agentic_RAG.md", 3),
        (f"wiki/en/{sources}/Prototype_to_Production.md", 7),
        (f"wiki/en/{sources}/Prototype_to_Production.md", 219),
        (f"wiki/en/{sources}/Prototype_to_Production.md", 219),
    ]


@pytest.mark.parametrize("bundle", ["acme_retail", "crypto_bitcoin", "ga4", "stackoverflow"])
def test_every_link_of_a_bundle_leads_somewhere_from_its_root(judged: Callable[..., Judged], bundle: str) -> None:
    found = judged({}, files_of(f"okf-bundles/bundles/{bundle}"), toml='[workspace]\nwiki = "."\n').findings
    assert [one for one in found if one.check in ("links", "orphan")] == []


def test_several_bundles_in_one_wiki_have_a_root_each(judged: Callable[..., Judged]) -> None:
    found = judged({}, files_of("okf-bundles"), toml='[workspace]\nwiki = "bundles"\n').findings
    assert [one for one in found if one.check in ("links", "orphan")] == []


def test_the_only_broken_links_are_those_to_files_outside_the_data(judged: Callable[..., Judged]) -> None:
    found = [one for one in judged({}, files_of("llm-wiki-bootstrap")).findings if one.check == "links"]
    told = sorted((one.result, one.path, one.message.split("'")[1]) for one in found)
    assert told == [
        ("broken", "wiki/index.md", "../AGENTS.md"),
        ("broken", "wiki/index.md", "../README.md"),
        ("broken", "wiki/index.md", "../README.md"),
        ("broken", "wiki/layer-raw-sources.md", "../AGENTS.md"),
        ("broken", "wiki/layer-schema.md", "../AGENTS.md"),
        ("broken", "wiki/open-questions.md", "../docs/MCP.md"),
        ("broken_anchor", "wiki/commands.md", "wiki-extract"),
    ]
