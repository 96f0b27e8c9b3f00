"""`git assay verdict show|verify`, and what the tables say of signatures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.runs.driving import Wiki, first_files
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
