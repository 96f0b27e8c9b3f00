"""What `git assay extract compare --json` prints: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.printed_comparison import ComparedMetric

ProblemKind = Literal["missed", "spurious", "mistyped", "mislinked", "made_up", "omitted", "invalid", "graph"]


class ExtractionSide(TypedDict):
    """One run: as it was asked for, its id, the commit measured where there is one, the id of its measurement."""

    name: str
    run_id: str
    commit: str | None
    measurement: str


class ExtractionProblem(TypedDict):
    """One thing that is wrong: what it is and why that is thought, where it was extracted, where gold and source have
    it; what is not known is left out, and a line that is left out is the file as a whole.
    """

    kind: ProblemKind
    case: str
    what: str
    path: NotRequired[str]
    line: NotRequired[int]
    source: NotRequired[str]
    source_line: NotRequired[int]
    gold: NotRequired[str]
    gold_line: NotRequired[int]
    level: NotRequired[Literal["error", "warning", "note"]]
    why: NotRequired[str]


class BothNumbers(TypedDict):
    """A case's number in either run; null where it has none."""

    a: float | None
    b: float | None


class MovedCase(TypedDict):
    """A case in which anything moved: its numbers that have a bar, whether it reached them by itself (`pass`, `fail`),
    what is wrong in b alone (`new`), and what was wrong in a alone (`gone`).
    """

    case: str
    numbers: dict[str, BothNumbers]
    status_a: str
    status_b: str
    new: list[ExtractionProblem]
    gone: list[ExtractionProblem]


class ExtractCompare(TypedDict):
    """Two runs compared, the first of which is the reference.

    `compared` is the comparison of each metric, as `eval compare` prints it, but that which cases pass is told by
    `cases` alone, which are those that moved. `new` and `gone` count what is wrong by kind; `remarks` is what has to be
    told aloud.
    """

    schema: Literal["assay/extract-compare/1"]
    sides: list[ExtractionSide]
    alpha: float
    compared: list[ComparedMetric]
    new: dict[ProblemKind, int]
    gone: dict[ProblemKind, int]
    cases: list[MovedCase]
    remarks: list[str]
