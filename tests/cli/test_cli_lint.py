"""`git assay lint`, as a person or a program uses it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.runs.forking import cores
from tests.cli.conftest import LINKED, PAGE, PROJECT, WIKI

Command = Callable[..., Any]

ALTERED = PAGE.replace("two fifths", "three fifths").replace("[^1]\n\n", "[^1] [x](nowhere.md)\n\n", 1)
SOUND = {**WIKI, "wiki/index.md": LINKED, "wiki/solvents.md": PAGE}


@pytest.fixture
def wrong(make_repository: Command) -> Path:
    """A page with an error, a warning and a note, and one that is sound."""
    index = LINKED + "- [[sound]]\n- [[solvents#no such]]\n"
    sound = PAGE.replace("# Solvents", "# Sound")
    folder: Path = make_repository(
        {**WIKI, "wiki/index.md": index, "wiki/solvents.md": ALTERED, "wiki/deep/sound.md": sound}
    )
    return folder


def told(out: str) -> list[tuple[str, str]]:
    return [(one["path"], one["check"]) for one in json.loads(out)["findings"]]


def test_outside_any_workspace_there_is_nothing_to_lint(
    make_repository: Command, assay: Command, refused: Command
) -> None:
    folder = make_repository({"readme.md": "x"})
    for words in ((), ("--staged",), ("--rev", "HEAD")):
        refused(assay(folder, "lint", *words), 2, "assay.toml", "git assay adopt")


def test_a_wiki_without_a_page_could_not_be_linted(make_repository: Command, assay: Command, refused: Command) -> None:
    refused(assay(make_repository({"assay.toml": "", "wiki/log.md": "# Log\n"}), "lint"), 3, "no page in wiki/")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["wiki/solvent.md"], "did you mean wiki/solvents.md?"),
        (["raw/report.md"], "no page at raw/report.md"),
        (["../elsewhere"], "outside the repository"),
        (["--check", "orphans"], "did you mean 'orphan'?"),
        (["--check", "budget"], "no check of pages called 'budget'"),
        (["--explain", "orphans"], "did you mean 'orphan'?"),
        (["--rev", "nothing"], "names no commit"),
        (["--level", "none"], "error, warning, note"),
        (["--fix", "wiki/solvents.md"], "--fix mends a whole workspace"),
        (["--rev", "HEAD", "--staged"], "not allowed with"),
        (["--json", "--github"], "not allowed with"),
    ],
)
def test_what_is_asked_wrongly_is_refused(
    wrong: Path, assay: Command, refused: Command, words: list[str], said: str
) -> None:
    refused(assay(wrong, "lint", *words), 2, said)


def test_what_a_bare_repository_cannot_have_staged(make_repository: Command, assay: Command, refused: Command) -> None:
    refused(assay(make_repository(SOUND, bare=True), "lint", "--staged"), 3, "bare")


def test_a_policy_that_is_wrong_in_the_working_tree_is_told(wrong: Path, assay: Command, refused: Command) -> None:
    (wrong / "assay.toml").write_text("[worksapce]\n")
    refused(assay(wrong, "lint"), 2, "unknown key 'worksapce'", "did you mean 'workspace'?")


def test_errors_end_with_1_and_notes_are_counted(wrong: Path, assay: Command) -> None:
    done = assay(wrong, "lint")
    assert done.code == 1
    assert "quote_anchor altered" in done.out
    assert "links broken" in done.out
    assert "broken_anchor" not in done.out
    assert "1 error, 1 warning, 1 note on 2 of 3 pages; 2 cited claims, 1 quotation verified" in done.out
    assert "--level note shows the notes" in done.out
    assert "broken_anchor" in assay(wrong, "lint", "--level", "note").out
    assert "links broken" not in assay(wrong, "lint", "--level", "error").out


def test_warnings_end_with_1_only_under_strict(make_repository: Command, assay: Command) -> None:
    folder = make_repository({**SOUND, "wiki/solvents.md": PAGE + "\n[x](nowhere.md)\n"})
    assert assay(folder, "lint").code == 0
    assert assay(folder, "lint", "--strict").code == 1


def test_a_sound_wiki_is_one_line(make_repository: Command, assay: Command) -> None:
    done = assay(make_repository(SOUND), "lint")
    assert (done.code, done.err) == (0, "")
    assert done.out == ("no errors, no warnings, no notes on 0 of 2 pages; 1 cited claim, 1 quotation verified\n")


def test_the_working_tree_is_linted_as_it_stands(wrong: Path, assay: Command, git: Command) -> None:
    before = git(wrong, "status", "--porcelain")
    (wrong / "wiki/solvents.md").write_text(PAGE)
    (wrong / "wiki/new.md").write_text("[x](nowhere.md)\n")
    assert {path for path, _ in told(assay(wrong, "lint", "--json").out)} == {"wiki/index.md", "wiki/new.md"}
    assert ("wiki/solvents.md", "quote_anchor") in told(assay(wrong, "lint", "--json", "--staged").out)
    git(wrong, "add", "wiki/solvents.md")
    assert ("wiki/solvents.md", "quote_anchor") not in told(assay(wrong, "lint", "--json", "--staged").out)
    assert ("wiki/solvents.md", "quote_anchor") in told(assay(wrong, "lint", "--json", "--rev", "HEAD").out)
    assert before == ""
    assert git(wrong, "status", "--porcelain") == "M  wiki/solvents.md\n?? wiki/new.md"


def test_a_policy_that_is_not_committed_yet_is_read(make_repository: Command, assay: Command) -> None:
    folder = make_repository({path: text for path, text in SOUND.items() if path != "assay.toml"})
    (folder / "assay.toml").write_text('[workspace]\nname = "new"\n')
    assert json.loads(assay(folder, "lint", "--json").out)["workspace"] == "new"


def test_before_the_first_commit_it_works_too(make_repository: Command, assay: Command) -> None:
    folder = make_repository()
    for path, text in SOUND.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    assert assay(folder, "lint").code == 0


def test_a_bare_repository_is_linted_at_its_head(make_repository: Command, assay: Command, git: Command) -> None:
    folder = make_repository({**SOUND, "wiki/solvents.md": ALTERED}, bare=True)
    body = json.loads(assay(folder, "lint", "--json").out)
    assert body["rev"] == git(folder, "rev-parse", "HEAD")
    assert body["counts"]["error"] == 1


def test_paths_are_read_from_the_current_folder(wrong: Path, assay: Command) -> None:
    assert {path for path, _ in told(assay(wrong, "lint", "--json", "wiki/solvents.md").out)} == {"wiki/solvents.md"}
    assert told(assay(wrong / "wiki", "lint", "--json", "deep").out) == []
    assert {path for path, _ in told(assay(wrong / "wiki", "lint", "--json", ".").out)} == {
        "wiki/index.md",
        "wiki/solvents.md",
    }
    done = assay(wrong, "lint", "wiki/deep")
    assert (done.code, done.out) == (0, "no errors, no warnings, no notes on 0 of 1 page\n")


def test_one_check_alone(wrong: Path, assay: Command) -> None:
    done = assay(wrong, "lint", "--json", "--check", "links")
    assert {check for _, check in told(done.out)} == {"links"}
    assert done.code == 0
    assert {check for _, check in told(assay(wrong, "lint", "--json", "--check", "uncited").out)} <= {"uncited"}


def test_uncited_sentences_are_told_where_they_are_asked_for(make_repository: Command, assay: Command) -> None:
    folder = make_repository({**SOUND, "wiki/solvents.md": PAGE + "\nMade up.\n"})
    assert told(assay(folder, "lint", "--json").out) == []
    assert told(assay(folder, "lint", "--json", "--check", "uncited").out) == [("wiki/solvents.md", "uncited")]


def test_json_is_the_same_whether_it_is_kept_or_filtered(wrong: Path, assay: Command) -> None:
    first = assay(wrong, "lint", "--json").out
    assert assay(wrong, "lint", "--json").out == first
    body = json.loads(first)
    assert body["schema"] == "assay/lint/1"
    assert body["rev"] is None
    every = assay(
        wrong, "lint", "--json", *(word for check in ("links", "quote_anchor") for word in ("--check", check))
    )
    assert json.loads(every.out)["findings"] == body["findings"]
    assert set(json.loads(every.out)) == set(body)


def test_sarif_and_annotations(wrong: Path, assay: Command) -> None:
    done = assay(wrong, "lint", "--sarif")
    results = json.loads(done.out)["runs"][0]["results"]
    assert {one["level"] for one in results} == {"error", "warning", "note"}
    assert done.code == 1
    lines = assay(wrong, "lint", "--github").out.splitlines()
    assert [line.split(",endLine")[0] for line in lines] == [
        "::warning file=wiki/solvents.md,line=3",
        "::error file=wiki/solvents.md,line=5",
    ]


def test_explain_is_the_command_of_that_name(wrong: Path, assay: Command) -> None:
    assert assay(wrong, "lint", "--explain", "orphan").out == assay(wrong, "explain", "orphan").out


@pytest.fixture
def two(make_repository: Command) -> Path:
    files: dict[str, str] = {}
    for name in ("one", "two"):
        files |= {f"wikis/{name}/{path}": text for path, text in SOUND.items() if path != "assay.toml"}
        files[f"wikis/{name}/assay.toml"] = ""
    files["wikis/two/wiki/solvents.md"] = ALTERED
    folder: Path = make_repository(files)
    return folder


def test_at_the_top_every_workspace_is_linted(two: Path, assay: Command) -> None:
    done = assay(two, "lint", "--json")
    body = json.loads(done.out)
    assert (done.code, body["schema"]) == (1, "assay/lints/1")
    assert [(one["workspace"], one["counts"]["error"]) for one in body["lints"]] == [("one", 0), ("two", 1)]
    text = assay(two, "lint").out
    assert "one: no errors" in text
    assert "two: 1 error" in text


def test_one_workspace_by_name_by_folder_and_by_path(two: Path, assay: Command, refused: Command) -> None:
    assert json.loads(assay(two, "--workspace", "one", "lint", "--json").out)["workspace"] == "one"
    assert json.loads(assay(two / "wikis/two", "lint", "--json").out)["workspace"] == "two"
    assert json.loads(assay(two, "lint", "--json", "wikis/two/wiki").out)["workspace"] == "two"
    refused(assay(two, "--workspace", "three", "lint"), 2, "there are: one, two")


def test_accepted_debt_does_not_gate_and_is_listed_on_request(wrong: Path, assay: Command) -> None:
    from gitops.verify import debt
    from gitops.verify.finding import Finding

    found = [Finding.model_validate(one) for one in json.loads(assay(wrong, "lint", "--json").out)["findings"]]
    (wrong / "assay.debt.jsonl").write_bytes(debt.written(debt.of(found).values()))
    done = assay(wrong, "lint")
    assert done.code == 0
    assert "--debt lists 2 findings" in done.out
    listed = assay(wrong, "lint", "--debt", "--level", "note")
    assert listed.code == 0
    assert listed.out.index("quote_anchor altered") < listed.out.index("links broken")
    assert "debt: 1 error, 1 warning, no notes on 1 of 3 pages" in listed.out
    (wrong / "wiki/deep/sound.md").write_text(PAGE.replace("declined", "rose"))
    assert assay(wrong, "lint").code == 1


@pytest.mark.skipif(not Path("/proc/self/task").exists() or cores() < 2, reason="nothing is forked, or none can see it")
@pytest.mark.slow
def test_ctrl_c_ends_with_130_and_leaves_nothing_behind(wrong: Path) -> None:
    pages = {f"wiki/p{number}.md": PAGE.replace("two", "three") + "\nWords. " * 200 for number in range(2_300)}
    for path, text in pages.items():
        (wrong / path).write_text(text)
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
            "from gitops.cli import main; raise SystemExit(main(['lint', '--json']))",
        ],
        cwd=wrong,
        env={**os.environ, "PYTHONPATH": os.fspath(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    children = Path(f"/proc/{child.pid}/task/{child.pid}/children")
    deadline = time.monotonic() + 30
    while len(children.read_text().split()) < 2 and time.monotonic() < deadline:  # git's own come one at a time
        time.sleep(0.01)
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "")
    assert "Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)
