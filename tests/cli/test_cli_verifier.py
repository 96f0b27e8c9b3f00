"""`git assay verifier test`: what it prints, keeps and exits with."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.evals.verifier_test import SAMPLE, Wanted
from gitops.runs import names
from tests.messages_server import Answer, MessagesServer, structured

Command = Callable[..., Any]
_CLAIM = re.compile(r"^(\d+)(?: \[[^]]*\])? (.*)$", re.MULTILINE)
PLANT = """# Solvents

Solvent consumption declined by two fifths in 2019.[^1]

Emissions rose by 3 % in the same year.[^2]

[^1]: raw/report.md
[^2]: raw/report.md
"""


@pytest.fixture
def tested(make_wiki: Callable[..., Path]) -> Path:
    toml = '[workspace]\nname = "plant"\n[citations]\nrequire = []\n'
    return make_wiki({"assay.toml": toml, "wiki/solvents.md": PLANT})


def kept(git: Command, wiki: Path) -> str:
    said: str = git(wiki, "rev-parse", "--verify", "--quiet", names.EVALS, check=False)
    return said


def test_a_wiki_without_a_sound_claim_cannot_be_tested(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "verifier", "test"), 3, "nothing to plant an error in: no claim of plant is sound", "lint")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", "ofline"), "there is no judge 'ofline'"),
        (("--judge", "offline,"), "names no judge in one of its places"),
        (("--sample", "0"), "is not a whole number from 1 on"),
        (("--seed", "-1"), "--seed"),
        (("--rev", "nowhere"), "nowhere"),
        (("HEAD",), "one argument too many"),
    ],
)
def test_what_makes_no_sense_is_refused(
    tested: Path, assay: Command, refused: Command, git: Command, words: tuple[str, ...], said: str
) -> None:
    with_exit = words[0] in ("--seed", "--sample", "HEAD") or words[-1] == "offline,"
    done = assay(tested, "verifier", "test", *words)
    assert with_exit or done.code == 2
    refused(done, 2, said)
    assert kept(git, tested) == ""


def test_the_help_tells_the_size_that_is_taken(assay: Command, tested: Path) -> None:
    printed = json.loads(assay(tested, "verifier", "test", "--no-keep", "--json", "--judge", "none").out)
    assert printed["instrument"]["sample"]["size"] == SAMPLE == Wanted().sample
    assert f"(default: {SAMPLE})" in " ".join(assay(tested, "help", "verifier", "test").out.split())


def test_without_a_subcommand_the_command_says_so(tested: Path, assay: Command) -> None:
    assert assay(tested, "verifier").code == 2


def test_it_tells_what_was_caught_and_where_that_is_kept(tested: Path, assay: Command, git: Command) -> None:
    done = assay(tested, "verifier", "test")
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert any(row[:2] == ["kind", "planted"] for row in rows)
    assert any(row[:3] == ["invented", "quotation", "2"] for row in rows)
    assert "untouched: " in done.out
    assert "not applicable to any claim here: " in done.out
    commit = git(tested, "rev-parse", "HEAD")
    assert f"kept in the notes of {commit[:10]} (refs/notes/assay/evals) as " in done.out
    note = git(tested, "notes", "--ref=assay/evals", "show", commit)
    assert note.startswith('{"summary":"verifier test, judge offline/')


def test_that_nothing_is_kept_is_said(tested: Path, assay: Command, git: Command) -> None:
    done = assay(tested, "verifier", "test", "--no-keep", "--judge", "none")
    assert (done.code, done.err) == (0, "")
    assert "judge none" in done.out
    assert done.out.rstrip().endswith("not kept (--no-keep)")
    assert kept(git, tested) == ""


def test_json_is_the_record_that_is_kept(tested: Path, assay: Command, git: Command) -> None:
    done = assay(tested, "verifier", "test", "--json", "--seed", "7", "--sample", "1")
    (line,) = done.out.splitlines()
    printed = json.loads(line)
    assert printed["schema"] == "assay/measurement/1"
    assert printed["instrument"]["sample"]["seed"] == 7
    assert json.loads(git(tested, "notes", "--ref=assay/evals", "show", "HEAD")) == printed
    assert printed["metrics"]["invented_quotation"]["n"] == 1
    assert assay(tested, "verifier", "test", "--json", "--seed", "7", "--sample", "1").out == done.out


def test_another_revision_is_tested_as_it_was(
    tested: Path, assay: Command, git: Command, commit_files: Callable[..., str]
) -> None:
    before = git(tested, "rev-parse", "HEAD")
    commit_files(tested, {"wiki/solvents.md": "# Solvents\n"})
    assert assay(tested, "verifier", "test", "--dry-run").code == 3
    done = assay(tested, "verifier", "test", "--rev", before, "--json")
    assert done.code == 0
    assert json.loads(done.out)["commit"] == before


def test_of_several_workspaces_one_is_named(make_wiki: Callable[..., Path], assay: Command, refused: Command) -> None:
    files = {"a/assay.toml": '[workspace]\nname = "a"\n', "b/assay.toml": '[workspace]\nname = "b"\n'}
    wiki = make_wiki(files)
    refused(assay(wiki, "--workspace", "c", "verifier", "test"), 2, "no workspace is called 'c'")
    refused(assay(wiki, "--workspace", "a", "verifier", "test"), 3, "no claim of a is sound")


def test_a_model_is_asked_about_each_source_at_once_and_again_not_at_all(
    make_wiki: Callable[..., Path], assay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    true = re.findall(r"^(\w.*)\[\^\d\]$", PLANT, re.MULTILINE)

    def votes(body: dict[str, Any], number: int) -> Answer:
        asked = _CLAIM.findall(body["messages"][0]["content"][-1]["text"])
        rows: list[dict[str, Any]] = [
            {
                "id": int(id),
                "reason": "So it says." if claim in true else "It does not say so.",
                "unsupported": [],
                "vote": "supports" if claim in true else "does_not_support",
                "confidence": 0.9,
            }
            for id, claim in asked
        ]
        return structured({"votes": rows})

    with MessagesServer(votes) as server:
        preset = f'[llm.presets.verifier]\nmodel = "claude-sonnet-5-5"\nbase_url = "{server.url}"\nmax_retries = 0\n'
        toml = f'[workspace]\nname = "plant"\n[citations]\nrequire = []\n{preset}'
        wiki = make_wiki({"assay.toml": toml, "wiki/solvents.md": PLANT})
        first = assay(wiki, "verifier", "test", "--json", "--judge", "claude")
        assert (first.code, first.err) == (0, "")
        requests = len(server.requests)
        again = json.loads(assay(wiki, "verifier", "test", "--json", "--judge", "claude").out)
        assert len(server.requests) == requests
    printed = json.loads(first.out)
    swapped = printed["metrics"]["swapped_source"]["n"]
    assert requests <= 1 + swapped
    assert printed["metrics"]["digit"]["value"] == printed["metrics"]["date"]["value"] == 1
    assert printed["metrics"]["wrongly_refused"]["value"] == 0
    assert printed["metrics"]["input_tokens"]["value"] > 0
    assert again["metrics"]["input_tokens"]["value"] == 0
    assert again["samples"] == printed["samples"]
    (judge,) = printed["subject"]["judges"]
    assert judge["version"].startswith("claude-sonnet-5-5/")


def test_a_rehearsal_asks_no_model_and_keeps_nothing(tested: Path, assay: Command, git: Command) -> None:
    done = assay(tested, "verifier", "test", "--dry-run", "--sample", "2", "--judge", "offline,claude")
    assert (done.code, done.err) == (0, "")
    assert re.match(r"claude would be asked \d+ questions? in \d+ requests?, about [\d,]+ tokens in, ", done.out)
    assert git(tested, "for-each-ref", "refs/notes/assay/evals") == ""
    free = assay(tested, "verifier", "test", "--dry-run", "--sample", "2")
    assert free.out == "no judge needs a model: nothing to pay\n"
