"""The order in which a check tells what is wrong with an extraction, and what of it counts as new."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gitops.ci.extraction_answers import figure
from gitops.ci.extraction_rows import counted, mixed, wrong
from gitops.ci.result import BarRow, WrongLine
from gitops.extraction.problems import KINDS, Wrong

WRONGS = st.lists(
    st.builds(Wrong, kind=st.sampled_from(KINDS), case=st.sampled_from("ab"), what=st.sampled_from("xyz")), max_size=12
)
LINES = st.lists(
    st.builds(
        WrongLine,
        kind=st.sampled_from(KINDS),
        case=st.sampled_from("ab"),
        what=st.sampled_from("xyz"),
        level=st.sampled_from(("error", "warning")),
        is_new=st.booleans(),
    ),
    max_size=40,
)


def key(each: Wrong | WrongLine) -> tuple[str, str, str]:
    return each.kind, each.case, each.what


@given(WRONGS, WRONGS)
def test_new_is_what_the_base_has_fewer_times(before: list[Wrong], after: list[Wrong]) -> None:
    told = wrong(before, after)
    assert Counter(map(key, told)) == Counter(map(key, after))
    new = Counter(key(each) for each in told if each.is_new)
    assert new == Counter(map(key, after)) - Counter(map(key, before))


@given(LINES)
def test_nothing_is_lost_and_what_is_new_comes_first_and_errors_before_warnings(lines: list[WrongLine]) -> None:
    told = mixed(lines)
    assert sorted(each.model_dump_json() for each in told) == sorted(each.model_dump_json() for each in lines)
    ranks = [(not each.is_new, each.level != "error") for each in told]
    assert ranks == sorted(ranks)
    assert sum(counted(told).values()) == len(lines)


@given(LINES)
def test_each_kind_is_told_once_before_any_is_told_twice(lines: list[WrongLine]) -> None:
    errors = [each for each in mixed(lines) if each.is_new and each.level == "error"]
    kinds = {each.kind for each in errors}
    assert {each.kind for each in errors[: len(kinds)]} == kinds


def test_a_file_that_moved_makes_nothing_new() -> None:
    before = Wrong("spurious", "a", "role cook", path="extracted/a/cook.md", line=3)
    [told] = wrong([before], [Wrong("spurious", "a", "role cook", path="extracted/a/roles/cook.md", line=4)])
    assert (told.is_new, told.path, told.line) == (False, "extracted/a/roles/cook.md", 4)


def test_a_number_never_reads_as_if_it_lay_on_the_other_side_of_its_bar() -> None:
    row = BarRow(metric="atom_f1", op=">=", bar=0.6, verdict="below")
    assert [figure(row, value) for value in (0.5999, 0.6, 0.25, None)] == ["0.599900", "0.600", "0.250", "-"]
    errors = BarRow(metric="graph_errors", unit="faults", op="==", bar=0, verdict="below")
    assert [figure(errors, value) for value in (0.0, 1234.0)] == ["0", "1,234"]
