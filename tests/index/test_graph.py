from __future__ import annotations

import hashlib
import random
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitops.errors import CannotRun
from gitops.index.cache import Cache
from gitops.index.graph import GraphIndex, GraphReader, PageRow

Rows = Iterable[tuple[str, PageRow | None]]


def blob_of(path: str) -> str:
    return hashlib.sha1(path.encode("utf-8", "surrogatepass")).hexdigest()


def page(path: str, *targets: str, names: tuple[str, ...] = (), cites: tuple[str, ...] = ()) -> PageRow:
    own = names or (path.rsplit("/", 1)[-1].removesuffix(".md").lower(),)
    links = tuple(("wiki", target, target.lower()) for target in targets)
    return PageRow(path, blob_of(path), own, links, cites)


def these(*rows: PageRow) -> Rows:
    return [(row.path, row) for row in rows]


WIKI = (
    page("wiki/index.md", "Alpha", "Beta"),
    page("wiki/alpha.md", "Beta", "index", "beta", cites=("raw/a.md", "raw/b.pdf")),
    page("wiki/beta.md", names=("beta", "second"), cites=("raw/a.md",)),
)


def everything(reader: GraphReader) -> dict[str, object]:
    paths = list(reader.paths())
    edges = sorted(reader.edges())
    keys = sorted(reader.keys())
    return {
        "count": reader.count(),
        "pages": [
            (path, reader.blob(path), reader.names(path), reader.links(path), reader.cites(path)) for path in paths
        ],
        "edges": edges,
        "keys": keys,
        "named": {key: reader.named(key) for _, key in keys},
        "linking": {key: reader.linking(key) for _, _, _, key in edges},
        "citing": {source: reader.citing(source) for path in paths for source in reader.cites(path)},
    }


def always(rows: Rows) -> Callable[[str | None], Rows]:
    return lambda stored: rows


def unexpected(tree: str | None) -> Rows:
    raise AssertionError(f"nothing should have been asked for (stored: {tree})")


def test_a_row_of_another_path_is_refused(tmp_path: Path) -> None:
    graph = GraphIndex(tmp_path / "cache.sqlite3", "main", "1")
    with (
        pytest.raises(ValueError, match="is of another path"),
        graph.at("t", lambda _: [("wiki/b.md", WIKI[0])]),
    ):
        pass


def test_a_failure_while_the_differences_are_worked_out_leaves_the_stored_graph(tmp_path: Path) -> None:
    def failing(stored: str | None) -> Rows:
        yield "wiki/beta.md", None
        raise RuntimeError("the parser")

    graph = GraphIndex(tmp_path / "cache.sqlite3", "main", "1")
    with graph.at("t1", lambda _: these(*WIKI)):
        pass
    with pytest.raises(RuntimeError, match="the parser"), graph.at("t2", failing):
        pass
    with graph.at("t1", unexpected) as reader:
        assert reader.count() == 3


def test_an_unwritable_place_is_worked_around(tmp_path: Path) -> None:
    (tmp_path / "assay").write_text("a file")
    graph = GraphIndex(tmp_path / "assay" / "cache.sqlite3", "main", "1")
    with graph.at("t1", lambda stored: these(*WIKI) if stored is None else unexpected(stored)) as reader:
        assert reader.named("second") == ["wiki/beta.md"]
    assert "going on without the cache" in graph.notice


@pytest.mark.slow
def test_a_full_disk_is_worked_around_and_the_old_graph_stays(tmp_path: Path, small_disk: Path) -> None:
    path = small_disk / "cache.sqlite3"
    graph = GraphIndex(path, "main", "1")
    with graph.at("t1", lambda _: these(*WIKI)):
        pass
    assert graph.notice == ""
    many = [page(f"wiki/{number:06}.md", *(f"Target {number} {n}" for n in range(4))) for number in range(20_000)]
    with graph.at("t2", lambda stored: these(*many) if stored is None else these(*many[1:])) as reader:
        assert reader.count() == 20_000
    assert "full" in graph.notice
    with GraphIndex(path, "main", "1").at("t1", unexpected) as reader:
        assert reader.count() == 3


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    many = [page(f"wiki/{number:04}.md", f"Target {number}") for number in range(2000)]
    with GraphIndex(path, "main", "1").at("t1", lambda _: these(*many)) as reader:
        before = everything(reader)
    data = bytearray(path.read_bytes())
    middle = len(data) // 8192 * 4096
    data[8 * 4096 : middle] = b"\xff" * (middle - 8 * 4096)
    path.write_bytes(data)
    graph = GraphIndex(path, "main", "1")
    with graph.at("t2", lambda stored: these(*many)) as reader:
        assert everything(reader) == before
    assert "made anew" in graph.notice


def test_a_tree_that_is_not_known_any_more_starts_from_nothing(tmp_path: Path) -> None:
    asked: list[str | None] = []

    def changes(stored: str | None) -> Rows:
        asked.append(stored)
        if stored is not None:
            raise KeyError(stored)
        return these(*WIKI)

    graph = GraphIndex(tmp_path / "cache.sqlite3", "main", "1")
    with graph.at("pruned", lambda _: these(page("wiki/gone.md", "Alpha"))):
        pass
    with graph.at("t1", changes) as reader:
        assert reader.named("gone") == []
        assert [path for path, _, _ in reader.linking("alpha")] == ["wiki/index.md"]
    assert asked == ["pruned", None]


def test_another_version_starts_from_nothing(tmp_path: Path) -> None:
    asked: list[str | None] = []

    def changes(stored: str | None) -> Rows:
        asked.append(stored)
        return these(WIKI[0])

    path = tmp_path / "cache.sqlite3"
    with GraphIndex(path, "main", "1").at("t1", always(these(*WIKI))):
        pass
    with GraphIndex(path, "main", "2").at("t1", changes) as reader:
        assert reader.count() == 1
    assert asked == [None]


def test_damage_met_by_a_question_is_told_and_the_next_command_is_well(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    many = these(*(page(f"wiki/{number:04}.md", f"Target {number}") for number in range(2000)))
    with GraphIndex(path, "main", "1").at("t1", always(many)):
        pass
    conn = sqlite3.connect(path)
    sql = "SELECT rootpage FROM sqlite_master WHERE name = 'links_by_key'"
    root = conn.execute(sql).fetchone()[0]
    conn.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    with (
        GraphIndex(path, "main", "1").at("t1", unexpected) as reader,
        pytest.raises(CannotRun, match="damaged") as told,
    ):
        reader.linking("target 7")
    assert "run the same command again" in told.value.hint
    with GraphIndex(path, "main", "1").at("t1", always(many)) as reader:
        assert reader.linking("target 7") == [("wiki/0007.md", "wiki", "Target 7")]


def test_the_questions_a_check_asks(tmp_path: Path) -> None:
    with GraphIndex(tmp_path / "cache.sqlite3", "main", "1").at("t1", lambda _: these(*WIKI)) as reader:
        assert reader.named("second") == ["wiki/beta.md"]
        assert reader.named("Beta") == []
        assert reader.linking("beta") == [
            ("wiki/alpha.md", "wiki", "Beta"),
            ("wiki/alpha.md", "wiki", "beta"),
            ("wiki/index.md", "wiki", "Beta"),
        ]
        assert reader.links("wiki/alpha.md") == [("wiki", "Beta"), ("wiki", "index"), ("wiki", "beta")]
        assert reader.links("wiki/none.md") == []
        assert reader.citing("raw/a.md") == ["wiki/alpha.md", "wiki/beta.md"]
        assert reader.cites("wiki/alpha.md") == ["raw/a.md", "raw/b.pdf"]
        assert reader.names("wiki/beta.md") == ["beta", "second"]
        assert reader.blob("wiki/beta.md") == blob_of("wiki/beta.md")
        assert reader.blob("wiki/none.md") is None
        assert reader.count() == 3
        assert list(reader.paths()) == ["wiki/alpha.md", "wiki/beta.md", "wiki/index.md"]
        assert sorted(reader.edges())[0] == ("wiki/alpha.md", "wiki", "Beta", "beta")
        assert len(list(reader.edges())) == 5


def test_changes_are_asked_for_from_the_stored_tree_and_not_at_all_when_it_is_the_one(tmp_path: Path) -> None:
    asked: list[str | None] = []

    def changes(stored: str | None) -> Rows:
        asked.append(stored)
        return these(*WIKI) if stored is None else [("wiki/beta.md", None), *these(page("wiki/gamma.md", "Alpha"))]

    graph = GraphIndex(tmp_path / "cache.sqlite3", "main", "1")
    with graph.at("t1", changes):
        pass
    with graph.at("t2", changes) as reader:
        assert list(reader.paths()) == ["wiki/alpha.md", "wiki/gamma.md", "wiki/index.md"]
        assert reader.named("beta") == []
        assert reader.citing("raw/a.md") == ["wiki/alpha.md"]
    with graph.at("t2", changes):
        pass
    assert asked == [None, "t1"]


def test_a_pinned_reader_stays_at_its_tree_while_the_graph_moves_on(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with GraphIndex(path, "main", "1").at("t1", lambda _: these(*WIKI)) as old:
        before = everything(old)
        with GraphIndex(path, "main", "1").at("t2", lambda _: [(row.path, None) for row in WIKI]) as new:
            assert new.count() == 0
            assert everything(old) == before
        with Cache(path) as cache:
            cache.put("page", "1", "k", b"v")
        assert everything(old) == before


def test_working_out_the_differences_may_write_to_the_cache_of_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with Cache(path) as cache:

        def changes(stored: str | None) -> Rows:
            for row in WIKI:
                cache.put("page", "1", row.path, b"parsed")
                cache.flush()
                yield row.path, row

        started = time.monotonic()
        with GraphIndex(path, "main", "1").at("t1", changes) as reader:
            assert reader.count() == 3
        assert cache.notice == ""
        assert time.monotonic() - started < 10


def test_workspaces_are_apart(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with GraphIndex(path, "one", "1").at("t1", lambda _: these(*WIKI)):
        pass
    with GraphIndex(path, "two", "1").at("t1", lambda _: these(page("wiki/beta.md", "Alpha"))) as two:
        assert two.named("second") == []
        assert [path for path, _, _ in two.linking("alpha")] == ["wiki/beta.md"]
    with GraphIndex(path, "two", "2").at("t1", lambda _: []) as two:
        assert two.count() == 0
    with GraphIndex(path, "one", "1").at("t1", unexpected) as one:
        assert one.named("second") == ["wiki/beta.md"]


def test_names_that_are_not_utf8_come_back_as_they_were(tmp_path: Path) -> None:
    odd = page("wiki/caf\udce9.md", "中文 \udcff", cites=("raw/\udce9",))
    with GraphIndex(tmp_path / "cache.sqlite3", "main", "1").at("t", lambda _: these(odd)) as reader:
        assert reader.linking("中文 \udcff") == [("wiki/caf\udce9.md", "wiki", "中文 \udcff")]
        assert reader.citing("raw/\udce9") == ["wiki/caf\udce9.md"]


@pytest.mark.slow
def test_a_question_costs_no_more_in_a_wiki_a_hundred_times_the_size(tmp_path: Path) -> None:
    def wiki(size: int) -> list[PageRow]:
        some = random.Random(size)
        return [page(f"wiki/{n}.md", *(str(some.randrange(size)) for _ in range(4))) for n in range(size)]

    def cost(reader: GraphReader, size: int) -> float:
        some = [str(random.Random(1).randrange(size)) for _ in range(300)]
        best = 9.0
        for _ in range(5):
            started = time.perf_counter()
            for key in some:
                reader.named(key)
                reader.linking(key)
                reader.links(f"wiki/{key}.md")
            best = min(best, time.perf_counter() - started)
        return best

    path = tmp_path / "cache.sqlite3"
    with (
        GraphIndex(path, "small", "1").at("t", lambda _: these(*wiki(200))) as small,
        GraphIndex(path, "large", "1").at("t", lambda _: these(*wiki(20_000))) as large,
    ):
        assert cost(large, 20_000) < 5 * cost(small, 200)


PATHS = st.sampled_from([f"wiki/{name}.md" for name in "abcdefé"])
KEYS = st.sampled_from(["a", "b", "c", "É", ""])
LINKS = st.tuples(st.sampled_from(["wiki", "embed"]), KEYS, KEYS)
PAGES = st.builds(
    lambda names, links, cites: ("blob", tuple(names), tuple(links), tuple(cites)),
    st.lists(KEYS, max_size=3),
    st.lists(LINKS, max_size=4),
    st.lists(st.sampled_from(["raw/a", "raw/b"]), max_size=2),
)
STEPS = st.lists(st.dictionaries(PATHS, st.one_of(st.none(), PAGES), max_size=5), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@pytest.mark.slow
def test_any_sequence_of_changes_equals_building_from_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[dict[str, tuple[str, tuple[str, ...], tuple[tuple[str, str, str], ...], tuple[str, ...]] | None]],
) -> None:
    path = tmp_path_factory.mktemp("graph") / "cache.sqlite3"
    state: dict[str, PageRow] = {}
    for number, step in enumerate(steps):
        rows = {path: PageRow(path, *row) if row else None for path, row in step.items()}
        for where, row in rows.items():
            state.pop(where, None)
            if row:
                state[where] = row
        with GraphIndex(path, "main", "1").at(f"t{number}", always(rows.items())) as reader:
            moved = everything(reader)
        with GraphIndex(path, f"anew {number}", "1").at("t", lambda _: these(*state.values())) as reader:
            assert everything(reader) == moved
