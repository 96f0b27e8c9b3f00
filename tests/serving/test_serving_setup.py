"""`git assay init --server` and what says how it stands."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.serving.conftest import PROJECT, Server, ran

pytestmark = pytest.mark.slow


def assay(folder: Path, *words: str) -> tuple[int, str, str]:
    done = ran(folder, sys.executable, "-m", "gitops", *words, PYTHONPATH=str(PROJECT))
    return done.code, done.out, done.err


def test_a_clone_is_refused_with_the_mend(server: Server) -> None:
    clone = server.clone()
    before = clone.git("config", "--list", "--local")
    code, out, err = assay(clone.folder, "init", "--server")
    assert (code, out) == (2, "")
    assert "is a work tree, and a server's repository is bare" in err
    assert "hint:  git clone --bare" in err
    assert clone.git("config", "--list", "--local") == before


@pytest.mark.parametrize("words", [("--name", "plant"), ("--no-hook",)])
def test_what_makes_a_wiki_makes_no_server(server: Server, words: tuple[str, ...]) -> None:
    code, _, err = assay(server.folder, "init", "--server", *words)
    assert (code, "are for a wiki" in err) == (2, True)


def test_target_is_for_servers_and_has_to_be_there(server: Server) -> None:
    clone = server.clone()
    assert assay(clone.folder, "init", "--target", "main")[0] == 2
    code, _, err = assay(server.folder, "init", "--server", "--target", "nowhere")
    assert (code, "there is no branch 'nowhere'" in err) == (2, True)
    assert assay(server.folder, "init", "--server", "--target", "main")[0] == 0
    assert server.git("config", "assay.target") == "main"


def test_it_says_what_it_did_and_what_is_left(server: Server) -> None:
    code, out, _ = assay(server.folder, "init", "--server")
    assert code == 0
    assert "receiving gate: pre-receive is there already" in out
    assert "run server: post-receive is there already" in out
    assert "left to do: who may sign verdicts" in out
    assert server.git("config", "--get-all", "notes.assay/runs.mergeStrategy") == "cat_sort_uniq"
    assert os.access(server.git("config", "assay.command"), os.X_OK)


def test_status_says_how_it_stands_and_json_what_its_schema_says(server: Server) -> None:
    code, out, _ = assay(server.folder, "hooks", "status", "--json")
    body = json.loads(out)
    jsonschema.validate(body, json.loads(assay(server.folder, "schema", "server-hooks")[1]))
    assert (code, body["server"], body["post_receive"]["state"]) == (0, True, "installed")
    server.git("config", "assay.server", "false")
    code, out, _ = assay(server.folder, "hooks", "status")
    assert (code, "runs that are pushed are not answered" in out) == (1, True)


def test_doctor_mends_a_hook_that_is_gone(server: Server) -> None:
    (server.folder / "hooks" / "pre-receive").unlink()
    code, out, _ = assay(server.folder, "doctor", "--check")
    assert (code, "the receiving gate (pre-receive) is missing" in out) == (1, True)
    assert "mended  the receiving gate (pre-receive) is missing" in assay(server.folder, "doctor")[1]
    server.git("config", "assay.command", "/nowhere/git-assay")
    assert "which cannot be run" in assay(server.folder, "doctor")[1]


def test_uninstalled_it_takes_every_push(server: Server) -> None:
    assert assay(server.folder, "hooks", "uninstall") == (
        0,
        "the receiving gate is removed\nthe run server is removed\n",
        "",
    )
    clone = server.clone()
    (clone.folder / "raw/tides.md").write_text("Not what it said.\n")
    clone.git("commit", "--quiet", "--all", "--message", "A source is changed")
    clone.push("origin", "main")


def test_hooks_of_clones_are_not_installed_in_a_bare_repository(server: Server) -> None:
    code, _, err = assay(server.folder, "hooks", "install")
    assert (code, "git assay init --server" in err) == (3, True)


def test_a_push_waits_for_nothing_that_takes_long_to_import(server: Server) -> None:
    code = (
        "import sys\n"
        "from gitops.runs import workers\n"
        "workers.start = lambda *_: None\n"
        "from gitops.cli import main\n"
        "assert main(['hooks', 'post-receive']) == 0\n"
        "print(*sorted({'pygit2', 'pydantic', 'rich', 'sqlite3', 'anthropic', 'asyncio'} & set(sys.modules)))\n"
    )
    line = f"{'0' * 40} {'a' * 40} refs/heads/run/abc\n"
    done = ran(server.folder, sys.executable, "-c", code, input=line, PYTHONPATH=str(PROJECT))
    assert (done.code, done.out) == (0, "\n"), done.err
    assert "run abc is being verified" in done.err
    assert list((server.folder / "assay" / "pushed").iterdir()) == [server.folder / "assay" / "pushed" / "abc"]
