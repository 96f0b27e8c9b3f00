"""Notes pushed to a real server: only ever added to, and what is added is a record that holds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from gitops import canonical
from gitops.git import signing
from gitops.runs import attesting, feedback, measurements, names
from gitops.runs.records import id_of
from tests.runs.receiving.pushes import NOTES, Served
from tests.runs.signed import OPTIONS, record, signer
from tests.runs.signed import public as public_half

pytestmark = pytest.mark.slow

ALL = (names.RUNS, names.VERDICTS, names.EVALS, names.FEEDBACK, names.TRANSCRIPTS, "refs/notes/assay/later")


def _line(**body: object) -> str:
    return canonical.line("a line", body | {"id": id_of(dict(body))})


def _note(served: Served, ref: str, target: str, *lines: str) -> None:
    text = "".join(f"{line}\n" for line in lines)
    command = ["git", "-C", os.fspath(served.wiki.folder), "hash-object", "-w", "--stdin"]
    blob = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.strip()
    served.wiki.git("notes", f"--ref={ref}", "add", "-f", "-C", blob, target)


# Lost


def test_notes_are_never_deleted_nor_rewritten(served: Served) -> None:
    served.landed()
    served.takes(NOTES)
    assert "only ever added to" in served.refuses(f":{names.VERDICTS}")
    tree = served.wiki.git("rev-parse", f"{names.VERDICTS}^{{tree}}")
    served.wiki.git("update-ref", names.VERDICTS, served.wiki.git("commit-tree", "-m", "anew", tree))
    assert "does not lead on" in served.refuses("--force", names.VERDICTS)


@pytest.mark.parametrize("how", ["a line", "a note"])
def test_nothing_that_stands_there_is_dropped(served: Served, how: str) -> None:
    commit = served.landed()
    served.takes(NOTES)
    if how == "a line":
        served.signed.write(commit, *served.signed.lines(commit)[1:])
    else:
        served.wiki.git("notes", f"--ref={names.VERDICTS}", "remove", commit)
    told = served.refuses(NOTES)
    assert "gone, first on " + commit[:10] in told
    assert "git assay sync" in told


def test_notes_that_lie_elsewhere_in_the_tree_are_the_same_notes(served: Served) -> None:
    served.landed()
    served.takes(NOTES)
    listed = served.wiki.git("ls-tree", "-r", names.VERDICTS).replace("/", "")
    flat = subprocess.run(
        ["git", "-C", os.fspath(served.wiki.folder), "mktree"], input=listed + "\n", capture_output=True, text=True
    ).stdout.strip()
    moved = served.wiki.git("commit-tree", "-m", "flat", "-p", names.VERDICTS, flat)
    served.takes(f"{moved}:{names.VERDICTS}")


# Added


@pytest.mark.parametrize("ref", ALL)
def test_a_line_that_is_no_record_is_refused_with_its_mend(served: Served, ref: str) -> None:
    _note(served, ref, "main", "hello")
    told = served.refuses(NOTES)
    assert "it is no record" in told
    assert f"git notes --ref={ref} remove " in told


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"summary":"x","id":"1","id":"2"}', "a name occurs twice"),
        ('{"summary":"x","kind":"later","id":"0000"}', "its id is not the digest of its content"),
        (_line(kind="later")[:-1], "it is no record"),
        (_line(kind="later").replace(",", ", "), "it is not canonical JSON"),
    ],
    ids=["a name twice", "another id", "truncated", "not canonical"],
)
def test_a_line_that_two_readers_could_take_for_two_things_is_refused(served: Served, line: str, why: str) -> None:
    _note(served, names.FEEDBACK, "main", line)
    assert why in served.refuses(NOTES)


@pytest.mark.parametrize(
    ("ref", "line"),
    [
        (names.RUNS, _line(kind="state", schema="assay/run/1", run_id="x")),
        (names.VERDICTS, _line(kind="verdict", schema="assay/verdict/1")),
        (names.EVALS, _line(kind="metric", schema=measurements.SCHEMA)),
        (names.FEEDBACK, _line(kind="ack", schema=feedback.SCHEMA)),
        (names.TRANSCRIPTS, _line(kind="transcript", schema="assay/transcript/1", run_id="x")),
    ],
)
def test_a_record_of_a_known_kind_that_lacks_its_fields_is_refused(served: Served, ref: str, line: str) -> None:
    _note(served, ref, "main", line)
    assert "cannot be taken" in served.refuses(NOTES)


def test_a_kind_of_record_that_is_not_known_yet_is_taken(served: Served) -> None:
    _note(served, names.EVALS, "main", _line(kind="later", schema="assay/later/1"))
    served.takes(NOTES)


def test_a_verdict_on_another_commit_is_refused(served: Served) -> None:
    commit = served.landed()
    served.signed.write(f"{commit}^1", *served.signed.lines(commit))
    assert f"it judges {commit[:10]}, another commit" in served.refuses(NOTES)


def test_what_is_no_note_does_not_come_in_among_them(served: Served) -> None:
    blob = served.wiki.git("rev-parse", "main:notes.txt")
    for path in ("readme.md", "12/34"):
        index = {"GIT_INDEX_FILE": os.fspath(served.wiki.folder / ".git/other")}
        env = {**os.environ, **index}
        folder = os.fspath(served.wiki.folder)
        subprocess.run(["git", "-C", folder, "read-tree", "--empty"], env=env, check=True)
        subprocess.run(
            ["git", "-C", folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},{path}"], env=env, check=True
        )
        done = subprocess.run(["git", "-C", folder, "write-tree"], env=env, check=True, capture_output=True, text=True)
        commit = served.wiki.git("commit-tree", "-m", "stray", done.stdout.strip())
        assert "is no note" in served.refuses(f"{commit}:{names.EVALS}")


def test_notes_are_commits(served: Served) -> None:
    blob = served.wiki.git("rev-parse", "main:notes.txt")
    assert "not a commit" in served.refuses(f"{blob}:{names.EVALS}")


# Signatures


def _server_says(served: Served, tmp_path: Path, key: str, text: str) -> None:
    (tmp_path / key).write_text(text)
    served.git("config", key, os.fspath(tmp_path / key))


@pytest.mark.parametrize("how", ["no such key", "expired", "revoked", "another namespace"])
def test_a_signature_that_does_not_hold_is_refused_once_its_commits_are_here(
    served: Served, tmp_path: Path, how: str
) -> None:
    commit = served.landed()
    served.takes(f"{commit}:refs/tags/seen")
    allowed = {"expired": signer(served.signed.key, f'{OPTIONS},valid-before="20230101Z"')}
    allowed |= {"another namespace": signer(served.signed.key, 'namespaces="git"')}
    if how == "revoked":
        _server_says(served, tmp_path, "assay.revokedKeysFile", f"{public_half(served.signed.key)}\n")
    elif how in allowed:
        _server_says(served, tmp_path, "assay.allowedSignersFile", allowed[how])
    else:
        served.signed.replace_envelope(commit, served.signed.forged(commit, served.signed.other))
    said = {"no such key": "none of the allowed", "expired": "key has expired", "revoked": "is revoked"}
    assert said.get(how, "not permitted for use in signature namespace") in served.refuses(NOTES)


def test_a_signature_made_in_another_namespace_is_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = served.landed()
    served.takes(f"{commit}:refs/tags/seen")
    with monkeypatch.context() as other:
        other.setattr(signing, "NAMESPACE", "git")
        envelope = served.signed.forged(commit, served.signed.key)
    served.signed.replace_envelope(commit, envelope)
    assert "it was made in another namespace" in served.refuses(NOTES)


@pytest.mark.parametrize(
    "changed",
    [{"repository": "https://example.org/other.git"}, {"run": "another-run"}, {"target": "refs/heads/release"}],
    ids=["repository", "run", "ref"],
)
def test_a_signature_on_something_else_is_refused(served: Served, changed: dict[str, str]) -> None:
    commit = served.landed()
    served.takes(f"{commit}:refs/tags/seen")
    served.signed.replace_envelope(commit, served.signed.forged(commit, served.signed.key, **changed))
    assert "is signed as" in served.refuses(NOTES)


def test_a_server_of_another_name_takes_no_verdict_that_was_given_upstream(served: Served) -> None:
    served.git("config", "assay.repository", "https://example.org/fork.git")
    served.unverified()
    served.takes(NOTES)
    told = served.refuses("main")
    assert "does not count: repository is signed as" in told
    assert "quote_anchor altered" in told


def test_a_signature_stands_beside_its_verdict(served: Served) -> None:
    commit = served.landed()
    [alone] = [line for line in served.signed.lines(commit) if attesting.parsed(line) is not None]
    served.signed.write(commit, alone)
    assert "does not stand beside it" in served.refuses(NOTES)
    for envelope in ('{"payload":"x"}', "[]"):
        served.signed.write(commit, record("1" * 40, envelope))
        assert "cannot be taken" in served.refuses(NOTES)


def test_a_verdict_without_its_signature_is_taken_and_counts_for_nothing(served: Served) -> None:
    commit = served.unverified()
    served.signed.write(commit, *(each for each in served.signed.lines(commit) if attesting.parsed(each) is None))
    served.takes(NOTES)
    assert "quote_anchor altered" in served.refuses("main")
