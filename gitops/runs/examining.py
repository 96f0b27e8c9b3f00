"""Whether a commit stands by a verdict that holds: everything recomputed that can be, then the signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gitops.errors import AssayError, CannotRun
from gitops.git import history, notes, objects, refs
from gitops.runs import attesting, names, steps, store
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.verdict_check import Examined as Examined
from gitops.runs.verdict_check import check, home, is_no, note_on
from gitops.verify.verdict import Verdict


def examine(context: Context, commit: str, target: str | None = None) -> Examined:
    """Examine the verdict on a commit, or the one that a commit made elsewhere landed by or is covered by.

    `target` is the branch that the caller has it on or puts it on; without one the commit has to be in the history of
    the branch that its verdict names. CannotRun where no verdict is known.
    """
    found = held(context, commit, target)
    return found if target is not None else _where_it_stands(context, found, found.verdict.target)


def examine_on(context: Context, commit: str, target: str) -> Examined:
    """As `examine`, for a branch in whose history the commit has to be."""
    return _where_it_stands(context, held(context, commit, target), target)


def held(context: Context, commit: str, target: str | None = None) -> Examined:
    """As `examine`, wherever the commit stands: a no on the commit itself, else the first verdict that holds."""
    refused: Examined | None = None
    unknown: AssayError | None = None
    for candidate in bearers(context, commit):
        try:
            found = check(context, commit, note_on(context, candidate), target)
        except AssayError as error:  # anybody can write a verdict of nowhere beside one that holds
            unknown = unknown or error
            continue
        if not found.problem or (candidate == commit and is_no(context, found)):
            return found
        refused = refused or found
    if refused is None:
        if unknown is not None:
            raise unknown
        fetch = "git fetch REMOTE 'refs/notes/assay/*:refs/notes/assay/*', or name a commit that landed a run"
        raise CannotRun(f"no verdict on {commit[:10]} is known here", fetch)
    return refused


def covering(context: Context, commit: str, target: str | None = None) -> Verdict | None:
    """The verdict that lets a commit stand that somebody else made, where there is one that holds.

    Its base is the commit's first parent and its tree the commit's; where signatures are demanded it is signed.
    """
    there = context.commit(commit)
    for candidate in steps.candidates(context, there.parents[0], there.tree) if there.parents else ():
        try:
            found = check(context, commit, note_on(context, candidate), target)
        except AssayError as error:
            context.warn_once(f"the verdict on {candidate[:10]} does not count: {error.message}")
            continue
        if found.holds:
            return found.verdict
    return None


def _where_it_stands(context: Context, found: Examined, target: str) -> Examined:
    """The same, with the problem that a yes was given for a branch that the commit is not on."""
    if not found.holds or not target:
        return found
    tips = standing_at(context, target)
    if any(history.is_ancestor(context.repository, found.commit, tip) for tip in tips):
        return found
    return replace(found, problem=told_strayed(target, tips), is_open=False)


def told_strayed(target: str, tips: Iterable[str]) -> str:
    """What is said of a commit that is not in the history of the branch that its verdict names."""
    short = target.removeprefix("refs/heads/")
    where = "the commit is not in its history" if list(tips) else "no branch of that name is here"
    return f"the verdict is for {short}, and {where}"


def standing_at(context: Context, target: str) -> list[str]:
    """Where a branch stands: here, and where a remote was last seen to have it."""
    short = target.removeprefix("refs/heads/")
    own = refs.read(context.repository, target)
    theirs = context.once("remotes", lambda: refs.listed(context.repository, "refs/remotes"))
    tips = [own, *(tip for ref, tip in theirs.items() if ref.split("/", 3)[3:] == [short])]
    return list(dict.fromkeys(tip for tip in tips if tip is not None))


def signers(context: Context, verdicts: Iterable[Verdict]) -> dict[str, str]:
    """Who signed which verdict, by its id; those whose signature holds alone. What does not hold is told."""
    found: dict[str, str] = {}
    wrong: list[str] = []
    for verdict in verdicts:
        lines = notes.read(context.repository, names.VERDICTS, verdict.candidate)
        if attesting.envelopes(lines, verdict.id) and objects.exists(context.repository, verdict.base):
            try:
                who = attesting.attested(context, home(context, verdict.base, verdict).layout.root, verdict, lines)
            except AssayError as error:
                context.warn_once(f"whether verdicts are signed cannot be told: {error.message}")
                continue
            if who.signer:
                found[verdict.id] = who.signer
            else:
                wrong.append(f"{verdict.candidate[:10]}: {who.why}")
    if wrong:
        told = "1 signature does not hold" if len(wrong) == 1 else f"{len(wrong):,} signatures do not hold, the first"
        context.warn_once(f"{told} on {wrong[0]}")
    return found


def signer(context: Context, verdict: Verdict | None) -> str:
    """Who signed a verdict, if anybody did and the signature holds."""
    return signers(context, [verdict]).get(verdict.id, "") if verdict is not None else ""


def verdict_of(context: Context, run: Run) -> Verdict | None:
    """The verdict that a run's present state names, wherever it stands."""
    named = run.state.verdict_id
    for candidate in bearers(context, run.state.candidate) if named and run.state.candidate else ():
        for verdict in store.verdicts_on(context, candidate):
            if verdict.id == named:
                return verdict
    return None


def candidate_of(context: Context, commit: str) -> str | None:
    """The commit that bears the verdict on a commit: itself, or the candidate that it landed from another hand."""
    return next(bearers(context, commit), None)


def bearers(context: Context, commit: str) -> Iterator[str]:
    """The commits that bear verdicts on a commit: itself, those that it is recorded to have landed, those of its step.

    The verdicts may not hold.
    """
    if store.verdicts_on(context, commit):
        yield commit
    told = [*_landed(context, commit), *_of_its_step(context, commit)]
    yield from (candidate for candidate in dict.fromkeys(told) if candidate != commit)


def _landed(context: Context, commit: str) -> Iterator[str]:
    for run_id in store.landed_runs(context, commit):
        run = store.exact(context, run_id)
        if run is None or run.landed is None or run.landed.commit != commit:
            continue
        for candidate in dict.fromkeys(state.candidate for state in run.states if state.candidate):
            if run.landed.verdict_id in (verdict.id for verdict in store.verdicts_on(context, candidate)):
                yield candidate


def _of_its_step(context: Context, commit: str) -> list[str]:
    there = context.commit(commit)
    return steps.candidates(context, there.parents[0], there.tree) if there.parents else []
