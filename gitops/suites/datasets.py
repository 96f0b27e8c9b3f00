"""Cases from real sessions: logs of goals and outcomes, scrubbed, kept where git ignores them (silas 20.7).

They lie in `data/benchmarks/<suite>/cases/`, in the worktrees of those who opted in, and in no commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from gitops.canonical import digest
from gitops.errors import CannotRun, UsageError
from gitops.git.process import git
from gitops.runs import gold_keeping
from gitops.runs.bad_input import BadInput, Fault
from gitops.runs.context import Context
from gitops.runs.jsonlines import objects
from gitops.runs.workspace import Workspace
from gitops.suites import grading, places
from gitops.suites.model import BenchmarkCase, BenchmarkExpected, BenchmarkInput, Difficulty
from gitops.suites.reading import model_of
from gitops.suites.scrubbing import Scrubber
from gitops.suites.writing import spelt

HINT = "a line of it is: {goal, outcome}, and perhaps context, skill_args, accepted, expected, difficulty, tags"
OutcomeMode = Literal["llm_judge", "contains", "exact", "human"]
_CRITERIA = "It comes to the same, in substance, as this outcome, which was accepted:\n\n"


class Session(BaseModel):
    """A line of a log: what was wanted, and what came of it. Other fields are overlooked.

    `accepted` false says that the outcome was not what was wanted: nothing can be expected by it, unless `expected`
    says what should have come.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    goal: str
    outcome: str = ""
    accepted: bool = True
    context: list[dict[str, Any]] | None = None
    skill_args: dict[str, Any] | None = None
    expected: BenchmarkExpected | None = None
    difficulty: Difficulty = "medium"
    tags: list[str] = []


@dataclass(frozen=True, slots=True)
class Log:
    """The sessions of a log that cases can be made of; `left_out` are those of which nothing can be expected."""

    sessions: tuple[Session, ...]
    left_out: int
    overlooked: tuple[str, ...]
    """The names of fields that mean nothing here."""


def read(data: bytes, name: str) -> Log:
    """The sessions in a file of JSON Lines. BadInput with the line of what is wrong, and for a log without sessions, or
    without one of which anything can be expected.
    """
    found: list[Session] = []
    overlooked: dict[str, None] = {}
    for number, value in objects(data, name, HINT):
        found.append(_session(value, name, number))
        overlooked |= dict.fromkeys(key for key in value if key not in Session.model_fields)
    if not found:
        raise BadInput(name, [Fault(0, "it holds no session")], HINT)
    usable = [one for one in found if one.expected is not None or (one.accepted and one.outcome.strip())]
    if not usable:
        told = f"none of its {len(found):,} sessions has an outcome that was accepted, or says what is expected"
        raise BadInput(name, [Fault(0, told)], HINT)
    return Log(tuple(usable), len(found) - len(usable), tuple(overlooked))


def _session(value: Mapping[str, Any], name: str, number: int) -> Session:
    try:
        session = model_of(Session, value, name)
    except BadInput as error:
        raise BadInput(name, [Fault(number, fault.message) for fault in error.faults], HINT) from None
    if session.expected is not None and (told := _unfit(session.expected)):
        raise BadInput(name, [Fault(number, f"expected: {each}") for each in told], HINT)
    return session


def _unfit(expected: BenchmarkExpected) -> list[str]:
    """Why no output could be held to what is expected; nothing where one can."""
    asked = BenchmarkInput(goal="")
    case = BenchmarkCase(
        case_id="x", description="", input=asked, expected=expected, difficulty="medium", source="organic"
    )
    return [told.removeprefix("case x: ") for told in grading.faults(case)]


def case_of(session: Session, mode: OutcomeMode, scrubber: Scrubber) -> BenchmarkCase:
    """A session as a case without personal data, named by what it then holds: the same session is the same case."""
    asked = BenchmarkInput(goal=session.goal, context=session.context, skill_args=session.skill_args)
    expected = session.expected or _expected(session.outcome, mode)
    said = {"input": asked.model_dump(mode="json"), "expected": expected.model_dump(mode="json"), "tags": session.tags}
    clean = scrubber.value(said)
    clean["expected"]["mode"] = expected.mode
    return BenchmarkCase.model_validate(
        clean
        | {
            "case_id": f"organic-{digest([clean['input'], clean['expected']])[:12]}",
            "description": "A real session, anonymised.",
            "difficulty": session.difficulty,
            "source": "organic",
        }
    )


def _expected(outcome: str, mode: OutcomeMode) -> BenchmarkExpected:
    value = {"llm_judge": _CRITERIA + outcome, "contains": outcome, "exact": outcome, "human": None}[mode]
    return BenchmarkExpected(mode=mode, value=value)


def folder(context: Context, workspace: Workspace, suite_id: str) -> Path:
    """Where the organic cases of a suite go. UsageError where nobody opted in, or where git would commit them."""
    if not workspace.config.benchmarks.organic:
        told = (
            f"cases of real sessions are not kept: {workspace.layout.config} at HEAD has no [benchmarks] organic = true"
        )
        raise UsageError(told, f"write organic = true below [benchmarks] in {workspace.layout.config}, and commit that")
    top = places.worktree(context)
    path = f"{places.organic(workspace.layout, suite_id)}/{places.CASES}"
    if not (top / path).resolve().is_relative_to(top.resolve()):
        raise UsageError(f"{path} lies behind a symbolic link, outside the worktree", "put a folder there")
    _demand_ignored(context, path)
    return top / path


def _demand_ignored(context: Context, path: str) -> None:
    """UsageError where `git add` would take what lies there; what git ignores is git's to say."""
    probe = f"{path}/organic.json"
    # This one command of git's refuses to be told that paths are no patterns, and takes them for none all the same.
    done = git(context.repository, "check-ignore", "-q", "--", probe, env={"GIT_LITERAL_PATHSPECS": "0"}, check=False)
    if done.code == 1:
        top = path.split("data/benchmarks/")[0] + "data/benchmarks/"
        told = f"git would not ignore {top}, and real sessions belong into no commit"
        raise UsageError(told, f"echo '/{top}' >> .gitignore && git add .gitignore && git commit -m 'Ignore {top}'")
    if done.code:
        raise CannotRun(f"git cannot say whether it ignores {path}: {done.stderr.strip()}", "put that right")
    if tracked := git(context.repository, "ls-files", "--", path.removesuffix(f"/{places.CASES}")).text:
        told = f"{tracked.splitlines()[0]} is tracked by git, and real sessions belong into no commit"
        raise UsageError(told, "git rm --cached it, and think of the commits that have it")


@dataclass(frozen=True, slots=True)
class Kept:
    """The ids of the cases that were written, and of those that were there already."""

    added: tuple[str, ...]
    there: tuple[str, ...]


def keep(where: Path, cases: Sequence[BenchmarkCase]) -> Kept:
    """Write the cases that are not there yet, each whole or not at all."""
    added: dict[str, None] = {}
    there: dict[str, None] = {}
    for case in cases:
        path = where / f"{case.case_id}.json"
        if case.case_id in added or path.exists():
            there[case.case_id] = None
        else:
            gold_keeping.write(path, spelt(case).encode())
            added[case.case_id] = None
    return Kept(tuple(added), tuple(there))
