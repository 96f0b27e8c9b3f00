from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.runs import source_mentions
from gitops.runs.source_mentions import Mentions, NoTerms
from gitops.runs.views import Bench
from tests.runs.driving import Wiki

FILES = {
    "assay.toml": '[workspace]\nname = "mill"\n',
    "raw/mill.md": "turbine turbine sluice",
    "raw/canal.md": "canal sluice",
    "raw/empty.md": "the of 12",
    "wiki/index.md": "# Turbine\n",
    "wiki/log.md": "# Log\n\n- turbine\n",
    "wiki/a.md": "Sluices; the TURBINE. `sluice`\n",
    "wiki/b.md": "Canal.\n",
    "wiki/c.md": "Hydroturbine.\n",
    "wiki/picture.svg": "turbine",
}


@pytest.fixture
def mill(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(FILES))


def found(wiki: Wiki, *sources: str, counted: bool = False) -> Mentions:
    with Bench(wiki.context(), wiki.workspace(), wiki.git("rev-parse", "main")) as bench:
        if counted:
            bench.page_terms()
        return source_mentions.of_sources(bench, sources)


def test_a_source_that_is_not_there_has_no_terms(mill: Wiki) -> None:
    with pytest.raises(NoTerms, match=r"raw/nope\.md is not there at"):
        found(mill, "raw/nope.md")


def test_a_source_without_words_has_no_terms(mill: Wiki) -> None:
    with pytest.raises(NoTerms, match=r"raw/empty\.md holds no word"):
        found(mill, "raw/mill.md", "raw/empty.md")


@pytest.mark.parametrize("counted", [False, True])
def test_pages_mention_whole_words_in_the_terms_order(mill: Wiki, *, counted: bool) -> None:
    assert found(mill, "raw/mill.md", counted=counted) == Mentions(
        ("turbine", "sluice"), {"wiki/a.md": ("turbine", "sluice"), "wiki/index.md": ("turbine",)}
    )


def test_the_terms_of_several_sources_are_taken_together(mill: Wiki) -> None:
    both = found(mill, "raw/mill.md", "raw/canal.md")
    assert both.terms == ("turbine", "sluice", "canal")
    assert both.pages["wiki/b.md"] == ("canal",)


def test_another_page_another_source_or_another_number_of_terms_is_not_what_was_remembered(
    mill: Wiki, commit_files: Callable[..., str]
) -> None:
    found(mill, "raw/mill.md")
    commit_files(mill.folder, {"wiki/d.md": "A sluice.\n"})
    assert "wiki/d.md" in found(mill, "raw/mill.md").pages
    commit_files(mill.folder, {"raw/new.md": "turbine turbine turbine", "raw/mill.md": "turbine sluice"})
    assert found(mill, "raw/mill.md").terms == ("sluice", "turbine")
    commit_files(mill.folder, {"assay.toml": '[workspace]\nname = "mill"\n\n[coverage]\nterms = 1\n'})
    assert found(mill, "raw/mill.md").terms == ("sluice",)
