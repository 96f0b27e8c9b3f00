"""What one check of a change came to, as it travels from the job that ran it to the one that tells it.

Between the two lies an artifact that whoever wrote the change could have made: `parse` takes it for hostile, and what
renders it escapes every text. It holds no number that a gate rests on: the gate's answer is the job's own exit code.
"""

from __future__ import annotations

from pydantic import ValidationError

from gitops.canonical import strict_json
from gitops.errors import UsageError
from gitops.runs.printed_ci import Accepted as Accepted
from gitops.runs.printed_ci import Baseline as Baseline
from gitops.runs.printed_ci import Commit as Commit
from gitops.runs.printed_ci import Line as Line
from gitops.runs.printed_ci import MetricRow as MetricRow
from gitops.runs.printed_ci import MetricVerdict as MetricVerdict
from gitops.runs.printed_ci import Moment as Moment
from gitops.runs.printed_ci import Number as Number
from gitops.runs.printed_ci import Outcome as Outcome
from gitops.runs.printed_ci import Part as Part
from gitops.runs.printed_ci import Result as Result
from gitops.runs.printed_ci import Samples as Samples
from gitops.runs.printed_ci import Text as Text
from gitops.runs.printed_ci_benchmarks import RegressedCase as RegressedCase
from gitops.runs.printed_ci_benchmarks import RegressionKind as RegressionKind
from gitops.runs.printed_ci_benchmarks import SuiteRow as SuiteRow
from gitops.runs.printed_ci_benchmarks import SuiteVerdict as SuiteVerdict
from gitops.runs.printed_ci_benchmarks import UnablatedRow as UnablatedRow
from gitops.runs.printed_ci_extraction import BarRow as BarRow
from gitops.runs.printed_ci_extraction import BarVerdict as BarVerdict
from gitops.runs.printed_ci_extraction import ExtractionAnswer as ExtractionAnswer
from gitops.runs.printed_ci_extraction import WrongKind as WrongKind
from gitops.runs.printed_ci_extraction import WrongLine as WrongLine

LARGEST = 4 * 1024 * 1024
"""So many bytes a result may have; ours are some tens of kilobytes."""


def parse(data: bytes, name: str) -> Result:
    """A result from bytes that nobody vouches for. UsageError, in one line, for anything else."""
    hint = "git assay ci check --result FILE writes one"
    if len(data) > LARGEST:
        raise UsageError(f"{name}: {len(data):,} bytes, and a result has at most {LARGEST:,}", hint)
    try:
        return Result.model_validate(strict_json(data.decode()))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{name}: {where}: {first['msg']}", hint) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: no result: {str(error).splitlines()[0]}", hint) from error
