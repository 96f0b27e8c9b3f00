from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gitops.index.cache import FLUSH_ENTRIES, Cache
from gitops.index.cachefile import SCHEMA_VERSION, open_cache


def stored(path: Path) -> int:
    conn = sqlite3.connect(path)
    try:
        return int(conn.execute("SELECT count(*) FROM entries").fetchone()[0])
    finally:
        conn.close()


def test_an_unwritable_place_is_worked_around_and_told_once(tmp_path: Path) -> None:
    (tmp_path / "assay").write_text("a file")
    with Cache(tmp_path / "assay" / "cache.sqlite3") as cache:
        assert "going on without the cache" in cache.notice
        assert "\n" not in cache.notice
        cache.put("page", "1", "k", b"v")
        cache.flush()
        assert cache.get("page", "1", "k") == b"v"
    assert (tmp_path / "assay").read_text() == "a file"


def test_a_folder_in_place_of_the_file_is_worked_around(tmp_path: Path) -> None:
    (tmp_path / "cache.sqlite3").mkdir()
    with Cache(tmp_path / "cache.sqlite3") as cache:
        assert "going on without the cache" in cache.notice
        cache.put("page", "1", "k", b"v")
    assert (tmp_path / "cache.sqlite3").is_dir()


def test_a_full_disk_costs_nothing_but_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        cache.put("page", "1", "old", b"1")
    with Cache(path) as cache:
        pages = cache._conn.execute("PRAGMA page_count").fetchone()[0]
        cache._conn.execute(f"PRAGMA max_page_count = {pages}")
        cache.put("page", "1", "big", b"x" * 100_000)
        cache.flush()
        assert "the disk is full" in cache.notice
        assert cache.get("page", "1", "big") == b"x" * 100_000
        cache.flush()
        assert cache.get("page", "1", "big") == b"x" * 100_000
    with Cache(path) as cache:
        assert cache.notice == ""
        assert cache.get_many("page", "1", ["old", "big"]) == {"old": b"1"}


def test_a_damaged_file_is_thrown_away_and_made_new(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    path.write_bytes(b"no database" * 1000)
    with Cache(path) as cache:
        assert "made anew" in cache.notice
        cache.put("page", "1", "k", b"v")
    with Cache(path) as cache:
        assert cache.notice == ""
        assert cache.get("page", "1", "k") == b"v"


def test_damage_met_in_the_middle_is_a_miss_and_mended(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        for number in range(500):
            cache.put("page", "1", f"k{number}", b"v" * 500)
    data = bytearray(path.read_bytes())
    data[4096 * 2 :] = b"\xff" * (len(data) - 4096 * 2)
    path.write_bytes(data)
    with Cache(path) as cache:
        assert cache.get("page", "1", "k7") is None
        assert "made anew" in cache.notice
        cache.put("page", "1", "k7", b"again")
    with Cache(path) as cache:
        assert cache.get("page", "1", "k7") == b"again"


@pytest.mark.parametrize("version", [SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])
def test_a_file_of_another_schema_is_dropped(tmp_path: Path, version: int) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        cache.put("page", "1", "k", b"v")
    conn = sqlite3.connect(path)
    conn.execute(f"PRAGMA user_version = {version}")
    conn.close()
    with Cache(path) as cache:
        assert "another version" in cache.notice
        assert cache.get("page", "1", "k") is None


def test_a_busy_file_keeps_values_held_back_and_they_land_later(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    holder, _ = open_cache(path)
    cache = Cache(path)
    holder.execute("BEGIN IMMEDIATE")
    cache.put("page", "1", "k", b"v")
    cache.flush()
    assert cache.notice == ""
    assert cache.get("page", "1", "k") == b"v"
    holder.execute("COMMIT")
    cache.close()
    assert stored(path) == 1
    holder.close()


@pytest.mark.slow
def test_a_file_that_stays_busy_does_not_fail_the_command(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    holder, _ = open_cache(path)
    holder.execute("BEGIN IMMEDIATE")
    cache = Cache(path)
    cache.put("page", "1", "k", b"v")
    cache._conn.execute("PRAGMA busy_timeout = 1")
    cache.flush()
    cache.close()
    holder.close()
    assert stored(path) == 0


def test_a_file_deleted_while_open_is_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        cache.put("page", "1", "k", b"v")
        for file in tmp_path.iterdir():
            file.unlink()
        cache.flush()
        assert cache.get("page", "1", "k") == b"v"
    with Cache(path) as cache:
        cache.put("page", "1", "k", b"w")
    with Cache(path) as cache:
        assert cache.get("page", "1", "k") == b"w"


def test_values_are_apart_by_kind_version_and_key(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    values = {
        (kind, version, key): f"{kind}{version}{key}".encode() for kind in "ab" for version in "12" for key in "xy"
    }
    with Cache(path) as cache:
        for (kind, version, key), value in values.items():
            cache.put(kind, version, key, value)
        cache.put("a", "1", "caf\udce9", b"not UTF-8")
    with Cache(path) as cache:
        for (kind, version, key), value in values.items():
            assert cache.get(kind, version, key) == value
        assert cache.get("a", "3", "x") is None
        assert cache.get_many("a", "1", ["x", "z", "caf\udce9"]) == {"x": b"a1x", "caf\udce9": b"not UTF-8"}


def test_many_keys_are_read_at_once_held_back_or_stored(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        for number in range(1500):
            cache.put("page", "1", str(number), bytes([number % 256]))
        cache.flush()
        for number in range(1500, 1600):
            cache.put("page", "1", str(number), b"held")
        found = cache.get_many("page", "1", map(str, range(2000)))
    assert len(found) == 1600
    assert found["1499"] == bytes([1499 % 256])
    assert found["1599"] == b"held"


def test_writes_are_made_every_so_often_without_being_asked(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        for number in range(FLUSH_ENTRIES + 1):
            cache.put("page", "1", str(number), b"v")
        assert stored(path) == FLUSH_ENTRIES
        cache.put("page", "1", "large", b"x" * 9_000_000)
        assert stored(path) == FLUSH_ENTRIES + 2


def test_the_value_put_last_stays(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        cache.put("page", "1", "k", b"first")
        cache.flush()
        cache.put("page", "1", "k", b"second")
        assert cache.get("page", "1", "k") == b"second"
    with Cache(path) as cache:
        assert cache.get("page", "1", "k") == b"second"


def test_what_was_used_longest_ago_goes_first_when_the_bound_is_passed(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path, max_bytes=1_000_000, today=1) as cache:
        for number in range(9):
            cache.put("page", "1", str(number), bytes(100_000))
    with Cache(path, max_bytes=1_000_000, today=2) as cache:
        assert cache.get("page", "1", "0") is not None
    with Cache(path, max_bytes=1_000_000, today=3) as cache:
        for number in range(9, 12):
            cache.put("page", "1", str(number), bytes(100_000))
    with Cache(path, max_bytes=1_000_000, today=3) as cache:
        kept = set(cache.get_many("page", "1", map(str, range(12))))
    assert {"0", "9", "10", "11"} <= kept
    assert "1" not in kept
    assert len(kept) == 7


def test_threads_share_a_cache(tmp_path: Path) -> None:
    def work(name: str) -> None:
        for number in range(300):
            cache.put("vote", "1", f"{name}{number}", name.encode())
            assert cache.get("vote", "1", f"{name}{number}") == name.encode()

    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert stored(path) == 1200


def test_processes_share_a_cache(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    path.write_bytes(b"damaged" * 1000)  # and all four find it so
    code = """
import sys
from pathlib import Path
from gitops.index.cache import Cache
for turn in range(5):
    with Cache(Path(sys.argv[1])) as cache:
        for number in range(50):
            cache.put("page", "1", f"{sys.argv[2]}-{turn}-{number}", sys.argv[2].encode() * 100)
"""
    started = [subprocess.Popen([sys.executable, "-c", code, str(path), str(name)]) for name in range(4)]
    assert [process.wait(60) for process in started] == [0, 0, 0, 0]
    assert stored(path) == 1000


def test_who_may_not_write_reads_what_is_there_and_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:
        cache.put("page", "1", "k", b"v")
    before = path.read_bytes()
    with Cache(path, writes=False) as cache:
        cache.put("page", "1", "new", b"w")
        cache.flush()
        assert cache.get_many("page", "1", ["k", "new", "none"]) == {"k": b"v", "new": b"w"}
    assert path.read_bytes() == before
    with Cache(path) as cache:
        assert cache.get("page", "1", "new") is None


@pytest.mark.parametrize("content", [None, b"", b"no database at all, " * 100])
def test_who_may_not_write_does_without_a_file_that_is_none(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "assay" / "cache.sqlite3"
    if content is not None:
        path.parent.mkdir()
        path.write_bytes(content)
    with Cache(path, writes=False) as cache:
        cache.put("page", "1", "k", b"v")
        assert cache.get("page", "1", "k") == b"v"
    assert (path.read_bytes() if path.exists() else None) == content


def test_who_may_not_write_forgets_what_there_is_no_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitops.index.cache.HELD_BYTES", 1000)
    with Cache(tmp_path / "cache.sqlite3", writes=False) as cache:
        for number in range(3 * FLUSH_ENTRIES):
            cache.put("page", "1", str(number), b"v" * 10)
        assert cache.get("page", "1", str(3 * FLUSH_ENTRIES - 1)) in (None, b"v" * 10)
        assert cache.get("page", "1", "0") is None
    assert not (tmp_path / "cache.sqlite3").exists()
