from __future__ import annotations

from dataclasses import replace

import pytest

from gitops.agents.disagreements import Contradiction, Disagreement, Told, found, told_day
from tests.agents.mills import BOTH, EIGHTY, FILES, FORTY, MILL, NEW, OLD, PEOPLE, SIXTY, WHEEL
from tests.agents.shelves import view_of

Files = dict[str, str]


def one(contradiction: Contradiction, **changed: str) -> Disagreement | tuple[Contradiction, str]:
    files = FILES | changed
    (only,) = found(view_of(files), [contradiction])
    return only


@pytest.mark.parametrize(
    ("a", "why"),
    [
        (Told("wiki/gone.md", FORTY, 3), "wiki/gone.md is not there any more"),
        (Told("wiki/mill.md", "It was never said.", 3), "wiki/mill.md:3 cites no source for itself"),
    ],
)
def test_what_cannot_be_found_again_is_told(a: Told, why: str) -> None:
    told = one(replace(PEOPLE, a=a))
    assert isinstance(told, tuple)
    assert told[1].startswith(why)


def test_a_claim_whose_source_is_gone_is_told() -> None:
    files = {path: text for path, text in FILES.items() if path != OLD}
    (told,) = found(view_of(files), [PEOPLE])
    assert isinstance(told, tuple)
    assert told[1] == "wiki/mill.md:3 cites no source that is here"


def test_a_claim_that_is_dated_already_is_told() -> None:
    dated = f"As of 2019-05-01, {FORTY[0].lower()}{FORTY[1:]}"
    told = one(replace(PEOPLE, a=Told("wiki/mill.md", dated, 3)), **{"wiki/mill.md": MILL.replace(FORTY, dated)})
    assert isinstance(told, tuple)
    assert told[1] == "wiki/mill.md:3 is dated already"


def test_the_day_in_a_files_name_gives_the_order() -> None:
    each = one(PEOPLE)
    assert isinstance(each, Disagreement)
    assert each.older is each.a
    assert (each.day, each.newer_day, each.newer.words) == ("2019-05-01", "2023-02-03", SIXTY)
    turned = one(Contradiction(PEOPLE.b, PEOPLE.a))
    assert isinstance(turned, Disagreement)
    assert turned.older is turned.b


def test_sources_without_days_have_no_order() -> None:
    each = one(WHEEL)
    assert isinstance(each, Disagreement)
    assert (each.older, each.day, each.newer_day) == (None, "", "")


def test_a_day_that_one_source_tells_is_not_held_against_the_day_another_came_in() -> None:
    each = one(WHEEL, **{"raw/a.md": f"---\ndate: 2001-01-01\n---\n\n{EIGHTY}\n"})
    assert isinstance(each, Disagreement)
    assert each.older is None


@pytest.mark.parametrize(
    ("path", "text", "day"),
    [
        ("raw/report-2019.md", "# Report\n", None),
        ("raw/2019-13-01.md", "# Report\n", None),
        ("raw/2019-02-30-x.md", "# Report\n", None),
        ("raw/1234567890.md", "# Report\n", None),
        ("raw/2019-05-01.md", "# Report\n", "2019-05-01"),
        ("raw/report_20190501.pdf", "", "2019-05-01"),
        ("raw/report.md", "---\npublished: '2019-05-01T10:00:00Z'\n---\n", "2019-05-01"),
        ("raw/report.md", "---\ndate: 2019-05-01\n---\n", "2019-05-01"),
        ("raw/report.md", "---\ndate: May 2019\n---\n", None),
        ("raw/report.txt", "---\ndate: 2019-05-01\n---\n", None),
    ],
)
def test_the_day_that_a_source_tells(path: str, text: str, day: str | None) -> None:
    assert told_day(view_of({**FILES, path: text}), path) == day


def test_the_days_on_which_sources_came_in_give_the_order_where_they_tell_none() -> None:
    versions = {
        "raw/a.md": [("2" * 40, "2022-02-02", "Mend"), ("1" * 40, "2001-01-01", "Add")],
        "raw/b.md": [("1" * 40, "2001-01-01", "Add")],
    }
    (each,) = found(view_of(FILES, versions=versions), [WHEEL])
    assert isinstance(each, Disagreement)
    assert each.older is each.b
    assert (each.day, each.newer_day) == ("2001-01-01", "2022-02-02")


def test_several_contradictions_come_in_order() -> None:
    assert [each.contradiction for each in found(view_of(FILES), BOTH) if isinstance(each, Disagreement)] == list(BOTH)
    assert NEW in FILES
