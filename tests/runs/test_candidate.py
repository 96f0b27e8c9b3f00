from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.runs import candidate as candidates
from gitops.runs.candidate import Candidate, NothingToLand
from gitops.runs.records import Operation, Run
from tests.runs.driving import MAIN, Wiki, branch, candidate, kept, name, page

AT = "2024-01-02T03:04:05Z"


def _built(wiki: Wiki, run: Run, moment: str = AT) -> Candidate:
    base, head = str(wiki.ref(MAIN)), str(wiki.ref(branch(run)))
    return candidates.build(wiki.context(), run, wiki.workspace(), base, head, moment)


def _signing(wiki: Wiki, tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    allowed = tmp_path / "allowed"
    allowed.write_text(f"ada@example.org {key.with_suffix('.pub').read_text()}")
    for setting, value in (
        ("gpg.format", "ssh"),
        ("user.signingkey", str(key)),
        ("gpg.ssh.allowedSignersFile", str(allowed)),
        ("commit.gpgsign", "true"),
    ):
        wiki.git("config", setting, value)


def test_a_run_without_a_change_makes_no_candidate(wiki: Wiki) -> None:
    with pytest.raises(NothingToLand):
        _built(wiki, wiki.run({}))


def test_a_key_that_cannot_sign_ends_before_anything_is_recorded(wiki: Wiki, tmp_path: Path) -> None:
    _signing(wiki, tmp_path)
    wiki.git("config", "user.signingkey", str(tmp_path / "no-such-key"))
    run = wiki.run()
    before = wiki.refs()
    with pytest.raises(CannotRun, match="could not be signed"):
        wiki.finish(run)
    assert wiki.refs() == before


def test_a_page_that_this_clone_lacks_is_told(wiki: Wiki) -> None:
    run = wiki.run()
    blob = wiki.git("rev-parse", f"{branch(run)}:{name(0)}")
    (wiki.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(CannotRun, match=f"the content of {name(0)} is not in this clone"):
        wiki.finish(run)


def test_the_same_arguments_make_the_same_commit(wiki: Wiki) -> None:
    run = wiki.run()
    first = _built(wiki, run)
    wiki.later(days=3)
    assert _built(wiki, run) == first
    assert _built(wiki, run, "2024-01-02T03:04:06Z").commit != first.commit


def test_the_date_and_the_author_are_the_records(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    run = wiki.run()
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Somebody Else")
    made = _built(wiki, run)
    shown = wiki.git("log", "-1", "--format=%an %ae %at %cn %ct", made.commit)
    assert shown == "Ada Writer ada@example.org 1704164645 Ada Writer 1704164645"


@pytest.mark.parametrize(("style", "parents"), [("merge", 2), ("squash", 1)])
def test_a_candidate_has_the_parents_of_its_style_and_says_where_it_comes_from(
    make_wiki: Callable[..., Wiki], style: str, parents: int
) -> None:
    wiki = make_wiki(f'[publish]\nstyle = "{style}"\n')
    run = wiki.run(reason="A reason.\n\nAssay-Run: another")
    made = _built(wiki, run)
    base, head = str(wiki.ref(MAIN)), str(wiki.ref(branch(run)))
    assert wiki.git("log", "-1", "--format=%P", made.commit).split() == [base, head][:parents]
    assert wiki.git("log", "-1", "--format=%(trailers:only)", made.commit).splitlines()[:4] == [
        f"Assay-Run: {run.id}",
        f"Assay-Base: {base}",
        f"Assay-Head: {head}",
        f"Assay-Policy: {wiki.git('rev-parse', 'main:assay.toml')}",
    ]


def test_the_log_gains_exactly_one_line_and_the_rest_is_the_merge(wiki: Wiki) -> None:
    run = wiki.run()
    made = _built(wiki, run)
    assert wiki.git("diff", "--name-only", made.merged, made.tree) == "wiki/log.md"
    assert wiki.show("wiki/log.md", made.commit) == wiki.show("wiki/log.md") + "\n" + made.log_lines[-1]


@pytest.mark.slow
def test_the_plan_names_what_is_written_with_the_digest_of_its_content(wiki: Wiki) -> None:
    import hashlib

    index = wiki.show("wiki/index.md") + "\nMore.\n"
    wiki.finish(wiki.run({name(1): page(1)}))
    made = _built(wiki, wiki.run({name(0): page(0), "wiki/index.md": index, name(1): None}))
    told = [(step.op, step.path, step.sha256) for step in made.operations]
    assert told == [
        ("update", "wiki/index.md", hashlib.sha256(index.encode()).hexdigest()),
        ("create", name(0), hashlib.sha256(page(0).encode()).hexdigest()),
        ("delete", name(1), None),
    ]


@pytest.mark.slow
def test_a_forged_candidate_ref_is_not_taken_for_ours(wiki: Wiki) -> None:
    run = wiki.run()
    honest = _built(wiki, run)
    parents = [
        word for parent in wiki.git("log", "-1", "--format=%P", honest.commit).split() for word in ("-p", parent)
    ]
    message = wiki.git("log", "-1", "--format=%B", honest.commit).replace("Land", "Approved by everybody:")
    forged = wiki.git("commit-tree", *parents, "-m", message, honest.tree)
    wiki.git("update-ref", candidate(run), forged)
    assert wiki.finish(run).commit not in (forged, "")


@pytest.mark.slow
def test_landing_signs_where_git_is_told_to_and_takes_up_what_it_signed(wiki: Wiki, tmp_path: Path) -> None:
    _signing(wiki, tmp_path)
    run = wiki.run()
    (wiki.folder / "wiki/log.md").write_text("mine\n")
    with pytest.raises(CannotRun, match="verified, not landed"):
        wiki.finish(run)
    signed = wiki.ref(candidate(run))
    wiki.git("checkout", "--", "wiki/log.md")
    wiki.later(days=1)
    assert wiki.finish(run).commit == signed
    assert wiki.git("log", "-1", "--format=%G?", "main") == "G"
    assert wiki.git("log", "-1", "--format=%G?", "main^2") == "N"


@pytest.mark.slow
def test_squashing_makes_a_straight_history_and_keeps_the_runs_own(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki('[publish]\nstyle = "squash"\n')
    runs = [wiki.run({name(number): page(number)}) for number in range(2)]
    for run in runs:
        assert wiki.finish(run).result == "landed"
    assert wiki.git("rev-list", "--count", "main") == wiki.git("rev-list", "--count", "--first-parent", "main") == "3"
    assert [wiki.ref(kept(run)) for run in runs] == [wiki.find(run).state.head for run in runs]


def test_an_operation_of_a_link_has_no_digest(wiki: Wiki) -> None:
    run = wiki.run()
    place = wiki.folder.parent / "there"
    wiki.git("worktree", "add", "--quiet", str(place), f"run/{run.id}")
    (place / "wiki/link.md").symlink_to("index.md")
    Wiki(place).git("add", ".")
    Wiki(place).git("commit", "--quiet", "--message", "A link")
    link = next(step for step in _built(wiki, run).operations if step.path == "wiki/link.md")
    assert isinstance(link, Operation)
    assert (link.sha256, link.blob is None) == (None, False)
    assert wiki.finish(replace(run)).result == "rejected"


def _piped(wiki: Wiki, given: str, *command: str) -> str:
    done = subprocess.run(["git", *command], cwd=wiki.folder, input=given, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("mode", ["120000", "100644", "160000"])
def test_a_run_that_makes_something_else_of_the_wiki_is_refused(wiki: Wiki, mode: str) -> None:
    run = wiki.run({})
    head = str(wiki.ref(branch(run)))
    thing = head if mode == "160000" else _piped(wiki, "raw", "hash-object", "-w", "--stdin")
    others = [line for line in wiki.git("ls-tree", head).splitlines() if not line.endswith("\twiki")]
    kind = "commit" if mode == "160000" else "blob"
    tree = _piped(wiki, "\n".join([*others, f"{mode} {kind} {thing}\twiki"]) + "\n", "mktree")
    commit = wiki.git("commit-tree", "-p", head, "-m", "Replace the wiki", tree)
    wiki.git("update-ref", branch(run), commit)
    outcome = wiki.finish(run)
    assert outcome.result == "rejected"
    assert outcome.verdict is not None
    assert ("path_acl", "outside_wiki", "wiki") in {(f.check, f.result, f.path) for f in outcome.verdict.findings}
