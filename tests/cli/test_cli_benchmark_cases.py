"""`git assay benchmark check`, `import` and `from-run`, as a person calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.suites.suite_folders import SHELL, case, suite, written

Command = Callable[..., Any]
VERIFIER = {"kind": "python", "callable": "gitops.suites.replaying:verify"}
OPTED_IN = '[workspace]\nname = "plant"\n[benchmarks]\norganic = true\n'
BENT = '# Solvents\n\nSolvent use fell by two fifths.[^1]\n\n[^1]: raw/report.md, "declined by two fourths"\n'


def schema(wiki: Path, assay: Command, name: str) -> Any:
    described = json.loads(assay(wiki, "schema", name).out)
    jsonschema.Draft202012Validator.check_schema(described)
    return described


def valid(wiki: Path, assay: Command, told: Any) -> None:
    name = told["schema"].split("/")[1]
    described = schema(wiki, assay, name)
    jsonschema.validate(told, described)
    assert described["$id"] == told["schema"]


# check


def test_check_tells_what_is_there(make_wiki: Command, assay: Command) -> None:
    files = {**written(SHELL, suite(), case()), "skills/mail/SKILL.md": "# Mail\n"}
    wiki = make_wiki(files)
    done = assay(wiki, "benchmark", "check")
    assert done.code == 0, done.err
    assert "1 suite, 1 case, all in order" in done.out
    assert "the skill mail has no benchmarks" in done.out
    told = json.loads(assay(wiki, "benchmark", "check", "--json").out)
    valid(wiki, assay, told)
    assert told["suites"][0] | {"digest": ""} == {
        "suite_id": "shell",
        "folder": SHELL,
        "target": "sh",
        "runs": "command",
        "cases": {"easy": 1},
        "organic": 0,
        "has_baseline": False,
        "digest": "",
    }
    assert (told["faults"], told["skills_without"]) == ([], ["mail"])


def test_check_tells_every_fault_and_ends_with_2(make_wiki: Command, assay: Command) -> None:
    wiki = make_wiki({f"{SHELL}/suite.json": "{", f"{SHELL}/cases/a.json": "[]", "gold/suites/b/suite.json": "{"})
    done = assay(wiki, "benchmark", "check")
    assert done.code == 2
    assert [line.split(": ")[1] for line in done.err.splitlines() if line.startswith("error")] == [
        "gold/suites/b/suite.json:1",
        f"{SHELL}/suite.json:1",
        f"{SHELL}/cases/a.json",
    ]
    assert done.err.endswith("hint:  docs/benchmark-cases.md shows a suite and its cases\n")
    done = assay(wiki, "benchmark", "check", "--json")
    assert (done.code, len(json.loads(done.out)["faults"])) == (2, 3)
    valid(wiki, assay, json.loads(done.out))


def test_check_does_not_call_all_in_order_where_some_are_not(make_wiki: Command, assay: Command) -> None:
    done = assay(make_wiki({**written(SHELL, suite(), case()), "gold/suites/b/suite.json": "{"}), "benchmark", "check")
    assert (done.code, "1 suite, 1 case in order, 1 not" in done.out) == (2, True)


def test_check_of_one_suite_does_not_mind_the_others(make_wiki: Command, assay: Command, refused: Command) -> None:
    wiki = make_wiki({**written(SHELL, suite(), case()), "gold/suites/broken/suite.json": "{"})
    assert assay(wiki, "benchmark", "check", "shell").code == 0
    assert assay(wiki, "benchmark", "check", f"{SHELL}/").code == 0
    refused(assay(wiki, "benchmark", "check", "broken"), 2, "gold/suites/broken/suite.json:1")
    refused(assay(wiki, "benchmark", "check", "shel"), 2, "did you mean 'shell'?")


def test_check_of_a_folder_that_is_in_no_repository(tmp_path: Path, assay: Command) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/suite.json").write_text(json.dumps(suite(cases=[case()])))
    assert assay(tmp_path, "benchmark", "check", "mine").code == 0
    (tmp_path / "mine/suite.json").write_text("{")
    done = assay(tmp_path, "benchmark", "check", "mine")
    assert (done.code, "mine/suite.json:1" in done.err) == (2, True)


def test_check_of_a_revision(make_wiki: Command, assay: Command, commit_files: Command) -> None:
    wiki = make_wiki(written(SHELL, suite(), case()))
    commit_files(wiki, {f"{SHELL}/suite.json": "{"})
    assert assay(wiki, "benchmark", "check").code == 2
    assert assay(wiki, "benchmark", "check", "--rev", "HEAD~1").code == 0


def test_where_there_is_no_suite_that_is_said(make_wiki: Command, assay: Command, refused: Command) -> None:
    refused(assay(make_wiki(), "benchmark", "check"), 2, "there is no suite below gold/suites/")


@pytest.mark.parametrize("name", ["benchmark-suite", "benchmark-case", "benchmark-run"])
def test_files_have_schemas(make_wiki: Command, assay: Command, name: str) -> None:
    described = schema(make_wiki(), assay, name)
    assert described["$id"] == f"assay/{name}/1"


def test_what_loads_is_valid_by_its_schema_and_what_does_not_is_not(make_wiki: Command, assay: Command) -> None:
    wiki = make_wiki()
    described = schema(wiki, assay, "benchmark-suite")
    jsonschema.validate(suite(cases=[case()]), described)
    jsonschema.validate(case(), schema(wiki, assay, "benchmark-case"))
    fuzzy = case(expected={"mode": "exact+fuzzy", "value": "x"})
    jsonschema.validate(suite(cases=[case(expected={"mode": "exact+human", "value": "x"})]), described)
    for wrong in (
        suite(limts={}),
        suite(runs={"kind": "pigeon"}),
        suite(cases=[case(difficulty="ez")]),
        suite(cases=[fuzzy]),
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, described)


# import


@pytest.fixture
def with_log(make_wiki: Command, tmp_path: Path) -> Path:
    pytest.importorskip("scrubadub")
    ignored = {".gitignore": "/data/benchmarks/\n"}
    wiki: Path = make_wiki({"assay.toml": OPTED_IN, **ignored, **written(SHELL, suite(), case())})
    sessions = [
        {"goal": "Write to jo@example.org", "outcome": "Wrote.", "user": 7},
        {"goal": "Ask Bob Ray", "outcome": "No.", "accepted": False},
    ]
    (wiki / "log.jsonl").write_text("".join(json.dumps(one) + "\n" for one in sessions))
    return wiki


def test_import_keeps_what_it_has_scrubbed(with_log: Path, assay: Command, git: Command) -> None:
    done = assay(with_log, "benchmark", "import", "log.jsonl", "--suite", "shell", "--mode", "exact")
    assert done.code == 0, done.err
    assert done.out.splitlines()[:3] == [
        "data/benchmarks/shell/cases: 1 added, 1 left out without an accepted outcome",
        "taken out: 1 EMAIL",
        "overlooked fields: user",
    ]
    assert "data" not in git(with_log, "status", "--short", "--untracked-files=all")
    told = json.loads(assay(with_log, "benchmark", "import", "log.jsonl", "--suite", "shell", "--json").out)
    valid(with_log, assay, told)
    assert (len(told["added"]), told["left_out"]) == (1, 1)  # of another mode it is another case
    checked = json.loads(assay(with_log, "benchmark", "check", "--json").out)
    assert checked["suites"][0]["organic"] == 2


def test_import_takes_out_the_names_that_are_told(with_log: Path, assay: Command) -> None:
    (with_log / "log.jsonl").write_text(json.dumps({"goal": "Ask Bob Ray and Ada Writer", "outcome": "Done."}) + "\n")
    done = assay(with_log, "benchmark", "import", "log.jsonl", "--suite", "shell", "--hide", "Bob Ray")
    assert "taken out: 2 PERSON" in done.out
    [kept] = (with_log / "data/benchmarks/shell/cases").iterdir()
    assert json.loads(kept.read_text())["input"]["goal"] == "Ask {{PERSON-1}} and {{PERSON-2}}"


def test_import_refuses_what_nobody_opted_in_to(make_wiki: Command, assay: Command, refused: Command) -> None:
    wiki = make_wiki(written(SHELL, suite(), case()))
    done = assay(wiki, "benchmark", "import", "log.jsonl", "--suite", "shell")
    refused(done, 2, "organic = true")


def test_import_refuses_where_git_would_commit_it(with_log: Path, assay: Command, refused: Command) -> None:
    (with_log / ".gitignore").unlink()
    refused(assay(with_log, "benchmark", "import", "log.jsonl", "--suite", "shell"), 2, "git would not ignore")
    assert not (with_log / "data").exists()


def test_import_refuses_without_the_library(
    with_log: Path, assay: Command, refused: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    from gitops.suites import scrubbing

    monkeypatch.setitem(sys.modules, "scrubadub.detectors", None)
    scrubbing.detectors.cache_clear()
    done = assay(with_log, "benchmark", "import", "log.jsonl", "--suite", "shell")
    scrubbing.detectors.cache_clear()
    refused(done, 3, "pip install 'git-assay[scrub]'")


def test_import_refuses_what_it_cannot_read(with_log: Path, assay: Command, refused: Command) -> None:
    refused(assay(with_log, "benchmark", "import", "none.jsonl", "--suite", "shell"), 2, "none.jsonl cannot be read")
    refused(assay(with_log, "benchmark", "import", "log.jsonl", "--suite", "nope"), 2, "no suite is called 'nope'")
    (with_log / "log.jsonl").write_text('{"goal": "x"}\n{')
    refused(assay(with_log, "benchmark", "import", "log.jsonl", "--suite", "shell"), 2, "log.jsonl:2: the file is cut")


# from-run


@pytest.fixture
def rejected(make_wiki: Command, assay: Command, staged: Command) -> tuple[Path, str]:
    pytest.importorskip("scrubadub")
    wiki = make_wiki(written("gold/suites/verifier", suite("verifier", runs=VERIFIER)))
    run = staged(wiki, {"wiki/solvents.md": BENT, "wiki/index.md": "# Index\n\n- [Solvents](solvents.md)\n"})
    assert assay(wiki, "run", "finish", run).code == 1
    return wiki, run


@pytest.mark.slow
def test_from_run_writes_a_case_that_can_be_run(
    rejected: tuple[Path, str], assay: Command, commit_files: Command
) -> None:
    wiki, run = rejected
    done = assay(wiki, "benchmark", "from-run", run, "--suite", "verifier")
    assert (done.code, done.err) == (0, "")
    name = done.out.splitlines()[0]
    made = json.loads((wiki / name).read_text())
    assert (made["source"], made["tags"]) == ("regression", ["quote_anchor.altered"])
    assert assay(wiki, "benchmark", "check", "verifier").code == 0
    commit_files(wiki, {})
    ran = assay(wiki, "benchmark", "run", "verifier", "--no-keep")
    assert (ran.code, "1 of 1 passed" in ran.out) == (0, True), ran.out + ran.err


def test_from_run_prints_what_it_made(rejected: tuple[Path, str], assay: Command) -> None:
    wiki, run = rejected
    words = ("benchmark", "from-run", run, "--suite", "verifier", "--case-id", "bent", "--no-scrub", "--json")
    done = assay(wiki, *words)
    told = json.loads(done.out)
    valid(wiki, assay, told)
    assert (told["file"], told["is_anonymised"]) == ("gold/suites/verifier/cases/bent.json", False)
    assert json.loads((wiki / told["file"]).read_text())["tags"] == ["quote_anchor.altered", "not-anonymised"]


def test_from_run_without_scrubbing_says_so_aloud(rejected: tuple[Path, str], assay: Command) -> None:
    wiki, run = rejected
    done = assay(wiki, "benchmark", "from-run", run, "--suite", "verifier", "--no-scrub")
    assert (done.code, "nothing was taken out of its texts" in done.err) == (0, True)


def test_from_run_writes_over_nothing(rejected: tuple[Path, str], assay: Command, refused: Command) -> None:
    wiki, run = rejected
    words = ("benchmark", "from-run", run, "--suite", "verifier")
    name = assay(wiki, *words).out.splitlines()[0]
    before = (wiki / name).read_bytes()
    refused(assay(wiki, *words), 2, "already")
    (wiki / name).write_text("{")
    refused(assay(wiki, *words), 2, f"{name}:1")
    assert before != (wiki / name).read_bytes() == b"{"


def test_from_run_into_a_suite_with_another_target_says_so(
    make_wiki: Command, assay: Command, staged: Command, refused: Command
) -> None:
    wiki = make_wiki(written(SHELL, suite()))
    run = staged(wiki, {"wiki/lost.md": "# Lost\n\nNo source.[^1]\n"})
    assay(wiki, "run", "finish", run)
    done = assay(wiki, "benchmark", "from-run", run, "--suite", "shell", "--no-scrub")
    assert (done.code, "asks its target in another way" in done.err) == (0, True)
    refused(assay(wiki, "benchmark", "from-run", run, "--suite", "shell", "--case", "a"), 2, "is no benchmark run")


def test_from_run_of_what_is_no_failure(make_wiki: Command, assay: Command, refused: Command, staged: Command) -> None:
    wiki = make_wiki(written("gold/suites/verifier", suite("verifier", runs=VERIFIER)))
    refused(assay(wiki, "benchmark", "from-run", "nope-1", "--suite", "verifier"), 2, "there is no run 'nope-1'")
    run = staged(wiki)
    refused(assay(wiki, "benchmark", "from-run", run, "--suite", "verifier", "--no-scrub"), 2, "has no verdict")
    assert assay(wiki, "run", "finish", run).code == 0
    refused(assay(wiki, "benchmark", "from-run", run, "--suite", "verifier", "--no-scrub"), 2, "was not refused")
    refused(assay(wiki, "benchmark", "from-run", run, "--suite", "verifier", "--case-id", "A b"), 2, "--case-id 'A b'")
    both = ("--no-scrub", "--hide", "Ada")
    refused(assay(wiki, "benchmark", "from-run", run, "--suite", "verifier", *both), 2, "leave out one of them")


def test_a_failed_case_of_a_benchmark_run_becomes_a_case(make_wiki: Command, assay: Command, refused: Command) -> None:
    pytest.importorskip("scrubadub")
    good, bad = case("good", input={"goal": "x"}, expected={"mode": "contains", "value": "x"}), case("bad")
    worse = case("worse", description="Asks jo@example.org.", expected={"mode": "exact", "value": "no"})
    files = {**written(SHELL, suite(), good, bad, worse), **written("gold/suites/caught", suite("caught"))}
    wiki = make_wiki(files)
    ran = json.loads(assay(wiki, "benchmark", "run", "shell", "--json").out)
    run = ran["measurements"][0]["run_id"]
    words = ("benchmark", "from-run", run, "--suite", "caught")
    refused(assay(wiki, *words), 2, "2 failed", "--case NAME: bad, worse")
    refused(assay(wiki, *words, "--case", "good"), 2, "case good did not fail")
    done = assay(wiki, *words, "--case", "worse", "--case-id", "again")
    assert (done.code, done.err) == (0, "")
    made = json.loads((wiki / "gold/suites/caught/cases/again.json").read_text())
    assert (made["source"], made["tags"]) == ("regression", ["wrong_output"])
    assert (made["description"], made["expected"]) == ("Asks {{EMAIL-1}}.", {"mode": "exact", "value": "no"})
    other = {**suite("caught"), "runs": {"kind": "command", "words": ["true"]}, "files": "given"}
    (wiki / "gold/suites/caught/suite.json").write_text(json.dumps(other))
    (wiki / "gold/suites/caught/given").mkdir()
    (wiki / "gold/suites/caught/given/a.txt").write_text("a")
    done = assay(wiki, *words, "--case", "worse", "--case-id", "elsewhere")
    assert done.code == 0
    assert "asks its target in another way than shell did" in done.err
    assert "gives its cases other 'files' than shell did" in done.err
