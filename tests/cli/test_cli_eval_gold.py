"""`git assay eval gold`: refusals, what is written, the questions on a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from gitops.runs.printed_gold import GoldAdded, GoldListed
from tests.cli.conftest import LINKED, PAGE
from tests.cli.on_terminal import on_terminal

Command = Callable[..., Any]
QUERY = ["--query", "By how much did solvent use fall?"]
TOPICS = ["--topics", "solvents"]
CITATIONS = ["--citations", "raw/report.md,raw/other.md"]
GOLD = "gold/queries.yaml"
ENTRY = "- query: {}\n  expected_topics: [solvents]\n  expected_citations: []\n  authored_at: 2024-01-02\n"


@pytest.fixture
def wiki(make_wiki: Command) -> Path:
    folder: Path = make_wiki({"wiki/solvents.md": PAGE, "wiki/index.md": LINKED})
    return folder


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["add"], ["--query and --topics and --citations must be given"]),
        (["add", *QUERY, *TOPICS], ["--citations must be given"]),
        (["add", *QUERY, "--topics", "solvent", *CITATIONS], ["did you mean solvents?"]),
        (["add", *QUERY, *TOPICS, "--citations", "raw/reprot.md"], ["did you mean raw/report.md"]),
        (["add", "--query", "??", *TOPICS, *CITATIONS], ["holds no word"]),
        (["import", "nothing.yaml"], ["nothing.yaml cannot be read: No such file"]),
        (["import", "raw/report.md"], ["raw/report.md:1: a list of entries", "hint:  mend raw/report.md"]),
        (["export", "assay.toml"], ["assay.toml is there already"]),
        (["list", "--rev", "nothing"], ["names no commit"]),
    ],
)
def test_what_cannot_be_done_is_refused(
    wiki: Path, assay: Command, refused: Command, state: Command, words: list[str], said: list[str]
) -> None:
    before = state(wiki)
    refused(assay(wiki, "eval", "gold", *words), 2, *said)
    assert state(wiki) == before


def test_a_query_that_is_there_already_is_refused(wiki: Path, assay: Command, refused: Command) -> None:
    assert assay(wiki, "eval", "gold", "add", *QUERY, *TOPICS, *CITATIONS).code == 0
    again = ["--query", "by how much did solvent use  FALL", *TOPICS, *CITATIONS]
    refused(
        assay(wiki, "eval", "gold", "add", *again), 2, f"the same query is there already, {GOLD} line 3", "gold list"
    )


def test_every_fault_of_a_file_has_a_line_of_its_own(wiki: Path, assay: Command) -> None:
    (wiki / "new.yaml").write_text(ENTRY.format("How?") + ENTRY.format("how") + "- query: Who?\n  querry: x\n")
    done = assay(wiki, "eval", "gold", "import", "new.yaml")
    lines = done.err.splitlines()
    assert done.code == 2
    assert lines[0] == "error: new.yaml:5: the same query is there already (line 1): How?"
    assert lines[-2] == "error: new.yaml:10: unknown key 'querry'; did you mean query?"
    assert lines[-1].startswith("hint:  mend new.yaml")
    assert len(lines) == 6
    assert not (wiki / GOLD).exists()


def test_a_gold_file_that_is_broken_is_told_by_every_command(wiki: Path, assay: Command, refused: Command) -> None:
    (wiki / "gold").mkdir()
    (wiki / GOLD).write_text("- query: [\n")
    (wiki / "new.yaml").write_text(ENTRY.format("How?"))
    for words in (["list"], ["export"], ["import", "new.yaml"], ["add", *QUERY, *TOPICS, *CITATIONS]):
        refused(assay(wiki, "eval", "gold", *words), 2, f"{GOLD}:2: not YAML")
    assert (wiki / GOLD).read_text() == "- query: [\n"


@pytest.mark.slow
def test_a_query_is_added_to_the_working_tree_and_nothing_is_committed(
    wiki: Path, assay: Command, git: Command, process: Command
) -> None:
    head = git(wiki, "rev-parse", "HEAD")
    done = assay(wiki, "eval", "gold", "add", *QUERY, *TOPICS, *CITATIONS)
    next_ = f"next: git add {GOLD} && git commit -m 'Add a gold query'"
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{GOLD}: 1 query added, 1 in all\n{next_}\n"
    assert git(wiki, "rev-parse", "HEAD") == head
    assert git(wiki, "status", "--porcelain", "--untracked-files=all") == f"?? {GOLD}"
    assert assay(wiki, "--quiet", "eval", "gold", "add", "--query", "Who?", "--topics", "", "--citations", "").out == ""
    below = process(wiki / "wiki", "eval", "gold", "add", "--query", "Why?", "--topics", "", "--citations", "")
    assert f"git add ../{GOLD}" in below.out


def test_json_says_what_was_added_and_listed(wiki: Path, assay: Command) -> None:
    added = json.loads(assay(wiki, "eval", "gold", "add", *QUERY, *TOPICS, *CITATIONS, "--json").out)
    [record] = added["added"]
    assert (added["schema"], added["file"], added["queries"]) == ("assay/gold-added/1", GOLD, 1)
    assert record["authored_at"] == "2024-01-02T03:04:05Z"
    assert (record["expected_topics"], record["authored_by"]) == (["solvents"], "user")
    listed = json.loads(assay(wiki, "eval", "gold", "list", "--json").out)
    TypeAdapter(GoldAdded).validate_python(added)
    TypeAdapter(GoldListed).validate_python(listed)
    assert (set(added), set(listed)) == (set(GoldAdded.__annotations__), set(GoldListed.__annotations__))
    assert listed == {
        "schema": "assay/gold/1",
        "workspace": "plant",
        "file": GOLD,
        "queries": [record],
        "unfounded": [],
    }


def test_a_list_tells_what_is_expected_and_gone(wiki: Path, assay: Command, commit_files: Command) -> None:
    assert assay(wiki, "eval", "gold", "list").out == "there are no gold queries: git assay eval gold add\n"
    assay(wiki, "eval", "gold", "add", *QUERY, *TOPICS, *CITATIONS)
    before = commit_files(wiki, {})
    commit_files(wiki, {"raw/other.md": None})
    done = assay(wiki, "eval", "gold", "list")
    assert done.code == 0
    assert done.err.startswith(f"note: {GOLD}:3: there is no source 'raw/other.md'")
    assert done.out.splitlines()[1].split("  ")[:3] == [QUERY[1], "solvents", "raw/report.md, raw/other.md"]
    assert done.out.endswith("\n1 query\n")
    assert assay(wiki, "eval", "gold", "list", "--rev", before).err == ""
    assert "no gold queries" in assay(wiki, "eval", "gold", "list", "--rev", f"{before}~").out


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_what_is_exported_is_imported_elsewhere(wiki: Path, make_wiki: Command, assay: Command, form: str) -> None:
    assay(wiki, "eval", "gold", "add", *QUERY, *TOPICS, *CITATIONS)
    file = wiki.parent / f"out.{form}"
    assert assay(wiki, "eval", "gold", "export", str(file)).code == 0
    printed = assay(wiki, "eval", "gold", "export", "--format", form)
    assert (printed.code, printed.out) == (0, file.read_text())
    other = make_wiki({"wiki/solvents.md": PAGE, "wiki/index.md": LINKED}, name="other")
    done = assay(other, "eval", "gold", "import", str(file), "--json")
    assert (done.code, json.loads(done.out)["queries"]) == (0, 1)
    assert (other / GOLD).read_bytes() == (wiki / GOLD).read_bytes()


def test_standard_input_is_imported(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "eval", "gold", "import", "-", stdin=ENTRY.format("How?").encode())
    assert (done.code, done.out.splitlines()[0]) == (0, f"{GOLD}: 1 query added, 1 in all")


@pytest.mark.slow
def test_a_run_may_not_write_gold(wiki: Path, assay: Command, staged: Command) -> None:
    run = staged(wiki)
    assay(wiki, "run", "write", run, GOLD, stdin=ENTRY.format("How?").encode())
    done = json.loads(assay(wiki, "run", "finish", run, "--json").out)
    assert (done["result"], "path_acl" in str(done)) == ("rejected", True)


@pytest.mark.slow
def test_on_a_terminal_what_is_missing_is_asked_for(wiki: Path) -> None:
    typed = "??\nBy how much did solvent use fall?\nsolvent\n1\n9\n1, raw/other.md\n"
    code, out, err = on_terminal(wiki, typed, "eval", "gold", "add", "--json")
    assert code == 0, err
    [record] = json.loads(out)["added"]
    assert record["query"] == "By how much did solvent use fall?"
    assert record["expected_topics"] == ["solvents"]
    assert record["expected_citations"] == ["raw/report.md", "raw/other.md"]
    for said in ("the query holds no word", "  1  solvents", "did you mean solvents?", "there is no source '9'"):
        assert said in err


@pytest.mark.parametrize("typed", ["\x04", "??\n\x04"])
@pytest.mark.slow
def test_on_a_terminal_the_end_of_the_input_asks_for_no_question_again(wiki: Path, typed: str) -> None:
    code, _, err = on_terminal(wiki, typed, "eval", "gold", "add")
    assert (code, err.count("Question: "), "the input ended" in err) == (2, typed.count("\n") + 1, True)


@pytest.mark.slow
def test_on_a_terminal_what_is_given_is_not_asked_for_and_the_end_of_the_input_adds_nothing(wiki: Path) -> None:
    code, _, err = on_terminal(wiki, "\x04", "eval", "gold", "add", *QUERY, *TOPICS)
    assert (code, "Question" in err, "Pages" in err) == (2, False, False)
    assert "nothing was added: the input ended" in err
    assert not (wiki / GOLD).exists()
