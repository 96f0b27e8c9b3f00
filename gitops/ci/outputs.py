"""What a check leaves behind for those who come after it: result files, a summary, a step's outputs, annotations."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from gitops.canonical import dumps
from gitops.ci import extraction_answers
from gitops.ci.judged import worst
from gitops.ci.outcome import Checked
from gitops.ci.result import Result
from gitops.ci.suite_answers import name_of
from gitops.errors import CannotRun
from gitops.report.github import commands

MOST_ANNOTATIONS = 10
"""GitHub shows no more of one kind for a step."""


def result_files(named: Path, results: Sequence[Result]) -> dict[Path, Result]:
    """Which file holds which result: the one that was named; of several workspaces each in one named after it too."""
    if len(results) == 1:
        return {named: results[0]}
    return {named.with_name(f"{named.stem}.{each.suite}{named.suffix}"): each for each in results}


def write_result(path: Path, result: Result) -> None:
    """Write a result as one line of canonical JSON. CannotRun where it cannot be written."""
    _written(path, dumps(result.record()) + "\n", "w")


def append_summary(path: Path, results: Iterable[Result]) -> None:
    """Append what the results say as Markdown."""
    from gitops.ci.summary import render_summary

    _written(path, "\n".join(render_summary(each).rstrip("\n") + "\n" for each in results), "a")


def append_failure(path: Path, message: str, hint: str) -> None:
    """Append why nothing was checked, as code that no Markdown can steer."""
    fence = "`" * 8
    told = "\n".join(line.replace("`", "'") for line in (message, hint) if line)
    _written(path, f"### Neutral: nothing was checked\n\n{fence}text\n{told}\n{fence}\n", "a")


def append_steps(path: Path, steps: Iterable[tuple[str, str, str, str]]) -> None:
    """Append a table of commands: each with its exit code, what that means, and why."""
    from gitops.ci.taming import code, said
    from gitops.report.markdown import table

    rows = [(code(command), exit_code, means, said(why, 400)) for command, exit_code, means, why in steps]
    _written(path, "## git-assay scheduled\n\n" + table(("command", "exit", "", "why"), rows) + "\n", "a")


def append_markdown(path: Path, text: str) -> None:
    """Append what is Markdown already. CannotRun where it cannot be written."""
    _written(path, text, "a")


def append_outputs(path: Path, values: Mapping[str, str]) -> None:
    """Append a step's outputs as GitHub reads them from the file that `GITHUB_OUTPUT` names.

    Each is closed by a word that nobody could foresee: no value can end itself and begin another.
    """
    text = ""
    for name, value in values.items():
        end = f"end-{secrets.token_hex(16)}"
        text += f"{name}<<{end}\n{value}\n{end}\n"
    _written(path, text, "a")


def outputs(checked: Sequence[Checked], files: Iterable[Path]) -> dict[str, str]:
    """The outputs of a check: the verdict, how it ended, what regressed or is below its bar, where results are."""
    results = [each.result for each in checked]
    regressed = dict.fromkeys(row.metric for each in results for row in each.metrics if row.gated)
    regressed |= dict.fromkeys(name_of(row) for each in results for row in each.benchmarks if row.gated)
    answers = [each.extraction for each in results if each.extraction is not None]
    regressed |= dict.fromkeys(extraction_answers.name_of(row) for each in answers for row in each.bars if row.gated)
    outcomes = {each.outcome for each in results}
    return {
        "verdict": worst([each.decision for each in results]),
        "outcome": next((each for each in ("failed", "neutral", "passed") if each in outcomes), "neutral"),
        "regressions": ",".join(regressed),
        "result-path": "\n".join(str(path) for path in files),
    }


def annotated(checked: Sequence[Checked]) -> Iterator[str]:
    """The workflow commands for the first findings, errors before warnings."""
    found = (finding for each in checked for finding in each.findings)
    ordered = sorted(found, key=lambda each: (each.level.value != "error", each.path, each.line))
    return islice(commands(ordered), MOST_ANNOTATIONS)


def _written(path: Path, text: str, mode: str) -> None:
    try:
        with path.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        told = f"{path} cannot be written: {error.strerror or error}"
        raise CannotRun(told, "name a file in a folder that is there, and that may be written") from error
