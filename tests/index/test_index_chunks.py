from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.index.chunks import ChunkIndex, ChunkReader, ChunkRow, Document, Found

Rows = Iterable[tuple[str, Document | None]]


def row(words: str, *, title: str = "", heading: str = "", at: int = 0, page: int | None = None) -> ChunkRow:
    return ChunkRow(f"id-{at}", at, at + 9, at + 1, page, title, heading, title.lower(), heading.lower(), words)


DOCUMENTS: dict[str, Document] = {
    "wiki/tides.md": ("b1", [row("the sea falls twice a day", title="Tides"), row("it rises again", at=20)]),
    "wiki/moon.md": ("b2", [row("the moon pulls the sea", title="Moon", heading="Pull", page=3)]),
    "wiki/empty.md": ("b3", []),
}


def always(rows: Mapping[str, Document | None]) -> Callable[[str | None], Rows]:
    return lambda stored: rows.items()


def unexpected(tree: str | None) -> Rows:
    raise AssertionError(f"nothing should have been asked for (stored: {tree})")


def index(folder: Path, version: str = "1", name: str = "wiki") -> ChunkIndex:
    return ChunkIndex(folder / "cache.sqlite3", "main", name, version)


def found(reader: ChunkReader, *words: str, limit: int = 10) -> list[tuple[str, int]]:
    return [(one.path, one.start) for one in reader.search(words, limit)]


def test_no_words_and_unknown_words_find_nothing(tmp_path: Path) -> None:
    with index(tmp_path).at("t1", always(DOCUMENTS)) as reader:
        assert found(reader) == []
        assert found(reader, "glacier") == []
        assert found(reader, "") == []
        assert reader.frequency(["glacier", ""]) == {"glacier": 0, "": 0}


def test_every_chunk_is_told_by_path_and_place(tmp_path: Path) -> None:
    with index(tmp_path).at("t1", always(DOCUMENTS)) as reader:
        assert reader.every() == [
            ("wiki/moon.md", "id-0", 0, 9),
            ("wiki/tides.md", "id-0", 0, 9),
            ("wiki/tides.md", "id-20", 20, 29),
        ]
    with index(tmp_path).at("t2", always({"wiki/moon.md": None, "wiki/tides.md": None})) as reader:
        assert reader.every() == []


def test_a_failure_while_reading_leaves_what_was_stored(tmp_path: Path) -> None:
    def failing(stored: str | None) -> Rows:
        yield "wiki/tides.md", None
        raise RuntimeError("the parser")

    chunks = index(tmp_path)
    with chunks.at("t1", always(DOCUMENTS)):
        pass
    with pytest.raises(RuntimeError, match="the parser"), chunks.at("t2", failing):
        pass
    with chunks.at("t1", unexpected) as reader:
        assert reader.chunks == 3


def test_an_unwritable_place_is_worked_around(tmp_path: Path) -> None:
    (tmp_path / "assay").write_text("a file")
    chunks = ChunkIndex(tmp_path / "assay" / "cache.sqlite3", "main", "wiki", "1")
    with chunks.at("t1", always(DOCUMENTS)) as reader:
        assert reader.chunks == 3
    assert "going on without the cache" in chunks.notice


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "cache.sqlite3").write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    chunks = index(tmp_path)
    with chunks.at("t1", always(DOCUMENTS)) as reader:
        assert reader.chunks == 3
    assert "made anew" in chunks.notice


def test_a_python_without_fts5_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gitops.errors import CannotRun

    class Plain(sqlite3.Connection):
        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            return super().execute(sql.replace("USING fts5", "USING fts9"), *values)  # type: ignore[arg-type]

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Plain, **k))
    with pytest.raises(CannotRun, match="without FTS5"), index(tmp_path).at("t1", always(DOCUMENTS)):
        pass


def test_what_is_found_has_its_place_and_score(tmp_path: Path) -> None:
    with index(tmp_path).at("t1", always(DOCUMENTS)) as reader:
        [one] = reader.search(["moon"], 5)
    assert one == Found("wiki/moon.md", "id-0", 0, 9, 1, 3, "Moon", "Pull", one.score)
    assert one.score > 0


def test_more_and_rarer_words_rank_higher_and_titles_most(tmp_path: Path) -> None:
    with index(tmp_path).at("t1", always(DOCUMENTS)) as reader:
        assert found(reader, "sea", "falls") == [("wiki/tides.md", 0), ("wiki/moon.md", 0)]
        assert found(reader, "sea", "moon")[0] == ("wiki/moon.md", 0)
        assert found(reader, "sea", limit=1) == found(reader, "sea")[:1]


def test_equals_are_in_order_of_path_and_place(tmp_path: Path) -> None:
    same = {path: ("b", [row("tide", at=30), row("tide", at=10)]) for path in ("wiki/b.md", "wiki/a.md")}
    with index(tmp_path).at("t1", always(same)) as reader:
        assert found(reader, "tide") == [("wiki/a.md", 10), ("wiki/a.md", 30), ("wiki/b.md", 10), ("wiki/b.md", 30)]


def test_other_forms_of_a_word_and_accents_are_found(tmp_path: Path) -> None:
    documents: dict[str, Document] = {"wiki/a.md": ("b", [row("brewed in a café")])}
    with index(tmp_path).at("t1", always(documents)) as reader:
        assert found(reader, "brewing") == found(reader, "cafe") == [("wiki/a.md", 0)]
        assert reader.frequency(["brew", "brews", "tea"]) == {"brew": 1, "brews": 1, "tea": 0}


@pytest.mark.parametrize("word", ["캐시", "潮汐", "キャ", "ไทย", "1,180", "3.5"])
def test_words_of_every_script_and_numbers_are_found(tmp_path: Path, word: str) -> None:
    documents: dict[str, Document] = {
        "wiki/a.md": ("b", [row(f"said {word} there")]),
        "wiki/b.md": ("c", [row("else")]),
    }
    with index(tmp_path).at("t1", always(documents)) as reader:
        assert found(reader, word) == [("wiki/a.md", 0)]


def test_a_folder_beside_is_left_out(tmp_path: Path) -> None:
    documents: dict[str, Document] = {
        path: ("b", [row("tide")]) for path in ("wiki/answers/a.md", "wiki/answers-b.md", "wiki/c.md")
    }
    with index(tmp_path).at("t1", always(documents)) as reader:
        left = [one.path for one in reader.search(["tide"], 5, beside="wiki/answers")]
    assert left == ["wiki/answers-b.md", "wiki/c.md"]


def test_names_and_titles_need_not_be_utf8(tmp_path: Path) -> None:
    documents: dict[str, Document] = {"wiki/\udcff.md": ("b", [row("tide", title="\udcff", heading="\ud800")])}
    with index(tmp_path).at("t1", always(documents)) as reader:
        [one] = reader.search(["tide"], 5)
    assert (one.path, one.title, one.heading) == ("wiki/\udcff.md", "\udcff", "\ud800")


def test_only_what_changed_is_asked_for_and_forgotten(tmp_path: Path) -> None:
    chunks = index(tmp_path)
    with chunks.at("t1", always(DOCUMENTS)):
        pass
    asked: list[str | None] = []

    def changes(stored: str | None) -> Rows:
        asked.append(stored)
        yield "wiki/tides.md", ("b9", [row("the ebb runs")])
        yield "wiki/moon.md", None

    with chunks.at("t2", changes) as reader:
        assert asked == ["t1"]
        assert reader.chunks == 1
        assert found(reader, "sea", "moon", "falls") == []
        assert found(reader, "ebb") == [("wiki/tides.md", 0)]
    with chunks.at("t2", unexpected) as reader:
        assert reader.chunks == 1


def test_an_unknown_tree_and_another_version_start_from_nothing(tmp_path: Path) -> None:
    def from_nothing(stored: str | None) -> Rows:
        if stored is not None:
            raise KeyError(stored)
        return iter([("wiki/a.md", ("b", [row("tide")]))])

    with index(tmp_path).at("t1", always(DOCUMENTS)):
        pass
    with index(tmp_path).at("t2", from_nothing) as reader:
        assert reader.chunks == 1
    with index(tmp_path, version="2").at("t2", always(DOCUMENTS)) as reader:
        assert reader.chunks == 3


def test_pages_and_sources_are_apart(tmp_path: Path) -> None:
    with index(tmp_path).at("t1", always(DOCUMENTS)):
        pass
    with index(tmp_path, name="raw").at("t1", always({"raw/a.md": ("b", [row("tide")])})) as reader:
        assert reader.chunks == 1
    with index(tmp_path).at("t1", unexpected) as reader:
        assert reader.chunks == 3


def test_a_reader_keeps_its_tree_while_others_move_on(tmp_path: Path) -> None:
    with index(tmp_path).at("t1", always(DOCUMENTS)) as reader:

        def move() -> None:
            with index(tmp_path).at("t2", always({"wiki/tides.md": None})) as other:
                assert other.chunks == 1

        thread = threading.Thread(target=move)
        thread.start()
        thread.join()
        assert reader.chunks == 3
        assert found(reader, "rises") == [("wiki/tides.md", 20)]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(), max_size=6))
def test_no_text_is_a_mistake_in_the_query(tmp_path_factory: pytest.TempPathFactory, words: list[str]) -> None:
    with index(tmp_path_factory.getbasetemp()).at("t1", always(DOCUMENTS)) as reader:
        reader.search(words, 3)
        assert set(reader.frequency(words)) == set(words)


@pytest.mark.parametrize("word", ['"', "a\0b", "OR", "NEAR(a b)", "words:sea", "sea*", "^sea", "(", "\ud800", "-sea"])
def test_what_is_grammar_to_fts5_is_a_word(tmp_path: Path, word: str) -> None:
    with index(tmp_path).at("t1", always(DOCUMENTS)) as reader:
        assert reader.search([word, "moon"], 3)[0].path == "wiki/moon.md"
