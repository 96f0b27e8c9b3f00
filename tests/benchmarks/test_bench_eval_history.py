from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import eval_history, eval_sampling, wikis
from benchmarks.__main__ import registry

pytestmark = pytest.mark.slow


def test_they_are_found() -> None:
    assert registry()["eval_history"] is eval_history.run
    assert registry()["eval_sampling"] is eval_sampling.run


def test_a_history_that_is_shorter_than_it_should_be_is_no_measurement(tmp_path: Path) -> None:
    folder = eval_history.build(tmp_path / "wiki.git", 100, 2)
    with pytest.raises(AssertionError):
        eval_history._history(folder, 5)()


def test_every_commit_of_the_history_has_a_number(tmp_path: Path) -> None:
    folder = eval_history.build(tmp_path / "wiki.git", 100, 2)
    eval_history._once(folder)()
    eval_history._history(folder, 3)()


def test_fifty_claims_are_drawn(tmp_path: Path) -> None:
    folder = wikis.build(tmp_path / "wiki", 60).folder
    eval_sampling._drawing(folder)()
    eval_sampling._locating(folder)()
