"""How things stand: open runs, and what landed without the verifier's yes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gitops.git import refs
from gitops.runs import evalruns, examining, names, proof, pushing, store, sweep
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.wellbeing import Wellbeing, wellbeing
from gitops.verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of the repository's runs. `stray` are branches under run/ that are no run."""

    open: tuple[Run, ...]
    counts: dict[str, int]
    unverified: tuple[Run, ...]
    overrides: tuple[Verdict, ...]
    stray: tuple[str, ...]
    last: Run | None
    undone: tuple[Run, ...] = ()
    """Runs that landed and whose commit is in the history of their target no more, nor at its upstream."""
    signed: bool = False
    """Is the verdict that landed last signed, and does the signature hold?"""
    wellbeing: tuple[Wellbeing, ...] = ()
    """What each metric says of each wiki, by its last measurement."""

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON (schema `assay/status/1`)."""
        return {
            "schema": "assay/status/1",
            "counts": self.counts,
            "open": [_brief(run) for run in self.open],
            "unverified": [_brief(run) for run in self.unverified],
            "overrides": [
                {"run_id": v.run_id, "commit": v.candidate, "reasoning": v.reasoning} for v in self.overrides
            ],
            "stray_branches": list(self.stray),
            "undone": [_brief(run) for run in self.undone],
            "last_committed": _brief(self.last) if self.last else None,
            "metrics": [each.as_json() for each in self.wellbeing],
            "signed": self.signed,
        }


def standing(context: Context, workspace: str | None = None) -> Standing:
    """Sweep, then look at every run (of one workspace, if it is named)."""
    runs = list(store.all_runs(context).values())
    if swept := sweep.full(context, runs):
        runs = list(store.all_runs(context).values())
    for told in swept:
        context.warn(told)
    runs = sorted(
        (r for r in runs if workspace in (None, r.record.workspace)), key=lambda r: (r.record.started_at, r.id)
    )
    committed = [run for run in runs if run.status == "committed" and not evalruns.is_measuring(run)]
    undone = _undone(context, committed)
    for run in undone:
        short = run.record.target.removeprefix("refs/heads/")
        landed = f"run {run.id} landed as {run.state.candidate[:10]}, which is not in the history of {short}"
        context.warn(f"{landed}: git assay run finish {run.id} says what mends it")
    overridden = {run.state.candidate for run in committed if run.state.verdict == "commit_override"}
    overrides = [v for commit in sorted(overridden) for v in store.verdicts_on(context, commit)]
    counts: dict[str, int] = {}
    for run in runs:
        counts[run.status] = counts.get(run.status, 0) + 1
    return Standing(
        open=tuple(run for run in runs if run.status in ("pending", "verifying")),
        counts=counts,
        unverified=tuple(run for run in committed if run.state.unverified),
        overrides=tuple(v for v in overrides if v.verdict == "commit_override"),
        stray=tuple(stray_branches(context)),
        last=committed[-1] if committed else None,
        signed=bool(committed) and _is_signed(context, committed[-1]),
        undone=tuple(undone),
        wellbeing=tuple(wellbeing(context, workspace)),
    )


def _is_signed(context: Context, run: Run) -> bool:
    return bool(examining.signer(context, examining.verdict_of(context, run)))


def _undone(context: Context, committed: list[Run]) -> list[Run]:
    """The runs that a moved target lost. A target that was deleted tells nothing of what landed on it."""
    found = []
    for target in sorted({run.record.target for run in committed}):
        tip = refs.read(context.repository, target)
        if tip is not None:
            followed = pushing.tracked(context, target)
            tips = (tip, followed) if followed else (tip,)
            found += proof.outside(context, [run for run in committed if run.record.target == target], *tips)
    return found


def stray_branches(context: Context) -> list[str]:
    """Branches under run/ whose names are no ids: they cannot be runs, and are said rather than adopted."""
    found = refs.listed(context.repository, names.BRANCHES)
    return sorted(ref.removeprefix("refs/heads/") for ref in found if not names.is_id(ref.removeprefix(names.BRANCHES)))


def _brief(run: Run) -> dict[str, Any]:
    return {
        "run_id": run.id,
        "status": run.status,
        "run_type": run.record.run_type,
        "verdict": run.state.verdict or None,
        "unverified": run.state.unverified,
        "draft_only": run.state.draft_only,
        "started_at": run.record.started_at,
        "reason": run.state.reason,
    }
