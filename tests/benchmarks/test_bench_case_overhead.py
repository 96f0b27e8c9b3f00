from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import case_overhead
from benchmarks.timing import Options
from gitops.errors import CannotRun


@pytest.mark.slow
def test_it_runs_and_says_how_large_it_was(tmp_path: Path) -> None:
    ratios = case_overhead.run(Options(tmp_path, rounds=1, scale=0.005))
    named = [(one.name, one.size, one.limit) for one in ratios]
    assert named == [
        (f"{name}{which}", size, limit)
        for name, size, bound in (
            ("true", 5, 1.3),
            ("true, by git assay benchmark run", 5, None),
            ("sh -c 'echo $ASSAY_CASE'", 5, 1.3),
            ("python -I -S -c pass", 1, 1.3),
        )
        for which, limit in (("", bound), (", processor time", None))
    ]
    assert all(one.ratio > 0 for one in ratios)


def test_a_case_that_fails_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="a case failed: exit 1"):
        case_overhead.ours(("false",), 2, tmp_path)()
