from __future__ import annotations

import json
import os
import stat
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import CannotRun, UsageError
from gitops.runs.gold import GoldQuery, derived_id, parse
from gitops.runs.gold_file import BadGold
from gitops.runs.gold_keeping import HEAD, Format, spelt, with_added, write

OLD = """\
# what we ask

- query: How hot?   # of green tea
  expected_topics: [tea]
  expected_citations:
    - raw/tea.md
  authored_at: 2026-11-22
# the end
"""


def query(text: str, topics: tuple[str, ...] = ("tea",), citations: tuple[str, ...] = ("raw/tea.md",)) -> GoldQuery:
    return GoldQuery(derived_id(text), text, topics, citations, "2026-11-22T08:30:00Z")


NEW = query("How cold: 5 °C?")


def test_a_file_that_cannot_be_read_is_left_alone() -> None:
    with pytest.raises(BadGold, match=r"queries\.yaml:1: "):
        with_added(b"query: a\n", [NEW])


@pytest.mark.parametrize("old", ["[{query: a, expected_topics: [], expected_citations: [], authored_at: 2026-11-22}]"])
def test_comments_that_would_be_lost_are_not(old: str) -> None:
    with pytest.raises(UsageError, match="would lose its comments"):
        with_added(f"{old} # mine\n".encode(), [NEW])
    assert [one.query for one in parse(with_added(old.encode(), [NEW]), "q.yaml")] == ["a", NEW.query]


@pytest.mark.parametrize(
    "old",
    [
        OLD,
        OLD.removesuffix("\n"),
        OLD.replace("\n", "\r\n"),
        "\n".join("    " + line for line in OLD.splitlines()),
        "---\n" + OLD,
        "\ufeff" + OLD,
    ],
)
def test_what_people_wrote_stays_byte_by_byte(old: str) -> None:
    made = with_added(old.encode(), [NEW, query("Who?")])
    assert made.startswith(old.encode())
    assert [one.query for one in parse(made, "q.yaml")] == ["How hot?", NEW.query, "Who?"]
    assert (b"\r\n" in made[len(old) :]) == ("\r\n" in old)


def test_a_document_that_was_ended_is_written_anew() -> None:
    old = b"- {query: a, expected_topics: [], expected_citations: [], authored_at: 2026-11-22}\n...\n"
    assert [one.query for one in parse(with_added(old, [NEW]), "q.yaml")] == ["a", NEW.query]


@pytest.mark.parametrize("old", [None, b"", b"\n"])
def test_a_new_file_says_what_it_is(old: bytes | None) -> None:
    made = with_added(old, [NEW])
    assert made.decode().startswith(HEAD)
    assert parse(made, "q.yaml") == [NEW]


@pytest.mark.parametrize(
    ("old", "kept"),
    [
        (spelt([], "yaml"), HEAD),
        ("# mine []\n", "# mine []\n"),
        ("# mine\r\n\r\n[]\r\n", "# mine\r\n\r\n"),
        ("[]", HEAD),
    ],
)
def test_an_empty_list_gives_way_and_what_is_said_above_it_stays(old: str, kept: str) -> None:
    made = with_added(old.encode(), [NEW])
    assert made.startswith(kept.encode() + b"- ")
    assert parse(made, "q.yaml") == [NEW]


def test_a_file_of_comments_keeps_them() -> None:
    made = with_added(b"# mine\n", [NEW])
    assert made.startswith(b"# mine\n")
    assert parse(made, "q.yaml") == [NEW]


def test_no_line_is_wrapped_and_each_list_is_one() -> None:
    long = "How " + "very " * 60 + "hot?"
    text = with_added(None, [query(long, ("a", "b"))]).decode()
    assert f"  query: {long}\n" in text
    assert "  expected_topics: [a, b]\n" in text


def test_json_holds_the_same_as_yaml() -> None:
    text = spelt([NEW, query("Who?", (), ())], "json")
    assert json.loads(text)[0]["query"] == "How cold: 5 °C?"
    assert parse(text.encode(), "q.json") == parse(spelt([NEW, query("Who?", (), ())], "yaml").encode(), "q.yaml")
    assert parse(spelt([], "json").encode(), "q.json") == parse(spelt([], "yaml").encode(), "q.yaml") == []


SAID = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).map(
    lambda text: f"a {' '.join(text.split())}".strip()
)


@given(first=SAID, second=SAID, names=st.lists(SAID, max_size=3))
def test_whatever_is_asked_is_read_as_it_was_added(first: str, second: str, names: list[str]) -> None:
    once = GoldQuery("one", first, tuple(dict.fromkeys(names)), (), "2026-11-22")
    again = GoldQuery("two", f"and {second}", (), (), "2026-11-22")
    made = with_added(with_added(None, [once]), [again])
    found = parse(made, "q.yaml")
    assert [one.query for one in found] == [first, again.query]
    assert len(found[0].topics) <= len(once.topics)


FORMS: tuple[Format, ...] = ("yaml", "json")


def listed(names: list[str]) -> tuple[str, ...]:
    """Names as a file has them: composed, and each once."""
    return tuple(dict.fromkeys(unicodedata.normalize("NFC", name).strip() for name in names))


@given(st.lists(st.tuples(SAID, st.lists(SAID, max_size=3), st.lists(SAID, max_size=3)), max_size=3))
@pytest.mark.slow
def test_what_is_given_out_is_taken_in_as_it_was(asked: list[tuple[str, list[str], list[str]]]) -> None:
    queries = [
        GoldQuery(f"id-{at}", f"{at} {text}", listed(topics), listed(citations), "2026-11-22")
        for at, (text, topics, citations) in enumerate(asked)
    ]
    for form in FORMS:
        out = spelt(queries, form).encode()
        assert parse(out, f"q.{form}") == queries
        assert parse(with_added(None, parse(out, f"q.{form}")), "q.yaml") == queries


def test_a_file_is_written_whole_with_its_mode_kept(tmp_path: Path) -> None:
    path = tmp_path / "gold" / "queries.yaml"
    write(path, b"a")
    path.chmod(0o600)
    write(path, b"b")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"b", 0o600)
    assert os.listdir(path.parent) == ["queries.yaml"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("a file")
    with pytest.raises(CannotRun, match="cannot be written"):
        write(tmp_path / "gold" / "queries.yaml", b"a")
    (tmp_path / "queries.yaml").mkdir()
    with pytest.raises(CannotRun, match="cannot be written"):
        write(tmp_path / "queries.yaml", b"a")
    assert sorted(os.listdir(tmp_path)) == ["gold", "queries.yaml"]
