from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import Absent
from gitops.git import snapshot
from gitops.git.repository import open_repository
from gitops.runs import searching
from gitops.runs.context import CACHE, Context
from gitops.runs.excerpts import LONGEST, Excerpt, excerpts, key, marked
from gitops.runs.searching import Hit
from gitops.runs.workspace import find
from gitops.wiki import chunks, searchwords
from gitops.wiki.chunks import Chunk

FILES = {
    "assay.toml": '[workspace]\nname = "tides"\n',
    "raw/tides.md": "# On tides\n\nThe sea falls back twice a day.\n\n## Causes\n\nThe moon pulls it.\n",
    "raw/waves.txt": "Waves break on the shore. The wind drives them.\n",
    "wiki/index.md": "# Index\n\n- [Tides](tides.md)\n- [Moon](moon.md)\n",
    "wiki/log.md": "# Log\n\nThe sea was written about.\n",
    "wiki/tides.md": "# Tides\n\nThe sea falls twice a day.\n\n## Spring tides\n\nThey are the highest.\n",
    "wiki/moon.md": "---\ntitle: The moon\n---\nIt is far away. It pulls the sea.\n",
    "wiki/한국.md": "# 조수\n\n바다는 하루에 두 번 물러난다. 달이 조수를 만든다.\n",
    "wiki/中文.md": "# 潮汐\n\n月亮引起潮汐。\n",
    "wiki/日本.md": "# 潮\n\n月が潮の満ち引きを起こす。\n",
    "notes.md": "The sea is nobody's page.\n",
}


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES)


def hits(folder: Path, words: str, where: searching.Where = "wiki", rev: str = "HEAD", limit: int = 9) -> list[Hit]:
    repository = open_repository(folder)
    commit = snapshot.resolve(repository, rev)
    with searching.opened(Context(repository), find(repository, commit), commit, where) as searcher:
        return searcher.find(searchwords.asked(words), limit)


def paths(found: list[Hit]) -> list[str]:
    return [one.path for one in found]


def test_the_log_the_policy_and_other_files_are_not_searched(wiki: Path) -> None:
    assert set(paths(hits(wiki, "sea", "all"))) == {"wiki/tides.md", "wiki/moon.md", "raw/tides.md"}
    assert hits(wiki, "nobody written workspace", "all") == []


def test_a_wiki_without_sources_or_pages_finds_nothing(make_repository: Callable[..., Path]) -> None:
    folder = make_repository({"assay.toml": FILES["assay.toml"]}, name="empty")
    assert hits(folder, "sea", "all") == []


def test_every_chunk_of_the_pages_is_told_with_the_text_that_its_span_points_into(wiki: Path) -> None:
    repository = open_repository(wiki)
    commit = snapshot.resolve(repository, "HEAD")
    with searching.opened(Context(repository), find(repository, commit), commit, "all") as searcher:
        places = searcher.every("wiki")
        assert {one.path for one in places} == {path for path in FILES if path.startswith("wiki/")} - {"wiki/log.md"}
        for hit in searcher.find(searchwords.asked("sea falls"), 9, "wiki"):
            assert (hit.path, hit.chunk, hit.start, hit.end) in places
            assert searcher.document("wiki", hit.path) == searcher.text(hit)
        assert {one.path for one in searcher.every("raw")} == {"raw/tides.md", "raw/waves.txt"}


@pytest.mark.parametrize("path", ["raw/tides.md", "wiki/tides.md"])
def test_a_file_that_this_clone_lacks_is_not_said_to_hold_nothing_and_is_read_once_it_is_there(
    wiki: Path, git: Callable[..., str], path: str
) -> None:
    blob = git(wiki, "rev-parse", f"HEAD:{path}").strip()
    stored = wiki / ".git" / "objects" / blob[:2] / blob[2:]
    away = stored.rename(wiki / "away")
    with pytest.raises(Absent, match=blob):
        hits(wiki, "sea", "all")
    away.rename(stored)
    assert path in paths(hits(wiki, "sea", "all"))


def test_links_and_submodules_are_no_files(wiki: Path, git: Callable[..., str]) -> None:
    (wiki / "raw" / "sea.md").symlink_to("../notes.md")
    (wiki / "wiki" / "sea.md").symlink_to("../notes.md")
    git(wiki, "add", "--all")
    git(wiki, "update-index", "--add", "--cacheinfo", f"160000,{git(wiki, 'rev-parse', 'HEAD').strip()},raw/sub.md")
    git(wiki, "commit", "--quiet", "-m", "links")
    assert set(paths(hits(wiki, "sea notes", "all"))) == {"wiki/tides.md", "wiki/moon.md", "raw/tides.md"}


def test_no_limit_is_too_high(wiki: Path) -> None:
    assert paths(hits(wiki, "far", limit=10**30)) == ["wiki/moon.md"]


def test_where_to_look_is_obeyed(wiki: Path) -> None:
    assert paths(hits(wiki, "moon sea", "raw")) == ["raw/tides.md", "raw/tides.md"]
    assert {one.kind for one in hits(wiki, "moon sea", "wiki")} == {"wiki"}
    assert {one.kind for one in hits(wiki, "moon sea", "all")} == {"wiki", "raw"}


def test_a_hit_tells_its_rank_place_and_heading(wiki: Path) -> None:
    first, *_ = hits(wiki, "highest spring")
    assert (first.rank, first.path, first.heading, first.line) == (1, "wiki/tides.md", "Tides › Spring tides", 5)
    text = FILES["wiki/tides.md"]
    assert text[first.start : first.end] == "## Spring tides\n\nThey are the highest."
    record = first.record()
    assert record["source_spans"] == [[first.start, first.end]]
    assert (record["doc_id"], record["chunk_id"], record["rank"]) == (first.path, first.chunk, 1)


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("조수", "wiki/한국.md"),
        ("조수는", "wiki/한국.md"),
        ("바다", "wiki/한국.md"),
        ("潮汐", "wiki/中文.md"),
        ("満ち引き", "wiki/日本.md"),
    ],
)
def test_korean_chinese_and_japanese_are_found(wiki: Path, words: str, path: str) -> None:
    assert paths(hits(wiki, words))[0] == path


def test_only_changed_files_are_read_again(
    wiki: Path, commit_files: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hits(wiki, "sea")
    read: list[str] = []
    of_page_data = chunks.of_page_data

    def noted(path: str, data: bytes) -> list[Chunk]:
        read.append(path)
        return of_page_data(path, data)

    monkeypatch.setattr(chunks, "of_page_data", noted)
    commit_files(wiki, {"wiki/tides.md": "# Tides\n\nThe ocean falls.\n", "raw/waves.txt": None})
    assert paths(hits(wiki, "ocean")) == ["wiki/tides.md"]
    assert paths(hits(wiki, "sea")) == ["wiki/moon.md"]
    assert read == ["wiki/tides.md"]


def test_an_older_revision_is_searched_as_it_was(wiki: Path, commit_files: Callable[..., str]) -> None:
    commit_files(wiki, {"wiki/tides.md": None})
    assert paths(hits(wiki, "falls twice")) == []
    assert paths(hits(wiki, "falls twice", rev="HEAD~1")) == ["wiki/tides.md"]
    assert paths(hits(wiki, "falls twice")) == []


def test_the_cache_may_be_deleted_at_any_time(wiki: Path) -> None:
    before = hits(wiki, "sea", "all")
    (wiki / ".git/assay" / CACHE).unlink()
    assert hits(wiki, "sea", "all") == before


def test_pages_of_a_workspace_below_the_top_are_found_by_their_repository_path(
    make_repository: Callable[..., Path],
) -> None:
    folder = make_repository({f"a/b/{path}": text for path, text in FILES.items()}, name="below")
    assert paths(hits(folder, "moon", "all"))[0] == "a/b/wiki/moon.md"


def shown(folder: Path, words: str, where: searching.Where = "wiki") -> list[Excerpt]:
    repository = open_repository(folder)
    commit = snapshot.resolve(repository, "HEAD")
    with searching.opened(Context(repository), find(repository, commit), commit, where) as searcher:
        return excerpts(searcher, words, 5)


def test_an_excerpt_is_the_sentence_that_holds_most_with_its_line(wiki: Path) -> None:
    first, *_ = shown(wiki, "pulling sea")
    assert (first.hit.path, first.line, first.text) == ("wiki/moon.md", 4, "It pulls the sea.")
    assert [first.text[start:end] for start, end in first.marks] == ["pulls", "sea"]
    assert first.record()["marks"] == [[3, 8], [13, 16]]


def test_a_chunk_found_by_its_title_alone_shows_its_beginning(wiki: Path) -> None:
    [first] = shown(wiki, "spring")
    assert (first.text, first.marks) == ("They are the highest.", ())


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("The Tide's tides", "tide", ["Tide's", "tides"]),
        ("조수를 만든다", "조수", ["조수"]),
        ("月亮引起潮汐。", "潮汐", ["潮汐"]),
        ("LLM을 쓴다", "LLM", ["LLM"]),
        ("1,180 particles", "1,180", ["1,180"]),
        ("nothing of it", "tide", []),
    ],
)
def test_words_are_marked_in_whatever_form(text: str, words: str, said: list[str]) -> None:
    marks = marked(text, frozenset(map(key, searchwords.asked(words))))
    assert [text[start:end] for start, end in marks] == said


def test_a_long_sentence_is_cut_around_the_word(make_repository: Callable[..., Path]) -> None:
    long = "wave " * 100 + "tide " + "shore " * 100
    folder = make_repository({"assay.toml": FILES["assay.toml"], "wiki/a.md": long}, name="long")
    [first] = shown(folder, "tide")
    assert len(first.text) <= LONGEST + 2
    assert [first.text[start:end] for start, end in first.marks] == ["tide"]
    assert first.text.startswith("…")
    assert first.text.endswith("…")
