"""Which case is which: what a case asks and expects, as a digest; where it differs, it is another case."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from gitops import canonical
from gitops.suites.model import BenchmarkCase, BenchmarkRun, BenchmarkSuite

SUITE = "suite"
"""Where a configuration's snapshot has the whole definition of the suite that was run."""
FILES = "files"
"""Where it has the sha256 of each file that the cases found."""
ORGANIC = "organic"
"""Where a record has the digests of the cases that it leaves out, because they were real sessions (silas 20.7)."""


def case_digest(case: BenchmarkCase, files: Mapping[str, str]) -> str:
    """The digest of what a case asks and expects, and of the files that it finds; how it is described or tagged makes
    it no other case.
    """
    said = case.model_dump(mode="json", include={"input", "expected"})
    return canonical.digest([said["input"], said["expected"], dict(files)])


def of_run(run: BenchmarkRun) -> dict[str, str]:
    """The digests of the cases that a run was given, by their ids, as far as its snapshot has them."""
    suite, organic = suite_of(run), run.config_snapshot.get(ORGANIC)
    told = {name: str(each) for name, each in organic.items()} if isinstance(organic, Mapping) else {}
    return told | ({} if suite is None else of_suite(run, suite))


def of_suite(run: BenchmarkRun, suite: BenchmarkSuite) -> dict[str, str]:
    """The digests of the cases of a suite, with the files that a run found."""
    files = files_of(run)
    return {case.case_id: case_digest(case, files) for case in suite.cases}


def files_of(run: BenchmarkRun) -> dict[str, str]:
    """The sha256 of each file that the cases of a run found."""
    given = run.config_snapshot.get(FILES)
    return {name: str(each) for name, each in given.items()} if isinstance(given, Mapping) else {}


def suite_of(run: BenchmarkRun) -> BenchmarkSuite | None:
    """The definition of the suite that a run was made by; None where its snapshot has none that could be read."""
    try:
        return BenchmarkSuite.model_validate(run.config_snapshot.get(SUITE))
    except ValidationError:
        return None
