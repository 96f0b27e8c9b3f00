"""`git assay lint --cascade-backfill`: by the offline writer, and by a model that a loopback server plays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done
from tests.messages_server import Answer, MessagesServer, tool_use, tool_uses

Assay = Callable[..., Done]
MILL = """# The Mill at Morrow

The turbine of the mill stands behind the sluice. The sluice was rebuilt in 1931 by the miller and his son.
"""
FILES = {
    "raw/mill.md": MILL,
    "wiki/index.md": "# Index\n\n- [Water](water.md)\n- [Old](old.md)\n",
    "wiki/water.md": "# Water\n\nIt runs through a sluice, and a turbine turns.\n",
    "wiki/old.md": "# Old\n\nThe miller knew.\n",
}
OLD = '# Old\n\nThe miller knew.[^1]\n\n[^1]: raw/mill.md, "the miller"\n'
QUOTE = "The turbine of the mill stands behind the sluice."


@pytest.fixture
def ingest(assay: Assay) -> Callable[[Path], None]:
    """Land an ingest of the mill that touches one page of two."""

    def land(folder: Path) -> None:
        run = assay(folder, "run", "start", "--type", "ingest", "--source", "raw/mill.md").out.strip()
        assert assay(folder, "run", "write", run, "wiki/old.md", stdin=OLD.encode()).code == 0
        done = assay(folder, "run", "finish", run, "--no-verify")
        assert done.code == 0, done.err

    return land


@pytest.fixture
def mill(make_wiki: Callable[..., Path], ingest: Callable[[Path], None]) -> Path:
    folder = make_wiki(FILES)
    ingest(folder)
    return folder


def told(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.out)
    return found


@pytest.mark.parametrize("words", [("--check", "links"), ("wiki",)])
def test_a_part_of_a_workspace_is_refused(
    mill: Path, assay: Assay, refused: Callable[..., None], words: tuple[str, ...]
) -> None:
    refused(assay(mill, "lint", "--cascade-backfill", *words), 2, "--cascade-backfill mends a whole workspace")


@pytest.mark.parametrize("words", [("--dry-run",), ("--preset", "offline"), ("--draft-only",), ("--push",)])
@pytest.mark.slow
def test_its_options_alone_are_refused(
    mill: Path, assay: Assay, refused: Callable[..., None], words: tuple[str, ...]
) -> None:
    refused(assay(mill, "lint", *words), 2, f"{words[0]} goes with --cascade-backfill")
    refused(assay(mill, "lint", "--fix", *words), 2, f"{words[0]} goes with --cascade-backfill")


@pytest.mark.parametrize("words", [("--rev", "HEAD"), ("--staged",), ("--fix",), ("--debt",), ("--sarif",)])
@pytest.mark.slow
def test_what_lints_instead_is_refused_beside_it(
    mill: Path, assay: Assay, refused: Callable[..., None], words: tuple[str, ...]
) -> None:
    refused(assay(mill, "lint", "--cascade-backfill", *words), 2, f"{words[0]} does not go with --cascade-backfill")


def test_a_preset_that_there_is_not(mill: Path, assay: Assay, refused: Callable[..., None]) -> None:
    refused(assay(mill, "lint", "--cascade-backfill", "--preset", "clade"), 2, "clade")


def test_without_a_recent_ingest_there_is_nothing_to_mend(
    make_wiki: Callable[..., Path], assay: Assay, state: Callable[[Path], str]
) -> None:
    folder = make_wiki(FILES)
    before = state(folder)
    done = assay(folder, "lint", "--cascade-backfill")
    assert (done.code, done.out) == (0, "nothing to mend  no ingest of the last 7 days can be looked at\n")
    assert state(folder) == before


@pytest.mark.slow
def test_a_rehearsal_writes_nothing(mill: Path, assay: Assay, state: Callable[[Path], str]) -> None:
    before = state(mill)
    done = assay(mill, "lint", "--cascade-backfill", "--dry-run")
    assert done.code == 0
    head, *pages = done.out.splitlines()
    assert head.startswith("would write  ")
    assert head.endswith("; of 1 page missed")
    assert "  ~ wiki/water.md" in pages
    assert f"      {QUOTE}" in pages
    assert state(mill) == before


def test_what_was_missed_is_mended_and_then_nothing_is_missed(mill: Path, assay: Assay) -> None:
    done = assay(mill, "lint", "--cascade-backfill", "--json")
    assert done.code == 0, done.err
    found = told(done)
    assert (found["schema"], found["state"], found["run"]["result"]) == ("assay/backfill/1", "finished", "landed")
    assert found["missed"] == [{"sources": ["raw/mill.md"], "pages": {"wiki/water.md": ["sluice", "turbine"]}}]
    assert QUOTE in (mill / "wiki/water.md").read_text()
    again = assay(mill, "lint", "--cascade-backfill")
    assert again.out == "nothing to mend  the ingests of the last 7 days missed no page (1 looked at)\n"


@pytest.mark.slow
def test_a_draft_waits_and_lands_when_it_is_finished(mill: Path, assay: Assay) -> None:
    run = told(assay(mill, "lint", "--cascade-backfill", "--draft-only", "--json"))["run"]
    assert run["result"] == "draft"
    assert QUOTE not in (mill / "wiki/water.md").read_text()
    assert assay(mill, "run", "finish", run["run_id"]).code == 0
    assert QUOTE in (mill / "wiki/water.md").read_text()


@pytest.mark.slow
def test_a_model_is_given_the_pages_and_the_source_and_writes_under_the_budget_of_lint(
    make_wiki: Callable[..., Path], ingest: Callable[[Path], None], assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-tests")
    monkeypatch.delenv("ASSAY_LLM", raising=False)
    page = f'{FILES["wiki/water.md"]}\n{QUOTE}[^1]\n\n[^1]: raw/mill.md, "{QUOTE}"\n'
    script = [
        tool_uses([("stage_write", {"path": "wiki/water.md", "content": page})]),
        tool_use("finish", {"summary": "told of the turbine"}),
    ]
    bodies: list[dict[str, Any]] = []

    def answer(body: dict[str, Any], number: int) -> Answer:
        bodies.append(body)
        return script[number]

    with MessagesServer(answer) as server:
        folder = make_wiki({**FILES, "assay.toml": f'[workspace]\nname = "plant"\n{server.toml()}'})
        ingest(folder)
        done = assay(folder, "lint", "--cascade-backfill", "--preset", "claude", "--json")
    assert done.code == 0, done.err
    first = json.dumps(bodies[0]["messages"][0])
    assert "wiki/water.md: sluice, turbine (raw/mill.md)" in first
    assert QUOTE in first
    assert told(done)["run"]["result"] == "landed"
    assert QUOTE in (folder / "wiki/water.md").read_text()
    [log] = (folder / ".git/assay").glob("llm-usage-*.jsonl")
    assert {json.loads(line)["run_type"] for line in log.read_text().splitlines()} == {"lint"}


@pytest.mark.slow
def test_what_came_of_it_is_said_in_words(mill: Path, assay: Assay) -> None:
    done = assay(mill, "lint", "--cascade-backfill")
    assert done.code == 0, done.err
    assert done.out.startswith("landed  run ")
    assert "of 1 page missed" in done.out.splitlines()[-1]
