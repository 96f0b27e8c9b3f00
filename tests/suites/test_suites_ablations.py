"""Ablations put together from what is in the notes, whatever order it comes in and whatever else is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.git.repository import open_repository
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.suites.ablations import of_id, put_together
from tests.suites.ablated import measured, passing

MakeRepository = Callable[..., Path]
EVERY = [
    *measured({"a": passing, "b": passing, "c": passing}, 2, 3, "20261122-120000-0a0b0c0d"),
    *measured({"a": passing, "b": passing, "c": passing}, 2, 3, "20261122-120000-0a0b0c0d", suite="other"),
    *measured({"a": passing, "b": passing}, 2, 2, "20261122-130000-0a0b0c0d"),
]


@given(st.permutations(EVERY), st.lists(st.sampled_from(EVERY), max_size=5))
def test_order_and_doubles_change_nothing(order: list[Measurement], again: list[Measurement]) -> None:
    found = sorted(put_together([*order, *again]), key=lambda one: one.id)
    assert [one.id for one in found] == ["20261122-120000-0a0b0c0d", "20261122-130000-0a0b0c0d"]
    studies = {study.suite: study for study in found[0].studies}
    assert sorted(studies) == ["other", "words"]
    for study in studies.values():
        assert [variant.name for variant in study.variants] == ["a", "b", "c"]
        assert [[one.repeat for one in variant.repeats] for variant in study.variants] == [[0, 1, 2]] * 3
        assert study.is_whole


@given(st.sets(st.integers(0, 8), min_size=1, max_size=8))
def test_whatever_is_missing_it_is_not_whole(missing: set[int]) -> None:
    left = [one for at, one in enumerate(EVERY[:9]) if at not in missing]
    assert not any(study.is_whole for one in put_together(left) for study in one.studies)


def test_an_ablation_is_found_by_the_beginning_of_its_id_if_that_is_the_only_one(
    make_repository: MakeRepository,
) -> None:
    repository = make_repository({"a.md": "a\n"})
    context = Context(open_repository(repository))
    commit = context.commit(_head(repository)).id
    for one in EVERY:
        measurements.append(context, one.model_copy(update={"commit": commit}))
    assert of_id(context, "20261122-13").id == "20261122-130000-0a0b0c0d"
    assert of_id(context, "20261122-120000-0a0b0c0d").id == "20261122-120000-0a0b0c0d"
    with pytest.raises(UsageError, match="may be any of 20261122-120000-0a0b0c0d, 20261122-130000-0a0b0c0d"):
        of_id(context, "20261122")
    for word in ("", "x", "20261123"):
        with pytest.raises(UsageError, match="no ablation is called"):
            of_id(context, word)


def _head(repository: Path) -> str:
    return (repository / ".git/refs/heads/main").read_text().strip()
