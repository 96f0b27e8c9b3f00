"""What `--json` prints of suites as files, and of the cases that are made: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on


class CheckedSuite(TypedDict):
    """A suite whose files are in order. `cases` are by difficulty; `digest` is of all that they say."""

    suite_id: str
    folder: str
    target: str
    runs: str | None
    cases: dict[str, int]
    organic: int
    has_baseline: bool
    digest: str


class BenchmarkCheck(TypedDict):
    """The suites that were looked at, all that is wrong with others, and the skills without benchmarks."""

    schema: Literal["assay/benchmark-check/1"]
    suites: list[CheckedSuite]
    faults: list[str]
    skills_without: list[str]


class BenchmarkImport(TypedDict):
    """The cases that were made of real sessions: `there` are those that were kept before, `removed` what was taken out.

    `left_out` counts sessions of which nothing can be expected, `overlooked` are fields of the log that mean nothing.
    """

    schema: Literal["assay/benchmark-import/1"]
    workspace: str
    suite: str
    folder: str
    added: list[str]
    there: list[str]
    left_out: int
    overlooked: list[str]
    removed: dict[str, int]


class BenchmarkFromRun(TypedDict):
    """The regression case that was made of a run, and its file. `not_shown` are findings that it does not show."""

    schema: Literal["assay/benchmark-from-run/1"]
    workspace: str
    suite: str
    run: str
    file: str
    case: dict[str, Any]
    is_anonymised: bool
    removed: dict[str, int]
    not_shown: list[str]
