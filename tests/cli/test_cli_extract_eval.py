"""`git assay extract eval`: what it scores, prints, keeps and exits with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gitops.extraction import artifacts
from gitops.runs import measurements, names
from tests.extraction import planted_release as planted

Command = Callable[..., Any]
POLICY = '[workspace]\nname = "plant"\n'


def gold_files(case: str = planted.CASE) -> dict[str, str]:
    files = {f"gold/extraction/{case}/atoms/{path}": text for path, text in planted.FILES.items()}
    return {**files, f"gold/extraction/{case}/sources/handbook.md": planted.SOURCE}


@pytest.fixture
def plant(make_wiki: Command) -> Path:
    """A wiki with one case of gold."""
    made: Path = make_wiki(gold_files())
    return made


def extracted(folder: Path, files: Mapping[str, str] = planted.FILES) -> str:
    """Files that somebody extracted, beside the wiki; how they are named from there."""
    planted.write(folder.parent / "out" / planted.CASE, files)
    return "../out"


def below() -> dict[str, str]:
    """An extraction that has not found most of it, and has made up a reason."""
    kept = ("roles/auditor.md", "decisions/freeze.md")
    freeze = planted.text("decision", "freeze", "No shipping in December", (), (planted.INVENTED,))
    return {kept[0]: planted.FILES[kept[0]], kept[1]: freeze}


def notes(git: Command, folder: Path) -> list[dict[str, Any]]:
    listed = git(folder, "notes", f"--ref={names.EVALS}", "list", check=False).split()[::2]
    return [json.loads(line) for blob in listed for line in git(folder, "cat-file", "-p", blob).splitlines()]


def test_where_every_bar_is_reached_it_says_so_and_keeps_the_measurement(
    plant: Path, assay: Command, git: Command
) -> None:
    done = assay(plant, "extract", "eval", "--emitted", extracted(plant))
    assert done.code == 0, done
    assert "Every bar is reached" in done.out
    assert "atom_f1         1.0000" in done.out
    [kept] = notes(git, plant)
    assert (kept["kind"], kept["suite"], kept["workspace"]) == ("extraction", "extraction", "plant")
    assert kept["metrics"]["atom_f1"]["bar"] == {"op": ">=", "value": 0.6}
    assert kept["metrics"]["validity"]["bar"] == {"op": "==", "value": 1.0}
    assert kept["subject"]["extractor"] == "out"
    assert kept["instrument"]["judge"]["id"] == "offline"
    [sample] = kept["samples"]
    assert sample["details"]["ratios"]["atom_f1"] == [18, 18]


def test_the_run_is_one_of_extraction_and_its_line_comes_with_the_next_landing(
    plant: Path, assay: Command, git: Command, staged: Command
) -> None:
    assay(plant, "extract", "eval", "--emitted", extracted(plant))
    [run] = json.loads(assay(plant, "run", "list", "--json").out)["runs"]
    assert (run["run_type"], run["status"]) == ("extraction", "committed")
    assert assay(plant, "run", "finish", staged(plant)).code == 0
    log = git(plant, "show", "main:wiki/log.md")
    assert "extraction: extraction, 1 case: atom_f1 1, edge_f1 1, validity 1, graph_errors 0, faithfulness 1" in log


def test_below_a_bar_it_exits_with_1_and_says_what_was_wrong_with_its_places(plant: Path, assay: Command) -> None:
    done = assay(plant, "extract", "eval", "--emitted", extracted(plant, below()))
    assert done.code == 1, done
    assert "2 of 5 bars are reached" in done.out
    assert "atom_f1 0.3636 where ≥ 0.6 is wanted" in done.out  # 2 of 9, none too many: 4 / 11
    assert "Missed 7" in done.out
    assert "process build (Build), with its 3 edges" in done.out
    made_up = done.out.partition("Made up 1")[2].splitlines()
    assert planted.INVENTED in made_up[1]
    assert made_up[2].split() == ["extracted", "../out/release/decisions/freeze.md:15"]
    omitted = done.out.partition("Omitted 2")[2].splitlines()
    assert omitted[2].split() == ["source", "gold/extraction/release/sources/handbook.md:8"]


def test_json_is_the_measurement_and_holds_each_problem(plant: Path, assay: Command) -> None:
    done = assay(plant, "extract", "eval", "--emitted", extracted(plant, below()), "--json")
    assert done.code == 1
    made = measurements.Measurement.model_validate_json(done.out)
    assert made.details["problem_counts"] == {"missed": 7, "mislinked": 2, "made_up": 1, "omitted": 2}
    [fabricated] = [one for one in made.details["problems"] if one["kind"] == "made_up"]
    assert fabricated["path"] == "../out/release/decisions/freeze.md"
    assert made.details["claims"] == {"grounded": 0, "fabricated": 1, "omitted": 2, "unjudged": 0}
    assert made.details["by_type"]["atoms"]["process"]["fn"] == 3


def test_without_emitted_files_the_offline_extractor_writes_them_and_they_are_read_back(
    plant: Path, assay: Command
) -> None:
    done = assay(plant, "extract", "eval", "--json")
    made = json.loads(done.out)
    assert made["subject"]["preset"] == "offline"
    atoms = plant / ".git/assay/extraction" / made["run_id"] / "atoms" / planted.CASE
    written = [path for path in atoms.rglob("*.md") if path.name != "index.md"]
    assert made["samples"][0]["details"]["extracted"] == len(written) > 0
    again = assay(plant, "extract", "eval", "--emitted", str(atoms.parent), "--json")
    assert json.loads(again.out)["metrics"] == made["metrics"]


def test_files_and_reports_lie_where_git_never_looks_and_old_ones_go(
    plant: Path, assay: Command, state: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(plant).splitlines()[-1]
    monkeypatch.setattr(artifacts.prune, "__defaults__", (2,))
    runs = []
    for clock in range(1704164645, 1704164648):
        monkeypatch.setenv("ASSAY_CLOCK", str(clock))
        runs.append(json.loads(assay(plant, "extract", "eval", "--emitted", extracted(plant), "--json").out)["run_id"])
    folder = plant / ".git/assay/extraction"
    assert sorted(each.name for each in folder.iterdir()) == runs[-2:]
    assert {each.name for each in (folder / runs[-1]).iterdir()} == {"atoms", "report.html", "report.json", "report.md"}
    assert json.loads((folder / runs[-1] / "report.json").read_text())["run_id"] == runs[-1]
    assert state(plant).splitlines()[-1] == before


def test_with_no_keep_nothing_is_left_behind(plant: Path, assay: Command, git: Command, state: Command) -> None:
    before = state(plant)
    done = assay(plant, "extract", "eval", "--no-keep")
    assert "no measurement is kept (--no-keep)" in done.out
    assert (state(plant), notes(git, plant)) == (before, [])
    assert not (plant / ".git/assay/extraction").exists()


def test_a_single_case_is_tried_and_no_measurement_of_it_is_kept(
    make_wiki: Command, assay: Command, git: Command
) -> None:
    folder = make_wiki({**gold_files("one"), **gold_files("two")})
    done = assay(folder, "extract", "eval", "--case", "two", "--json")
    assert [one["id"] for one in json.loads(done.out)["samples"]] == ["two"]
    assert notes(git, folder) == []


def test_of_a_single_case_that_nobody_extracted_nothing_is_taken_from_the_others(
    make_wiki: Command, assay: Command
) -> None:
    folder = make_wiki({**gold_files("one"), **gold_files("two")})
    planted.write(folder.parent / "out" / "one", planted.FILES)
    done = assay(folder, "extract", "eval", "--case", "two", "--emitted", "../out", "--json")
    made = json.loads(done.out)
    assert (done.code, made["samples"][0]["details"]["extracted"]) == (1, 0)
    assert made["details"]["stray"] == []


def test_an_unknown_case_is_refused(plant: Path, assay: Command, refused: Command) -> None:
    refused(assay(plant, "extract", "eval", "--case", "releas"), 2, "has no case 'releas'", "did you mean 'release'?")


def test_bars_are_those_of_the_policy(make_wiki: Command, assay: Command) -> None:
    bars = "[extraction.bars]\natom_f1 = 0.3\nedge_f1 = 0\nfaithfulness = 0\n"
    folder = make_wiki({**gold_files(), "assay.toml": POLICY + bars})
    assert assay(folder, "extract", "eval", "--emitted", extracted(folder, below())).code == 0


def test_the_policy_may_name_the_folder_that_is_scored(make_wiki: Command, assay: Command) -> None:
    files = {f"atoms/{planted.CASE}/{path}": text for path, text in planted.FILES.items()}
    policy = f'{POLICY}[extraction]\nemitted = "atoms"\n'
    folder = make_wiki({**gold_files(), **files, "assay.toml": policy})
    (folder / f"atoms/{planted.CASE}/roles/auditor.md").unlink()  # the commit is measured, and not what lies beside it
    done = assay(folder, "extract", "eval", "--json")
    assert (done.code, json.loads(done.out)["metrics"]["atom_f1"]["value"]) == (0, 1.0)


def test_a_folder_that_the_policy_names_and_the_commit_lacks_is_refused(
    make_wiki: Command, assay: Command, refused: Command
) -> None:
    folder = make_wiki({**gold_files(), "assay.toml": f'{POLICY}[extraction]\nemitted = "atoms/"\n'})
    refused(assay(folder, "extract", "eval"), 2, "[extraction] emitted names atoms/, and there is none at")
    written = json.loads(assay(folder, "extract", "eval", "--preset", "offline", "--json").out)
    assert written["subject"]["preset"] == "offline"


def test_what_could_not_be_measured_reaches_no_bar(plant: Path, assay: Command, git: Command) -> None:
    files = {path: text for path, text in planted.FILES.items() if not path.startswith("decisions/")}
    gold = planted.write(plant.parent / "gold" / planted.CASE, {"sources/handbook.md": planted.SOURCE})
    changed = planted.text("process", "ship", "Ship", (("owner", "release-manager"),))
    planted.write(gold / "atoms", {**files, "processes/ship.md": changed})
    out = extracted(plant, {**files, "processes/ship.md": changed})
    done = assay(plant, "extract", "eval", "--gold", "../gold", "--emitted", out)
    assert done.code == 3, done
    assert "4 of 5 bars are reached" in done.out
    assert "faithfulness is not measured: there is no sentence of a rationale" in done.out
    planted.write(plant, {"assay.toml": f"{POLICY}[extraction.bars]\nfaithfulness = 0\n"})
    git(plant, "commit", "-qam", "No bar for reasons: our gold has none")
    done = assay(plant, "extract", "eval", "--gold", "../gold", "--emitted", out)
    assert done.code == 0, done
    assert "Every bar is reached" in done.out


def test_an_emitted_folder_that_is_empty_fails_and_says_so(plant: Path, assay: Command) -> None:
    (plant.parent / "out").mkdir()
    done = assay(plant, "extract", "eval", "--emitted", "../out")
    assert done.code == 1
    assert "nothing was extracted for 1 case: release; all their atoms count as missed" in done.out
    assert "validity is not measured: there are no extracted files" in done.out


def test_gold_that_is_broken_is_refused(make_wiki: Command, assay: Command, refused: Command) -> None:
    folder = make_wiki({**gold_files(), "gold/extraction/release/atoms/roles/bad.md": "---\ntype: role\n---\n"})
    refused(assay(folder, "extract", "eval"), 2, "gold/extraction/release/atoms/roles/bad.md", "git assay gold check")


def test_without_gold_it_says_what_to_do(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "extract", "eval"), 2, "there is no gold to measure by", "docs/extraction-gold.md")


def test_folders_need_no_repository(tmp_path: Path, assay: Command) -> None:
    planted.gold(tmp_path / "gold")
    planted.write(tmp_path / "out" / planted.CASE, planted.FILES)
    done = assay(
        tmp_path, "extract", "eval", "--gold", "gold", "--emitted", "out", "--report", "r.md", "--html", "r.html"
    )
    assert done.code == 0, done
    assert "no measurement is kept (there is no workspace here)" in done.out
    assert (tmp_path / "r.md").read_text().startswith("# Extract eval: gold ")
    assert "<h1>gold " in (tmp_path / "r.html").read_text()
    alone = assay(tmp_path, "extract", "eval", "--gold", "gold", "--json")
    assert json.loads(alone.out)["subject"]["preset"] == "offline"


def test_a_repository_without_a_workspace_needs_none_either(make_repository: Command, assay: Command) -> None:
    folder = make_repository({"README.md": "# Ours\n"})
    planted.gold(folder / "gold")
    assert assay(folder, "extract", "eval", "--gold", "gold", "--emitted", extracted(folder)).code == 0


def test_a_policy_that_is_broken_is_no_reason_to_go_on_without_one(
    make_wiki: Command, assay: Command, refused: Command
) -> None:
    folder = make_wiki({**gold_files(), "assay.toml": "[extraction.bars]\natom_f1 = 2\n"})
    done = assay(folder, "extract", "eval", "--gold", "gold/extraction", "--emitted", extracted(folder))
    refused(done, 2, "atom_f1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--emitted", "../out", "--preset", "offline"), "--emitted is extracted already"),
        (("--preset", "claude"), "preset 'claude' asks a model"),
        (("--preset", "cloud"), "cloud"),
        (("--yes",), "--yes is for --live"),
        (("--fresh",), "--fresh is for --live"),
        (("--gold", "nowhere"), "there is no folder nowhere"),
        (("--emitted", "nowhere"), "there is no folder nowhere"),
        (("--report", "a", "--html", "a"), "a is named twice"),
    ],
)
def test_what_makes_no_sense_is_refused(
    plant: Path, assay: Command, refused: Command, words: tuple[str, ...], said: str
) -> None:
    refused(assay(plant, "extract", "eval", *words), 2, said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--report", f"gold/extraction/{planted.CASE}/case.yaml"), "case.yaml would be written among the gold"),
        (("--html", "gold/extraction/a.html"), "a.html would be written among the gold"),
        (("--emitted", "../out", "--report", "../out/r.md"), "r.md would be written among what was extracted"),
        (("--gold", "../gold", "--report", "../gold/r.md"), "r.md would be written among the gold"),
    ],
)
def test_no_report_is_written_over_what_is_scored_or_scored_by(
    plant: Path, assay: Command, refused: Command, state: Command, words: tuple[str, ...], said: str
) -> None:
    extracted(plant)
    planted.gold(plant.parent / "gold")
    before = state(plant)
    refused(assay(plant, "extract", "eval", *words), 2, said, "another folder")
    assert state(plant) == before


def test_a_dry_run_scores_nothing(plant: Path, assay: Command, git: Command) -> None:
    done = assay(plant, "extract", "eval", "--dry-run")
    assert done.code == 0
    assert done.out.splitlines() == [
        "1 case of gold/extraction: preset 'offline' would extract each, and its files would be scored",
        "no model would be asked: nothing to pay",
    ]
    assert notes(git, plant) == []


def test_live_without_a_key_asks_nobody(
    plant: Path, assay: Command, refused: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("ASSAY_LLM", "live")
    refused(assay(plant, "extract", "eval", "--live"), 3, "ANTHROPIC_API_KEY holds no key", "leave out --live")
    assert assay(plant, "extract", "eval", "--live", "--dry-run").code == 0  # what it would cost, anybody may know


def test_what_is_printed_is_what_its_schema_says(plant: Path, assay: Command) -> None:
    printed = assay(plant, "extract", "eval", "--emitted", extracted(plant, below()), "--json").out
    jsonschema.validate(json.loads(printed), json.loads(assay(plant, "schema", "measurement").out))
    listed = json.loads(assay(plant, "extract", "list", "--json").out)
    described = json.loads(assay(plant, "schema", "extract-list").out)
    jsonschema.Draft202012Validator.check_schema(described)
    jsonschema.validate(listed, described)
    assert described["$id"] == listed["schema"]
    del listed["runs"][0]["state"]
    with pytest.raises(jsonschema.ValidationError, match="'state' is a required property"):
        jsonschema.validate(listed, described)


def test_list_has_the_newest_first(plant: Path, assay: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no extraction was scored and kept yet" in assay(plant, "extract", "list").out
    for clock, files in (("1704164645", planted.FILES), ("1704164745", below())):
        monkeypatch.setenv("ASSAY_CLOCK", clock)
        extracted(plant.parent / clock / "wiki", files)
        assay(plant, "extract", "eval", "--emitted", f"../{clock}/out")
    runs = json.loads(assay(plant, "extract", "list", "--json").out)["runs"]
    assert [(one["started_at"], one["state"]) for one in runs] == [
        ("2024-01-02T03:05:45Z", "failed"),
        ("2024-01-02T03:04:05Z", "passed"),
    ]
    assert runs[1]["metrics"] == dict.fromkeys(runs[1]["metrics"], 1.0) | {"graph_errors": 0.0}
    told = assay(plant, "extract", "list", "--limit", "1").out.splitlines()
    assert told[1].split()[0] == runs[0]["run_id"]
    assert told[-1] == "1 run"
