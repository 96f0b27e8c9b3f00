from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import Absent
from gitops.git import batch, objects
from gitops.git.repository import Repository, open_repository

MISSING = "1" * 40


@pytest.fixture
def repository(make_repository: Callable[..., Path]) -> Repository:
    return open_repository(make_repository())


def written(repository: Repository, count: int) -> tuple[list[bytes], list[str]]:
    """Contents that would confuse a reader by lines, and their ids."""
    contents = [b"%d\nblob 3\n\0" % number * (number % 3) for number in range(count)]
    return contents, [objects.write_blob(repository, content) for content in contents]


@pytest.mark.parametrize("count", [3, batch.MANY + 1])
def test_an_object_that_is_not_here_is_absent(repository: Repository, count: int) -> None:
    _, ids = written(repository, count)
    with pytest.raises(Absent, match=MISSING):
        list(batch.read(repository, [*ids, MISSING]))


@pytest.mark.parametrize("count", [0, 1, batch.MANY - 1, batch.MANY, batch.MANY + 1])
def test_objects_come_in_the_order_asked_repeated_ones_too(repository: Repository, count: int) -> None:
    contents, ids = written(repository, count)
    assert list(batch.read(repository, ids + ids[::-1])) == contents + contents[::-1]


def test_who_stops_early_leaves_no_process_behind(repository: Repository) -> None:
    contents, ids = written(repository, batch.MANY)
    reading = batch.read(repository, ids)
    assert next(reading) == contents[0]
    reading.close()  # type: ignore[attr-defined]
