"""Sources that are renewed or removed by a push: where verdicts are signed, somebody who may has to have signed it."""

from __future__ import annotations

import os

import pytest

from gitops import hooks
from gitops.runs import feedback, intake, names, renewing
from gitops.runs.authority import Authority
from tests.runs import vouched
from tests.runs.driving import MAIN, SOURCE
from tests.runs.receiving.pushes import NOTES, RUNS_BY, Served
from tests.runs.vouched import Vouched

pytestmark = pytest.mark.slow
PATH = "raw/tides.md"
NEW = {PATH: (SOURCE + "More.\n").encode()}


def _synced(served: Served, files: dict[str, bytes | None] | None = None) -> str:
    """A renewal as `git assay raw sync` makes it; its commit."""
    taken = intake.sync(served.wiki.context(), served.wiki.workspace(), MAIN, files or NEW)
    assert taken.signed_by == "ada@example.org"
    return taken.commit


def _record(served: Served, commit: str) -> Vouched:
    [said] = feedback.syncs_on(served.wiki.context(), commit)
    return Vouched(served.signed, names.FEEDBACK, commit, said.record())


def _refused(served: Served, why: str) -> None:
    """Refused with the reason and the mend, whether the records come along or came before."""
    told = served.refuses("--no-verify", "main", NOTES)
    assert "raw_sealed raw_unsigned" in told
    assert why in " ".join(told.replace("remote:", "").split())
    assert "git assay raw sync raw/tides.md" in told
    served.takes(NOTES)
    assert "raw_unsigned" in served.refuses("main")
    assert "raw_unsigned" in served.refuses("main:refs/heads/other")


# Refused


def test_a_forged_trailer_authorises_nothing(served: Served) -> None:
    served.commit({PATH: SOURCE + "More.\n"}, f"Renew source {PATH}\n\nAssay-Raw: {PATH}\n")
    _refused(served, "nobody signed it")


def test_a_removal_that_nobody_signed(served: Served) -> None:
    served.commit({PATH: None}, f"Remove source {PATH}\n\nAssay-Raw: {PATH}\n")
    _refused(served, "nobody signed it")


def test_a_record_that_nobody_signed(served: Served) -> None:
    record = _record(served, _synced(served))
    record.write(*record.bare)
    _refused(served, "nobody signed it")


def test_a_record_by_a_key_that_may_not_sign_is_not_even_taken(served: Served) -> None:
    record = _record(served, _synced(served))
    record.reseal(record.forged(served.signed.other))
    assert "none of the allowed signers'" in served.refuses("main", NOTES)


def test_a_record_for_other_sources(served: Served) -> None:
    intake.add(served.wiki.context(), served.wiki.workspace(), MAIN, {"raw/other.md": b"Other.\n"})
    served.takes("main")
    record = _record(served, _synced(served, {"raw/other.md": b"Newer.\n"}))
    commit = served.commit({PATH: SOURCE + "More.\n"})
    body = record.changed(commit=commit)
    vouched.write(served.wiki, names.FEEDBACK, commit, vouched.line(body), *_sealed(served, commit, body))
    _refused(served, "nobody signed it")


def test_a_record_that_was_moved_to_another_commit(served: Served) -> None:
    record = _record(served, _synced(served))
    lines = record.lines()
    served.wiki.git("reset", "--quiet", "--hard", "HEAD^")
    commit = served.commit({PATH: "Mine.\n"})
    record.write(*lines, commit=commit)
    assert "another commit" in served.refuses("main", NOTES)
    served.wiki.git("notes", f"--ref={names.FEEDBACK}", "remove", commit)
    _refused(served, "nobody signed it")


def test_a_renewal_that_brings_a_page_along(served: Served) -> None:
    commit = served.commit({PATH: SOURCE + "More.\n", "wiki/new.md": "# New\n"})
    base = served.wiki.git("rev-parse", f"{commit}^")
    assert renewing.vouch(Authority(served.wiki.context(), "tides", base), commit, [PATH])
    assert "raw_sealed raw_write" in served.refuses("main", NOTES)


@pytest.mark.parametrize("path", ["raw/.gitattributes", "raw/sub/.hidden/a.md"])
def test_what_steers_tools_is_no_source(served: Served, path: str) -> None:
    served.commit({path: "* text\n"}, f"Add source {path}\n\nAssay-Raw: {path}\n")
    told = served.refuses("main")
    assert "raw_sealed raw_write" in told
    assert "begins with a dot" in told


# Taken


def test_a_signed_renewal_with_its_record(served: Served) -> None:
    commit = _synced(served)
    assert "raw_unsigned" in served.refuses("main")  # its record has not come yet
    served.takes("main", NOTES)
    assert served.ref("main") == commit


def test_a_signed_removal_whose_record_came_before(served: Served) -> None:
    intake.add(served.wiki.context(), served.wiki.workspace(), MAIN, {"raw/other.md": b"Other.\n"})
    _synced(served, {"raw/other.md": None})
    served.takes(NOTES)
    served.takes("main")


def test_a_source_that_is_added_needs_no_signature(served: Served) -> None:
    intake.add(served.wiki.context(), served.wiki.workspace(), MAIN, {"raw/other.md": b"Other.\n"})
    served.takes("main")


def test_where_a_server_names_nobody_who_may_sign_whoever_may_push_renews(served: Served) -> None:
    policy = served.wiki.show("assay.toml").replace("signed = true", "signed = false")
    served.commit({"assay.toml": policy, ".assay/allowed_signers": None}, "Sign nothing")
    served.takes("main")
    taken = intake.sync(served.wiki.context(), served.wiki.workspace(), MAIN, NEW)
    assert taken.signed_by == ""
    served.takes("main")


def test_the_push_command_brings_the_record_along(served: Served) -> None:
    commit = _synced(served)
    command = served.folder.parent / "bin/git-assay"
    command.parent.mkdir()
    command.write_text(RUNS_BY)
    command.chmod(0o755)
    hook = served.wiki.folder / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(hooks.hook_script("pre-push"))
    hook.chmod(0o755)
    done = served.push("main", env={"PATH": f"{command.parent}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stderr
    assert served.ref("main") == commit


def test_the_record_says_who_and_which(served: Served) -> None:
    commit = _synced(served)
    record = _record(served, commit).record
    assert (record["kind"], record["commit"], record["paths"]) == ("raw_sync", commit, [PATH])
    assert set(record) >= {"by", "at", "workspace", "id"}


def _sealed(served: Served, commit: str, body: dict[str, object]) -> list[str]:
    stands = Vouched(served.signed, names.FEEDBACK, commit, body)
    return [vouched.beside(str(body["id"]), stands.forged(served.signed.key))]
