"""`git assay eval compare`: revisions, runs and files, what it prints and exits with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from gitops.runs.printed_comparison import ComparedMetric, EvalCompare, PairedTest
from tests.evals.scores import passing, product, scored

Command = Callable[..., Any]
TOWNS = ("Lindau", "Genoa", "Porto", "Bergen", "Cadiz", "Split", "Turku", "Galway", "Varna", "Ghent")
SAID = tuple(f"The harbour of {town} was dredged in {1980 + at}, says the yearbook." for at, town in enumerate(TOWNS))


def page(wrong: int) -> str:
    """A page that quotes the yearbook, the first so many times falsely."""
    notes = [text.replace("dredged", "closed") if at < wrong else text for at, text in enumerate(SAID)]
    body = "\n\n".join(f"{text}[^{at}]" for at, text in enumerate(SAID))
    return f"# Harbours\n\n{body}\n\n" + "".join(f'[^{at}]: raw/report.md, "{text}"\n' for at, text in enumerate(notes))


@pytest.fixture
def measured(make_wiki: Callable[..., Path], commit_files: Command, assay: Command) -> Path:
    """A wiki that was measured twice: as it was sound, and with eight false quotations."""
    wiki = make_wiki({"raw/report.md": "\n\n".join(SAID) + "\n", "wiki/harbours.md": page(0)})
    assert assay(wiki, "eval", "run", "--metric", "M1,M5").code == 0
    commit_files(wiki, {"wiki/harbours.md": page(8)})
    assert assay(wiki, "eval", "run", "--metric", "M1,M5").code == 0
    return wiki


def kept(wiki: Path, name: str, *measurements: Any) -> str:
    (wiki / name).write_text("".join(f"{json.dumps(each.record())}\n" for each in measurements))
    return name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("HEAD",), "alone is no comparison"),
        (("HEAD", "nowhere"), "'nowhere' is no revision, no eval run, and no file"),
        (("HEAD", "nowhere.json"), "'nowhere.json' is no revision"),
        (("HEAD~1", "HEAD", "--metric", "M11"), "has a metric 'M11'"),
        (("HEAD", "assay.toml"), "assay.toml, line 1: "),
        (("HEAD", "odd.jsonl"), "odd.jsonl, line 2: "),
    ],
)
def test_what_makes_no_sense_is_refused(
    measured: Path, assay: Command, refused: Command, words: tuple[str, ...], said: str
) -> None:
    kept(measured, "odd.jsonl", passing(1, 2))
    with (measured / "odd.jsonl").open("a") as file:
        file.write("{]\n")
    refused(assay(measured, "eval", "compare", *words), 2, said)


@pytest.mark.parametrize("alpha", ["0", "1", "-0.1", "nan", "often"])
def test_an_alpha_is_a_chance(measured: Path, assay: Command, refused: Command, alpha: str) -> None:
    refused(assay(measured, "eval", "compare", "HEAD~1", "HEAD", f"--alpha={alpha}"), 2, "between 0 and 1")


def test_a_commit_that_was_not_measured_cannot_be_compared(
    measured: Path, assay: Command, refused: Command, commit_files: Command
) -> None:
    commit_files(measured, {"wiki/new.md": "# New\n"})
    refused(
        assay(measured, "eval", "compare", "HEAD~1", "HEAD"), 3, "HEAD (", "was never measured", "eval run --at HEAD"
    )


def test_where_nothing_can_be_compared_it_shows_why_and_leaves_with_3(
    measured: Path, assay: Command, refused: Command
) -> None:
    other = passing(9, 10, instrument={"metrics": {"M1": 1}, "judges": []})
    done = assay(measured, "eval", "compare", kept(measured, "a.json", passing(9, 10)), kept(measured, "b.json", other))
    refused(done, 3, "nothing could be compared", "same instrument")
    assert "not compared: M1: another instrument: judges offline/3 1f2e3d4c5b6a → none" in done.out


def test_what_was_not_measured_on_one_side_is_not_compared(measured: Path, assay: Command, refused: Command) -> None:
    nothing = kept(measured, "b.json", scored("M1", None, reason="an empty wiki"))
    done = assay(measured, "eval", "compare", kept(measured, "a.json", passing(9, 10)), nothing)
    refused(done, 3, "nothing could be compared", "git assay eval run --at REV")
    assert "not compared: M1: has no score at b.json: an empty wiki" in done.out


def test_scores_without_scipy_say_how_to_get_it(
    measured: Path, assay: Command, refused: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    queries = {f"q{at}": (1.0, at / 8) for at in range(8)}
    files = [kept(measured, f"{name}.json", product(queries, subject={"model": name})) for name in "ab"]
    refused(assay(measured, "eval", "compare", *files), 3, "SciPy", "pip install 'git-assay[stats]'")


def test_two_commits_show_what_false_quotations_did(measured: Path, assay: Command) -> None:
    done = assay(measured, "eval", "compare", "HEAD~1", "HEAD")
    assert (done.code, done.err) == (0, "")
    [row] = [line.split() for line in done.out.splitlines() if line.startswith("M1 ")]
    assert row[:4] == ["M1", "1.000", "0.200", "-0.800"]
    assert row[-1] == "worse"
    assert "M1: passed and fails now: wiki/harbours.md:" in done.out


def test_the_json_says_the_same_and_more(measured: Path, assay: Command) -> None:
    printed = json.loads(assay(measured, "eval", "compare", "HEAD~1", "HEAD", "--metric", "m1", "--json").out)
    assert printed["schema"] == "assay/eval-compare/1"
    [told] = printed["compared"]
    assert (told["metric"], told["reading"], told["paired"]["p"]) == ("M1", "worse", 2 / 2**8)
    assert len(told["lost"]) == 8
    assert [each["name"] for each in told["subject"]] == ["commit"]
    assert [len(side["commit"]) for side in printed["sides"]] == [40, 40]


def test_the_json_has_the_shape_that_is_told(measured: Path, assay: Command) -> None:
    kept(measured, "a.json", passing(9, 10, instrument={"judges": []}))
    kept(measured, "b.json", passing(8, 10, first=4))
    kept(measured, "c.json", passing(9, 10))
    for words in (("HEAD~1", "HEAD"), ("HEAD", "a.json", "HEAD~1"), ("c.json", "b.json")):
        printed = json.loads(assay(measured, "eval", "compare", *words, "--json").out)
        TypeAdapter(EvalCompare).validate_python(printed, strict=True)
        assert printed.keys() == EvalCompare.__annotations__.keys()
        for told in printed["compared"]:
            assert told.keys() == ComparedMetric.__annotations__.keys()
            assert told["paired"] is None or told["paired"].keys() == PairedTest.__annotations__.keys()


def test_the_order_decides_the_sign(measured: Path, assay: Command) -> None:
    printed = json.loads(assay(measured, "eval", "compare", "HEAD", "HEAD~1", "--metric", "M1", "--json").out)
    [told] = printed["compared"]
    assert (told["reading"], told["difference"]) == ("better", pytest.approx(0.8))


@pytest.mark.slow
def test_a_run_and_a_file_are_sides_too(measured: Path, assay: Command) -> None:
    measurement = json.loads(assay(measured, "eval", "run", "--metric", "M1", "--json").out)
    (measured / "kept.json").write_text(json.dumps(measurement))
    run = measurement["measurements"][0]["run_id"]
    done = assay(measured, "eval", "compare", run, "kept.json", "HEAD~1", "--json")
    assert done.code == 0, done.err
    readings = [(one["other"]["name"], one["reading"]) for one in json.loads(done.out)["compared"]]
    assert readings[0] == ("kept.json", "no_difference_shown")
    assert readings[1][1] == "better"


def test_another_seed_is_another_instrument(measured: Path, assay: Command) -> None:
    found = assay(measured, "eval", "run", "--metric", "M1", "--seed", "7", "--no-keep", "--json").out
    (measured / "seed.json").write_text(found)
    done = assay(measured, "eval", "compare", "HEAD", "seed.json", "--metric", "M1")
    assert done.code == 3
    assert "not compared: M1: another instrument: sample.seed 0 → 7" in done.out


@pytest.mark.slow
def test_the_tests_of_the_verifier_are_compared_by_the_same_command(measured: Path, assay: Command) -> None:
    for judge in ("offline", "none"):
        tested = assay(measured, "verifier", "test", "--rev", "HEAD~1", "--no-keep", "--json", "--judge", judge)
        (measured / f"{judge}.json").write_text(tested.out)
    caught = ("--metric", "verifier_test.caught", "--json")
    done = assay(measured, "eval", "compare", "offline.json", "none.json", *caught)
    assert done.code == 0, done.err
    [told] = json.loads(done.out)["compared"]
    assert told["paired"]["test"] == "mcnemar"
    assert [each["name"] for each in told["subject"]] == ["judges"]


def test_variants_and_repeats_in_one_file_are_compared(measured: Path, assay: Command) -> None:
    made = [
        passing(n, 20, "recall", kind="benchmark", suite="search", variant=name, repeat=repeat)
        for name, repeat, n in [("plain", 0, 9), ("plain", 1, 10), ("reranked", 0, 19), ("reranked", 1, 20)]
    ]
    done = assay(measured, "eval", "compare", kept(measured, "ablation.jsonl", *made))
    assert done.code == 0, done.err
    [row] = [line for line in done.out.splitlines() if line.startswith("benchmark.search.recall ")]
    assert row.rstrip().endswith("better")
    assert "compared   ablation.jsonl [reranked]" in done.out


@pytest.mark.slow
def test_nothing_is_changed_by_comparing(measured: Path, assay: Command, state: Callable[[Path], str]) -> None:
    before = state(measured)
    assert assay(measured, "eval", "compare", "HEAD~1", "HEAD").code == 0
    assert state(measured) == before
