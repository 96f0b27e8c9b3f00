"""What `git assay extract eval` is going to ask models, and about what that costs: told, and asked for, beforehand."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.cli.extract_subject import Plan
    from gitops.usage import Usage

_AGAIN = "git assay extract eval --live --yes does not ask"


@dataclass(frozen=True, slots=True)
class Cost:
    """One who is going to be asked: `role` is `extract` or `judge`, `line` says it to a person."""

    role: str
    preset: str
    line: str
    used: Usage

    def record(self) -> dict[str, Any]:
        """It as plain JSON."""
        return {"role": self.role, "preset": self.preset, "requests": self.used.calls, **self.used.record()}


def costs(plan: Plan) -> list[Cost]:
    """Who is going to be asked; nobody where no model is."""
    from gitops import assembly
    from gitops.runs.seating import estimated, would_be_asked
    from gitops.usage import NOTHING

    found = []
    if plan.asks_to_extract:
        about = assembly.extraction_estimate(plan.workspace, plan.sources, plan.preset)
        asked = f"preset '{plan.preset}' would be asked {about.calls} times to extract"
        line = f"{asked}, about {about.read:,} tokens in, {about.output:,} out, ${about.usd:.4f}"
        found.append(Cost("extract", plan.preset, line, about))
    if not plan.judge.is_free and (questions := plan.questions()):
        about = estimated(plan.judge, questions) or NOTHING
        line = would_be_asked(plan.judge, len(questions), about)
        found.append(Cost("judge", plan.ground.policy.judge, line, about))
    return found


def told(plan: Plan, every: Sequence[Cost]) -> list[str]:
    """What is going to be done, line by line."""
    gold = plan.ground.gold
    count = f"{len(gold.cases):,} {'case' if len(gold.cases) == 1 else 'cases'} of {gold.place}"
    if plan.there is not None:
        first = f"{count}: {plan.there.files:,} extracted files would be scored"
    else:
        first = f"{count}: preset '{plan.preset}' would extract each, and its files would be scored"
    return [first, *([one.line for one in every] or ["no model would be asked: nothing to pay"])]


def record(plan: Plan, every: Sequence[Cost]) -> dict[str, Any]:
    """The same as plain JSON."""
    return {
        "schema": "assay/extract-plan/1",
        "gold": plan.ground.gold.place,
        "cases": len(plan.ground.gold.cases),
        "preset": plan.preset or None,
        "extracted": plan.there.files if plan.there is not None else None,
        "costs": [one.record() for one in every],
    }


def agree(arguments: argparse.Namespace, every: Sequence[Cost]) -> None:
    """Say what is going to be paid, and on a terminal ask whether it may be. CannotRun where it may not."""
    from gitops.cli import asking
    from gitops.errors import CannotRun

    if not every:
        return
    if not arguments.quiet:
        for one in every:
            asking.say(one.line)
    if arguments.yes or not sys.stdin.isatty():
        return
    said = asking.line("ask them, and pay that? [y/N] ", "nothing was asked", _AGAIN)
    if (said or "").casefold() not in ("y", "yes"):
        raise CannotRun("nothing was asked of any model, and nothing scored", _AGAIN)
