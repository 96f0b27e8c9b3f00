"""`git assay verdict show|verify`, and what the tables say of signatures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.runs.driving import Wiki, first_files, name, page
from tests.runs.signed import SignedWiki
from tests.runs.signed import signed as signed


@pytest.mark.slow
def test_a_signed_verdict_is_shown_and_verified(signed: SignedWiki) -> None:
    commit, verdict = signed.landed()
    wiki = signed.wiki
    done = wiki.assay("verdict", "verify", "main")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"valid  {commit[:10]}: signed by ada@example.org\n")
    shown = wiki.assay("verdict", "show", commit).stdout
    assert "repository    https://example.org/tides.git" in shown
    assert f"run           {verdict.run_id}" in shown
    told = json.loads(wiki.assay("verdict", "verify", "main", "--json").stdout)
    jsonschema.validate(told, json.loads(wiki.assay("schema", "verdict-verify").stdout))
    assert (told["valid"], told["problem"], told["signed_by"]) == (True, None, "ada@example.org")
    assert told["statement"]["_type"] == "https://in-toto.io/Statement/v1"
    assert "unsigned" not in wiki.assay("log").stdout
    assert "signed by ada@example.org" in wiki.assay("run", "show", verdict.run_id).stdout
    assert "the last verdict is signed" in wiki.assay("status").stdout
    assert json.loads(wiki.assay("status", "--json").stdout)["signed"] is True
    blamed = wiki.assay("blame", "wiki/p000.md")
    assert "the signatures hold" in blamed.stdout
    assert json.loads(wiki.assay("blame", "wiki/p000.md", "--json").stdout)["signed"] is True


@pytest.mark.slow
def test_a_forged_verdict_is_refused_with_its_reason(signed: SignedWiki) -> None:
    commit, _ = signed.landed()
    signed.replace_envelope(commit, signed.forged(commit, signed.other))
    done = signed.wiki.assay("verdict", "verify", commit)
    assert done.returncode == 1
    assert "not valid" in done.stdout
    assert "is none of the allowed signers'" in done.stdout
    assert signed.wiki.assay("verdict", "show", commit).returncode == 0
    assert "verdicts here are unsigned: tamper-evident at best" in signed.wiki.assay("log").stdout
    replayed = signed.wiki.assay("verdict", "verify", commit, "--target", "run/none")
    assert replayed.returncode == 2


@pytest.mark.slow
def test_where_nothing_is_signed_there_is_nothing_to_verify(
    make_repository: Callable[..., Path],
) -> None:
    wiki = Wiki(make_repository(first_files(), name="wiki"))
    done = wiki.finish(wiki.run())
    told = wiki.assay("verdict", "verify", "main")
    assert told.returncode == 3
    assert "tamper-evident at best" in told.stdout
    assert "nothing to verify" in told.stderr
    assert wiki.assay("verdict", "show", "main").returncode == 0
    first = wiki.git("rev-list", "--max-parents=0", "main")
    assert wiki.assay("verdict", "verify", first).returncode == 3
    assert json.loads(wiki.assay("verdict", "show", done.commit, "--json").stdout)["valid"] is None


@pytest.mark.slow
def test_a_range_is_verified_in_one_go(signed: SignedWiki) -> None:
    wiki = signed.wiki
    first, _ = signed.landed()
    wiki.later(minutes=1)
    second, _ = signed.landed(pages={name(1): page(1)})
    done = wiki.assay("verdict", "verify", "--all")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "valid  main: 2 signed; 1 without a verdict\n  2 by ada@example.org\n"
    told = json.loads(wiki.assay("verdict", "verify", f"{first}..main", "--json").stdout)
    jsonschema.validate(told, json.loads(wiki.assay("schema", "verdicts-verify").stdout))
    assert (told["valid"], told["invalid"], told["without_verdict"]) == (1, [], [])
    signed.replace_envelope(second, signed.forged(second, signed.other))
    signed.replace_envelope(first, signed.forged(first, signed.other, run="another"))
    done = wiki.assay("verdict", "verify", "--all")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "not valid  main: 0 signed; 2 not valid; 1 without a verdict"
    assert lines[1].split()[0] == first[:10]
    assert "run is signed as" in lines[1]
    assert "is none of the allowed signers'" in lines[2]
    assert wiki.assay("verdict", "verify", f"{first}..{first}").returncode == 3


@pytest.mark.slow
def test_what_is_no_range_is_told(signed: SignedWiki) -> None:
    for words, said in (
        (("main...main",), "write main..main"),
        ((), "which verdicts?"),
        (("main", "--all"), "leave out REV or --all"),
        (("nowhere..main",), "'nowhere' names no commit here"),
    ):
        done = signed.wiki.assay("verdict", "verify", *words)
        assert done.returncode == 2
        assert said in done.stderr


@pytest.mark.slow
def test_every_table_of_verdicts_says_what_they_are_worth(make_repository: Callable[..., Path]) -> None:
    wiki = Wiki(make_repository(first_files(), name="wiki"))
    run = wiki.run()
    finished = wiki.assay("run", "finish", run.id)
    assert "unsigned: tamper-evident at best" in finished.stdout
    for words in (("run", "show", run.id), ("log",), ("status",), ("verdict", "show", "main")):
        assert wiki.assay(*words).stdout.count("tamper-evident at best") == 1, words
    judged = wiki.assay("verify", "main")
    assert "recorded nowhere and signed by nobody" in judged.stdout
    assert json.loads(wiki.assay("run", "show", run.id, "--json").stdout)["signed_by"] is None
    assert json.loads(wiki.assay("log", "--json").stdout)["signed_by"] == {}
    refused = wiki.run({name(2): page(2, "the sea never moves")})
    assert "a no counts without a signature" in wiki.assay("run", "finish", refused.id).stdout


@pytest.mark.slow
def test_who_signed_is_told_where_it_lands(signed: SignedWiki) -> None:
    run = signed.wiki.run()
    finished = signed.wiki.assay("run", "finish", run.id)
    assert "signed by ada@example.org" in finished.stdout
    again = json.loads(signed.wiki.assay("run", "finish", run.id, "--json").stdout)
    assert again["signed_by"] == "ada@example.org"
    [(_, who)] = json.loads(signed.wiki.assay("log", "--json").stdout)["signed_by"].items()
    assert who == "ada@example.org"
    refused = signed.wiki.run({name(2): page(2, "the sea never moves")})
    signed.wiki.finish(refused)
    assert "tamper-evident" not in signed.wiki.assay("log").stdout
