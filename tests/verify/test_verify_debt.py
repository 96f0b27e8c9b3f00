from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitops.verify import debt
from gitops.verify.finding import Finding, Level


def finding(mark: str, level: Level = Level.ERROR, path: str = "wiki/a.md", message: str = "wrong") -> Finding:
    return Finding(
        check="links", level=level, result="broken", scope="page", message=message, path=path, fingerprint=mark
    )


def test_a_line_that_is_no_entry_is_named_and_excuses_nothing() -> None:
    kept = debt.written(debt.of([finding("f1")]).values())
    read = debt.read(kept + b"not json\n{}\n[]\n" + b'{"fingerprint": 3}\n' + b'{"fingerprint":"f","path":1}\n\xff\n')
    assert list(read.entries) == ["f1"]
    assert read.unread == (2, 3, 4, 5, 6, 7)


def test_notes_and_evidence_are_no_debt() -> None:
    every = [finding(level.value, level) for level in Level]
    assert sorted(debt.of(every)) == ["error", "warning"]


def test_an_empty_file_is_no_debt() -> None:
    assert debt.read(b"") == debt.NONE
    assert debt.written([]) == b""


def test_entries_stand_by_page_whatever_order_they_came_in() -> None:
    one, two = finding("2", path="wiki/b.md"), finding("1", path="wiki/a.md")
    both = debt.written(debt.of([one, two]).values())
    assert both == debt.written(debt.of([two, one]).values())
    assert [entry.path for entry in debt.read(both).entries.values()] == ["wiki/a.md", "wiki/b.md"]


def test_a_message_of_several_lines_stays_one_line() -> None:
    kept = debt.written(debt.of([finding("1", message="one\ntwo\u2028three")]).values())
    assert kept.count(b"\n") == 1
    assert debt.read(kept).entries["1"].message == "one two three"


@given(st.lists(st.tuples(st.text(min_size=1), st.text(), st.text())))
def test_what_is_written_reads_back(rows: list[tuple[str, str, str]]) -> None:
    entries = {row[0]: debt.Entry(row[1], "links", "broken", "error", row[0], row[2]) for row in rows}
    kept = {mark: entry for mark, entry in entries.items() if _is_utf8(mark, entry)}
    assert debt.read(debt.written(kept.values())) == debt.Debt(kept)


def _is_utf8(mark: str, entry: debt.Entry) -> bool:
    return all(text.isprintable() or "\n" in text for text in (mark, entry.path, entry.message))


@given(st.binary())
def test_no_bytes_raise(data: bytes) -> None:
    debt.read(data)
