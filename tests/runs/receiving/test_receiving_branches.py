"""The branch that runs land on, pushed to a real server: what moves it, and what is refused."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gitops import canonical
from gitops.runs import intake, names, overriding, store
from tests.runs.driving import MAIN, QUOTE, SOURCE, name, page
from tests.runs.receiving.pushes import ALTERED, NOTES, Served
from tests.runs.signed import ALLOWED, make_key, signer
from tests.serving.transports import daemon

pytestmark = pytest.mark.slow

OFF = '\n[checks.quote_anchor]\nlevel = "off"\n[checks.support]\nlevel = "off"\n'


# Refused


def test_it_is_never_deleted(served: Served) -> None:
    served.wiki.git("branch", "other")
    assert "never deleted" in served.refuses("other", ":main")


def test_it_never_goes_back_nor_aside(served: Served) -> None:
    served.commit({"notes.txt": "one"})
    served.takes("main")
    served.wiki.git("reset", "--quiet", "--hard", "HEAD^")
    assert "moves forward only" in served.refuses("--force", "main")
    served.commit({"notes.txt": "another"})
    assert "moves forward only" in served.refuses("--force", "main")


def test_a_page_that_misquotes_is_refused_with_its_mend_and_nothing_of_it_is_left(served: Served) -> None:
    served.commit(ALTERED)
    told = served.refuses("--no-verify", "main")
    assert "remote: wiki/p000.md" in told
    assert "quote_anchor altered" in told
    assert "mend: " in told
    assert "remote: error: not taken: main" in told
    assert "remote: hint:  mend it and push again" in told


def test_the_second_ref_line_is_read_too(served: Served) -> None:
    served.wiki.git("tag", "v1")
    served.wiki.git("branch", "fine")
    served.commit(ALTERED)
    assert "not taken: main" in served.refuses("v1", "fine", "main")
    served.takes("v1", "fine")


def test_another_name_of_it_is_no_way_round(served: Served) -> None:
    served.git("symbolic-ref", "refs/heads/alias", MAIN)
    served.git("symbolic-ref", "refs/other/alias", MAIN)
    served.commit(ALTERED)
    assert "not taken: main" in served.refuses("main:alias")
    assert "not taken: main" in served.refuses("main:refs/other/alias")


def test_a_page_written_through_libgit2_is_looked_at_like_any_other(served: Served) -> None:
    import pygit2

    class Refusing(pygit2.RemoteCallbacks):
        def push_update_reference(self, refname: str, message: str | None) -> None:
            if message is not None:
                raise pygit2.GitError(f"{refname}: {message}")

    handle = pygit2.Repository(str(served.wiki.folder))
    index = handle.index
    blob = handle.create_blob(ALTERED[name(0)].encode())
    index.add(pygit2.IndexEntry(name(0), blob, pygit2.enums.FileMode.BLOB))
    tree, who = index.write_tree(handle), pygit2.Signature("Eve", "eve@example.org")
    handle.create_commit(MAIN, who, who, "no hook has seen this", tree, [handle.head.target])
    assert "quote_anchor altered" in served.refuses("main")
    with daemon(served.folder) as url:
        handle.remotes.create("by-daemon", url)
        refs, held = served.git("for-each-ref"), served.objects()
        with pytest.raises(pygit2.GitError, match="hook declined"):
            handle.remotes["by-daemon"].push([MAIN], callbacks=Refusing())
    until = time.monotonic() + 10  # the client is told before the server has swept the quarantine
    while served.objects() != held and time.monotonic() < until:
        time.sleep(0.02)
    assert (served.git("for-each-ref"), served.objects()) == (refs, held)
    assert served.git("fsck", "--full") == ""


def test_an_unsigned_verdict_counts_for_nothing(served: Served) -> None:
    commit = served.unverified()
    served.signed.write(commit, *(each for each in served.signed.lines(commit) if '"kind":"attestation"' not in each))
    told = served.refuses("main", NOTES)
    assert "quote_anchor altered" in told
    assert "does not count: the verdict is not signed" in told or "does not count: it is not signed" in told
    served.takes(NOTES)
    assert "quote_anchor altered" in served.refuses("main")


def test_an_unsigned_override_counts_for_nothing(served: Served) -> None:
    run = served.wiki.run(ALTERED)
    assert served.wiki.finish(run).result == "rejected"
    commit = overriding.override(served.wiki.context(), run.id, "the source is wrong").commit
    lines = served.signed.lines(commit)
    served.signed.write(commit, *(each for each in lines if '"kind":"attestation"' not in each))
    assert "quote_anchor altered" in served.refuses("main", NOTES)
    served.signed.write(commit, *lines)
    served.takes("main", NOTES)


def test_a_verdict_for_another_branch_counts_for_nothing(served: Served) -> None:
    served.unverified()
    served.takes("main~1:refs/heads/trunk", NOTES)
    served.git("config", "assay.target", "trunk")
    told = served.refuses("main:refs/heads/trunk")
    assert "quote_anchor altered" in told
    assert "for another target" in told


@pytest.mark.parametrize("where", ["another base", "a reverted tree"])
def test_a_verdict_replayed_elsewhere_counts_for_nothing(served: Served, where: str) -> None:
    commit = served.unverified()
    tree = served.wiki.git("rev-parse", f"{commit}^{{tree}}")
    if where == "a reverted tree":
        served.takes("main", NOTES)
        served.commit({name(0): page(0)}, "Mend it")
    else:
        served.wiki.git("reset", "--quiet", "--hard", "HEAD^")
        served.commit({"notes.txt": "a line"})
    served.takes("main")
    again = served.wiki.git("commit-tree", "-m", "again", "-p", "main", tree)
    served.wiki.git("update-ref", MAIN, again)
    served.signed.write(again, *served.signed.lines(commit))
    assert "another commit" in served.refuses(NOTES)
    served.wiki.git("notes", f"--ref={names.VERDICTS}", "remove", again)
    assert "quote_anchor altered" in served.refuses("main")


def test_a_policy_weakened_in_the_change_does_not_judge_it(served: Served) -> None:
    served.commit({"assay.toml": served.wiki.show("assay.toml") + OFF} | ALTERED)
    told = served.refuses("main")
    assert "quote_anchor altered" in told


def test_a_policy_that_switches_everything_off_rules_nothing_behind_it_in_the_same_push(served: Served) -> None:
    every = "\n" + "".join(f'[checks.{each}]\nlevel = "off"\n' for each in ("quote_anchor", "support", "source_exists"))
    served.commit({"assay.toml": served.wiki.show("assay.toml") + every}, "Weaken")
    served.commit(ALTERED, "Then write")
    assert "quote_anchor altered" in served.refuses("main")


def test_a_policy_that_cannot_be_read_never_comes_in(served: Served) -> None:
    """Nothing could be judged by it afterwards, not even its mend."""
    served.commit({"assay.toml": "[workspace"})
    assert "assay.toml" in served.refuses("main", "main:refs/heads/other")
    served.git("update-ref", "-d", MAIN)
    served.refuses("main")


def test_a_key_that_comes_in_the_same_push_signs_nothing_in_it(served: Served, tmp_path: Path) -> None:
    mine = make_key(tmp_path, "mallory")
    served.commit({ALLOWED: signer(served.signed.key) + signer(mine)}, "Allow my own key")
    served.signed.use(mine)
    served.unverified()
    told = served.refuses("main", NOTES)
    assert "quote_anchor altered" in told
    assert "come in the same push" in told


def test_a_forged_trailer_seals_nothing(served: Served) -> None:
    message = "Add source\n\nAssay-Raw: raw/tides.md\n"
    served.commit({"raw/tides.md": SOURCE + "More.\n", name(0): page(0)}, message)
    assert "raw_sealed" in served.refuses("main")


def test_a_source_that_is_written_and_taken_back_in_between_is_seen(served: Served) -> None:
    served.commit({"raw/tides.md": SOURCE + "More.\n", name(0): page(0)})
    served.commit({"raw/tides.md": SOURCE})
    assert "raw_sealed" in served.refuses("main")


def test_a_signed_landing_lets_no_source_through_that_its_run_wrote(served: Served) -> None:
    """Whoever signed: what no verdict lets is looked at in every commit of the run."""
    served.wiki.git("switch", "--quiet", "--create", "side")
    served.commit({"raw/tides.md": SOURCE + "More.\n", name(0): page(0)})
    served.commit({"raw/tides.md": SOURCE})
    head = served.wiki.ref("side")
    served.wiki.git("switch", "--quiet", "main")
    base = str(served.wiki.ref("main"))
    tree = served.wiki.git("rev-parse", "side^{tree}")
    landed = _signed_landing(served, base, str(head), tree)
    told = served.refuses(f"{landed}:refs/heads/main", NOTES)
    assert "raw_sealed" in told
    assert "writes what no verdict lets" in told


def test_the_log_is_nobodys_to_write(served: Served) -> None:
    served.commit({"wiki/log.md": served.wiki.show("wiki/log.md") + "- 2024-01-02 cascade: mine (run mine)\n"})
    told = served.refuses("main")
    assert "path_acl log" in told
    assert "git assay sync" in told


def test_where_only_a_model_can_judge_it_is_told_how_it_gets_in(served: Served) -> None:
    policy = served.wiki.show("assay.toml") + '\n[verify]\njudge = "claude"\n'
    served.commit({"assay.toml": policy}, "Have Claude judge")
    served.takes("main")
    served.commit({name(0): page(0)})
    told = served.refuses("main")
    assert "no verdict: 0 of 1 claims have a vote" in told
    assert "refs/heads/run/ID" in told


def test_more_findings_than_a_terminal_shows_are_counted(served: Served) -> None:
    served.commit({name(number): page(number, "the sea never falls back") for number in range(25)})
    told = served.refuses("main")
    assert told.count("quote_anchor altered") == 21  # twenty, and the first in the reason
    assert "and 5 more: git assay verify main --base REMOTE/main" in told


def test_a_no_that_nobody_signed_holds_no_landing_up(served: Served) -> None:
    """Else whoever may push notes could close the branch to everybody."""
    commit = served.unverified()
    [verdict] = store.verdicts_on(served.wiki.context(), commit)
    every = []
    for no in ("reject", "revise"):
        body = verdict.model_copy(update={"verdict": no, "reasoning": "because", "supersedes": (verdict.id,)})
        record = body.named().record()
        every.append(canonical.line(record.pop("summary"), record))
    served.signed.write(commit, *every, *served.signed.lines(commit))
    served.takes(NOTES)
    assert "does not count: it is not signed" in served.takes("main")


def test_a_no_that_nobody_signed_holds_no_squash_up(served: Served) -> None:
    commit = served.unverified()
    squashed = served.wiki.git("commit-tree", "-m", "Squashed", "-p", f"{commit}^1", f"{commit}^{{tree}}")
    [verdict] = store.verdicts_on(served.wiki.context(), commit)
    record = verdict.model_copy(update={"verdict": "reject", "candidate": squashed}).named().record()
    served.signed.write(squashed, canonical.line(record.pop("summary"), record))
    served.takes(NOTES)
    assert "landed with a verdict" in served.takes(f"{squashed}:refs/heads/main")


# Taken


def test_a_landing_stands_by_its_signed_verdict_that_came_before(served: Served) -> None:
    served.unverified()
    served.takes(NOTES)
    assert "landed with a verdict or intakes" in served.takes("main")
    assert served.ref("main") == served.wiki.ref("main")


def test_or_that_comes_in_the_same_push(served: Served) -> None:
    served.unverified()
    assert "landed with a verdict or intakes" in served.takes("--atomic", "main", NOTES)


def test_a_squash_button_is_covered(served: Served) -> None:
    commit = served.unverified()
    served.takes(NOTES)
    squashed = served.wiki.git("commit-tree", "-m", "Squashed", "-p", f"{commit}^1", f"{commit}^{{tree}}")
    assert "landed with a verdict" in served.takes(f"{squashed}:refs/heads/main")


def test_peoples_sound_changes_are_verified_here(served: Served) -> None:
    served.commit({name(0): page(0)})
    assert "main: commit: 1 cited claim read against the sources" in served.takes("main")


def test_what_is_mended_behind_a_fault_passes_as_one_change(served: Served) -> None:
    served.commit(ALTERED)
    served.commit({name(0): page(0)})
    served.takes("main")


def test_sources_come_in_by_themselves(served: Served) -> None:
    context, workspace = served.wiki.context(), served.wiki.workspace()
    intake.add(context, workspace, MAIN, {"raw/new.md": f"New.\n\n{QUOTE}\n".encode()})
    assert "landed with a verdict or intakes" in served.takes("main")


def test_own_steps_between_landings_are_verified_and_the_landings_are_not_again(served: Served) -> None:
    served.unverified()
    served.commit({name(1): page(1)})
    served.landed({name(2): page(2)})
    told = served.takes("main", NOTES)
    assert "main: commit: 1 cited claim" in told
    served.commit({name(3): page(3)})
    served.unverified({name(4): page(4, "the sea stands still")})
    served.commit({name(5): page(5, "it never moves")})
    assert "wiki/p005.md" in served.refuses("main", NOTES)


def test_a_first_push_has_nothing_to_be_judged_by_and_says_so(served: Served) -> None:
    served.git("update-ref", "-d", MAIN)
    assert "there is no policy here yet to judge it by" in served.takes("main")


def test_a_policy_comes_in_and_rules_what_comes_after(served: Served) -> None:
    served.commit({"assay.toml": served.wiki.show("assay.toml") + OFF}, "Weaken")
    served.takes("main")
    served.commit(ALTERED)
    served.takes("main")


def test_where_the_branch_was_merged_the_wrong_way_round_all_of_it_is_verified(served: Served) -> None:
    served.wiki.git("switch", "--quiet", "--create", "mine")
    served.commit({name(1): page(1)})
    served.wiki.git("switch", "--quiet", "main")
    served.unverified()
    served.takes("main", NOTES)
    served.wiki.git("switch", "--quiet", "mine")
    served.wiki.git("merge", "--quiet", "--no-edit", "main")
    assert "main: commit: 1 cited claim" in served.takes("mine:main")


def test_a_landing_that_is_pushed_at_once_gets_in_when_its_records_are_there(served: Served) -> None:
    """They go ahead, whether a hook of the pusher's would send them or not; where they may not, the server says why."""
    served.wiki.git("branch", "--quiet", "--set-upstream-to=origin/main", "main")
    run = served.wiki.run(ALTERED)
    served.wiki.git("config", "assay.pushNotes", "false")
    done = served.wiki.assay("run", "finish", run.id, "--push", "--no-verify")
    assert done.returncode == 3, done.stderr
    assert "refused the push" in done.stderr
    served.wiki.git("config", "--unset", "assay.pushNotes")
    done = served.wiki.assay("run", "finish", run.id, "--push", "--no-verify")
    assert done.returncode == 0, done.stderr
    assert served.ref("main") == served.wiki.ref("main")


def _signed_landing(served: Served, base: str, head: str, tree: str) -> str:
    """A landing of a commit that no run of ours has staged, with a verdict that the allowed key has signed."""
    from gitops.runs import trusting
    from gitops.verify import statement
    from tests.runs.signed import record, sealed

    sound = served.landed({name(7): page(7)})
    context = served.wiki.context()
    [verdict] = store.verdicts_on(context, sound)
    trailers = f"Assay-Run: {verdict.run_id}\nAssay-Base: {base}\nAssay-Head: {head}\n"
    commit = served.wiki.git("commit-tree", "-m", f"Land\n\n{trailers}", "-p", base, "-p", head, tree)
    forged = verdict.model_copy(update={"base": base, "head": head, "tree": tree, "candidate": commit}).named()
    envelope = sealed(statement.statement(forged, trusting.facts(context, "", forged)), served.signed.key)
    body = forged.record()
    served.signed.write(commit, canonical.line(body.pop("summary"), body), record(forged.id, envelope))
    return commit
