"""Where signatures are demanded though no policy asks for them: on a server, where whoever may push can write a yes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gitops.errors import UsageError
from gitops.git.process import Completed, Located, git
from gitops.runs import attesting, examining, names, proof, store, trusting
from gitops.runs.examining import examine
from gitops.verify import statement
from tests.runs.driving import Wiki, name, page
from tests.runs.signed import SignedWiki, make_key, record, sealed, signer
from tests.runs.signed import signed as signed


@pytest.fixture
def server(wiki: Wiki) -> Wiki:
    """A wiki whose policy wants nothing signed, with one landing, that then becomes a server's."""
    wiki.finish(wiki.run())
    wiki.git("config", "assay.server", "true")
    return wiki


def test_a_setting_that_is_no_truth_value_is_told(wiki: Wiki) -> None:
    wiki.git("config", "assay.server", "perhaps")
    with pytest.raises(UsageError, match=r"assay\.server"):
        trusting.is_server(wiki.context())


def test_the_server_demands(wiki: Wiki) -> None:
    base = str(wiki.ref("main"))
    assert not trusting.demands_signed(wiki.context(), "", base)
    for value, demanded in (("true", True), ("yes", True), ("false", False)):
        wiki.git("config", "assay.server", value)
        assert trusting.demands_signed(wiki.context(), "", base) is demanded


def test_the_policy_demands(signed: SignedWiki) -> None:
    assert trusting.demands_signed(signed.wiki.context(), "", str(signed.wiki.ref("main")))


def test_an_unsigned_yes_counts_for_nothing_on_a_server(server: Wiki) -> None:
    commit = str(server.ref("main"))
    context = server.context()
    found = examine(context, commit)
    assert (found.problem, found.is_open) == ("the verdict is not signed", False)
    [run] = store.all_runs(context).values()
    assert proof.let_through(context, run, commit) is None
    assert any("does not count: it is not signed" in told for told in server.told)
    assert examining.covering(context, commit) is None


def test_what_a_server_without_a_key_found_itself_counts_there(server: Wiki) -> None:
    done = server.finish(server.run({name(1): page(1)}))
    assert (done.result, done.signer) == ("landed", "")
    context = server.context()
    found = examine(context, done.commit)
    assert found.is_open
    assert proof.let_through(context, server.find(done.run), done.commit) is not None
    assert len(store.verdicts_on(context, done.commit)) == 1
    assert all(attesting.parsed(line) is None for line in _lines(server, done.commit))


def test_an_envelope_where_nobody_may_sign_counts_for_nothing_and_stops_nothing(server: Wiki, tmp_path: Path) -> None:
    commit, key = str(server.ref("main")), make_key(tmp_path, "eve")
    [verdict] = store.verdicts_on(server.context(), commit)
    stated = statement.statement(verdict, trusting.facts(server.context(), "", verdict))
    line = record(verdict.id, sealed(stated, key))
    server.git("notes", f"--ref={names.VERDICTS}", "append", "-m", line, commit)
    found = examine(server.context(), commit)
    assert (found.problem, found.is_open) == ("nobody may sign verdicts here", False)
    [run] = store.all_runs(server.context()).values()
    assert proof.let_through(server.context(), run, commit) is None
    assert any("does not count: nobody may sign" in told for told in server.told)
    server.git("config", "--unset", "assay.server")
    assert examining.signers(server.context(), [verdict]) == {}


def test_a_server_with_signers_of_its_own_signs_what_it_finds_and_believes_what_is_signed(
    server: Wiki, tmp_path: Path
) -> None:
    key = make_key(tmp_path, "gate")
    (tmp_path / "signers").write_text(signer(key))
    server.git("config", "assay.allowedSignersFile", str(tmp_path / "signers"))
    server.git("config", "assay.signingkey", str(key))
    done = server.finish(server.run({name(1): page(1)}))
    assert (done.result, done.signer) == ("landed", "gate@example.org")
    found = examine(server.context(), done.commit)
    assert (found.problem, found.attested.signer) == ("", "gate@example.org")
    server.git("config", "--unset", "assay.server")
    server.git("config", "--unset", "assay.allowedSignersFile")
    later = examine(server.context(), done.commit)  # elsewhere nobody may sign, by this policy
    assert "nobody may sign" in later.problem
    assert not later.is_open


def test_git_is_asked_for_its_settings_once_in_a_command(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    context, base = wiki.context(), str(wiki.ref("main"))
    asked: list[tuple[str, ...]] = []

    def counted(where: Path | Located, *args: str, **how: Any) -> Completed:
        asked.append(args)
        return git(where, *args, **how)

    monkeypatch.setattr(trusting, "git", counted)
    for _ in range(5):
        trusting.demands_signed(context, "", base)
        trusting.fingerprint(context)
        trusting.has_signers(context, "", base)
    assert [args[0] for args in asked] == ["config"]


def _lines(wiki: Wiki, commit: str) -> list[str]:
    return wiki.git("notes", f"--ref={names.VERDICTS}", "show", commit).splitlines()
