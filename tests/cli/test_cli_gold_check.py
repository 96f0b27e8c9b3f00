"""`git assay gold check`: all gold of a workspace, or the cases in a folder, checked and counted."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.suites.suite_folders import case, suite, written

Command = Callable[..., Any]
MEMO = "The Dike Board decided to mow in May, because birds nest in June.\n"
DECISION = """\
---
type: decision
id: mow-in-may
title: Mow in May
relationships:
  - {rel: decided_by, target: dike-board}
---

The dikes are mown in May.[^s1]

## Rationale

Birds nest in June.[^s2]

[^s1]: sources/memo.md, "The Dike Board decided to mow in May"
[^s2]: sources/memo.md, "because birds nest in June"
"""
ROLE = """\
---
type: role
id: dike-board
title: Dike Board
---

It decides when the dikes are mown.[^s1]

[^s1]: sources/memo.md, "The Dike Board decided to mow in May"
"""
EXTRACTION = {
    "gold/extraction/mowing/sources/memo.md": MEMO,
    "gold/extraction/mowing/atoms/mow-in-may.md": DECISION,
    "gold/extraction/mowing/atoms/dike-board.md": ROLE,
}
QUERIES = """\
- query: How much solvent is used?
  expected_topics: [solvents]
  expected_citations: [raw/report.md]
  authored_at: 2026-01-01T00:00:00Z
  authored_by: user
"""
RETRIEVAL = "- query_id: one\n  query: How much solvent is used?\n  expected_doc_ids: [wiki/solvents.md]\n"
DECISION_FILE = "gold/extraction/mowing/atoms/mow-in-may.md"


def kinds(body: dict[str, Any]) -> dict[str, dict[str, int]]:
    return {one["kind"]: one["counts"] for one in body["gold"]}


def told(body: dict[str, Any]) -> list[tuple[str, str, int, str]]:
    faults = [fault for one in body["gold"] for fault in one["faults"]]
    return [(fault["level"], fault["path"], fault["line"], fault["result"]) for fault in faults]


@pytest.fixture
def gold_wiki(make_wiki: Command) -> Path:
    """A wiki with gold of every kind."""
    page = '# Solvents\n\nSolvent use fell.[^1]\n\n[^1]: raw/report.md, "declined by two fifths"\n'
    path: Path = make_wiki(
        {
            **EXTRACTION,
            "gold/queries.yaml": QUERIES,
            "gold/retrieval.yaml": RETRIEVAL,
            **written("gold/suites/small", suite(), case()),
            "wiki/solvents.md": page,
        }
    )
    return path


def test_one_line_for_each_kind_and_what_no_case_has(gold_wiki: Path, assay: Command) -> None:
    done = assay(gold_wiki, "gold", "check")
    assert (done.code, done.err) == (0, "")
    rows = [" ".join(line.split()) for line in done.out.splitlines()]
    assert rows[1:5] == [
        "extraction 1 case, 2 atoms, 1 edge, 1 reason gold/extraction/",
        "queries 1 query gold/queries.yaml",
        "retrieval 1 query gold/retrieval.yaml",
        "suites 1 suite, 1 case gold/suites/",
    ]
    assert "note no case has a workflow" in rows
    assert "note no case has an edge stages" in rows
    assert rows[-1] == "gold keeps its rules"


def test_json_is_as_its_schema_says(gold_wiki: Path, assay: Command) -> None:
    body = json.loads(assay(gold_wiki, "gold", "check", "--json").out)
    jsonschema.validate(body, json.loads(assay(gold_wiki, "schema", "gold-checked").out))
    assert body["schema"] == "assay/gold-checked/1"
    assert (body["ok"], body["workspace"], body["commit"]) == (True, "plant", None)
    assert kinds(body) == {
        "extraction": {"cases": 1, "atoms": 2, "edges": 1, "reasons": 1},
        "queries": {"queries": 1},
        "retrieval": {"queries": 1},
        "suites": {"suites": 1, "cases": 1},
    }
    assert told(body) == []


def test_gold_that_breaks_a_rule_is_refused_with_its_place(gold_wiki: Path, assay: Command) -> None:
    (gold_wiki / DECISION_FILE).write_text(DECISION.replace('birds nest in June"', 'birds nest in July"'))
    done = assay(gold_wiki, "gold", "check")
    assert done.code == 1
    assert DECISION_FILE in done.out
    assert "misquoted" in done.out
    assert done.out.rstrip().endswith("gold breaks its rules in 1 place")
    body = json.loads(assay(gold_wiki, "gold", "check", "--json").out)
    assert (body["ok"], told(body)) == (False, [("error", DECISION_FILE, 16, "misquoted")])


def test_a_revision_is_checked_as_it_was_committed(
    gold_wiki: Path, assay: Command, git: Command, state: Command
) -> None:
    (gold_wiki / DECISION_FILE).unlink()
    before = state(gold_wiki)
    assert assay(gold_wiki, "gold", "check", "--rev", "HEAD").code == 0
    body = json.loads(assay(gold_wiki, "gold", "check", "--rev", "HEAD", "--json").out)
    assert body["commit"] == git(gold_wiki, "rev-parse", "HEAD")
    assert kinds(body)["extraction"]["atoms"] == 2
    assert kinds(json.loads(assay(gold_wiki, "gold", "check", "--json").out))["extraction"]["atoms"] == 1
    assert state(gold_wiki) == before


def test_a_bare_repository_is_checked_at_its_head(make_wiki: Command, assay: Command) -> None:
    bare = make_wiki(EXTRACTION, bare=True)
    assert kinds(json.loads(assay(bare, "gold", "check", "--json").out)) == {
        "extraction": {"cases": 1, "atoms": 2, "edges": 1, "reasons": 1}
    }


def test_a_folder_needs_no_repository(tmp_path: Path, assay: Command, gold_wiki: Path) -> None:
    folder = shutil.copytree(gold_wiki / "gold/extraction", tmp_path / "plain/cases")
    done = assay(tmp_path / "plain", "gold", "check", "--gold", "cases", "--json")
    assert done.code == 0, done.err
    body = json.loads(done.out)
    assert (body["workspace"], [one["place"] for one in body["gold"]]) == (None, ["cases/"])
    (folder / "mowing/sources/memo.md").write_text("Nothing of the kind.\n")
    done = assay(tmp_path / "plain", "gold", "check", "--gold", "cases", "--json")
    assert done.code == 1
    assert {path for _, path, _, _ in told(json.loads(done.out))} == {
        "cases/mowing/atoms/dike-board.md",
        "cases/mowing/atoms/mow-in-may.md",
    }


def test_no_gold_at_all_is_no_success(wiki: Path, tmp_path: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "gold", "check"), 3, "there is no gold below gold/")
    (tmp_path / "empty").mkdir()
    refused(assay(tmp_path, "gold", "check", "--gold", "empty"), 3, "there is no case of gold in empty")
    refused(assay(tmp_path, "gold", "check", "--gold", "nowhere"), 2, "there is no folder nowhere")
    refused(assay(tmp_path, "gold", "check", "--gold", ""), 2, "--gold names no folder")


def test_of_very_many_faults_the_errors_are_shown_and_all_are_counted(tmp_path: Path, assay: Command) -> None:
    made = {f"cases/{path.removeprefix('gold/extraction/')}": text for path, text in EXTRACTION.items()}
    made["cases/mowing/atoms/dike-board.md"] = ROLE.replace("\n---\n\n", "\nuses: [mow-in-may]\n---\n\n")
    made |= {f"cases/stray-{number:03}.txt": "x" for number in range(60)}
    for path, text in made.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    done = assay(tmp_path, "gold", "check", "--gold", "cases")
    assert (done.code, done.out.count("stray_file"), done.out.count("unusual_ends")) == (1, 50, 0)
    assert "and 11 more: --json has them" in done.out
    assert "gold breaks its rules in 60 places" in done.out
    assert len(told(json.loads(assay(tmp_path, "gold", "check", "--gold", "cases", "--json").out))) == 61


def test_a_folder_and_a_revision_do_not_go_together(wiki: Path, assay: Command) -> None:
    assert assay(wiki, "gold", "check", "--gold", "x", "--rev", "HEAD").code == 2


def test_what_questions_expect_and_the_wiki_lacks_is_a_warning(gold_wiki: Path, assay: Command) -> None:
    (gold_wiki / "gold/queries.yaml").write_text(QUERIES.replace("[solvents]", "[lacquer]"))
    done = assay(gold_wiki, "gold", "check", "--json")
    assert done.code == 0
    assert told(json.loads(done.out)) == [("warning", "gold/queries.yaml", 1, "unfounded")]
    assert assay(gold_wiki, "gold", "check").out.rstrip().endswith("gold keeps its rules; 1 to be looked at")


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("gold/queries.yaml", "- query: [\n", ("error", "gold/queries.yaml", 2, "bad_file")),
        ("gold/retrieval.yaml", "- query_id: one\n", ("error", "gold/retrieval.yaml", 1, "bad_file")),
        ("gold/suites/small/suite.json", "{", ("error", "gold/suites/small/suite.json:1", 0, "bad_suite")),
        ("gold/suites/small/suite.json", "{}", ("error", "gold/suites/small/suite.json", 0, "bad_suite")),
    ],
)
def test_faults_of_other_gold_are_told_and_count(
    path: str, text: str, expected: tuple[str, str, int, str], gold_wiki: Path, assay: Command
) -> None:
    (gold_wiki / path).write_text(text)
    done = assay(gold_wiki, "gold", "check", "--json")
    assert done.code == 1
    assert expected in told(json.loads(done.out))
    assert len(kinds(json.loads(done.out))) == 4


def test_links_in_place_of_files_are_told_and_not_read(gold_wiki: Path, tmp_path: Path, assay: Command) -> None:
    for name in ("queries.yaml", "retrieval.yaml"):
        (gold_wiki / "gold" / name).unlink()
        os.symlink(tmp_path / "elsewhere", gold_wiki / "gold" / name)
    done = assay(gold_wiki, "gold", "check", "--json")
    assert done.code == 1
    assert {path for _, path, _, _ in told(json.loads(done.out))} == {"gold/queries.yaml", "gold/retrieval.yaml"}


def test_a_link_in_place_of_the_cases_is_no_silence(gold_wiki: Path, assay: Command, git: Command) -> None:
    (gold_wiki / "gold/extraction").rename(gold_wiki / "cases")
    os.symlink("../cases", gold_wiki / "gold/extraction")
    git(gold_wiki, "add", "-A")
    git(gold_wiki, "commit", "-qm", "A link")
    for words in ((), ("--rev", "HEAD")):
        done = assay(gold_wiki, "gold", "check", *words, "--json")
        assert done.code == 1
        assert told(json.loads(done.out)) == [("error", "gold/extraction", 0, "no_file")]


@pytest.mark.parametrize("columns", ["80", "120"])
def test_a_fault_fits_the_terminal(
    columns: str, gold_wiki: Path, assay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    (gold_wiki / DECISION_FILE).write_text(DECISION.replace("dike-board}", "nobody-of-that-name}"))
    done = assay(gold_wiki, "gold", "check")
    assert done.code == 1
    assert "mend: name an id or a path that is there" in done.out
