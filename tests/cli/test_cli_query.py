"""`git assay query`: answers, refusals, kept answers, and what is printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import LINKED, PAGE
from tests.messages_server import MessagesServer, tool_use

Command = Callable[..., Any]
QUESTION = "By how much did solvent use fall?"
SAID = "Solvent use fell by two fifths."


@pytest.fixture
def wiki(make_wiki: Command) -> Path:
    folder: Path = make_wiki({"wiki/solvents.md": PAGE, "wiki/index.md": LINKED})
    return folder


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["?"], "holds no word"),
        ([QUESTION, "--preset", "nobody"], "no preset 'nobody'"),
        ([QUESTION, "--rev", "nothing"], "names no commit"),
        ([QUESTION, "--rev", "HEAD", "--archive"], "--archive keeps what the branch says now"),
        ([QUESTION, "--target", "main"], "--target is for --archive"),
        ([QUESTION, "--limit", "0"], "--limit"),
        ([QUESTION, "--archive", "--target", "none"], "none"),
    ],
)
def test_what_makes_no_sense_is_refused(
    wiki: Path, assay: Command, refused: Command, state: Command, words: list[str], said: str
) -> None:
    before = state(wiki)
    refused(assay(wiki, "query", *words), 2, said)
    assert state(wiki) == before


@pytest.mark.parametrize("more", [[], ["--archive"]])
def test_a_question_that_the_wiki_does_not_answer_exits_with_1(
    wiki: Path, assay: Command, state: Command, more: list[str]
) -> None:
    before = state(wiki)
    done = assay(wiki, "query", "Who founded the plant?", *more)
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines()[0] == "The wiki does not say."
    body = json.loads(assay(wiki, "query", "Who founded the plant?", "--json", *more).out)
    assert (body["answer"]["refused"], body["answer"]["grounded"], body["answer"]["citations"]) == (True, False, [])
    assert state(wiki) == before


def test_a_model_that_may_not_be_asked_ends_with_3(
    wiki: Path, assay: Command, refused: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_LLM", "off")
    refused(assay(wiki, "query", QUESTION, "--preset", "claude"), 3, "ASSAY_LLM=off")


def test_an_answer_is_printed_with_its_page_and_the_pages_source(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "query", QUESTION)
    assert (done.code, done.err) == (0, "")
    assert done.out == f'{SAID}\n\nwiki/solvents.md:3\n    cites raw/report.md, "declined by two fifths"\n'


def test_json_has_what_was_found_and_what_was_said(wiki: Path, assay: Command) -> None:
    body = json.loads(assay(wiki, "query", QUESTION, "--json").out)
    assert (body["schema"], body["question"], body["workspace"]) == ("assay/query/1", QUESTION, "plant")
    assert (body["answer"]["text"], body["answer"]["topics"]) == (SAID, ["solvents"])
    [citation] = body["answer"]["citations"]
    assert citation["chunk_id"] == body["hits_top_k"][0]["chunk_id"]
    assert body["used"] == {"input_tokens": 0, "output_tokens": 0, "usd": 0.0}


def test_a_dry_run_asks_nobody(wiki: Path, assay: Command) -> None:
    assert "answers without a model, at no cost" in assay(wiki, "query", QUESTION, "--dry-run").out
    done = assay(wiki, "query", QUESTION, "--dry-run", "--preset", "claude", "--archive")
    assert done.code == 0
    assert "would ask claude-opus-5-5" in done.out
    assert "the first call: about" in done.out
    body = json.loads(assay(wiki, "query", QUESTION, "--dry-run", "--preset", "claude", "--json").out)
    assert (body["schema"], body["model"]) == ("assay/query-estimate/1", "claude-opus-5-5")
    assert body["first_call"]["usd"] > 0


def test_an_answer_is_kept_by_a_run_that_lands(wiki: Path, assay: Command, git: Command) -> None:
    done = assay(wiki, "query", QUESTION, "--archive")
    assert done.code == 0, done.err
    assert done.out.startswith(SAID)
    assert "landed" in done.out
    page = git(wiki, "show", "HEAD:wiki/answers/by-how-much-did-solvent-use-fall.md")
    assert '[^1]: raw/report.md, "declined by two fifths" @20' in page
    assert "Land archive" in git(wiki, "log", "-1", "--format=%s")
    assert assay(wiki, "verify", "HEAD", "--base", "HEAD~1").code == 0
    again = assay(wiki, "query", QUESTION, "--archive", "--json")
    assert json.loads(again.out)["archive"] == {"result": "kept_already"}


def test_a_kept_answer_in_json_is_told_as_run_finish_tells_it(wiki: Path, assay: Command) -> None:
    body = json.loads(assay(wiki, "query", QUESTION, "--archive", "--json").out)
    assert (body["archive"]["schema"], body["archive"]["result"]) == ("assay/run-finish/1", "landed")
    shown = json.loads(assay(wiki, "run", "show", body["archive"]["run_id"], "--json").out)
    assert (shown["run_type"], shown["triggered_by"]) == ("archive", "cli:query")


def test_an_answer_that_cannot_be_kept_is_given_all_the_same(make_wiki: Command, assay: Command) -> None:
    folder = make_wiki({"wiki/solvents.md": f"# Solvents\n\n{SAID}\n", "wiki/index.md": LINKED}, name="uncited")
    done = assay(folder, "query", QUESTION, "--archive")
    assert done.code == 1
    assert done.out.startswith(SAID)
    assert "no source's own words were found" in done.err
    body = json.loads(assay(folder, "query", QUESTION, "--archive", "--json").out)
    assert body["archive"]["result"] == "not_kept"
    assert body["answer"]["text"] == SAID


def test_what_a_model_answers_is_kept_with_its_conversation(
    make_wiki: Command, assay: Command, git: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    answer = {"text": "It fell by 40 %.", "citations": [{"path": "wiki/solvents.md", "quote": SAID}], "refused": False}
    with MessagesServer([tool_use("answer", answer)]) as server:
        policy = f'[workspace]\nname = "plant"\n\n{server.toml("claude")}'
        folder = make_wiki({"assay.toml": policy, "wiki/solvents.md": PAGE, "wiki/index.md": LINKED}, name="asked")
        done = assay(folder, "query", QUESTION, "--preset", "claude", "--archive")
    assert done.code == 0, done.err
    assert done.out.startswith("It fell by 40 %.\n\nwiki/solvents.md:3\n")
    assert f'"{SAID}"' in done.out
    page = git(folder, "show", "HEAD:wiki/answers/by-how-much-did-solvent-use-fall.md")
    assert "It fell by 40 %.[^1]" in page
    assert git(folder, "notes", "--ref", "assay/transcripts", "list")


def test_a_bare_repository_answers_too(make_wiki: Command, assay: Command) -> None:
    folder = make_wiki({"wiki/solvents.md": PAGE, "wiki/index.md": LINKED}, bare=True, name="bare")
    assert assay(folder, "query", QUESTION).out.startswith(SAID)
