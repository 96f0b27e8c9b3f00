from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.verify.finding import Finding
from gitops.verify.view import RunFacts

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

PLAIN = RunFacts(is_run=False)
RAW = {"raw/a.md": "Old.\n", "wiki/a.md": "Words.\n"}


def test_pages_are_free(results: Results) -> None:
    assert results("raw_sealed", RAW, {"wiki/a.md": "Other words.\n"}) == []


@pytest.mark.parametrize(
    ("change", "done", "command"),
    [
        ({"raw/b.md": "New.\n"}, "adds", "git assay raw add raw/b.md"),
        ({"raw/a.md": "New.\n"}, "changes", "git assay raw sync raw/a.md"),
        ({"raw/a.md": None}, "deletes", "git assay raw sync raw/a.md"),
    ],
)
def test_no_run_touches_a_source(said_by: SaidBy, change: dict[str, str], done: str, command: str) -> None:
    [found] = said_by("raw_sealed", RAW, change)
    assert (found.result, found.level) == ("raw_write", "error")
    assert found.message == f"the change {done} a source in commit 0000000000; sources are sealed"
    assert found.repair.endswith(command)


def test_writing_a_source_and_taking_it_back_is_still_refused(results: Results) -> None:
    told = results("raw_sealed", RAW, {"raw/a.md": "New.\n"}, {"raw/a.md": "Old.\n", "wiki/a.md": "Other.\n"})
    assert [one[:3] for one in told] == [("raw_write", "error", "raw/a.md")] * 2


def test_the_raw_folder_itself_may_not_become_a_link(results: Results) -> None:
    told = results("raw_sealed", {}, {"raw": "elsewhere"}, modes={"raw": 0o120000})
    assert [one[:3] for one in told] == [("raw_write", "error", "raw")]


def test_people_add_sources_in_commits_of_their_own_and_sync_them_by_name(results: Results) -> None:
    assert results("raw_sealed", RAW, {"raw/b.md": "New.\n"}, run=PLAIN) == []
    told = results("raw_sealed", RAW, {"raw/a.md": "New.\n"}, run=PLAIN)
    assert told == [("raw_synced", "note", "raw/a.md", 0, True)]


def test_where_verdicts_are_signed_a_source_is_renewed_by_a_signature_alone(said_by: SaidBy) -> None:
    unsigned = "nobody signed that it may"
    [found] = said_by("raw_sealed", RAW, {"raw/a.md": "New.\n"}, run=PLAIN, unsigned=unsigned)
    assert (found.result, found.level, found.path) == ("raw_unsigned", "error", "raw/a.md")
    assert found.message.endswith(f"which takes a signature: {unsigned}")
    assert found.repair.startswith("git assay raw sync raw/a.md")
    assert said_by("raw_sealed", RAW, {"raw/b.md": "New.\n"}, run=PLAIN, unsigned=unsigned) == []


def test_who_signed_a_renewal_is_named(said_by: SaidBy) -> None:
    [found] = said_by("raw_sealed", RAW, {"raw/a.md": None}, run=PLAIN, renewed_by="ada@example.org")
    assert (found.result, found.level, found.evidence) == ("raw_synced", "note", {"signed_by": "ada@example.org"})
    assert found.message.endswith(", signed by ada@example.org")


def test_people_mix_nothing_with_sources(results: Results) -> None:
    told = results("raw_sealed", RAW, {"raw/b.md": "New.\n", "wiki/b.md": "Words.\n"}, run=PLAIN)
    assert [one[:3] for one in told] == [("raw_write", "error", "raw/b.md")]


@pytest.mark.parametrize("mode", [0o120000, 0o160000, 0o100755])
def test_nobody_adds_what_is_no_regular_file(results: Results, mode: int) -> None:
    told = results("raw_sealed", RAW, {"raw/b": "x"}, run=PLAIN, modes={"raw/b": mode})
    assert [one[:2] for one in told] == [("raw_write", "error")]


def test_the_level_is_fixed(said_by: SaidBy) -> None:
    from gitops.errors import UsageError

    with pytest.raises(UsageError, match="level is fixed"):
        said_by("raw_sealed", RAW, {"raw/b.md": "x"}, toml='[checks.raw_sealed]\nlevel = "off"\n')


@pytest.mark.parametrize("path", ["raw/.gitattributes", "raw/sub/.hidden/b.md"])
def test_a_commit_of_its_own_brings_in_nothing_that_steers_tools(results: Results, path: str) -> None:
    """Seen as `runs.judging` sees it: a commit that brings such a file in is no intake."""
    told = results("raw_sealed", RAW, {path: "* text\n", "raw/a.md": "New.\n"}, run=PLAIN)
    assert {one[:3] for one in told} == {("raw_write", "error", path), ("raw_synced", "note", "raw/a.md")}


def test_and_may_take_it_away(results: Results) -> None:
    told = results("raw_sealed", RAW | {"raw/.gitattributes": "* text\n"}, {"raw/.gitattributes": None}, run=PLAIN)
    assert [one[:2] for one in told] == [("raw_synced", "note")]
