from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.index.claims import ClaimIndex, ClaimReader, PageClaims

Rows = Iterable[tuple[str, PageClaims | None]]
Pages = dict[str, PageClaims]


def hash_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]


def made(blob: str, stratum: str, *claims: str) -> PageClaims:
    return blob, stratum, [hash_of(claim) for claim in claims]


PAGES: Pages = {
    "wiki/a/x.md": made("b1", "a", "one", "two"),
    "wiki/a/y.md": made("b2", "a", "three"),
    "wiki/top.md": made("b3", "", "four"),
    "wiki/none.md": made("b4", "empty"),
}


def always(rows: Rows) -> Callable[[str | None], Rows]:
    return lambda stored: rows


def unexpected(tree: str | None) -> Rows:
    raise AssertionError(f"nothing should have been asked for (stored: {tree})")


def answers(reader: ClaimReader) -> dict[str, object]:
    strata = reader.strata()
    drawn = {name: reader.located(name, reader.following(name, b"\0" * 16, 1000)) for name in strata}
    return {
        "strata": strata,
        "drawn": {name: [(one.hash, one.path, one.blob) for one in drawn[name]] for name in drawn},
    }


def expected(pages: Mapping[str, PageClaims]) -> dict[str, object]:
    rows = {(stratum, h, path, blob) for path, (blob, stratum, hashes) in pages.items() for h in hashes}
    strata = Counter(stratum for stratum, *_ in rows)
    return {
        "strata": dict(strata),
        "drawn": {name: [row[1:] for row in sorted(rows) if row[0] == name] for name in strata},
    }


def test_a_hash_of_another_length_is_refused(tmp_path: Path) -> None:
    index = ClaimIndex(tmp_path / "cache.sqlite3", "main", "1")
    with pytest.raises(ValueError, match="a hash of 3 bytes"), index.at("t1", always([("a", ("b", "", [b"abc"]))])):
        pass


def test_a_failure_while_the_differences_are_worked_out_leaves_the_stored_claims(tmp_path: Path) -> None:
    def failing(stored: str | None) -> Rows:
        yield "wiki/a/x.md", None
        raise RuntimeError("the parser")

    index = ClaimIndex(tmp_path / "cache.sqlite3", "main", "1")
    with index.at("t1", always(PAGES.items())):
        pass
    with pytest.raises(RuntimeError, match="the parser"), index.at("t2", failing):
        pass
    with index.at("t1", unexpected) as reader:
        assert answers(reader) == expected(PAGES)


def test_an_unwritable_place_is_worked_around(tmp_path: Path) -> None:
    (tmp_path / "assay").write_text("a file")
    index = ClaimIndex(tmp_path / "assay" / "cache.sqlite3", "main", "1")
    with index.at("t1", always(PAGES.items())) as reader:
        assert reader.strata() == {"": 1, "a": 3}
    assert "going on without the cache" in index.notice


def test_a_wiki_without_claims_has_no_strata(tmp_path: Path) -> None:
    with ClaimIndex(tmp_path / "cache.sqlite3", "main", "1").at("t1", always([])) as reader:
        assert reader.strata() == {}
        assert reader.following("a", b"\0" * 16, 5) == []


def test_what_stands_there_is_not_asked_for_again(tmp_path: Path) -> None:
    index = ClaimIndex(tmp_path / "cache.sqlite3", "main", "1")
    with index.at("t1", always(PAGES.items())):
        pass
    with ClaimIndex(tmp_path / "cache.sqlite3", "main", "1").at("t1", unexpected) as reader:
        assert answers(reader) == expected(PAGES)


def test_another_version_and_a_tree_that_is_gone_start_from_nothing(tmp_path: Path) -> None:
    def changes(stored: str | None) -> Rows:
        if stored is not None:
            raise KeyError(stored)
        return PAGES.items()

    with ClaimIndex(tmp_path / "cache.sqlite3", "main", "1").at("t1", always([("old", made("b", "o", "o"))])):
        pass
    with ClaimIndex(tmp_path / "cache.sqlite3", "main", "2").at("t2", changes) as reader:
        assert answers(reader) == expected(PAGES)
    with ClaimIndex(tmp_path / "cache.sqlite3", "main", "2").at("t3", changes) as reader:
        assert answers(reader) == expected(PAGES)


def test_past_the_greatest_hash_it_goes_on_from_the_least_and_gives_none_twice(tmp_path: Path) -> None:
    ordered = sorted(map(hash_of, ("one", "two", "three")))
    with ClaimIndex(tmp_path / "cache.sqlite3", "main", "1").at("t1", always(PAGES.items())) as reader:
        assert reader.following("a", ordered[2], 2) == [ordered[2], ordered[0]]
        assert reader.following("a", ordered[1], 9) == [ordered[1], ordered[2], ordered[0]]
        assert [one.path for one in reader.located("", reader.following("", ordered[1], 1))] == ["wiki/top.md"]


def test_a_changed_page_moves_its_claims_to_another_stratum_and_a_removed_one_takes_its_along(tmp_path: Path) -> None:
    after = {**PAGES, "wiki/a/x.md": made("b5", "b", "two", "five")}
    del after["wiki/a/y.md"]
    index = ClaimIndex(tmp_path / "cache.sqlite3", "main", "1")
    with index.at("t1", always(PAGES.items())):
        pass
    with index.at("t2", always([("wiki/a/x.md", after["wiki/a/x.md"]), ("wiki/a/y.md", None)])) as reader:
        assert answers(reader) == expected(after)
        assert reader.strata() == {"": 1, "b": 2}


def test_two_workspaces_do_not_see_each_other(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with ClaimIndex(path, "one", "1").at("t1", always(PAGES.items())):
        pass
    with ClaimIndex(path, "two", "1").at("t1", always([])) as reader:
        assert reader.strata() == {}
    with ClaimIndex(path, "one", "1").at("t1", unexpected) as reader:
        assert answers(reader) == expected(PAGES)


PAGE = st.none() | st.tuples(
    st.sampled_from("abc"), st.sampled_from(["", "x", "y"]), st.lists(st.integers(0, 30).map(str), max_size=4)
)
STEP = st.dictionaries(st.sampled_from(["p", "q", "r", "s"]), PAGE, max_size=4)


@settings(max_examples=40, deadline=None)
@given(st.lists(STEP, max_size=5))
@pytest.mark.slow
def test_moved_along_it_holds_what_it_would_hold_made_anew(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, tuple[str, str, list[str]] | None]]
) -> None:
    index = ClaimIndex(tmp_path_factory.mktemp("claims") / "cache.sqlite3", "main", "1")
    pages: Pages = {}
    for number, step in enumerate(steps):
        rows = {
            path: made(row[0], row[1], *[path + each for each in row[2]]) if row else None for path, row in step.items()
        }
        pages = {path: row for path, row in {**pages, **rows}.items() if row is not None}
        with index.at(f"t{number}", always(rows.items())) as reader:
            assert answers(reader) == expected(pages)


def test_what_follows_a_hash_is_a_fair_sample(tmp_path: Path) -> None:
    """Of 400 claims 10 are drawn from each of 400 random places: each is drawn 10 times, give or take."""
    some = random.Random(1)
    claims = [str(number) for number in range(400)]
    with ClaimIndex(tmp_path / "cache.sqlite3", "main", "1").at("t", always([("p", made("b", "", *claims))])) as reader:
        counts = Counter(hash for _ in range(400) for hash in reader.following("", some.randbytes(16), 10))
    assert sum(counts.values()) == 4000
    assert len(counts) > 380
    assert max(counts.values()) < 60
