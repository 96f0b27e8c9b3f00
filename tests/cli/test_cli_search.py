"""`git assay search`: what it finds, where, and what it prints."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import PROJECT

Command = Callable[..., Any]
PAGES = {
    "wiki/solvents.md": "# Solvents\n\nSolvent use fell by two fifths.\n\n## Why\n\nA new filter saved it.\n",
    "wiki/index.md": "# Index\n\n- [Solvents](solvents.md)\n",
}


@pytest.fixture
def wiki(make_wiki: Command) -> Path:
    folder: Path = make_wiki(PAGES)
    return folder


@pytest.mark.parametrize("words", [["?!"], ["--", "-"], ["", " "]])
def test_no_word_is_refused(wiki: Path, assay: Command, refused: Command, words: list[str]) -> None:
    refused(assay(wiki, "search", *words), 2, "no word to search for")


def test_a_revision_that_is_not_there_is_refused(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "search", "solvent", "--rev", "nothing"), 2, "names no commit")


def test_a_limit_of_nothing_and_a_place_that_is_none_are_refused(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "search", "solvent", "--limit", "0"), 2, "--limit")
    refused(assay(wiki, "search", "solvent", "--in", "gold"), 2, "--in")


def test_nothing_found_exits_with_1_as_grep_does(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "search", "penguins"), 1, "no page holds any of: penguins", "--in all")
    done = assay(wiki, "search", "penguins", "--json")
    assert (done.code, json.loads(done.out)["hits"], done.err) == (1, [], "")


def test_a_place_is_a_path_a_line_a_heading_and_what_stands_there(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "search", "filters", "saving")
    assert (done.code, done.err) == (0, "")
    assert done.out == "wiki/solvents.md:7  Solvents › Why\n    A new filter saved it.\n"


def test_sources_are_found_where_they_are_asked_for(wiki: Path, assay: Command) -> None:
    assert "raw/" not in assay(wiki, "search", "solvent").out
    assert assay(wiki, "search", "emissions", "--in", "raw").out.startswith("raw/report.md:2  ")
    both = assay(wiki, "search", "solvent", "--in", "all").out
    assert "raw/report.md:1" in both
    assert "wiki/solvents.md:3" in both


def test_json_has_ids_spans_scores_and_marks(wiki: Path, assay: Command) -> None:
    body = json.loads(assay(wiki, "search", "filter", "--json", "--limit", "1").out)
    assert body["schema"] == "assay/search/1"
    [hit] = body["hits"]
    assert (hit["rank"], hit["doc_id"], hit["line"], hit["text"]) == (
        1,
        "wiki/solvents.md",
        7,
        "A new filter saved it.",
    )
    assert [hit["text"][start:end] for start, end in hit["marks"]] == ["filter"]
    assert hit["score"] > 0


def test_an_older_revision_and_a_bare_repository_are_searched(
    wiki: Path, make_wiki: Command, assay: Command, commit_files: Command
) -> None:
    commit_files(wiki, {"wiki/solvents.md": "# Solvents\n\nNothing now.\n"})
    assert assay(wiki, "search", "filter").code == 1
    assert assay(wiki, "search", "filter", "--rev", "HEAD~1").code == 0
    assert assay(make_wiki(PAGES, bare=True, name="bare"), "search", "filter").code == 0


def test_what_would_steer_a_terminal_is_shown(make_wiki: Command, assay: Command) -> None:
    folder = make_wiki({"wiki/solvents.md": "# Solvents\n\nA \x1b[31mred\u202e filter.\n"}, name="odd")
    out = assay(folder, "search", "filter").out
    assert "␛[31mred<U+202E> filter." in out
    assert "\x1b" not in out


@pytest.mark.slow
def test_importing_it_costs_no_model_library(wiki: Path) -> None:
    script = (
        "import sys; from gitops.cli import main; code = main(['-C', sys.argv[1], 'search', 'filter']);"
        "print(code, [name for name in ('anthropic', 'pypdfium2', 'selectolax', 'httpx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script, str(wiki)], cwd=PROJECT, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "0 []", done.stderr
