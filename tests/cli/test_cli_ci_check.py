"""`git assay ci check`: what it refuses to answer, what it fails, what it passes, and what it leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gitops.ci.result import parse
from gitops.runs import names
from tests.cli.conftest import LINKED

Command = Callable[..., Any]
FELL, ROSE = "Solvent consumption declined by two fifths in 2019.", "Emissions rose by 3 % in the same year."
PAGE = f'# Solvents\n\n{FELL}[^1]\n\n[^1]: raw/report.md, "{FELL}"\n'
SECOND = f'# Emissions\n\n{ROSE}[^1]\n\n[^1]: raw/report.md, "{ROSE}"\n'
INVENTED = PAGE.replace("declined by two fifths", "declined by one half")
LINKED_TWICE = f"{LINKED}- [Emissions](emissions.md)\n"


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "CI_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def based(wiki: Path, git: Command, commit_files: Command) -> Path:
    """A wiki with one page on main, and a branch `change` that begins there."""
    commit_files(wiki, {"wiki/solvents.md": PAGE, "wiki/index.md": LINKED}, "A page")
    git(wiki, "switch", "--quiet", "--create", "change")
    return wiki


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """GitHub's event, as a file that the environment names."""

    def write(payload: Any, name: str = "pull_request") -> Path:
        path = tmp_path / "event.json"
        path.write_text(payload if isinstance(payload, str) else json.dumps(payload))
        monkeypatch.setenv("GITHUB_EVENT_PATH", str(path))
        monkeypatch.setenv("GITHUB_EVENT_NAME", name)
        return path

    return write


def request(base: str, head: str, *labels: str, branch: str = "change") -> dict[str, Any]:
    """The part of a pull request's payload that is read."""
    return {
        "repository": {"default_branch": "main"},
        "pull_request": {
            "base": {"sha": base, "ref": "main"},
            "head": {"sha": head, "ref": branch},
            "labels": [{"name": name} for name in labels],
        },
    }


# What it cannot answer


def test_a_shallow_clone_is_no_answer_and_names_fetch_depth(
    based: Path, tmp_path: Path, git: Command, assay: Command, refused: Command, commit_files: Command
) -> None:
    commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    git(tmp_path, "clone", "--quiet", "--depth=1", "--branch=change", f"file://{based}", "shallow")
    refused(assay(tmp_path / "shallow", "ci", "check", "--base", "HEAD"), 3, "shallow", "fetch-depth: 0")


def test_a_change_of_nothing_is_no_answer(based: Path, assay: Command, refused: Command) -> None:
    refused(assay(based, "ci", "check", "--base", "main"), 3, "nothing to check")


def test_without_a_base_somebody_has_to_name_one(based: Path, assay: Command, refused: Command) -> None:
    refused(assay(based, "ci", "check"), 2, "not known", "--base REV")


def test_histories_that_share_nothing_are_no_change(
    based: Path, git: Command, assay: Command, refused: Command
) -> None:
    git(based, "checkout", "--quiet", "--orphan", "other")
    git(based, "commit", "--quiet", "--message", "Another beginning")
    refused(assay(based, "ci", "check", "--base", "main"), 3, "share no history")


def test_landings_without_their_notes_are_no_answer(
    wiki: Path, staged: Command, git: Command, assay: Command, refused: Command, commit_files: Command
) -> None:
    assert assay(wiki, "run", "finish", staged(wiki)).code == 0
    git(wiki, "switch", "--quiet", "--create", "change")
    commit_files(wiki, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    for ref in git(wiki, "for-each-ref", "--format=%(refname)", "refs/notes").split():
        git(wiki, "update-ref", "-d", ref)
    refused(assay(wiki, "ci", "check", "--base", "main"), 3, "no notes are here", "refs/notes/assay/*")


def test_a_clone_without_the_files_is_no_answer(
    based: Path, tmp_path: Path, git: Command, assay: Command, refused: Command, commit_files: Command
) -> None:
    commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    git(based, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{based}", "partial")
    done = assay(tmp_path / "partial", "ci", "check", "--base", "origin/main", "--head", "origin/change")
    refused(done, 3, "lacks an object", "git fetch")


def test_a_change_that_conflicts_with_its_target_has_no_verdict(
    based: Path, commit_files: Command, assay: Command, git: Command
) -> None:
    commit_files(based, {"wiki/index.md": "# Index\n\nPages of ours.\n\n- [Solvents](solvents.md)\n"})
    git(based, "switch", "--quiet", "main")
    commit_files(based, {"wiki/index.md": "# Index\n\nPages of theirs.\n\n- [Solvents](solvents.md)\n"})
    done = assay(based, "ci", "check", "--base", "main", "--head", "change", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (3, "neutral", "none")
    assert "conflicts" in done.err


def test_retrieval_that_cannot_be_measured_any_more_passes_no_gate(
    renamed: Path, commit_files: Command, assay: Command, git: Command
) -> None:
    git(renamed, "switch", "--quiet", "--create", "quoted", "main")
    quoted = (
        "- {query_id: q, query: Where is avon?, expected_chunks: [{doc_id: wiki/avon.md, quote: The town of avon}]}\n"
    )
    wrong = commit_files(renamed, {"gold/retrieval.yaml": quoted})
    base = commit_files(renamed, {"gold/retrieval.yaml": quoted.replace("expected_chunks", "expected_chunk_ids")})
    avon = (renamed / "wiki/avon.md").read_text()
    index = (renamed / "wiki/index.md").read_text().replace("(avon.md)", "(town.md)")
    commit_files(renamed, {"wiki/avon.md": None, "wiki/town.md": avon, "wiki/index.md": index})
    done = assay(renamed, "ci", "check", "--base", base, "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"]) == (3, "neutral"), told["cause"]
    assert "retrieval.mrr" in told["cause"]
    assert "wiki/avon.md" in {row["metric"]: row["why"] for row in told["metrics"]}["retrieval.mrr"]
    done = assay(renamed, "ci", "check", "--base", wrong, "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (0, "neutral", "commit")
    assert told["cause"].startswith("there is gold for retrieval, and it could not be measured: gold/retrieval.yaml:1")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1, "a": 2}'])
def test_an_event_that_is_none_is_told(
    based: Path, event: Command, assay: Command, refused: Command, text: str
) -> None:
    event(text)
    refused(assay(based, "ci", "check"), 2, "GITHUB_EVENT_PATH", "holds no event")


def test_a_commit_of_the_event_that_was_not_fetched_is_named(
    based: Path, event: Command, assay: Command, refused: Command
) -> None:
    event(request("1" * 40, "2" * 40))
    refused(assay(based, "ci", "check"), 3, "2222222222", "fetch-depth: 0")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--metric", "M9"), 2, "there is no metric 'M9'"),
        (("--metric", ","), 2, "--metric names nothing"),
        (("--judge", "ofline"), 2, "ofline"),
        (("--base", "nowhere"), 2, "--base: "),
        (("--head", "nowhere"), 2, "--head: "),
        (("--accept", " "), 2, "--accept needs a reason"),
        (("--workspace", "plants"), 2, "workspace plants"),
        (("--result", "no/such/folder/r.json"), 3, "cannot be written"),
    ],
)
def test_what_is_asked_wrongly_is_told(
    based: Path, commit_files: Command, assay: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    base = () if "--base" in words else ("--base", "main")
    done = assay(based, "ci", "check", *base, *words)
    assert (done.code, said in done.err, "Traceback" in done.err) == (code, True, False), done.err


def test_no_vote_where_the_policy_wants_one_is_no_verdict(
    wiki: Path, git: Command, assay: Command, commit_files: Command
) -> None:
    policy = '[workspace]\nname = "plant"\n[verify]\njudge = "claude"\n'
    commit_files(wiki, {"assay.toml": policy})
    git(wiki, "switch", "--quiet", "--create", "change")
    commit_files(wiki, {"wiki/solvents.md": PAGE, "wiki/index.md": LINKED})
    done = assay(wiki, "ci", "check", "--base", "main", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (3, "neutral", "none")
    assert "0 of 1 claims have a vote" in done.err
    free = assay(wiki, "ci", "check", "--base", "main", "--metric", "none", "--judge", "offline", "--json")
    told = json.loads(free.out)
    assert (free.code, told["outcome"], told["decision"]) == (0, "passed", "commit")
    assert any("in place of the policy's, claude" in remark for remark in told["remarks"])


def test_a_metric_that_was_asked_for_and_has_no_number_is_no_answer(
    based: Path, commit_files: Command, assay: Command
) -> None:
    commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    done = assay(based, "ci", "check", "--base", "main", "--metric", "M4", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"]) == (3, "neutral")
    assert [(row["metric"], row["verdict"]) for row in told["metrics"]] == [("M4", "no data")]
    assert "M4 was not measured" in done.err


def test_a_metric_that_the_change_makes_unmeasurable_passes_no_gate(
    based: Path, commit_files: Command, assay: Command, git: Command
) -> None:
    policy = '[workspace]\nname = "plant"\n[checks.convergence]\nlevel = "note"\n'
    git(based, "switch", "--quiet", "main")
    commit_files(based, {"assay.toml": policy})
    git(based, "switch", "--quiet", "--create", "emptied")
    commit_files(based, {"wiki/solvents.md": None, "wiki/index.md": "# Index\n\nPages of this wiki.\n"})
    done = assay(based, "ci", "check", "--base", "main", "--metric", "M1", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (3, "neutral", "commit"), told["cause"]
    assert "M1 was not measured" in told["cause"] or "had a number at the base" in told["cause"]
    usual = json.loads(assay(based, "ci", "check", "--base", "main", "--json").out)
    assert usual["outcome"] == "neutral"
    assert "had a number at the base" in usual["cause"]


# What fails


def test_a_quotation_that_no_source_has_fails_and_is_shown(
    based: Path, commit_files: Command, assay: Command, state: Command
) -> None:
    commit_files(based, {"wiki/solvents.md": INVENTED})
    before = state(based)
    done = assay(based, "ci", "check", "--base", "main", "--json", "--annotations")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (1, "failed", "reject")
    assert told["cause"] == (
        "reject: 2 new errors, the first in wiki/solvents.md:3 (convergence overwritten); M1 regressed"
    )
    found = {each["check"]: each for each in told["findings"]}
    assert (found["quote_anchor"]["level"], found["quote_anchor"]["path"]) == ("error", "wiki/solvents.md")
    assert found["quote_anchor"]["mend"]
    assert "::error file=wiki/solvents.md,line=5" in done.err
    assert state(based) == before


def test_a_source_that_is_edited_fails_and_so_does_one_that_is_renewed(
    based: Path, commit_files: Command, assay: Command, git: Command
) -> None:
    commit_files(based, {"raw/report.md": "Solvent consumption rose.\n", "wiki/solvents.md": f"{PAGE}\n"})
    mixed = json.loads(assay(based, "ci", "check", "--base", "main", "--metric", "none", "--json").out)
    assert ("raw_sealed", "raw_write") in {(each["check"], each["result"]) for each in mixed["findings"]}
    git(based, "reset", "--quiet", "--hard", "main")
    commit_files(based, {"raw/other.md": "Nothing of the kind, still.\n"}, "Renew a source")
    done = assay(based, "ci", "check", "--base", "main", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, told["decision"]) == (1, "reject")
    assert [(each["result"], each["level"]) for each in told["findings"]] == [("raw_synced", "error")]
    assert told["intakes"] == []


def test_a_change_cannot_loosen_its_own_policy(based: Path, commit_files: Command, assay: Command) -> None:
    loose = '[workspace]\nname = "plant"\n[checks.quote_anchor]\nlevel = "note"\n'
    commit_files(based, {"assay.toml": loose})
    commit_files(based, {"wiki/solvents.md": INVENTED})
    done = assay(based, "ci", "check", "--base", "main", "--json")
    told = json.loads(done.out)
    assert (done.code, told["decision"], told["policy_changed"]) == (1, "reject", ["assay.toml"])


def test_a_policy_that_is_none_fails_before_it_stops_every_change(
    based: Path, commit_files: Command, assay: Command
) -> None:
    commit_files(based, {"assay.toml": '[workspace]\nnam = "plant"\n'})
    done = assay(based, "ci", "check", "--base", "main", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["policy_changed"]) == (1, "failed", ["assay.toml"])
    assert "nam" in told["cause"]


def test_a_change_cannot_take_its_policy_away(based: Path, commit_files: Command, assay: Command) -> None:
    commit_files(based, {"assay.toml": None})
    done = assay(based, "ci", "check", "--base", "main", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (1, "failed", "reject")
    assert told["cause"] == "reject: the change takes assay.toml away, and nothing would be checked after it"
    assert told["remarks"][0] == f"mend: git checkout {told['base'][:10]} -- assay.toml"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"sea/assay.toml": '[workspace]\nname = "plant"\n'}, "two workspaces are called 'plant'"),
        ({"sea/assay.toml": "no policy["}, "sea/assay.toml"),
        (
            {"sea/assay.toml": '[workspace]\nname = "plant"\n', "assay.toml": '[workspace]\nname = "meadow"\n'},
            "two workspaces are called 'plant'",
        ),
    ],
)
def test_a_second_policy_hides_no_result_and_stops_no_change(
    based: Path, commit_files: Command, assay: Command, tmp_path: Path, files: dict[str, str], said: str
) -> None:
    commit_files(based, {**files, "wiki/solvents.md": INVENTED})
    words = ("ci", "check", "--base", "main", "--metric", "none", "--result", str(tmp_path / "r.json"))
    assert assay(based, *words).code == 1
    told = parse((tmp_path / "r.json").read_bytes(), "r.json")
    assert (told.suite, told.outcome) == ("plant", "failed")
    assert said in told.cause
    assert len(list(tmp_path.glob("r*.json"))) == 1


def test_two_policies_of_one_name_at_the_base_are_told(
    based: Path, commit_files: Command, assay: Command, git: Command, refused: Command
) -> None:
    git(based, "switch", "--quiet", "main")
    commit_files(based, {"sea/assay.toml": '[workspace]\nname = "plant"\n'})
    git(based, "switch", "--quiet", "--create", "later")
    commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    refused(assay(based, "ci", "check", "--base", "main"), 2, "two workspaces are called 'plant'")


def test_a_change_from_before_the_wiki_moved_brings_no_workspace(
    wiki: Path, git: Command, assay: Command, commit_files: Command
) -> None:
    git(wiki, "switch", "--quiet", "--create", "change")
    commit_files(wiki, {"notes.txt": "nobody's business\n"})
    git(wiki, "switch", "--quiet", "main")
    policy = (wiki / "assay.toml").read_text()
    commit_files(wiki, {"assay.toml": None, "docs/assay.toml": policy, "docs/wiki/index.md": "# Index\n"})
    done = assay(wiki, "ci", "check", "--base", "main", "--head", "change", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["is_touched"]) == (0, "neutral", False)


def test_a_name_that_is_no_utf_8_is_refused_and_can_be_read(
    based: Path, git: Command, assay: Command, commit_files: Command
) -> None:
    (based / os.fsdecode(b"wiki/b\xff.md")).write_text("# Odd\n")
    git(based, "add", "wiki")
    commit_files(based, {"wiki/index.md": LINKED_TWICE})
    done = assay(based, "ci", "check", "--base", "main", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"]) == (1, "failed")
    assert "wiki/b\\xff.md" in {each["path"] for each in told["findings"]}
    assert "in wiki/b\\xff.md (" in told["cause"]


def test_a_change_that_was_merged_with_its_target_crosswise_is_checked(
    based: Path, git: Command, assay: Command, commit_files: Command
) -> None:
    ours = commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    git(based, "switch", "--quiet", "main")
    theirs = commit_files(based, {"notes.txt": "nobody's business\n"})
    git(based, "merge", "--quiet", "--no-edit", ours)
    git(based, "switch", "--quiet", "change")
    git(based, "merge", "--quiet", "--no-edit", theirs)
    commit_files(based, {"wiki/solvents.md": INVENTED})
    assert len(git(based, "merge-base", "--all", "main", "change").split()) == 2
    done = assay(based, "ci", "check", "--base", "main", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, {each["path"] for each in told["findings"]}) == (1, {"wiki/solvents.md"})


def test_a_change_cannot_move_the_gold_it_is_measured_by(
    renamed: Path, commit_files: Command, assay: Command, git: Command
) -> None:
    git(renamed, "switch", "--quiet", "change")
    path = "gold/retrieval.yaml"
    moved = (renamed / path).read_text().replace("[wiki/", "[wiki/town-of-")
    commit_files(renamed, {path: moved})
    done = assay(renamed, "ci", "check", "--base", "main", "--metric", "retrieval", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["policy_changed"]) == (1, "failed", [path])
    assert {row["metric"]: row["head"] for row in told["metrics"]}["retrieval.ndcg@10"] == 0.0


def test_gold_that_became_a_folder_is_put_back(
    renamed: Path, commit_files: Command, assay: Command, git: Command
) -> None:
    git(renamed, "switch", "--quiet", "change")
    path = "gold/retrieval.yaml"
    commit_files(renamed, {path: None})
    commit_files(renamed, {f"{path}/more.yaml": "[]\n"})
    done = assay(renamed, "ci", "check", "--base", "main", "--metric", "retrieval", "--json")
    told = json.loads(done.out)
    assert (done.code, told["policy_changed"]) == (1, [path, f"{path}/more.yaml"])
    assert {row["metric"]: row["base"] for row in told["metrics"]}["retrieval.ndcg@10"] == 1.0


def test_gold_by_a_name_that_git_does_not_allow_is_no_answer(renamed: Path, assay: Command, git: Command) -> None:
    def tree(entries: str) -> str:
        made = subprocess.run(["git", "mktree"], cwd=renamed, input=entries, capture_output=True, text=True, check=True)
        return made.stdout.strip()

    gold = tree(
        f"{git(renamed, 'ls-tree', 'main:gold')}\n100644 blob {git(renamed, 'rev-parse', 'main:assay.toml')}\t..\n"
    )
    others = [line for line in git(renamed, "ls-tree", "main").splitlines() if not line.endswith("\tgold")]
    whole = tree("\n".join((*others, f"040000 tree {gold}\tgold")) + "\n")
    head = git(renamed, "commit-tree", whole, "-p", "main", "-m", "Gold")
    done = assay(renamed, "ci", "check", "--base", "main", "--head", head, "--metric", "retrieval", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"]) == (3, "neutral")
    assert "gold/..: not a path that git allows" in told["cause"]


def test_the_policy_of_today_counts_for_a_change_that_began_before_it(
    based: Path, commit_files: Command, assay: Command, git: Command
) -> None:
    commit_files(based, {"wiki/emissions.md": f"{SECOND}\nNobody says so.\n", "wiki/index.md": LINKED_TWICE})
    git(based, "switch", "--quiet", "main")
    commit_files(based, {"assay.toml": '[workspace]\nname = "plant"\n[checks.uncited]\nlevel = "error"\n'})
    done = assay(based, "ci", "check", "--base", "main", "--head", "change", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, told["decision"]) == (1, "reject")
    assert told["base"] == git(based, "rev-parse", "main")


def test_an_unsigned_verdict_in_the_notes_lets_nothing_pass_unlooked_at(
    based: Path, assay: Command, staged: Command, git: Command
) -> None:
    run = staged(based, {"wiki/solvents.md": INVENTED})
    assert assay(based, "run", "finish", run).code == 1
    assert assay(based, "run", "override", run, "--reason", "I know better").code == 0
    done = assay(based, "ci", "check", "--base", "main", "--json")
    told = json.loads(done.out)
    assert (done.code, told["decision"], told["overrides"]) == (1, "reject", [])


# What is neutral


def test_claims_that_nobody_judges_are_not_green(
    wiki: Path, git: Command, assay: Command, commit_files: Command
) -> None:
    commit_files(wiki, {"assay.toml": '[workspace]\nname = "plant"\n[verify]\njudge = "none"\n'})
    git(wiki, "switch", "--quiet", "--create", "change")
    commit_files(wiki, {"wiki/solvents.md": PAGE, "wiki/index.md": LINKED})
    done = assay(wiki, "ci", "check", "--base", "main", "--metric", "none", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (0, "neutral", "commit")
    assert told["cause"] == "no judge: the policy names none, and 1 new claim has no vote"
    assert assay(wiki, "ci", "check", "--base", "main", "--metric", "none", "--fail-on-neutral").code == 3


def test_a_change_that_touches_nothing_of_the_wiki_gates_nothing(
    based: Path, commit_files: Command, assay: Command, refused: Command
) -> None:
    commit_files(based, {"notes.txt": "nobody's business\n"})
    done = assay(based, "ci", "check", "--base", "main", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["is_touched"]) == (0, "neutral", False)
    strict = assay(based, "ci", "check", "--base", "main", "--fail-on-neutral")
    assert "neutral" in strict.out
    refused(strict, 3, "nothing to gate", "--fail-on-neutral")


def test_the_first_policy_is_judged_by_nobody_and_is_not_green(
    make_repository: Command, commit_files: Command, git: Command, assay: Command
) -> None:
    folder = make_repository({"README.md": "A repository.\n"})
    git(folder, "switch", "--quiet", "--create", "adopt")
    files = {"assay.toml": '[workspace]\nname = "plant"\n', "wiki/index.md": LINKED, "wiki/solvents.md": PAGE}
    commit_files(folder, {**files, "raw/report.md": "Solvent consumption declined by two fifths in 2019.\n"})
    done = assay(folder, "ci", "check", "--base", "main", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (0, "neutral", "none")
    assert told["cause"].startswith("no baseline, nothing gated")
    assert {row["metric"]: row["head"] for row in told["metrics"]}["M1"] == 1.0
    assert assay(folder, "ci", "check", "--base", "main", "--fail-on-neutral").code == 3


def test_a_repository_without_a_wiki_has_nothing_to_check(
    make_repository: Command, commit_files: Command, git: Command, assay: Command, refused: Command
) -> None:
    folder = make_repository({"README.md": "A repository.\n"})
    git(folder, "switch", "--quiet", "--create", "change")
    commit_files(folder, {"README.md": "Another.\n"})
    refused(assay(folder, "ci", "check", "--base", "main"), 2, "no assay.toml", "git assay init")


# What passes


def test_a_sound_change_passes_and_nothing_is_written_but_what_was_named(
    based: Path, commit_files: Command, assay: Command, git: Command, state: Command, tmp_path: Path
) -> None:
    commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    before = state(based)
    done = assay(based, "ci", "check", "--base", "main", "--result", str(tmp_path / "r.json"))
    assert done.code == 0, done.err
    assert done.out.startswith("passed  plant  ")
    result = parse((tmp_path / "r.json").read_bytes(), "r.json")
    assert (result.outcome, result.decision, result.suite) == ("passed", "commit", "plant")
    assert (result.base, result.head) == tuple(git(based, "rev-parse", "main", "change").split())
    assert result.reproduce == f"git assay ci check --base {result.base} --head {result.head}"
    assert result.baseline.source == "measured here"
    rows = {row.metric: row for row in result.metrics}
    assert (rows["M1"].base, rows["M1"].head, rows["M1"].verdict) == (1.0, 1.0, "within noise")
    assert rows["M1"].limit == ">= 0.85"
    assert rows["M2"].verdict == "no data"
    assert "M4" not in rows
    assert result.samples.added > 0
    assert state(based) == before


def test_sources_come_in_by_commits_of_their_own_and_are_listed(
    based: Path, commit_files: Command, assay: Command
) -> None:
    commit_files(based, {"raw/new.md": "Rain fell on 12 days.\n"}, "Bring a source in")
    commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    told = json.loads(assay(based, "ci", "check", "--base", "main", "--metric", "none", "--json").out)
    assert (told["outcome"], told["intakes"]) == ("passed", ["raw/new.md"])
    assert told["remarks"] == ["no metric was measured (--metric none)"]


def test_the_event_of_a_pull_request_names_base_and_head_whatever_is_checked_out(
    based: Path, commit_files: Command, git: Command, event: Command, assay: Command
) -> None:
    head = commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    git(based, "checkout", "--quiet", "--detach", "main")
    git(based, "merge", "--quiet", "--no-ff", "--no-edit", "change")
    event(request(git(based, "rev-parse", "main"), head))
    told = json.loads(assay(based, "ci", "check", "--metric", "none", "--json").out)
    assert (told["outcome"], told["head"]) == ("passed", head)


def test_a_merge_queue_is_checked_from_its_base_to_its_own_head(
    based: Path, commit_files: Command, git: Command, event: Command, assay: Command
) -> None:
    head = commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    base = git(based, "rev-parse", "main")
    event({"merge_group": {"base_sha": base, "head_sha": head, "base_ref": "refs/heads/main"}}, "merge_group")
    told = json.loads(assay(based, "ci", "check", "--metric", "none", "--json").out)
    assert (told["outcome"], told["base"], told["head"]) == ("passed", base, head)


def test_a_push_is_checked_from_what_stood_there_before_on_the_default_branch_alone(
    based: Path, commit_files: Command, git: Command, event: Command, assay: Command, refused: Command
) -> None:
    head = commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    payload = {"before": git(based, "rev-parse", "main"), "after": head, "repository": {"default_branch": "main"}}
    event({**payload, "ref": "refs/heads/main"}, "push")
    assert json.loads(assay(based, "ci", "check", "--metric", "none", "--json").out)["base"] == payload["before"]
    event({**payload, "ref": "refs/heads/change"}, "push")
    refused(assay(based, "ci", "check", "--metric", "none"), 2, "not known")
    git(based, "config", "assay.target", "main")
    assert assay(based, "ci", "check", "--metric", "none").code == 0


def test_a_laptop_checks_against_what_it_follows(
    based: Path, commit_files: Command, git: Command, assay: Command, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", "--branch=main", f"file://{based}", "laptop")
    laptop = tmp_path / "laptop"
    head = commit_files(laptop, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    git(laptop, "remote", "set-head", "origin", "main")
    told = json.loads(assay(laptop, "ci", "check", "--metric", "none", "--json").out)
    assert (told["base"], told["head"]) == (git(based, "rev-parse", "main"), head)


def test_base_numbers_come_from_the_notes_where_they_are(
    based: Path, commit_files: Command, git: Command, assay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(based, "switch", "--quiet", "main")
    assert assay(based, "eval", "run", "--metric", "M1,M5,M6").code in (0, 3)
    git(based, "switch", "--quiet", "change")
    commit_files(based, {"wiki/emissions.md": SECOND, "wiki/index.md": LINKED_TWICE})
    monkeypatch.setenv("ASSAY_CLOCK", str(1_704_164_645 + 3 * 86_400))
    told = json.loads(assay(based, "ci", "check", "--base", "main", "--json").out)
    assert told["baseline"]["source"] == "notes"
    assert told["baseline"]["age_days"] == 3.0
    [row] = [row for row in told["metrics"] if row["metric"] == "M1"]
    assert (row["base"], row["trend"]) == (1.0, [1.0, 1.0])


def test_each_workspace_that_is_touched_has_a_result_of_its_own(
    make_wiki: Command, commit_files: Command, git: Command, assay: Command, tmp_path: Path
) -> None:
    other = {f"sea/{path}": text for path, text in {"wiki/index.md": "# Index\n", "raw/t.md": "Tides.\n"}.items()}
    folder = make_wiki({**other, "sea/assay.toml": '[workspace]\nname = "sea"\n'})
    git(folder, "switch", "--quiet", "--create", "change")
    commit_files(folder, {"wiki/solvents.md": PAGE, "wiki/index.md": LINKED, "sea/wiki/index.md": "# The sea\n"})
    words = ("ci", "check", "--base", "main", "--metric", "none", "--result", str(tmp_path / "r.json"))
    told = json.loads(assay(folder, *words, "--json").out)
    assert [each["workspace"] for each in told["results"]] == ["plant", "sea"]
    assert sorted(path.name for path in tmp_path.glob("r*.json")) == ["r.plant.json", "r.sea.json"]
    one = json.loads(assay(folder, *words, "--json", "--workspace", "sea").out)
    assert one["suite"] == "sea"
    assert one["reproduce"].endswith(" --metric none --workspace sea")


def test_a_run_that_is_offered_as_a_pull_request_may_write_pages_alone(
    based: Path, commit_files: Command, git: Command, event: Command, assay: Command
) -> None:
    head = commit_files(based, {"gold/queries.yaml": "[]\n"})
    event(request(git(based, "rev-parse", "main"), head))
    people = json.loads(assay(based, "ci", "check", "--metric", "none", "--json").out)
    assert (people["decision"], people["policy_changed"]) == ("commit", ["gold/queries.yaml"])
    event(request(git(based, "rev-parse", "main"), head, branch="run/20240102-an-agent"))
    agents = json.loads(assay(based, "ci", "check", "--metric", "none", "--json").out)
    assert agents["decision"] == "reject"
    assert agents["findings"][0]["check"] == "path_acl"


# Outputs


def test_summary_and_outputs_are_appended_where_github_reads_them(
    based: Path, commit_files: Command, assay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_files(based, {"wiki/solvents.md": INVENTED})
    summary, outputs = tmp_path / "summary.md", tmp_path / "outputs"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(outputs))
    result = tmp_path / "a result.json"
    assert assay(based, "ci", "check", "--base", "main", "--result", str(result)).code == 1
    assert summary.read_text().startswith("before\n")
    assert "plant" in summary.read_text()
    assert _outputs(outputs) == {
        "verdict": "reject",
        "outcome": "failed",
        "regressions": "M1",
        "result-path": str(result),
    }


def test_what_could_not_run_is_told_in_the_summary_too(
    based: Path, assay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary, outputs = tmp_path / "summary.md", tmp_path / "outputs"
    monkeypatch.setenv("GITHUB_OUTPUT", str(outputs))
    assert assay(based, "ci", "check", "--base", "main", "--summary", str(summary)).code == 3
    assert summary.read_text().startswith("### Neutral: nothing was checked\n\n````````text\nnothing to check")
    assert _outputs(outputs)["outcome"] == "neutral"


def _outputs(path: Path) -> dict[str, str]:
    """What GitHub reads from the file of a step's outputs."""
    found, lines = {}, iter(path.read_text().splitlines())
    for line in lines:
        name, _, end = line.partition("<<")
        value = []
        while (next_line := next(lines)) != end:
            value.append(next_line)
        found[name] = "\n".join(value)
    return found


def test_ten_annotations_at_most_errors_first(based: Path, commit_files: Command, assay: Command) -> None:
    pages = {f"wiki/p{number}.md": INVENTED for number in range(12)}
    links = "".join(f"- [Page {number}](p{number}.md)\n" for number in range(12))
    commit_files(based, {**pages, "wiki/index.md": f"{LINKED}{links}", "wiki/loose.md": "# Loose\n\nNobody says.\n"})
    done = assay(based, "ci", "check", "--base", "main", "--metric", "none", "--annotations")
    told = [line for line in done.out.splitlines() if line.startswith("::")]
    assert (len(told), {line.split(" ")[0] for line in told}) == (10, {"::error"})


# Accepting


@pytest.mark.slow
def test_a_label_and_a_record_let_regressions_pass_but_no_verdict(
    renamed: Path, assay: Command, git: Command, event: Command
) -> None:
    base, head = git(renamed, "rev-parse", "main", "change").split()
    words = ("ci", "check", "--metric", "retrieval", "--json")
    event(request(base, head))
    failed = assay(renamed, *words)
    told = json.loads(failed.out)
    assert (failed.code, told["outcome"], told["decision"]) == (1, "failed", "commit"), told["metrics"]
    assert [row["metric"] for row in told["metrics"] if row["gated"]] == [
        "retrieval.ndcg@10",
        "retrieval.recall@10_doc",
    ]
    event(request(base, head, "bug", "benchmark:accept-regression"))
    passed = json.loads(assay(renamed, *words).out)
    assert (passed["outcome"], passed["accepted"]["by"]) == ("passed", "a label on the pull request")
    assert {row["verdict"] for row in passed["metrics"] if "ndcg" in row["metric"]} == {"regressed"}
    event(request(base, head))
    recorded = json.loads(assay(renamed, *words, "--accept", "The page is worth it").out)
    assert recorded["outcome"] == "passed"
    again = json.loads(assay(renamed, *words).out)
    assert again["accepted"] == {"by": "Ada Writer", "reason": "The page is worth it", "label": ""}
    assert names.FEEDBACK in git(renamed, "for-each-ref")


def test_what_is_refused_is_not_accepted_away(based: Path, commit_files: Command, assay: Command, git: Command) -> None:
    commit_files(based, {"wiki/solvents.md": INVENTED})
    done = assay(based, "ci", "check", "--base", "main", "--accept", "I like it")
    assert (done.code, "a verdict is not accepted away" in done.err) == (1, True)
    assert names.FEEDBACK not in git(based, "for-each-ref")


@pytest.fixture
def renamed(make_wiki: Command, commit_files: Command, git: Command) -> Path:
    """A wiki whose golden queries find their pages, and a change by which they are called otherwise."""
    towns = ("avon", "brent", "clyde", "devon", "exe", "forth", "gwent", "humber")
    source = "".join(f"The town of {town} lies on a river.\n" for town in towns)
    said = {town: f"The town of {town} lies on a river." for town in towns}
    pages = {
        f"wiki/{town}.md": f'# {town}\n\n{told}[^1]\n\n[^1]: raw/towns.md, "{told}"\n' for town, told in said.items()
    }
    links = "# Index\n\n" + "".join(f"- [{town.title()}]({town}.md)\n" for town in towns)
    queries = "".join(
        f"- {{query_id: {town}, query: Which river is the town of {town} on?, expected_doc_ids: [wiki/{town}.md]}}\n"
        for town in towns
    )
    files = {"raw/towns.md": source, "wiki/index.md": links, "gold/retrieval.yaml": queries}
    folder: Path = make_wiki({**files, **pages})
    git(folder, "switch", "--quiet", "--create", "change")
    moved = {f"wiki/town-of-{town}.md": pages[f"wiki/{town}.md"] for town in towns}
    commit_files(folder, {**dict.fromkeys(pages), **moved, "wiki/index.md": links.replace("(", "(town-of-")})
    return folder


def test_what_is_printed_has_a_schema(make_wiki: Command, git: Command, commit_files: Command, assay: Command) -> None:
    folder = make_wiki({"sea/assay.toml": '[workspace]\nname = "sea"\n', "sea/wiki/index.md": "# Index\n"})
    git(folder, "switch", "--quiet", "--create", "change")
    words = ("ci", "check", "--base", "main", "--metric", "none", "--json")
    printed = {"ci-nothing": json.loads(assay(folder, *words).out)}
    commit_files(folder, {"wiki/solvents.md": PAGE, "wiki/index.md": LINKED, "sea/wiki/index.md": "# The sea\n"})
    printed["cis"] = json.loads(assay(folder, *words).out)
    printed["ci"] = json.loads(assay(folder, *words, "--workspace", "sea").out)
    for name, value in printed.items():
        described = json.loads(assay(folder, "schema", name).out)
        jsonschema.Draft202012Validator.check_schema(described)
        jsonschema.validate(value, described)
        assert described["$id"] == value["schema"]
