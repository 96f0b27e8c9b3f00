from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.runs import intake, revisions
from tests.runs.driving import MAIN, SOURCE, Wiki
from tests.runs.signed import SignedWiki
from tests.runs.signed import signed as signed

NEW = "raw/neap.md"


def _add(wiki: Wiki, files: dict[str, bytes]) -> intake.Taken:
    return intake.add(wiki.context(), wiki.workspace(), MAIN, files)


def _sync(wiki: Wiki, files: Mapping[str, bytes | None]) -> intake.Taken:
    return intake.sync(wiki.context(), wiki.workspace(), MAIN, files)


def test_a_source_that_is_there_with_other_content_takes_sync(wiki: Wiki) -> None:
    before = wiki.refs()
    with pytest.raises(UsageError, match="is there already, with other content") as caught:
        _add(wiki, {"raw/tides.md": b"other\n", NEW: b"new\n"})
    assert caught.value.hint == "git assay raw sync raw/tides.md"
    assert wiki.refs() == before


def test_a_source_that_is_not_there_cannot_be_renewed(wiki: Wiki) -> None:
    with pytest.raises(UsageError, match="is no source yet") as caught:
        _sync(wiki, {NEW: b"new\n"})
    assert caught.value.hint == f"git assay raw add {NEW}"


def test_a_source_that_is_not_there_cannot_be_removed(wiki: Wiki) -> None:
    with pytest.raises(UsageError, match="is no source yet"):
        _sync(wiki, {NEW: None})


def test_a_file_that_was_edited_meanwhile_is_not_removed(wiki: Wiki) -> None:
    (wiki.folder / "raw/tides.md").write_bytes(b"mine\n")
    before = wiki.refs()
    with pytest.raises(CannotRun, match="not uptodate"):
        _sync(wiki, {"raw/tides.md": None})
    assert ((wiki.folder / "raw/tides.md").read_bytes(), wiki.refs()) == (b"mine\n", before)


def test_one_source_is_renewed_and_another_removed_in_one_commit(wiki: Wiki) -> None:
    _add(wiki, {NEW: b"new\n"})
    taken = _sync(wiki, {"raw/tides.md": b"renewed\n", NEW: None})
    assert taken.removed == (NEW,)
    assert wiki.git("log", "-1", "--format=%s") == f"Renew source raw/tides.md, Remove source {NEW}"
    assert wiki.git("ls-files", "raw") == "raw/tides.md"
    assert not (wiki.folder / NEW).exists()
    assert wiki.git("status", "--porcelain") == ""


@pytest.mark.parametrize("path", ["raw/.gitattributes", "raw/.DS_Store", "raw/sub/.gitignore"])
def test_a_file_that_steers_tools_is_no_source(wiki: Wiki, path: str) -> None:
    with pytest.raises(UsageError, match="begins with a dot"):
        _add(wiki, {path: b"* filter=evil\n"})


def test_a_folder_or_a_link_in_its_place_is_not_overwritten(wiki: Wiki) -> None:
    (wiki.folder / "raw/deep").mkdir()
    (wiki.folder / "raw/deep/a.md").write_text("a\n")
    (wiki.folder / "raw/link.md").symlink_to("tides.md")
    wiki.git("add", ".")
    wiki.git("commit", "--quiet", "--message", "Sources")
    for path in ("raw/deep", "raw/link.md"):
        with pytest.raises(UsageError, match="as something else than a plain file"):
            _add(wiki, {path: b"x\n"})


@pytest.mark.parametrize("path", ["../x.md", "raw/../x.md", "raw/.git/x", "/etc/passwd"])
def test_a_place_that_escapes_is_refused(wiki: Wiki, path: str) -> None:
    with pytest.raises(UsageError):
        intake.place_of(wiki.workspace(), Path("x.md"), None, path)


def test_an_unrelated_file_of_that_name_in_the_worktree_is_not_overwritten(wiki: Wiki) -> None:
    (wiki.folder / NEW).write_text("mine, of another kind\n")
    before = wiki.refs()
    with pytest.raises(CannotRun, match="would be overwritten"):
        _add(wiki, {NEW: b"new\n"})
    assert (wiki.folder / NEW).read_text() == "mine, of another kind\n"
    assert wiki.refs() == before
    assert wiki.git("status", "--porcelain") == f"?? {NEW}"


def test_when_one_file_is_in_the_way_nothing_is_staged_of_the_others(wiki: Wiki) -> None:
    (wiki.folder / NEW).write_text("mine\n")
    (wiki.folder / "raw/good.md").write_text("good\n")
    with pytest.raises(CannotRun):
        _add(wiki, {NEW: b"new\n", "raw/good.md": b"good\n"})
    assert wiki.git("status", "--porcelain").splitlines() == ["?? raw/good.md", f"?? {NEW}"]


@pytest.mark.parametrize("ignored", [False, True])
def test_a_file_that_lies_in_place_untracked_is_taken_in_where_it_lies(wiki: Wiki, ignored: bool) -> None:
    if ignored:
        (wiki.folder / ".git/info").mkdir(exist_ok=True)
        (wiki.folder / ".git/info/exclude").write_text("raw/\n")
    (wiki.folder / "notes.txt").write_text("mine\n")
    (wiki.folder / NEW).write_bytes(b"new\n")
    taken = _add(wiki, {NEW: b"new\n"})
    assert (wiki.ref(MAIN), taken.paths) == (taken.commit, (NEW,))
    assert wiki.git("status", "--porcelain") == " M notes.txt"
    assert wiki.git("log", "-1", "--format=%s %(trailers:only)").split("\n") == [
        f"Add source {NEW} Assay-Raw: {NEW}",
        "",
    ]


def test_a_source_that_was_edited_in_place_is_renewed_where_it_lies(wiki: Wiki) -> None:
    (wiki.folder / "raw/tides.md").write_bytes(b"renewed\n")
    taken = _sync(wiki, {"raw/tides.md": b"renewed\n"})
    assert wiki.show("raw/tides.md") == "renewed"
    assert wiki.git("log", "-1", "--format=%s") == "Renew source raw/tides.md"
    assert (wiki.git("status", "--porcelain"), wiki.ref(MAIN)) == ("", taken.commit)


def test_a_source_edited_otherwise_than_it_is_renewed_is_left_alone(wiki: Wiki) -> None:
    (wiki.folder / "raw/tides.md").write_bytes(b"mine\n")
    with pytest.raises(CannotRun, match="not uptodate"):
        _sync(wiki, {"raw/tides.md": b"renewed\n"})
    assert (wiki.folder / "raw/tides.md").read_bytes() == b"mine\n"


def test_what_is_there_already_makes_no_commit(wiki: Wiki) -> None:
    before = wiki.ref(MAIN)
    taken = _add(wiki, {"raw/tides.md": SOURCE.encode()})
    assert (taken.commit, wiki.ref(MAIN)) == ("", before)
    assert any("nothing to commit" in remark for remark in taken.remarks)


def test_names_outside_ascii_and_folders_come_in(wiki: Wiki) -> None:
    files = {"raw/наука/приливы.md": b"a\n", "raw/潮汐.txt": b"b\n"}
    for path, data in files.items():
        (wiki.folder / path).parent.mkdir(exist_ok=True)
        (wiki.folder / path).write_bytes(data)
    _add(wiki, files)
    assert wiki.git("-c", "core.quotePath=false", "ls-files", "raw").splitlines() == [
        "raw/tides.md",
        "raw/наука/приливы.md",
        "raw/潮汐.txt",
    ]
    assert wiki.git("status", "--porcelain") == ""


def test_a_source_that_cannot_be_read_comes_in_with_a_remark(wiki: Wiki) -> None:
    taken = _add(wiki, {"raw/broken.pdf": b"%PDF-1.7 and no more"})
    assert taken.commit
    assert any("raw/broken.pdf" in remark for remark in taken.remarks)


def test_a_worktree_that_has_the_target_gets_what_comes_from_outside(wiki: Wiki, tmp_path: Path) -> None:
    wiki.git("switch", "--quiet", "--create", "elsewhere")
    linked = tmp_path / "linked"
    wiki.git("worktree", "add", "--quiet", str(linked), "main")
    _add(wiki, {NEW: b"new\n"})
    assert (linked / NEW).read_bytes() == b"new\n"
    assert not (wiki.folder / NEW).exists()


def test_an_intake_passes_verification_and_a_renewal_is_named(wiki: Wiki) -> None:
    for step, data, results in ((_add, b"n\n", []), (_sync, b"m\n", ["raw_synced"])):
        base = str(wiki.ref(MAIN))
        head = step(wiki, {NEW: data}).commit
        verdict = revisions.judge_revision(wiki.context(), wiki.workspace(base), base, head, head)
        assert (verdict.verdict, [f.result for f in verdict.findings]) == ("commit", results)


# Signed


def test_without_a_key_nothing_is_renewed(signed: SignedWiki) -> None:
    signed.use(None)
    before = signed.wiki.refs()
    with pytest.raises(CannotRun, match="no signing key"):
        _sync(signed.wiki, {"raw/tides.md": b"renewed\n"})
    signed.use(signed.other)
    with pytest.raises(CannotRun, match="the signature would not count"):
        _sync(signed.wiki, {"raw/tides.md": b"renewed\n"})
    assert signed.wiki.refs() == before


def test_a_renewal_is_signed_and_one_by_hand_is_refused(signed: SignedWiki) -> None:
    wiki, base = signed.wiki, str(signed.wiki.ref(MAIN))
    taken = _sync(wiki, {"raw/tides.md": SOURCE.encode() + b"More.\n"})
    assert taken.signed_by == "ada@example.org"
    verdict = revisions.judge_revision(wiki.context(), wiki.workspace(base), base, taken.commit, taken.commit)
    [found] = verdict.findings
    assert (found.result, found.evidence) == ("raw_synced", {"signed_by": "ada@example.org"})
    message = wiki.git("log", "-1", "--format=%B", taken.commit)
    forged = wiki.git("commit-tree", "-m", f"By hand\n\n{message}", "-p", base, f"{taken.commit}^{{tree}}")
    verdict = revisions.judge_revision(wiki.context(), wiki.workspace(base), base, forged, forged)
    assert (verdict.verdict, [f.result for f in verdict.findings]) == ("reject", ["raw_unsigned"])
    assert "nobody signed it" in verdict.findings[0].message


def test_a_removal_is_signed_by_whoever_ran_the_command(signed: SignedWiki) -> None:
    (signed.wiki.folder / "raw/tides.md").unlink()
    done = signed.wiki.assay("raw", "sync", "raw/tides.md", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["signed_by"] == "ada@example.org"


@pytest.mark.slow
def test_the_command_takes_files_in_and_says_no_in_one_line(
    wiki: Wiki, tmp_path: Path, make_repository: Callable[..., Path]
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / "same.md").write_text(f"of {folder.name}\n")
    (one / "link.md").symlink_to("same.md")
    for files, told in (
        ([one / "same.md", other / "same.md"], "would both be raw/same.md"),
        ([one], "Is a directory"),
        ([one / "link.md"], "is a symbolic link"),
        ([one / "nope.md"], "No such file"),
    ):
        done = wiki.assay("raw", "add", *map(str, files))
        assert (done.returncode, done.stderr.count("error:"), done.stdout) == (2, 1, "")
        assert told in done.stderr
    (wiki.folder / "raw/in-place.md").write_text("here\n")
    done = wiki.assay("raw", "add", "raw/in-place.md", str(other / "same.md"), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert '"paths":["raw/in-place.md","raw/same.md"]' in done.stdout
    assert wiki.git("status", "--porcelain") == ""
