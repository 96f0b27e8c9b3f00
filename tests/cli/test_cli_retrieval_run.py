"""`git assay retrieval run`: what it asks, prints, keeps and exits with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gitops.runs import measurements, names
from tests.cli.conftest import PROJECT
from tests.retrieval.tide_wiki import FILES, GOLD

Command = Callable[..., Any]
ANSWER = "import sys; print({'falls': 'Twice a day.', 'pull': 'The sea.', 'lucene': 'In 1999.'}[sys.argv[1]])"
LINES = """\
{"schema": "assay/retrieval-results/1", "chunker_version": "3", "model": "m-1"}
{"query_id": "a", "hits_top_k": [{"chunk_id": "c1", "doc_id": "d1"}, {"chunk_id": "c2", "doc_id": "d2"}]}
{"query_id": "b", "hits_top_k": [], "answer": {"text": "No.", "citations": ["c9"], "grounded": true}}
"""
PLAIN = """\
- {query_id: a, query: What is A?, expected_doc_ids: [d1], expected_chunk_ids: [c1]}
- {query_id: b, query: What is B?, expected_doc_ids: [d2], expected_chunk_ids: [c2]}
"""


@pytest.fixture
def tides(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES)


@pytest.fixture
def others(tides: Path) -> Path:
    """The wiki, with golden queries and results of another system beside it."""
    (tides / "plain.yaml").write_text(PLAIN)
    (tides / "mine.jsonl").write_text(LINES)
    (tides / "chunks.jsonl").write_text('{"chunk_id": "c1", "doc_id": "d1"}\n{"chunk_id": "c2", "doc_id": "d2"}\n')
    return tides


def kept(git: Command, folder: Path) -> int:
    """How many measurements the notes hold."""
    notes = git(folder, "notes", f"--ref={names.EVALS}", "list", check=False).split()[::2]
    return sum(len(git(folder, "cat-file", "-p", blob).splitlines()) for blob in notes)


def rag(folder: Path, code: str) -> str:
    (folder / "rag.py").write_text(code)
    return f"{sys.executable} rag.py {{query_id}} {{query}}"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--timeout", "3"), 2, "--timeout is for --command"),
        (("--jobs", "2", "--results", "mine.jsonl"), 2, "--jobs is for --command"),
        (("--chunks", "chunks.jsonl"), 2, "--chunks is for --command and --results"),
        (("--preset", "offline", "--results", "mine.jsonl"), 2, "--preset is for this wiki's own"),
        (("--preset", "clod"), 2, "there is no preset 'clod'"),
        (("--command", "rag {query}", "--results", "mine.jsonl"), 2, "not allowed with argument"),
        (("--command", "there-is-no-rag {query}"), 2, "there is no program"),
        (("--command", "python3 rag.py"), 2, "has no {query}"),
        (("--subject", "model"), 2, "'model' is no KEY=VALUE"),
        (("--subject", "model=m"), 2, "tells its own model"),
        (("--subject", "team=a", "--subject", "team=b"), 2, "given twice"),
        (("--top", "0"), 2, "is not a whole number from 1 on"),
        (("--timeout", "0", "--command", "cat {query}"), 2, "0 seconds"),
        (("--query", "fals"), 2, "has no query 'fals'"),
        (("--rev", "nowhere"), 2, "nowhere"),
        (("--gold", "none.yaml"), 2, "none.yaml cannot be read"),
        (("--gold", "mine.jsonl"), 2, "mine.jsonl:2: "),
        (("--gold", "plain.yaml"), 2, "plain.yaml:1: "),
        (("--results", "none.jsonl"), 2, "no store was given to find this quotation"),
        (("--results", "none.jsonl", "--gold", "plain.yaml"), 2, "none.jsonl cannot be read"),
        (("--results", "mine.jsonl", "--gold", "plain.yaml", "--chunks", "plain.yaml"), 2, "plain.yaml:1: "),
        (("--out", "nowhere/out.jsonl"), 3, "cannot write nowhere/out.jsonl"),
        (("--out", "wiki"), 3, "it is a folder"),
        (("--out", "/dev/null"), 3, "it is a device"),
        (("--results", "mine.jsonl", "--gold", "plain.yaml", "--out", "./plain.yaml"), 2, "would be written over"),
        (("--results", "mine.jsonl", "--gold", "plain.yaml", "--out", "wiki/../mine.jsonl"), 2, "written over"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_kept(
    others: Path, assay: Command, refused: Command, git: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    refused(assay(others, "retrieval", "run", *words), code, said)
    assert kept(git, others) == 0


def test_a_results_file_that_is_cut_is_told_with_its_line(
    others: Path, assay: Command, refused: Command, git: Command
) -> None:
    (others / "mine.jsonl").write_text(LINES[:-20])
    done = assay(others, "retrieval", "run", "--gold", "plain.yaml", "--results", "mine.jsonl")
    refused(done, 2, "mine.jsonl:3: ", "cut in the middle")
    assert kept(git, others) == 0


def test_without_golden_queries_it_says_how_to_begin(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "retrieval", "run"), 3, "there are no golden queries", "docs/retrieval.md")


def test_where_every_query_fails_nothing_is_measured(
    others: Path, assay: Command, refused: Command, git: Command
) -> None:
    words = ("--gold", "plain.yaml", "--command", rag(others, "import sys; sys.exit('no key')"))
    refused(assay(others, "retrieval", "run", *words), 3, "all 2 queries failed: exit 1: no key")
    assert kept(git, others) == 0


def test_what_is_too_large_to_keep_is_refused_once_the_results_are_written_and_told(
    others: Path, assay: Command, refused: Command, git: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measurements, "LARGEST", 100)
    words = ("--gold", "plain.yaml", "--results", "mine.jsonl", "--out", "out.jsonl")
    done = assay(others, "-q", "retrieval", "run", *words)
    refused(done, 3, "is kept", "--no-keep")
    assert "hit@10" in done.out
    assert "not kept (its record is too large)" in done.out
    assert kept(git, others) == 0
    assert len((others / "out.jsonl").read_text().splitlines()) == 3


def test_the_wiki_is_asked_and_what_came_is_kept_with_the_commit(tides: Path, assay: Command, git: Command) -> None:
    done = assay(tides, "retrieval", "run")
    assert (done.code, done.err) == (0, "")
    rows = {line.split()[0]: line.split() for line in done.out.splitlines() if line.split()}
    assert rows["mrr"][1] == "1.0000"
    assert rows["refusal_correctness"][1] == "1.0000"
    assert "3 of 3 queries found what they should, or were rightly refused" in done.out
    head = git(tides, "rev-parse", "HEAD")
    assert f"kept in the notes of {head[:10]}" in done.out
    assert kept(git, tides) == 1
    assert names.EVALS in git(tides, "for-each-ref", "--format=%(refname)")
    listed = json.loads(assay(tides, "retrieval", "list", "--json").out)
    assert [(one["commit"], one["queries"], one["mrr"]) for one in listed["runs"]] == [(head, 3, 1.0)]


def test_it_prints_the_measurement_as_it_is_kept(tides: Path, assay: Command, git: Command) -> None:
    printed = json.loads(assay(tides, "retrieval", "run", "--json").out)
    [line] = git(tides, "notes", f"--ref={names.EVALS}", "show", "HEAD").splitlines()
    assert printed == json.loads(line)
    assert (printed["kind"], printed["suite"], len(printed["samples"])) == ("retrieval", "retrieval.yaml", 3)
    assert printed["subject"]["system"] == "git assay query"


def test_nothing_is_kept_where_that_is_wanted_or_only_some_are_tried(tides: Path, assay: Command, git: Command) -> None:
    assert "not kept (--no-keep)" in assay(tides, "retrieval", "run", "--no-keep").out
    tried = assay(tides, "retrieval", "run", "--query", "pull")
    assert "not kept (a part of the queries was tried)" in tried.out
    assert "1 of 1 query found what" in tried.out
    assert kept(git, tides) == 0


@pytest.mark.parametrize("words", [(), ("--results", "mine.jsonl"), ("--command", "cat {query}")])
def test_a_rehearsal_says_what_would_be_done(
    others: Path, assay: Command, git: Command, words: tuple[str, ...]
) -> None:
    gold = ("--gold", "plain.yaml") if words else ()
    done = assay(others, "retrieval", "run", "--dry-run", *gold, *words)
    assert done.code == 0
    told = {0: "nothing to pay", 1: "2 results of mine.jsonl would be scored", 2: "cat 'What is A?'"}
    assert told[("--results", "--command").index(words[0]) + 1 if words else 0] in done.out
    assert kept(git, others) == 0


def test_a_rehearsal_finds_what_the_wiki_lacks(
    tides: Path, assay: Command, refused: Command, commit_files: Command
) -> None:
    commit_files(tides, {"gold/retrieval.yaml": GOLD.replace("The sea falls", "The sea rises")})
    refused(assay(tides, "retrieval", "run", "--dry-run"), 2, "gold/retrieval.yaml:6: ", "stands in no chunk")


def test_what_another_system_gave_is_scored_and_kept(others: Path, assay: Command, git: Command) -> None:
    words = ("--gold", "plain.yaml", "--results", "mine.jsonl", "--chunks", "chunks.jsonl", "--subject", "team=north")
    printed = json.loads(assay(others, "retrieval", "run", *words, "--top", "1", "--json").out)
    assert printed["details"]["aggregate"]["hit_at_k"] == {"1": 0.5, "3": 0.5, "5": 0.5, "10": 0.5}
    assert printed["details"]["aggregate"]["citation_coverage"] == 0.0
    assert (printed["subject"]["chunker_version"], printed["subject"]["others"]) == ("3", {"team": "north"})
    assert (printed["instrument"]["top"], len(printed["instrument"]["chunks"])) == (1, 64)
    told = "the first hit of each query alone was kept: metrics that look deeper see no more"
    assert told in printed["details"]["remarks"]
    again = json.loads(assay(others, "retrieval", "score", printed["run_id"], "--json").out)
    assert told in again["remarks"]
    assert [len(one["details"]["hits_top_k"]) for one in printed["samples"]] == [1, 0]
    assert kept(git, others) == 1


def test_another_system_is_asked_by_its_command(tides: Path, assay: Command) -> None:
    gold = [line for line in GOLD.splitlines() if "chunk_ids" not in line and "quote" not in line]
    (tides / "plain.yaml").write_text("\n".join(gold))
    words = ("--gold", "plain.yaml", "--command", rag(tides, ANSWER), "--jobs", "2", "--subject", "system=rag")
    done = assay(tides, "retrieval", "run", *words, "--out", "out.jsonl", "--json")
    assert done.err == "wrote out.jsonl\n"
    printed = json.loads(done.out)
    assert printed["subject"]["system"] == "rag"
    assert "rag.py" not in done.out
    assert [one["details"]["answer"]["text"] for one in printed["samples"]] == ["Twice a day.", "The sea.", "In 1999."]
    assert printed["details"]["aggregate"]["groundedness"] == 0.6667
    again = assay(tides, "retrieval", "score", "--gold", "plain.yaml", "--results", "out.jsonl", "--json")
    assert json.loads(again.out)["aggregate"] == printed["details"]["aggregate"]


def test_the_golden_queries_of_the_commit_measured_count(tides: Path, assay: Command, commit_files: Command) -> None:
    commit_files(tides, {"gold/retrieval.yaml": PLAIN})
    printed = json.loads(assay(tides, "retrieval", "run", "--rev", "HEAD~1", "--json", "--no-keep").out)
    assert [one["id"] for one in printed["samples"]] == ["falls", "pull", "lucene"]


@pytest.mark.parametrize("root", ["two/", ""], ids=["from the top", "from the workspace"])
def test_a_workspace_is_named_where_there_are_several(
    make_repository: Callable[..., Path], assay: Command, root: str
) -> None:
    two = {f"{root}/{path}": content for root in ("one", "two") for path, content in FILES.items()}
    two["two/assay.toml"] = '[workspace]\nname = "second"\n'
    two["two/gold/retrieval.yaml"] = GOLD.replace("wiki/", f"{root}wiki/")
    folder = make_repository(two)
    printed = json.loads(assay(folder, "retrieval", "run", "--workspace", "second", "--json").out)
    assert (printed["workspace"], printed["metrics"]["mrr"]["value"]) == ("second", 1.0)
    assert printed["metrics"]["recall@10_doc"]["value"] == 1.0
    assert printed["samples"][0]["details"]["expected_doc_ids"] == ["two/wiki/tides.md"]
    again = assay(folder, "--workspace", "second", "retrieval", "score", "HEAD", "--gold", "two/gold/retrieval.yaml")
    assert f"run {printed['run_id']} comes out as it was recorded" in again.out
    listed = json.loads(assay(folder, "--workspace", "tides", "retrieval", "list", "--json").out)
    assert listed["runs"] == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_told_to_end_it_ends_the_programs_that_it_has_started(
    others: Path, git: Command, number: signal.Signals
) -> None:
    code = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"
    words = ["retrieval", "run", "--gold", "plain.yaml", "--command", rag(others, code), "--jobs", "2"]
    env = {**os.environ, "PYTHONPATH": os.fspath(PROJECT)}
    # In the background signals may be ignored, and children inherit that.
    heard = partial(signal.signal, number, signal.SIG_DFL)
    command = [sys.executable, "-m", "gitops", *words]
    running = subprocess.Popen(command, cwd=others, env=env, stderr=subprocess.DEVNULL, preexec_fn=heard)
    while not all((others / name).exists() and (others / name).read_text() for name in "ab"):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(number)
    assert running.wait(timeout=30) == 128 + number
    for name in "ab":
        with pytest.raises(ProcessLookupError):
            os.kill(int((others / name).read_text()), 0)
    assert kept(git, others) == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_killed_while_it_asks_it_leaves_nothing_half_written(others: Path, git: Command) -> None:
    code = "import time; open('begun', 'w').close(); time.sleep(3)"
    words = ["retrieval", "run", "--gold", "plain.yaml", "--command", rag(others, code), "--out", "out.jsonl"]
    env = {**os.environ, "PYTHONPATH": os.fspath(PROJECT)}
    running = subprocess.Popen([sys.executable, "-m", "gitops", *words], cwd=others, env=env, stderr=subprocess.DEVNULL)
    while not (others / "begun").exists():
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert kept(git, others) == 0
    assert [path.name for path in others.iterdir() if "out.jsonl" in path.name] == []
    assert git(others, "status", "--porcelain", "--", "wiki", "raw") == ""


def test_ids_of_another_chunker_and_a_document_that_is_gone_are_no_error(tides: Path, assay: Command) -> None:
    query = "{query_id: a, query: What pulls the sea?, expected_chunk_ids: [old-1], expected_doc_ids: [wiki/gone.md]}"
    (tides / "old.yaml").write_text(f"# of the chunker before\n- {query}\n")
    found = assay(tides, "retrieval", "run", "--gold", "old.yaml", "--other-chunker", "--no-keep", "--json")
    [told] = json.loads(found.out)["details"]["remarks"]
    assert told == "old.yaml:2: expected documents that there is no chunk of: 1 (wiki/gone.md), in queries: 1 (a)"
