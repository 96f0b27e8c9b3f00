from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.accuracy import measured
from benchmarks.accuracy.labelled import Reference, Verdict
from benchmarks.accuracy.taking import Found

LINE = 'He said "so it was and is" (source: raw/a.md) and "never was it else" (source: raw/b.md), see [[c]] [^1].'
FOUND = Found("w", "wiki/p.md", 1, 10, "quote_anchor", "altered", "error", "f1", "", "raw/a.md says otherwise")
VERDICT = Verdict("w", "wiki/p.md", 1, "quote_anchor", "altered", "f1", True, "it does", "seen")
NOTHING = measured.Recall((), ())


@pytest.fixture
def wikis(tmp_path: Path) -> Path:
    page = tmp_path / "w/wiki/p.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"{LINE}\n\n[^1]: raw/a.md\n")
    return tmp_path


def reference(text: str, form: str, truth: str, check: str = "") -> Reference:
    column = LINE.index(text) + 1
    return Reference("w", "wiki/p.md", 1, column, form, truth, check, "seen", "", "")


def test_an_error_that_nobody_read_counts_for_neither_side() -> None:
    told = measured.precision([FOUND], [], "both")
    assert (told.true, told.false, told.unread) == ((), (), (FOUND,))


def test_a_warning_is_no_error() -> None:
    told = measured.precision([replace(FOUND, level="warning")], [VERDICT], "both")
    assert (told.true, told.unread) == ((), ())


def test_two_verdicts_on_a_line_are_told_apart_by_the_finding() -> None:
    other = replace(FOUND, fingerprint="f2")
    told = measured.precision([FOUND, other], [VERDICT, replace(VERDICT, fingerprint="f2", is_true=False)], "both")
    assert (told.true, told.false) == ((FOUND,), (other,))
    reworded = measured.precision([replace(FOUND, fingerprint="f3")], [VERDICT], "both")
    assert len(reworded.true) == 1


def test_a_verdict_of_the_other_half_is_left_out() -> None:
    told = measured.precision([FOUND], [VERDICT], "unseen")
    assert (told.true, told.unread) == ((), ())


@pytest.mark.parametrize(
    "finding",
    [
        replace(FOUND, line=2),
        replace(FOUND, check="orphan"),
        replace(FOUND, path="wiki/q.md"),
        replace(FOUND, wiki="v"),
    ],
    ids=["line", "check", "path", "wiki"],
)
def test_a_finding_elsewhere_or_of_another_check_finds_no_defect(wikis: Path, finding: Found) -> None:
    defect = reference("(source: raw/a.md)", "source_parenthesis", "altered", "quote_anchor")
    assert measured.recall([finding], [defect], wikis).missed == (defect,)


def test_one_finding_answers_for_one_defect(wikis: Path) -> None:
    first = reference("(source: raw/a.md)", "source_parenthesis", "altered", "quote_anchor")
    second = reference("(source: raw/b.md)", "source_parenthesis", "misplaced", "locator")
    told = measured.recall([FOUND], [second, first], wikis)
    assert (told.found, told.missed) == (((first, FOUND),), (second,))


def test_a_broken_link_is_found_only_where_it_stands(wikis: Path) -> None:
    defect = reference("[[c]]", "wikilink", "broken", "links")
    finding = replace(FOUND, check="links", result="broken", level="warning", column=defect.column + 2)
    assert measured.recall([finding], [defect], wikis).missed == ()
    assert measured.recall([replace(finding, column=3)], [defect], wikis).missed == (defect,)


def test_a_footnote_may_be_told_of_at_its_definition(wikis: Path) -> None:
    defect = reference("[^1]", "footnote_reference", "altered", "quote_anchor")
    assert measured.recall([replace(FOUND, line=3, column=1)], [defect], wikis).missed == ()


def test_a_quotation_alarms_the_citation_that_follows_it_alone(wikis: Path) -> None:
    first, second = (reference(f"(source: raw/{name}.md)", "source_parenthesis", "ok") for name in "ab")
    assert measured.alarms([FOUND], [first, second], NOTHING, wikis) == [(first, FOUND)]


def test_a_note_and_a_known_defect_are_no_alarms(wikis: Path) -> None:
    right = reference("(source: raw/a.md)", "source_parenthesis", "ok")
    known = measured.Recall(((right, FOUND),), ())
    assert measured.alarms([replace(FOUND, level="note")], [right], NOTHING, wikis) == []
    assert measured.alarms([FOUND], [right], known, wikis) == []
