from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.extraction.sequences import common

words = st.lists(st.sampled_from(["draft", "review", "sign", "ship"]), max_size=9)


def longest(first: list[str], second: list[str]) -> int:
    """The textbook's table (Wagner and Fischer 1974)."""
    row = [0] * (len(second) + 1)
    for one in first:
        before = row
        row = [0]
        for at, other in enumerate(second):
            row.append(before[at] + 1 if one == other else max(before[at + 1], row[at]))
    return row[-1]


@pytest.mark.parametrize(
    ("first", "second", "length"),
    [
        ("", "", 0),
        ("", "abc", 0),
        ("abc", "xyz", 0),
        ("abc", "abc", 3),
        ("abcd", "acbd", 3),
        ("abc", "cba", 1),
        ("aab", "ab", 2),
    ],
)
def test_the_longest_common_subsequence_by_hand(first: str, second: str, length: int) -> None:
    assert len(common(first, second)) == length


@given(words, words)
def test_it_is_common_in_order_and_as_long_as_there_is_any(first: list[str], second: list[str]) -> None:
    found = common(first, second)
    assert [first[one] for one, _ in found] == [second[other] for _, other in found]
    assert all(one < next_one and other < next_other for (one, other), (next_one, next_other) in pairwise(found))
    assert len(found) == longest(first, second) == len(common(second, first))


def test_it_is_the_same_one_in_every_process() -> None:
    """Strings are hashed anew in every process, and what is compared must not be."""
    script = "from gitops.extraction.sequences import common; print(common('abcabba', 'cbabac'))"
    told = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1


def test_thousands_of_stages_take_no_table_of_millions() -> None:
    first = [str(at) for at in range(8_000)]
    start = time.process_time()
    assert len(common(first, first[4_000:] + first[:4_000])) == 4_000
    assert time.process_time() - start < 5
