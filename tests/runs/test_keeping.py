from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gitops.index.cache import Cache
from gitops.runs.keeping import Kept


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    with Cache(tmp_path / "cache.sqlite3") as opened:
        yield opened


def found(cache: Cache, purpose: str = "landing", *, fresh: bool = False) -> bytes | None:
    return Kept(cache, purpose, fresh).get("vote", "v1", "key")


def test_what_was_kept_for_one_purpose_serves_no_other(cache: Cache) -> None:
    Kept(cache, "asked").put("vote", "v1", "key", b"yes")
    assert (found(cache), found(cache, "asked"), found(cache, "asked", fresh=True)) == (None, b"yes", None)


@pytest.mark.parametrize("mode", ["replay", " replay\n"])
def test_a_replayed_answer_is_neither_kept_nor_replaced(
    cache: Cache, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("ASSAY_LLM", mode)
    Kept(cache, "landing").put("vote", "v1", "key", b"no")
    monkeypatch.setenv("ASSAY_LLM", "live")
    assert found(cache) is None
    Kept(cache, "landing").put("vote", "v1", "key", b"yes")
    monkeypatch.setenv("ASSAY_LLM", mode)
    assert found(cache) is None


def test_a_recording_asks_anew_and_keeps(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LLM", "record")
    Kept(cache, "landing").put("vote", "v1", "key", b"yes")
    assert found(cache) is None
    monkeypatch.delenv("ASSAY_LLM")
    assert found(cache) == b"yes"


def test_what_is_put_is_on_disk_at_once(cache: Cache, tmp_path: Path) -> None:
    Kept(cache, "landing").put("vote", "v1", "key", b"yes")
    with Cache(tmp_path / "cache.sqlite3") as other:
        assert found(other) == b"yes"
