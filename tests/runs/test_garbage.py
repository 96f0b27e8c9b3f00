from __future__ import annotations

import gc

import pytest

from gitops.runs.garbage import uncollected


def test_a_failure_inside_leaves_the_collector_as_it_was() -> None:
    with pytest.raises(ZeroDivisionError), uncollected():
        1 / gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
