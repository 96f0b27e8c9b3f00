"""Looks for what is wrong in a repository that git-assay works in. Mends what is certain; names the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from gitops.git import history, objects, refs
from gitops.git.process import git
from gitops.git.worktrees import Worktree
from gitops.index import records as rows
from gitops.index.database import open_index
from gitops.runs import beginning, branches, evalruns, feedback, mirror, names, proof, pushing, store, sweep
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.standing import stray_branches

_STEPS_BACK = 20
"""How many landings ago a worktree may have been left behind and still be recognised."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """Something that is not as it should be, the command that mends it, and whether it has been mended."""

    what: str
    mend: str = ""
    mended: bool = False


def examine(context: Context, *, mend: bool) -> list[Symptom]:
    """Everything that is wrong, in the order in which a person would look."""
    told: list[str] = []
    watched = replace(context, warn=told.append)
    found = [*_repository(watched), *_locks(watched), *_settings(watched, mend)]
    # Worktrees before all else: a landing cannot be taken up behind files that lag.
    runs, *_ = store.everything(watched)
    found += [*_worktrees(watched, runs, mend)]
    if mend:
        found += [Symptom(each, mended=True) for each in sweep.full(watched, runs)]
        runs, *_ = store.everything(watched)
    found += [*_runs(watched, runs), *_index(watched, mend)]
    feedback.all_acks(watched)  # for what it tells of lines that are none
    return [*found, *(Symptom(each, 'see docs/landing.md, "What doctor says"') for each in told)]


def _repository(context: Context) -> Iterator[Symptom]:
    repository = context.repository
    if repository.is_shallow:
        yield Symptom("the clone is shallow: earlier versions of sources cannot be looked up", "git fetch --unshallow")
    if repository.is_partial:
        yield Symptom("the clone is partial: blobs it lacks cannot be verified", "git fetch --refetch --no-filter")
    for ref in refs.listed(repository, names.CANDIDATES):
        if not names.is_id(ref.removeprefix(names.CANDIDATES)):
            yield Symptom(f"{ref} is no run's: its name is no id", f"git update-ref -d {ref}")
    for branch in stray_branches(context):
        yield Symptom(f"{branch} is no run: ids are 3 to 63 of a-z, 0-9 and '-'", f"git branch -m {branch} run/SOME-ID")
    for ref, commit in refs.listed(repository, "refs/assay/").items():
        if not objects.exists(repository, commit):
            yield Symptom(f"{ref} names {commit[:10]}, which is not there", f"git update-ref -d {ref}")
    checked = git(repository, "fsck", "--connectivity-only", "--no-dangling", "--no-progress", check=False)
    if checked.code:
        first = next((line for line in (checked.text + "\n" + checked.stderr).splitlines() if line.strip()), "git fsck")
        yield Symptom(f"git fsck: {first}", "git fsck --full; a fresh clone is the surest mend")


def _locks(context: Context) -> Iterator[Symptom]:
    """Lock files carry no owner, so they are reported, never removed."""
    for folder in {Path(context.repository.common_dir), Path(context.repository.git_dir)}:
        for lock in [*folder.glob("*.lock"), *(folder / "refs").rglob("*.lock")]:
            yield Symptom(f"{lock} is there: a git process is at work, or was killed", f"if none is: rm {lock}")


def _settings(context: Context, mend: bool) -> Iterator[Symptom]:
    if mend:
        yield from (
            Symptom(f"git config {each}", mended=True) for each in beginning.configure_notes(context.repository)
        )
        return
    for key, value in beginning.wanted_settings(context.repository):
        if value not in git(context.repository, "config", "--get-all", key, check=False).text.splitlines():
            yield Symptom(f"git config {key} is not {value}", "git assay doctor")


def _runs(context: Context, runs: list[Run]) -> Iterator[Symptom]:
    for target in sorted({run.record.target for run in runs if not evalruns.is_measuring(run)}):
        yield from _landed(context, target, [run for run in runs if run.record.target == target])


def _landed(context: Context, target: str, runs: list[Run]) -> Iterator[Symptom]:
    """The runs that landed on a target and are not in its history here; the upstream may have them."""
    short = target.removeprefix("refs/heads/")
    tips = [tip for tip in (refs.read(context.repository, target),) if tip]
    followed = pushing.tracked(context, target)
    missing = proof.outside(context, runs, *tips)
    lost = proof.outside(context, missing, *tips, *([followed] if followed else []))
    if len(missing) > len(lost):
        one = len(missing) - len(lost)
        what = (
            f"{one} {'run that' if one == 1 else 'runs that'} landed on {short} upstream {'is' if one == 1 else 'are'}"
        )
        yield Symptom(f"{what} not in {short} here", "git pull --ff-only")
    mend = f"somebody moved {short}, or it is not fetched: git reflog {short}" + (", git pull" if followed else "")
    for run in lost:
        commit = run.state.candidate[:10]
        yield Symptom(f"run {run.id} is recorded as landed, but {commit} is not in the history of {short}", mend)


def _worktrees(context: Context, runs: list[Run], mend: bool) -> Iterator[Symptom]:
    """A worktree whose branch moved while its files did not: a kill after the commit point leaves that."""
    targets = {run.record.target for run in runs if not evalruns.is_measuring(run)}
    branch = context.repository.head_branch()
    for target in sorted(targets | ({branch} if branch else set())):
        tip = refs.read(context.repository, target)
        for old in islice(history.first_parent(context.repository, tip), 1, _STEPS_BACK) if tip else ():
            for worktree in branches.lagging(context, target, old, str(tip)):
                mended = mend and worktree in _brought_along(context, target, old, str(tip))
                what = f"{worktree.path} shows the files of {old[:10]}, though its branch is at {str(tip)[:10]}"
                yield Symptom(what, f"git -C '{worktree.path}' read-tree -m -u {old} {tip}", mended=mended)


def _brought_along(context: Context, target: str, old: str, new: str) -> list[Worktree]:
    with branches.moving(context):
        return branches.bring_along(context, target, old, new)


def _index(context: Context, mend: bool) -> Iterator[Symptom]:
    runs, verdicts, measured, evicted = store.everything(context)
    if not runs and not verdicts and not evicted:
        return
    with mirror.opened(context) as index:
        live = {} if index.fresh else rows.dump(index)
    live.pop("eval_gold_queries", None)  # mirrors files, which people edit at any time; an evaluation brings it up
    if live == _rebuilt(context):
        return
    if mend:
        mirror.rebuild(context, runs, verdicts, measured, evicted)
    yield Symptom("the index does not say what the notes say", "git assay index rebuild", mended=mend)


def _rebuilt(context: Context) -> dict[str, list[tuple[object, ...]]]:
    """What an index made anew would hold, made beside the live one."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite3"
        index = open_index(path)
        try:
            mirror.fill(index, *store.everything(context))
            found = rows.dump(index)
            del found["eval_gold_queries"]
            return found
        finally:
            index.close()
