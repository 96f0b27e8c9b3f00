"""While a push is being received nothing is written into the cache: not by gates, not by lint, not by a survey."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.runs import latest, lintkept
from gitops.runs.context import Context
from gitops.runs.examining_many import survey
from gitops.runs.lintview import LateCache
from tests.runs.driving import Wiki
from tests.runs.measuring import measure


def _gates(context: Context, commit: str) -> None:
    assert latest.latest(context, "tides")["M2"].decides.status == "healthy"


def _lint(context: Context, commit: str) -> None:
    tree = context.commit(commit).tree
    lintkept.keep(context, tree, "", commit, lintkept.Found("tides", "0", {}, "[]"), of_additions=False)


def _late(context: Context, commit: str) -> None:
    cache = LateCache(context)
    cache.put("kind", "1", "key", b"value")
    assert cache.get("kind", "1", "key") == b"value"
    cache.close()


def _survey(context: Context, commit: str) -> None:
    assert survey(context, [commit]).wrong == ()


@pytest.mark.parametrize("use", [_gates, _lint, _late, _survey])
def test_nothing_is_written(
    wiki: Wiki, use: Callable[[Context, str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    measure(wiki, "M2", 0.95, "healthy")
    commit = wiki.finish(wiki.run()).commit
    cache = wiki.context().folder / "cache.sqlite3"
    for file in cache.parent.glob("cache.sqlite3*"):
        file.unlink()
    monkeypatch.setenv("GIT_QUARANTINE_PATH", str(wiki.folder / ".git/objects/incoming"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(wiki.folder / ".git/objects"))
    use(wiki.context(), commit)
    assert list(cache.parent.glob("cache.sqlite3*")) == []
    monkeypatch.delenv("GIT_QUARANTINE_PATH")
    use(wiki.context(), commit)
    assert cache.exists()
