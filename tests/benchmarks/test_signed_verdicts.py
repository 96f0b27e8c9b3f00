from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import recorded, signed_landings, signed_verdicts
from benchmarks.timing import Options
from gitops.errors import CannotRun
from gitops.git import notes, refs
from gitops.git.repository import open_repository
from gitops.runs import names

pytestmark = pytest.mark.slow


def test_both_sides_verify_every_signature(tmp_path: Path) -> None:
    first, again = signed_verdicts.run(Options(tmp_path, rounds=1, scale=0.003))
    assert (first.size, again.size, first.floor) == (3, 3, "3 ssh-keygen -Y verify")
    assert (first.limit, again.limit) == (1.2, 0.05)
    landings = signed_landings.build(tmp_path / "other.git", 2)
    assert len(list(signed_verdicts._signatures(landings))) == 2
    signed_verdicts.bare(landings, tmp_path / "other.git")()


def test_a_verdict_that_does_not_hold_is_no_measurement(tmp_path: Path) -> None:
    landings = signed_landings.build(tmp_path / "signed.git", 2)
    verify = signed_verdicts.surveying(landings)
    verify()
    repository = open_repository(landings.folder)
    [(target, lines), _] = notes.read_all(repository, names.VERDICTS)
    old = str(refs.read(repository, names.VERDICTS))
    refs.delete(repository, names.VERDICTS, old)
    kept = {target: [line for line in lines if '"kind":"verdict"' in line]}
    notes.append(repository, names.VERDICTS, kept, "unsigned", recorded.WHO, recorded.WHEN)
    with pytest.raises(CannotRun, match="do not hold"):
        verify()
