"""Makes a regression case of a change that the verifier refused: the pages and sources that show why, and the findings.

The case is judged again before it is given, as its suite will judge it, so that it is never one that cannot fail.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitops.canonical import digest
from gitops.errors import CannotRun, UsageError
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import examining, judging, store
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.workspace import rooted
from gitops.suites import refused_change
from gitops.suites.model import BenchmarkCase
from gitops.suites.refused_change import Ground
from gitops.suites.replaying import ChangedFile, facts_of, judged, line, named
from gitops.suites.scrubbing import Scrubber
from gitops.verify.finding import Finding
from gitops.verify.statement import PASSES
from gitops.verify.verdict import Verdict

_KEEP = "--no-scrub keeps the texts as this repository has them"


@dataclass(frozen=True, slots=True)
class Made:
    """A case, and what of the failure it does not show: findings that need more than a few files to be seen."""

    case: BenchmarkCase
    not_shown: tuple[str, ...] = ()


def case_of(context: Context, run: Run, scrubber: Scrubber | None, case_id: str = "") -> Made:
    """The case of a run that was refused; None for `scrubber` leaves its texts as they are.

    UsageError for a run that was not refused, CannotRun where its findings do not show on a few files alone.
    """
    verdict = _refused(context, run)
    workspace = rooted(context.repository, verdict.base, run.record.workspace_root)
    head = TreeSnapshot(context.repository, verdict.tree)
    ground = Ground(context, workspace, verdict, context.tree(verdict.base), head)
    wanted = list(judging.gating(verdict.findings))
    given, shown = _showing(ground, run, wanted)
    if scrubber is not None:
        given, shown = _scrubbed(scrubber, given, shown)
    names = sorted({_named(each) for each in shown[1:]})
    lost = sorted({named(one) for one in wanted} - set(names))
    return Made(_case(run, given, shown, names, case_id, is_scrubbed=scrubber is not None), tuple(lost))


def _refused(context: Context, run: Run) -> Verdict:
    verdict = examining.verdict_of(context, run) or _sent_back(context, run)
    if verdict is None:
        told = f"run {run.id} has no verdict: a case is made of one that was refused"
        raise UsageError(told, f"git assay run finish {run.id} asks for one; git assay run list")
    if verdict.verdict in PASSES:
        raise UsageError(f"run {run.id} was not refused: its verdict is {verdict.verdict}", "git assay run list")
    return verdict


def _sent_back(context: Context, run: Run) -> Verdict | None:
    """The verdict of a run that is to be revised: its state names it, and no candidate any more."""
    candidates = dict.fromkeys(state.candidate for state in reversed(run.states) if state.candidate)
    found = (verdict for candidate in candidates for verdict in store.verdicts_on(context, candidate))
    return next((verdict for verdict in found if verdict.id == run.state.verdict_id), None)


def _showing(ground: Ground, run: Run, wanted: Sequence[Finding]) -> tuple[dict[str, Any], list[str]]:
    """The input of a case, and the lines of its output: of few files, but where all that matter show more of it."""
    lines = {refused_change.relative(ground, line(one), one.path) for one in wanted}
    given, shown = _tried(ground, run, refused_change.few(ground, wanted), lines)
    if not lines <= set(shown):
        more, further = _tried(ground, run, refused_change.all_that_matter(ground, wanted), lines)
        if len(further) > len(shown):
            given, shown = more, further
    if len(shown) < 2:
        told = f"none of the findings of run {run.id} shows on its pages and sources alone, by judges without a model"
        raise CannotRun(told, f"git assay run show {run.id} has them")
    return given, shown


def _tried(ground: Ground, run: Run, paths: Iterable[str], lines: Set[str]) -> tuple[dict[str, Any], list[str]]:
    """The input of a case of some files, the decision on it, and those of some lines that it shows."""
    given = refused_change.given(ground, run, paths)
    decision, *found = replayed(given)
    return given, [decision, *(each for each in found if each in lines)]


def _scrubbed(scrubber: Scrubber, given: Mapping[str, Any], shown: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The same without personal data; only what still shows is expected."""
    clean = scrubber.value({**given, "skill_args": {**given["skill_args"], "policy": None}})
    clean["skill_args"]["policy"] = given["skill_args"]["policy"]
    names = {_named(each) for each in shown[1:]}
    output = replayed(clean)
    still = [output[0], *(each for each in output[1:] if _named(each) in names)]
    if len(still) < 2:
        raise CannotRun("without personal data the case shows nothing of the failure any more", _KEEP)
    return clean, still


def replayed(given: Mapping[str, Any]) -> list[str]:
    """What the verifier says of the input of a case: the line of the decision first."""
    told = given["skill_args"]
    files = [ChangedFile.model_validate(one) for one in given["context"]]
    with tempfile.TemporaryDirectory(prefix="git-assay-") as folder:
        judgement = judged(Path(folder), files, told["policy"], facts_of(told))
    found = dict.fromkeys(map(line, judging.gating(judgement.findings)))
    return [f"verdict: {judgement.decision}", *found]


def _named(told: str) -> str:
    """The check and result of a line: what kind of failure it is."""
    return told.split(" ")[1]


def _case(
    run: Run, given: Mapping[str, Any], shown: Sequence[str], names: Sequence[str], case_id: str, *, is_scrubbed: bool
) -> BenchmarkCase:
    expected = {"mode": "contains", "value": {"all": list(shown)}}
    case = {
        "case_id": case_id or f"{names[0][:50]}-{digest([given, expected])[:8]}",
        "description": f"From a run of type {run.record.run_type} that was refused: {', '.join(names)}.",
        "input": dict(given),
        "expected": expected,
        "tags": [*names, *([] if is_scrubbed else ["not-anonymised"])],
        "difficulty": "medium",
        "source": "regression",
    }
    return BenchmarkCase.model_validate(case)
