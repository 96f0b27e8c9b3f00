"""`git assay extract run`: atoms into a folder, and by a run into the wiki; offline and by a model on loopback."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.runs import schemas
from tests.cli.conftest import Done
from tests.messages_server import Answer, MessagesServer, tool_use

Assay = Callable[..., Done]
WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"
Git = Callable[..., str]
YARD = """# Yard process

The yard process is owned by the Yard Lead. It uses BerthApp. It produces a berth report.

BerthApp is a planning system that holds all berths.

We decided to close the north gate because trucks block the road.
"""
FOG = "The fog had lifted, and the gulls were loud.\n"
LEAD = "The yard process is owned by the Yard Lead."


@pytest.fixture
def yard(make_wiki: Callable[..., Path]) -> Path:
    return make_wiki({"raw/yard.md": YARD, "raw/fog.md": FOG})


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder in no repository, with two sources."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "yard.md").write_text(YARD)
    (folder / "fog.md").write_text(FOG)
    return folder


def checked(done: Done) -> dict[str, Any]:
    """The JSON that was printed, which its schema allows."""
    told: dict[str, Any] = json.loads(done.out)
    schemas.PRINTED["extract-run"].validate_python(told)
    return told


def records(quote: str) -> Answer:
    said = {"sentence": quote, "quote": quote}
    atom = {"type": "role", "id": "yard-lead", "title": "Yard Lead", "description": said}
    return tool_use("record_atoms", {"atoms": [{**atom, "relationships": [], "rationale": []}]})


DONE = tool_use("done", {"nothing_found": False})


@pytest.fixture
def asked(make_wiki: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A wiki whose presets ask a server."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-tests")

    def make(server: MessagesServer, policy: str = "") -> Path:
        config = f'[workspace]\nname = "plant"\n{policy}\n{server.toml()}'
        return make_wiki({"assay.toml": config, "raw/yard.md": YARD}, name="asked")

    return make


# Refusals


@pytest.mark.parametrize(
    ("words", "told", "mend"),
    [
        (("raw/yard.md", "--out", "raw/atoms"), "in no folder of its wiki", "--out wiki/atoms"),
        (("raw/yard.md", "--out", "gold/x"), "in no folder of its wiki", "--out wiki/atoms"),
        (("raw/yard.md", "--out", ""), "--out names no folder", "--out DIR"),
        (("raw/yard.md", "--out", "wiki/index.md"), "wiki/index.md is no folder", "--out DIR"),
        (("raw/yard.md", "--out", "."), "in no folder of its wiki", "--out wiki/atoms"),
        (("raw/yard.md", "--out", "wiki/atoms", "--force"), "--force overwrites files", "leave it out"),
        (("raw/yard.md", "--out", "wiki/atoms", "--preset", "gpt"), "there is no preset 'gpt'", "offline"),
        (("raw/none.md", "--out", "wiki/atoms"), "raw/none.md: No such file", "name sources"),
    ],
)
def test_what_makes_no_sense_changes_nothing(
    assay: Assay,
    yard: Path,
    refused: Callable[..., None],
    state: Callable[[Path], str],
    words: tuple[str, ...],
    told: str,
    mend: str,
) -> None:
    before = state(yard)
    refused(assay(yard, "extract", "run", *words), 2, told, mend)
    assert state(yard) == before


def test_what_only_a_run_has_is_refused_for_a_folder(assay: Assay, outside: Path, refused: Callable[..., None]) -> None:
    refused(assay(outside, "extract", "run", "yard.md", "--out", "atoms", "--push"), 2, "--push is for a run")
    assert not (outside / "atoms").exists()


@pytest.mark.parametrize("where", [".git/x", "atoms/../.git"])
def test_nothing_is_written_into_gits_own_folder(
    assay: Assay, outside: Path, refused: Callable[..., None], git: Git, where: str
) -> None:
    git(outside, "init")
    refused(
        assay(outside, "extract", "run", "yard.md", "--out", where), 2, f"{where} lies in git's own folder", "--out"
    )
    assert not list((outside / ".git").rglob("*.md"))


def test_a_model_outside_of_a_workspace(assay: Assay, outside: Path, refused: Callable[..., None]) -> None:
    words = ("yard.md", "--out", "atoms", "--preset", "claude")
    refused(assay(outside, "extract", "run", *words), 2, "outside of a workspace", "--preset offline")


def test_a_pipe_is_no_source_and_is_not_waited_for(
    assay: Assay, outside: Path, yard: Path, refused: Callable[..., None]
) -> None:
    os.mkfifo(outside / "pipe.md")
    refused(assay(outside, "extract", "run", "pipe.md", "--out", "atoms"), 2, "pipe.md is a pipe or a device")
    pipe = str(outside / "pipe.md")
    refused(assay(yard, "extract", "run", pipe, "--out", "wiki/atoms"), 2, "is a pipe or a device", "into a file")


def test_nothing_found_is_no_success(assay: Assay, outside: Path, yard: Path, refused: Callable[..., None]) -> None:
    refused(assay(outside, "extract", "run", "fog.md", "--out", "atoms"), 3, "no atom was found in fog.md", "claude")
    assert not (outside / "atoms").exists()
    done = assay(yard, "extract", "run", "raw/fog.md", "--out", "wiki/atoms", "--json")
    assert (done.code, checked(done)["result"]) == (3, "nothing_found")
    assert json.loads(assay(yard, "run", "list", "--json").out)["runs"] == []


def test_a_file_without_text_does_not_hold_the_others(assay: Assay, outside: Path) -> None:
    (outside / "picture.dat").write_bytes(bytes(range(256)) * 40)
    done = assay(outside, "extract", "run", "picture.dat", "yard.md", "--out", "atoms")
    assert done.code == 3
    assert "picture.dat: the file is binary" in done.err
    assert (outside / "atoms/roles/yard-lead.md").exists()


def test_two_sources_of_one_name(assay: Assay, outside: Path, refused: Callable[..., None]) -> None:
    (outside / "below").mkdir()
    for name in ("a", "b"):
        (outside / name).mkdir()
        (outside / name / "yard.md").write_text(YARD)
    words = ("../a/yard.md", "../b/yard.md", "--out", "atoms")
    refused(assay(outside / "below", "extract", "run", *words), 2, "two of the sources would be cited as yard.md")


# A folder


def test_atoms_in_a_folder_without_a_repository(assay: Assay, outside: Path) -> None:
    done = assay(outside, "extract", "run", "yard.md", "fog.md", "--out", "atoms")
    assert done.code == 0, done.err
    assert done.out.startswith(
        "wrote  5 atoms (1 process, 1 role, 1 system, 1 decision, 1 artifact); 6 files in atoms\n"
    )
    assert "owner yard-lead" in done.out
    assert "no atom in fog.md" in done.out
    assert assay(outside, "okf", "validate", "atoms").code == 0
    assert assay(outside, "extract", "run", "yard.md", "--out", "atoms").out.startswith(
        "nothing new  all that was found"
    )


def test_a_file_that_is_there_is_overwritten_by_force_alone(
    assay: Assay, outside: Path, refused: Callable[..., None]
) -> None:
    (outside / "atoms/roles").mkdir(parents=True)
    (outside / "atoms/roles/yard-lead.md").write_text("---\ntype: role\nid: yard-lead\ntitle: X\n---\n\nMine.\n")
    words = ("extract", "run", "yard.md", "--out", "atoms")
    refused(assay(outside, *words), 2, "roles/yard-lead.md of", "--force overwrites them")
    assert "Mine" in (outside / "atoms/roles/yard-lead.md").read_text()
    assert assay(outside, *words, "--force").code == 0
    assert "Mine" not in (outside / "atoms/roles/yard-lead.md").read_text()


def test_a_dry_run_writes_nothing(assay: Assay, outside: Path) -> None:
    done = assay(outside, "extract", "run", "yard.md", "--out", "atoms", "--dry-run", "--json")
    told = checked(done)
    assert (done.code, told["result"]) == (0, "would_write")
    assert {atom["op"] for atom in told["atoms"]} == {"create"}
    assert not (outside / "atoms").exists()


def test_sources_of_a_workspace_are_cited_as_its_pages_cite_them(assay: Assay, yard: Path, tmp_path: Path) -> None:
    out = tmp_path / "elsewhere"
    told = checked(assay(yard, "extract", "run", "raw/yard.md", "--out", str(out), "--json"))
    assert (told["result"], told["sources"]) == ("written", ["raw/yard.md"])
    assert "]: raw/yard.md, " in (out / "roles/yard-lead.md").read_text()


# The wiki


def test_it_lands_by_itself_and_again_is_nothing_new(assay: Assay, yard: Path, git: Git) -> None:
    done = assay(yard, "extract", "run", "raw/yard.md", "--out", "wiki/atoms", "--json")
    assert done.code == 0, done.err
    told = checked(done)
    assert (told["result"], told["run"]["result"]) == ("finished", "landed")
    [listed] = json.loads(assay(yard, "run", "list", "--json").out)["runs"]
    assert (listed["run_type"], listed["triggered_by"]) == ("extraction", "cli:extract offline")
    assert "Assay-Source: raw/yard.md" in git(yard, "log", "--format=%B", "main")
    assert "[Atoms](atoms/index.md)" in git(yard, "show", "main:wiki/index.md")
    assert "[Yard Lead](roles/yard-lead.md)" in git(yard, "show", "main:wiki/atoms/index.md")
    assert assay(yard, "lint").code == 0
    assert assay(yard, "okf", "validate", "wiki/atoms").code == 0
    before = git(yard, "rev-parse", "main")
    again = checked(assay(yard, "extract", "run", "raw/yard.md", "--out", "wiki/atoms", "--json"))
    assert (again["result"], again["run"], git(yard, "rev-parse", "main")) == ("nothing_new", None, before)


@pytest.mark.slow
def test_an_atom_that_is_there_is_updated_and_what_somebody_has_worked_on_is_left(
    assay: Assay, yard: Path, git: Git, commit_files: Callable[..., str], tmp_path: Path
) -> None:
    assert assay(yard, "extract", "run", "raw/yard.md", "--out", "wiki/atoms").code == 0
    git(yard, "reset", "--hard", "--quiet")
    role = (yard / "wiki/atoms/roles/yard-lead.md").read_text()
    commit_files(yard, {"wiki/atoms/roles/yard-lead.md": role.replace("# Yard Lead", "# The yard's lead")})
    more = tmp_path / "more.md"
    more.write_text(
        "# Yard process\n\nThe yard process uses GateApp. GateApp is a gate system. The Yard Lead uses it.\n"
    )
    told = checked(assay(yard, "extract", "run", str(more), "--out", "wiki/atoms", "--json"))
    assert told["run"]["result"] == "landed"
    process = git(yard, "show", "main:wiki/atoms/processes/yard-process.md")
    assert process.index("target: berthapp") < process.index("target: gateapp")
    assert LEAD in process
    assert "# The yard's lead" in git(yard, "show", "main:wiki/atoms/roles/yard-lead.md")
    assert [atom["op"] for atom in told["atoms"]] == ["update", "create"]


def test_a_dry_run_for_the_wiki(assay: Assay, yard: Path, state: Callable[[Path], str], tmp_path: Path) -> None:
    before = state(yard)
    (tmp_path / "gate.md").write_text("GateApp is a gate system.\n")
    words = ("extract", "run", "raw/yard.md", str(tmp_path / "gate.md"), "--out", "wiki/atoms", "--dry-run")
    done = assay(yard, *words)
    assert done.code == 0, done.err
    assert done.out.startswith("would write  6 atoms (1 process, 1 role, 2 systems, 1 decision, 1 artifact)")
    assert state(yard) == before


def test_a_draft_is_left_to_be_looked_at(assay: Assay, yard: Path, git: Git) -> None:
    told = checked(assay(yard, "extract", "run", "raw/yard.md", "--out", "wiki/atoms", "--draft-only", "--json"))
    assert (told["run"]["result"], told["run"]["status"]) == ("draft", "pending")
    assert "atoms" not in git(yard, "ls-tree", "-r", "--name-only", "main")


@pytest.mark.slow
@pytest.mark.skipif(not WIKIS.is_dir(), reason="the shared wikis are not here")
def test_a_real_source_lands_by_itself_in_a_real_wiki(assay: Assay, git: Git, tmp_path: Path) -> None:
    folder = tmp_path / "beverages"
    shutil.copytree(WIKIS / "citadel-beverages", folder)
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(folder))
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", "As it stood")
    assert assay(folder, "-q", "adopt", "--no-hook").code == 0
    done = assay(folder, "extract", "run", "raw/coffee-guide.md", "--out", "wiki/atoms", "--json")
    told = checked(done)
    assert (done.code, told["run"]["result"]) == (0, "landed")
    assert {atom["type"] for atom in told["atoms"]} == {"process"}
    page = git(folder, "show", f"main:{told['atoms'][0]['path']}")
    assert "]: raw/coffee-guide.md, " in page
    assert assay(folder, "okf", "validate", "wiki/atoms").code == 0


# By a model


def test_what_would_be_asked_and_what_it_would_cost(assay: Assay, asked: Callable[..., Path]) -> None:
    with MessagesServer([]) as server:
        folder = asked(server)
        words = ("extract", "run", "raw/yard.md", "--out", "wiki/atoms", "--preset", "claude", "--dry-run")
        told = checked(assay(folder, *words, "--json"))
        shown = assay(folder, *words)
    assert told["estimate"]["calls"] == 3
    assert told["estimate"]["usd"] > 0
    assert LEAD in told["first_turn"]
    assert shown.out.startswith("would ask claude-sonnet-5-5 about 1 source\n")


@pytest.mark.slow
def test_a_model_extracts_into_the_wiki(assay: Assay, asked: Callable[..., Path], git: Git) -> None:
    with MessagesServer([records(LEAD), DONE]) as server:
        folder = asked(server)
        told = checked(
            assay(folder, "extract", "run", "raw/yard.md", "--out", "wiki/atoms", "--preset", "claude", "--json")
        )
        run = told["run"]["run_id"]
        transcript = json.loads(assay(folder, "run", "show", run, "--transcript", "--json").out)
    assert (told["run"]["result"], told["used"]["calls"]) == ("landed", 2)
    assert LEAD in git(folder, "show", "main:wiki/atoms/roles/yard-lead.md")
    assert "record_atoms" in json.dumps(transcript)
    [log] = (folder / ".git/assay").glob("llm-usage-*.jsonl")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {(line["run_type"], line["role"], line["run_id"]) for line in lines} == {("extraction", "writer", run)}


def test_a_model_that_finds_nothing_leaves_no_run_open(assay: Assay, asked: Callable[..., Path]) -> None:
    with MessagesServer([tool_use("done", {"nothing_found": True})]) as server:
        folder = asked(server)
        done = assay(folder, "extract", "run", "raw/yard.md", "--out", "wiki/atoms", "--preset", "claude", "--json")
    assert (done.code, checked(done)["result"]) == (3, "nothing_found")
    [run] = json.loads(assay(folder, "run", "list", "--json").out)["runs"]
    assert run["status"] == "abandoned"


def test_a_budget_that_runs_out_abandons_the_run(assay: Assay, asked: Callable[..., Path]) -> None:
    with MessagesServer([records(LEAD)]) as server:
        folder = asked(server, "[llm.budgets.extraction]\ninput_tokens = 3000\n")
        done = assay(folder, "extract", "run", "raw/yard.md", "--out", "wiki/atoms", "--preset", "claude", "--json")
    told = checked(done)
    assert (done.code, told["result"]) == (3, "no_verdict")
    assert "is abandoned, its content is kept" in told["error"]
    assert "[llm.budgets.extraction] input_tokens" in told["hint"]


def test_without_a_key_no_run_is_begun(
    assay: Assay, asked: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with MessagesServer([]) as server:
        folder = asked(server)
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        done = assay(folder, "extract", "run", "raw/yard.md", "--out", "wiki/atoms", "--preset", "claude")
    assert done.code == 3
    assert "ANTHROPIC_API_KEY" in done.err
    assert json.loads(assay(folder, "run", "list", "--json").out)["runs"] == []


def test_what_is_made_up_is_told(assay: Assay, asked: Callable[..., Path], tmp_path: Path) -> None:
    made_up = "The yard process is owned by nobody."
    with MessagesServer([records(made_up), records(made_up), tool_use("done", {"nothing_found": True})]) as server:
        folder = asked(server)
        done = assay(folder, "extract", "run", "raw/yard.md", "--out", str(tmp_path / "o"), "--preset", "claude")
    assert done.code == 3
    assert "left out" in done.out
    assert made_up in done.out
