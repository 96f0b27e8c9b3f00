"""`git assay extract compare`: files anywhere, runs and revisions in a repository, what it writes and exits with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.extraction import planted_release as planted
from tests.extraction.compared_runs import MADE_UP, NAMES, NO_AUDITOR, write

Command = Callable[..., Any]
CASES = NAMES[:8]
WORSE = {**dict.fromkeys(CASES, NO_AUDITOR), CASES[0]: {**NO_AUDITOR, **MADE_UP}}


@pytest.fixture
def files(tmp_path: Path, assay: Command) -> Path:
    """A folder in no repository: gold, two extractions, and what `extract eval` says of each."""
    planted.gold(tmp_path / "gold", CASES)
    for name, changed in (("good", {}), ("bad", WORSE)):
        write(tmp_path / name, changed, CASES)
        done = assay(tmp_path, "extract", "eval", "--gold", "gold", "--emitted", name, "--json")
        assert done.code in (0, 1), done.err
        (tmp_path / f"{name}.json").write_text(done.out)
    return tmp_path


def test_files_are_compared_where_there_is_no_repository(files: Path, assay: Command) -> None:
    done = assay(files, "extract", "compare", "good.json", "bad.json")
    assert (done.code, done.err) == (0, "")
    lines = [line.rstrip() for line in done.out.splitlines()]
    assert "newly wrong: 8 atoms missed, 1 reason made up" in lines
    [recall] = [line.split() for line in lines if line.startswith("atom_recall")]
    assert recall[1:4] == ["1.000", "0.889", "-0.111"]
    assert recall[-1] == "worse"
    assert "  + case-00  atom missed: role auditor (Auditor)" in lines
    [source] = [line for line in lines if line.startswith("      extracted bad/case-00/decisions/freeze.md:")]
    assert source


def test_json_is_the_schema_and_files_are_written(files: Path, assay: Command) -> None:
    from gitops.runs.schemas import PRINTED

    words = ("--json", "--report", "r.md", "--html", "r.html", "--metric", "atom_f1,atom_f1_macro", "--alpha", "0.1")
    done = assay(files, "extract", "compare", "good.json", "bad.json", *words)
    assert (done.code, done.err) == (0, "wrote r.md\nwrote r.html\n")
    told = json.loads(done.out)
    PRINTED["extract-compare"].validate_python(told)
    assert [one["metric"] for one in told["compared"]] == ["atom_f1", "atom_f1_macro"]
    assert told["alpha"] == 0.1
    assert (told["new"], told["gone"]) == ({"made_up": 1, "missed": 8}, {})
    assert (files / "r.md").read_text().startswith("# Extract compare: good.json → bad.json\n")
    assert "<title>Extract compare: good.json → bad.json</title>" in (files / "r.html").read_text()


def test_of_other_gold_nothing_is_compared(files: Path, assay: Command) -> None:
    planted.write(files / "gold", {f"{CASES[0]}/case.yaml": "description: Another.\ntags: [new]\n"})
    planted.write(
        files / "gold" / CASES[0] / "atoms", {"roles/auditor.md": planted.text("role", "auditor", "An auditor")}
    )
    done = assay(files, "extract", "eval", "--gold", "gold", "--emitted", "good", "--json")
    (files / "other.json").write_text(done.out)
    done = assay(files, "extract", "compare", "good.json", "other.json")
    assert done.code == 3
    assert "not compared: atom_precision, " in done.out
    assert "another instrument: gold " in done.out
    assert done.err.splitlines()[0].endswith("nothing could be compared")
    assert "git assay extract eval --gold DIR --emitted DIR" in done.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("good.json", "gone.json"), 2, "'gone.json' is no file, and here is no repository that may know it"),
        (("good.json", "text.md"), 2, "text.md holds no measurement"),
        (("good.json", "metric.json"), 2, "this is no measurement"),
        (("good.json", "bad.json", "--metric", "mrr"), 2, "none of what is compared has a metric 'mrr'"),
        (("good.json", "bad.json", "--html", "bad.json"), 2, "bad.json is named twice, and would be written over"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    files: Path, assay: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    (files / "text.md").write_text("# Nothing\n")
    (files / "metric.json").write_text('{"schema":"assay/run/1"}')
    done = assay(files, "extract", "compare", *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 2  # why, and what mends it


@pytest.fixture
def wiki(make_wiki: Callable[..., Path]) -> Path:
    """A wiki with gold, and two commits at which it was scored: the second lacks an atom in each case."""
    gold = {"description": "How releases are made."}
    found = {f"gold/extraction/{name}/sources/handbook.md": planted.SOURCE for name in CASES}
    found |= {f"gold/extraction/{name}/case.yaml": f"description: {gold['description']}\n" for name in CASES}
    for name in CASES:
        found |= {f"gold/extraction/{name}/atoms/{path}": text for path, text in planted.FILES.items()}
        found |= {f"atoms/{name}/{path}": text for path, text in planted.FILES.items()}
    return make_wiki(found)


@pytest.mark.slow
def test_runs_and_revisions_are_compared(wiki: Path, assay: Command, git: Callable[..., str]) -> None:
    def measure() -> str:
        done = assay(wiki, "extract", "eval", "--emitted", "atoms", "--json")
        return str(json.loads(done.out)["run_id"])

    first = measure()
    for name in CASES:
        (wiki / "atoms" / name / "roles/auditor.md").unlink()
    git(wiki, "add", "--all")
    git(wiki, "commit", "--quiet", "--message", "Lose the auditor")
    second = measure()
    by_run = json.loads(assay(wiki, "extract", "compare", first, second, "--json").out)
    by_revision = json.loads(assay(wiki, "extract", "compare", "HEAD~1", "HEAD", "--json").out)
    assert by_run["new"] == by_revision["new"] == {"missed": 8}
    assert [side["run_id"] for side in by_revision["sides"]] == [first, second]
    # The engine that compares all kinds knows the numbers too, asked for or alone.
    told = assay(wiki, "eval", "compare", "HEAD~1", "HEAD", "--metric", "extraction.atom_recall,extraction.validity")
    assert told.code == 0
    [recall] = [line.split() for line in told.out.splitlines() if line.startswith("extraction.atom_recall  ")]
    assert recall[-1] == "worse"
    assert assay(wiki, "eval", "report").code in (0, 3)
    done = assay(wiki, "extract", "compare", "HEAD~1", "main~9")
    assert (done.code, done.out) == (2, "")


def test_a_commit_that_was_never_scored_says_how_it_is(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "extract", "compare", "HEAD", "HEAD")
    assert (done.code, done.out) == (3, "")
    assert "was never measured" in done.err
    assert "git assay extract eval --rev HEAD" in done.err
    done = assay(wiki, "extract", "compare", "20240102-030405-00000000", "HEAD")
    assert done.code == 2
    assert "is no revision, no run, and no file" in done.err
    assert "git assay extract list shows the runs that were kept" in done.err
