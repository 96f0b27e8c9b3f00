"""What is asked wrongly is refused before anything is done: commands, flags, ids, paths, policies."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

ESCAPING = [
    "../x.md",
    "/etc/passwd",
    ".git/config",
    ".GIT/config",
    "wiki/../raw/x.md",
    "wiki/./x.md",
    "wiki//x.md",
    "wiki/",
    "",
    "wiki/.git/hooks/x",
    "wiki/.g\u200cit/config",
    "git~1/config",
    "wiki\\x.md",
    "c:/x.md",
    "wiki/a\nb.md",
    "wiki/a\0b.md",
    "wiki/a\x1b[31mb.md",
    "wiki/\udcff.md",
]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("staus",), "did you mean 'status'?"),
        (("run", "finsh"), "did you mean 'finish'?"),
        (("run",), "git assay run --help"),
        (("run", "finish"), "RUN"),
        (("run", "start", "--type", "ingst"), "did you mean 'ingest'?"),
        (("run", "list", "--limit", "0"), "'0' is not a whole number from 1 on"),
        (("run", "list", "--limit", "many"), "'many' is not a whole number"),
        (("run", "finish", "abc", "--usd", "-1"), "'-1' is not a number from 0 to"),
        (("run", "finish", "abc", "--usd", "nan"), "'nan' is not a number from 0 to"),
        (("run", "finish", "abc", "--jsn"), "did you mean '--json'?"),
        (("status", "--quiet"), "it goes before the command: git assay --quiet status"),
        (("status", "-C", "x"), "it goes before the command: git assay -C DIR status"),
        (("verify", "--json", "--sarif"), "not allowed with"),
        (("verify", "HEAD", "--staged"), "leave out REV or --staged"),
        (("schema", "verdit"), "did you mean 'verdict'?"),
        (("explain", "quote_ancor"), "did you mean 'quote_anchor'?"),
        (("completion", "fishy"), "bash, zsh, tcsh"),
        (("init", "--name", 'Two Words"'), "cannot name a workspace"),
        (("verify", "no-such-branch"), "no-such-branch"),
        (("verify", "--base", "no-such-branch"), "no-such-branch"),
        (("verify", "--", "--output=x"), "--output=x"),
        (("run", "show", "Not_An_Id"), "'Not_An_Id' is no run id"),
        (("run", "show", "20990101"), "there is no run '20990101'"),
        (("run", "finish", "20990101"), "there is no run '20990101'"),
        (("run", "start", "--id", "x"), "'x' is no run id"),
        (("run", "start", "--id", "../../main"), "is no run id"),
        (("raw", "add", "nowhere.md"), "nowhere.md: No such file"),
        (("raw", "add", "wiki"), "wiki: Is a directory"),
        (("raw", "sync", "assay.toml"), "raw/assay.toml is no source yet"),
        (("demo", "--keep", "wiki"), "is not empty"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_command_that_makes_no_sense(
    wiki: Path,
    assay: Command,
    refused: Command,
    state: Command,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(wiki)
    before = state(wiki)
    done = assay(wiki, *words)
    refused(done, 2, said)
    assert done.out == ""
    assert state(wiki) == before


def test_an_id_that_may_be_two_runs(wiki: Path, assay: Command, refused: Command) -> None:
    for run in ("abc-one", "abc-two"):
        assert assay(wiki, "run", "start", "--id", run).out == f"{run}\n"
    refused(assay(wiki, "run", "finish", "abc"), 2, "'abc' may be any of abc-one, abc-two")
    assert assay(wiki, "run", "show", "abc-t").code == 0


def test_an_id_that_is_taken(wiki: Path, assay: Command, refused: Command) -> None:
    assay(wiki, "run", "start", "--id", "abc")
    refused(assay(wiki, "run", "start", "--id", "abc"), 2, "abc")
    assay(wiki, "run", "abandon", "abc")
    refused(assay(wiki, "run", "start", "--id", "abc"), 2, "abc")


@pytest.mark.parametrize("path", ESCAPING, ids=repr)
def test_a_path_that_escapes_is_refused_everywhere(
    wiki: Path, assay: Command, refused: Command, state: Command, path: str
) -> None:
    run = assay(wiki, "run", "start").out.strip()
    before = state(wiki)
    refused(assay(wiki, "run", "write", run, path, stdin=b"# Page\n"), 2)
    refused(assay(wiki, "run", "remove", run, path), 2)
    refused(assay(wiki, "run", "replace", run, path, "--old", "a", "--new", "b"), 2)
    refused(assay(wiki, "run", "start", "--source", path), 2)
    assert state(wiki) == before


@pytest.mark.parametrize("folder", [path for path in ESCAPING if path not in ("", "wiki/")], ids=repr)
def test_a_folder_that_escapes_takes_no_source(
    wiki: Path, tmp_path: Path, assay: Command, refused: Command, state: Command, folder: str
) -> None:
    source = tmp_path / "source.md"
    source.write_text("A source.\n")
    before = state(wiki)
    refused(assay(wiki, "raw", "add", os.fspath(source), "--into", folder), 2)
    assert state(wiki) == before


def test_a_link_is_no_source(wiki: Path, tmp_path: Path, assay: Command, refused: Command) -> None:
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    refused(assay(wiki, "raw", "add", os.fspath(tmp_path / "link.md")), 2, "symbolic link")


def test_two_files_of_one_name(wiki: Path, tmp_path: Path, assay: Command, refused: Command, state: Command) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes.md").write_text(folder)
    before = state(wiki)
    files = [os.fspath(tmp_path / folder / "notes.md") for folder in ("one", "two")]
    refused(assay(wiki, "raw", "add", *files), 2, "both be raw/notes.md", "--into")
    assert state(wiki) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read(wiki: Path, tmp_path: Path, assay: Command, refused: Command) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("x")
    secret.chmod(0)
    refused(assay(wiki, "raw", "add", os.fspath(secret)), 2, "Permission denied")
    run = assay(wiki, "run", "start").out.strip()
    refused(assay(wiki, "run", "write", run, "wiki/a.md", "--file", os.fspath(secret)), 2, "Permission denied")


@pytest.mark.parametrize("file", ["nowhere.md", ".", "a\0b"], ids=repr)
def test_a_page_from_a_file_that_cannot_be_read(wiki: Path, assay: Command, refused: Command, file: str) -> None:
    run = assay(wiki, "run", "start").out.strip()
    refused(assay(wiki, "run", "write", run, "wiki/a.md", "--file", file), 2)


def test_a_page_that_is_a_folder(wiki: Path, assay: Command, staged: Command, refused: Command, state: Command) -> None:
    run = staged(wiki, {"wiki/topics/a.md": "# A\n"})
    before = state(wiki)
    refused(assay(wiki, "run", "write", run, "wiki/topics", stdin=b"# Topics\n"), 2, "wiki/topics")
    refused(assay(wiki, "run", "write", run, "wiki/topics/a.md/b.md", stdin=b"# B\n"), 2, "wiki/topics/a.md")
    refused(assay(wiki, "run", "remove", run, "wiki/topics"), 2, "wiki/topics")
    assert state(wiki) == before


@pytest.mark.parametrize(
    ("policy", "said", "mend"),
    [
        (b"[verfy]\n", "unknown key 'verfy'", "did you mean 'verify'?"),
        (b"[verify]\nmax_loop = 2\n", "unknown key 'verify.max_loop'", "did you mean 'max_loops'?"),
        (b"[verify]\nmin_judged = 'all'\n", "'verify.min_judged'", "see docs/configuration.md"),
        (b"[publish]\nstyle = 'rebase'\n", "'publish.style'", "see docs/configuration.md"),
        (b"[workspace]\nraw = '../raw'\n", "'workspace.raw'", "see docs/configuration.md"),
        (b"not toml at all\n", "not TOML", "line"),
        (b"\xff\xfe[\x00", "not UTF-8 at byte 0", "save"),
        (b"[checks.quote_ancor]\nlevel = 'off'\n", "unknown check 'quote_ancor'", "did you mean 'quote_anchor'?"),
        (b"[checks.quote_anchor.results]\naltred = 'off'\n", "unknown result 'altred'", "did you mean 'altered'?"),
        (b"[checks.raw_sealed]\nlevel = 'off'\n", "this check's level is fixed", "remove [checks.raw_sealed]"),
        (b"[llm.budgets.ingst]\nusd = 1\n", "llm.budgets.ingst", "ingest"),
    ],
    ids=repr,
)
def test_a_policy_that_cannot_be_read_is_told_with_its_file_and_commit(
    make_wiki: Command, assay: Command, refused: Command, git: Command, policy: bytes, said: str, mend: str
) -> None:
    wiki = make_wiki({"assay.toml": policy})
    at = git(wiki, "rev-parse", "--short=10", "HEAD")
    for words in (("run", "start"), ("verify", "--base", "HEAD")):
        refused(assay(wiki, *words), 2, f"assay.toml at {at}", said, mend)
    doctor = assay(wiki, "doctor")
    assert doctor.code == 1
    assert said in doctor.out


def test_a_policy_on_the_run_does_not_loosen_its_own_gate(wiki: Path, assay: Command, staged: Command) -> None:
    page = '# A\n\nIt fell by one fifth.[^1]\n\n[^1]: raw/report.md, "declined by one fifths"\n'
    loose = '[checks.quote_anchor]\nlevel = "off"\n'
    index = "# Index\n\n[A](a.md)\n"
    run = staged(wiki, {"wiki/a.md": page, "wiki/index.md": index, "assay.toml": loose})
    done = assay(wiki, "run", "finish", run)
    assert done.code == 1
    assert "quote_anchor" in done.out
    assert "path_acl" in done.out
