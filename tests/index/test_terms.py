from __future__ import annotations

import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.index.terms import TermIndex, TermReader, Terms

Rows = Iterable[tuple[str, Terms | None]]

DOCUMENTS: dict[str, Terms] = {
    "raw/a.md": ("b1", ["solvent", "use", "use", "2019", "3.5"]),
    "raw/b.md": ("b2", ["solvent", "café", "中文"]),
    "raw/c.md": ("b3", []),
}


def always(rows: Rows) -> Callable[[str | None], Rows]:
    return lambda stored: rows


def unexpected(tree: str | None) -> Rows:
    raise AssertionError(f"nothing should have been asked for (stored: {tree})")


def answers(reader: TermReader, terms: Iterable[str]) -> dict[str, object]:
    terms = list(terms)
    mentions = {term: reader.mentioning(term) for term in terms}
    return {"documents": reader.documents, "frequency": reader.frequency(terms), "mentions": mentions}


def expected(documents: Mapping[str, Terms], terms: Iterable[str]) -> dict[str, object]:
    terms = list(terms)
    mentions = {term: sorted(path for path, (_, held) in documents.items() if term in held) for term in terms}
    frequency = {term: len(paths) for term, paths in mentions.items()}
    return {"documents": len(documents), "frequency": frequency, "mentions": mentions}


def test_a_failure_while_the_differences_are_worked_out_leaves_the_stored_terms(tmp_path: Path) -> None:
    def failing(stored: str | None) -> Rows:
        yield "raw/a.md", None
        raise RuntimeError("the extractor")

    index = TermIndex(tmp_path / "cache.sqlite3", "main", "raw", "1")
    with index.at("t1", lambda _: DOCUMENTS.items()):
        pass
    with pytest.raises(RuntimeError, match="the extractor"), index.at("t2", failing):
        pass
    with index.at("t1", unexpected) as reader:
        assert reader.documents == 3


def test_an_unwritable_place_is_worked_around(tmp_path: Path) -> None:
    (tmp_path / "assay").write_text("a file")
    index = TermIndex(tmp_path / "assay" / "cache.sqlite3", "main", "raw", "1")
    with index.at("t1", lambda stored: DOCUMENTS.items() if stored is None else unexpected(stored)) as reader:
        assert reader.frequency(["solvent"]) == {"solvent": 2}
    assert "going on without the cache" in index.notice


@pytest.mark.slow
def test_a_full_disk_is_worked_around_and_the_old_terms_stay(small_disk: Path) -> None:
    path = small_disk / "cache.sqlite3"
    with TermIndex(path, "main", "raw", "1").at("t1", lambda _: DOCUMENTS.items()):
        pass
    some = random.Random(1)
    many = {f"raw/{n}": ("b", [f"{some.random():.12f}" for _ in range(100)]) for n in range(1000)}
    index = TermIndex(path, "main", "raw", "1")
    with index.at("t2", lambda _: many.items()) as reader:
        assert reader.documents == 1000
    assert "full" in index.notice
    with TermIndex(path, "main", "raw", "1").at("t1", unexpected) as reader:
        assert reader.frequency(["solvent"]) == {"solvent": 2}


def test_words_that_rotted_on_disk_are_noticed_and_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with TermIndex(path, "main", "raw", "1").at("t1", lambda _: DOCUMENTS.items()):
        pass
    conn = sqlite3.connect(path)
    conn.execute("UPDATE documents SET words = x'00'")
    conn.commit()
    conn.close()
    index = TermIndex(path, "main", "raw", "1")
    with index.at("t2", lambda stored: DOCUMENTS.items()) as reader:
        assert answers(reader, ["solvent"]) == expected(DOCUMENTS, ["solvent"])
    assert "made anew" in index.notice


def test_terms_without_their_table_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with TermIndex(path, "main", "raw", "1").at("t1", lambda _: DOCUMENTS.items()):
        pass
    conn = sqlite3.connect(path)
    conn.execute("DROP TABLE terms_1")
    conn.close()
    with TermIndex(path, "main", "raw", "1").at("t2", lambda stored: DOCUMENTS.items()) as reader:
        assert answers(reader, ["solvent"]) == expected(DOCUMENTS, ["solvent"])


def test_terms_are_not_folded_stemmed_or_split(tmp_path: Path) -> None:
    forms = [
        "Use",
        "use",
        "uses",
        "USE",
        "cafe",
        "café",
        "cafe\u0301",
        "中",
        "中文",
        "文",
        "3",
        "3.5",
        "5",
        "2019",
        "１",
    ]
    forms += [
        "a_b",
        "a",
        "b",
        "_",
        "_41_",
        "A",
        "it's",
        "it",
        '"',
        "*",
        "a*",
        "a b",
        "NEAR",
        "-a",
        "\x00",
        "a\x00",
        "ß",
    ]
    forms += ["ss", "ﬁ", "fi", "\udce9", "İ", "i", "Σ", "ς", "σ", "naïve", "🙂", "^a", "{a}", "a:b", "", "\u3000", "\n"]
    rows = {f"raw/{number}": ("b", [form]) for number, form in enumerate(forms)}
    with TermIndex(tmp_path / "cache.sqlite3", "main", "raw", "1").at("t", lambda _: rows.items()) as reader:
        held = [form for form in forms if form]
        assert answers(reader, held) == expected(rows, held)
        assert reader.frequency([""]) == {"": 0}
        assert reader.mentioning("") == []


def test_the_questions_a_check_asks(tmp_path: Path) -> None:
    with TermIndex(tmp_path / "cache.sqlite3", "main", "raw", "1").at("t", lambda _: DOCUMENTS.items()) as reader:
        assert reader.documents == 3
        assert reader.frequency(["solvent", "use", "none", "use"]) == {"solvent": 2, "use": 1, "none": 0}
        assert reader.mentioning("solvent") == ["raw/a.md", "raw/b.md"]
        assert reader.mentioning("none") == []


def test_changes_are_asked_for_from_the_stored_tree(tmp_path: Path) -> None:
    asked: list[str | None] = []

    def changes(stored: str | None) -> Rows:
        asked.append(stored)
        if stored is None:
            return DOCUMENTS.items()
        return [("raw/a.md", None), ("raw/b.md", ("b9", ["solvent", "new"])), ("raw/none.md", None)]

    index = TermIndex(tmp_path / "cache.sqlite3", "main", "raw", "1")
    with index.at("t1", changes) as old:
        with index.at("t2", changes) as reader:
            now: dict[str, Terms] = {"raw/b.md": ("b9", ["solvent", "new"]), "raw/c.md": ("b3", [])}
            terms = ["solvent", "use", "café", "new"]
            assert answers(reader, terms) == expected(now, terms)
        assert answers(old, ["solvent", "café"]) == expected(DOCUMENTS, ["solvent", "café"])
    with index.at("t2", changes):
        pass
    assert asked == [None, "t1"]


def test_indices_are_apart_by_name_and_workspace_and_version(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    rows: dict[str, Terms] = {"wiki/a.md": ("b", ["solvent"])}
    with (
        TermIndex(path, "main", "raw", "1").at("t", lambda _: DOCUMENTS.items()) as raw,
        TermIndex(path, "main", "wiki", "1").at("t", lambda _: rows.items()) as wiki,
        TermIndex(path, "other", "raw", "1").at("t", lambda _: []) as other,
    ):
        assert raw.frequency(["solvent"]) == {"solvent": 2}
        assert wiki.mentioning("solvent") == ["wiki/a.md"]
        assert (other.documents, other.frequency(["solvent"])) == (0, {"solvent": 0})
    with TermIndex(path, "main", "raw", "2").at("t", lambda stored: rows.items()) as raw:
        assert raw.frequency(["solvent", "use"]) == {"solvent": 1, "use": 0}


@pytest.mark.slow
def test_adding_a_document_costs_little_beside_counting_anew(tmp_path: Path) -> None:
    some = random.Random(3)
    rows = {
        f"raw/{number}.md": ("b", [f"w{int(some.paretovariate(0.7)) % 50_000}" for _ in range(150)])
        for number in range(10_000)
    }
    index = TermIndex(tmp_path / "cache.sqlite3", "main", "raw", "1")
    started = time.perf_counter()
    with index.at("t", lambda _: rows.items()) as reader:
        whole = time.perf_counter() - started
        counts = Counter(term for _, (_, terms) in rows.items() for term in set(terms))
        assert reader.frequency(counts) == counts
    costs = []
    for number in range(5):
        started = time.perf_counter()
        with index.at(f"t{number}", always([(f"raw/new-{number}.md", rows["raw/7.md"])])) as reader:
            costs.append(time.perf_counter() - started)
            assert reader.documents == 10_001 + number
    assert min(costs) <= 0.01 * whole


TERMS = st.one_of(st.sampled_from(["a", "b", "A", "ab"]), st.text(min_size=1, max_size=3))
PATHS = st.sampled_from([f"raw/{name}" for name in "abcdef"])
STEPS = st.lists(
    st.dictionaries(PATHS, st.one_of(st.none(), st.lists(TERMS, max_size=5)), max_size=6), min_size=1, max_size=8
)


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
@pytest.mark.slow
def test_any_sequence_of_changes_equals_counting_from_nothing(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, list[str] | None]]
) -> None:
    index = TermIndex(tmp_path_factory.mktemp("terms") / "cache.sqlite3", "main", "raw", "1")
    state: dict[str, Terms] = {}
    seen = {"a", "A"}
    for number, step in enumerate(steps):
        rows: dict[str, Terms | None] = {path: None if terms is None else ("b", terms) for path, terms in step.items()}
        for path, row in rows.items():
            state.pop(path, None)
            if row:
                state[path] = row
                seen.update(row[1])
        with index.at(f"t{number}", always(rows.items())) as reader:
            assert answers(reader, seen) == expected(state, seen)


def test_terms_are_stored_once_they_were_made_by_this_version(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    assert not TermIndex(path, "main", "raw", "1").is_stored
    assert not path.exists()
    with TermIndex(path, "main", "raw", "1").at("t1", lambda _: DOCUMENTS.items()):
        pass
    assert TermIndex(path, "main", "raw", "1").is_stored
    assert not TermIndex(path, "main", "raw", "2").is_stored
    assert not TermIndex(path, "main", "wiki", "1").is_stored


def test_a_spoilt_file_stores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert not TermIndex(path, "main", "raw", "1").is_stored


def test_documents_come_with_the_terms_they_hold_in_the_order_asked(tmp_path: Path) -> None:
    with TermIndex(tmp_path / "cache.sqlite3", "main", "raw", "1").at("t", lambda _: DOCUMENTS.items()) as reader:
        assert reader.by_document([]) == reader.by_document(["none"]) == {}
        assert reader.by_document(["中文", "solvent", "use", "solvent"]) == {
            "raw/a.md": ["solvent", "use"],
            "raw/b.md": ["中文", "solvent"],
        }


def test_very_many_documents_come_with_their_terms_too(tmp_path: Path) -> None:
    many: dict[str, Terms] = {f"wiki/{number}.md": (f"b{number}", ["term", str(number)]) for number in range(700)}
    with TermIndex(tmp_path / "cache.sqlite3", "main", "wiki", "1").at("t", lambda _: many.items()) as reader:
        assert reader.by_document(["9", "term"]) == {
            path: ["9", "term"] if path == "wiki/9.md" else ["term"] for path in many
        }
