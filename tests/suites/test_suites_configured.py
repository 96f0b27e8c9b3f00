"""The variants of an ablation as a command names them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.suites.configured import configured

MakeRepository = Callable[..., Path]
CommitFiles = Callable[..., str]


@pytest.fixture
def here(make_repository: MakeRepository) -> Path:
    return make_repository({"a.md": "one\n"})


def test_revisions_and_files_in_their_order(here: Path, commit_files: CommitFiles, tmp_path: Path) -> None:
    context = Context(open_repository(here))
    second = commit_files(here, {"a.md": "two\n"})
    (tmp_path / "low.json").write_text('{"name": "low effort", "config_overrides": {"effort": "low"}, "rev": "HEAD~1"}')
    (tmp_path / "other.toml").write_text("[config_overrides]\nkeep = 0.5\n")
    found = configured(context, tmp_path, ["main", "low.json", "other.toml"])
    assert [one.name for one in found] == ["main", "low effort", "other"]
    assert [one.commit == second for one in found] == [True, False, True]
    assert [dict(one.overrides) for one in found] == [{}, {"effort": "low"}, {"keep": 0.5}]
    assert [not one.overrides for one in found] == [True, False, False]
    assert len({one.identity for one in found}) == 3


def test_a_variant_may_be_held_against_itself(here: Path, tmp_path: Path) -> None:
    found = configured(Context(open_repository(here)), tmp_path, ["HEAD", "HEAD", "HEAD"])
    assert [one.name for one in found] == ["HEAD", "HEAD (2)", "HEAD (3)"]
    assert len({one.identity for one in found}) == 1


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.json", "{", "a.json cannot be read"),
        ("a.json", "[]", "a.json cannot be read: not a JSON object"),
        ("a.json", '{"name": "a", "name": "b"}', "a name occurs twice"),
        ("a.json", '{"override": {}}', "a.json: there is no 'override'"),
        ("a.json", '{"config_overrides": 3}', "a.json: config_overrides: "),
        ("a.json", '{"rev": "gone"}', "gone"),
        ("a.toml", "name = ", "a.toml cannot be read"),
        ("a.toml", "\udcff", "a.toml cannot be read"),
    ],
)
def test_a_file_that_says_nothing_of_use_is_refused(
    here: Path, tmp_path: Path, name: str, text: str, told: str
) -> None:
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=told) as refused:
        configured(Context(open_repository(here)), tmp_path, ["HEAD", name])
    assert refused.value.hint


@pytest.mark.parametrize("words", [["HEAD"], ["HEAD", "nowhere"], ["HEAD", "missing.json"], []])
def test_what_is_no_variant_is_refused(here: Path, tmp_path: Path, words: list[str]) -> None:
    with pytest.raises(UsageError):
        configured(Context(open_repository(here)), tmp_path, words)
