"""Notes and what is kept, brought in step with a remote: fetched beside ours, united, pushed; never by force."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from gitops.errors import AssayError, CannotRun, UsageError
from gitops.git import history, notes, refs, remotes
from gitops.git.process import git
from gitops.runs import names, pushing, remaking
from gitops.runs.context import Context
from gitops.runs.notelines import is_record

FETCHED = "refs/assay/remote/"
"""Below it, by remote: its notes as they were fetched last, and what it keeps under an id that we know otherwise."""

TRIES = 10
"""How often the remote's notes may have moved before our push reaches them."""

_TOGETHER = 500
_INDEXED = (names.RUNS, names.VERDICTS, names.EVALS)


@dataclass(slots=True)
class Carried:
    """What went over one notes ref: lines that came in, lines that went out, and those that came and are no records."""

    ref: str
    came: int = 0
    went: int = 0
    no_records: int = 0


@dataclass(slots=True)
class Synced:
    """What a sync did, or with `dry_run` would do; `differing` are ids under which the remote keeps another commit."""

    remote: str
    dry_run: bool = False
    notes: list[Carried] = field(default_factory=list)
    kept_came: tuple[str, ...] = ()
    kept_went: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    refused: str = ""
    """Why the remote does not take what is kept here; '' where it does."""


def remote_of(context: Context, named: str | None) -> str:
    """The remote that is meant: the one named, else what the branch follows, else the only one, else `origin`."""
    known = remotes.names(context.repository)
    hint = f"there are: {', '.join(known)}" if known else "git remote add origin URL"
    if named is not None:
        if named not in known:
            raise UsageError(f"there is no remote '{named}'", hint)
        return named
    branch = context.repository.head_branch()
    followed = pushing.upstream(context, branch) if branch else None
    only = known if len(known) == 1 else []
    likely = [followed[0], *only, "origin"] if followed else [*only, "origin"]
    for remote in likely:
        if remote in known:
            return remote
    raise UsageError("which remote is meant is not clear" if known else "there is no remote to be in step with", hint)


def bring_along(context: Context, remote: str) -> None:
    """Have the records be with a remote before the commits that they speak of. One that takes none holds no push up,
    and is told; `git config assay.pushNotes false` leaves them here.
    """
    if context.repository.git_config("assay.pushNotes", "bool") == "false":
        return
    if remote not in remotes.names(context.repository):
        context.warn("the notes stay here: they travel to a remote that has a name")
        return
    try:
        sync(context, remote)
    except AssayError as error:
        context.warn(f"the notes did not go along: {error.message}; {error.hint}")


def bring_ahead(context: Context, target: str) -> None:
    """The same with the remote that a branch follows, if it follows one, before the branch is pushed there."""
    if (followed := pushing.upstream(context, target)) is not None:
        bring_along(context, followed[0])


def sync(
    context: Context,
    remote: str,
    *,
    transcripts: bool = False,
    dry_run: bool = False,
    wait: Callable[[float], None] = time.sleep,
) -> Synced:
    """Fetch, unite and push the notes, then what is kept. CannotRun where others kept moving them, or it was refused:
    by a hook, say, or for want of a permission, which is not asked again.

    What came in stays, whatever becomes of the push, and the index knows it.
    """
    carried = {ref: Carried(ref) for ref in names.NOTES if transcripts or ref != names.TRANSCRIPTS}
    synced = Synced(remote, dry_run, list(carried.values()))
    try:
        refused, is_overtaken = _notes(context, remote, carried, dry_run)
        for turn in range(1, TRIES):
            if not is_overtaken:
                break
            wait(random.uniform(0.5, 1) * min(0.05 * 2**turn, 2))
            refused, is_overtaken = _notes(context, remote, carried, dry_run)
    finally:
        if not dry_run and any(carried[ref].came for ref in _INDEXED):
            _index(context)
    if refused:
        raise CannotRun(f"{remote} did not take the notes: {refused}", f"git assay sync {remote}, once that is mended")
    _keep(context, synced)
    return synced


def _notes(context: Context, remote: str, carried: Mapping[str, Carried], dry_run: bool) -> tuple[str, bool]:
    """One turn: fetch, unite, push. '' when the remote has what we have, else why it does not; and whether it may have
    it the next time, since somebody else was writing there.
    """
    theirs = _fetched(context, remote, carried)
    ours: dict[str, str] = {}
    for ref, each in carried.items():
        _take(context, remote, each, theirs.get(ref), dry_run)
        here = refs.read(context.repository, ref)
        if here is not None and here != theirs.get(ref):
            ours[ref] = here
            each.went = _lines(notes.beyond(context.repository, here, theirs.get(ref))) or each.went
    if dry_run or not ours:
        return "", False
    refused = remotes.push(context.repository, remote, ours)
    is_overtaken = bool(refused) and (remotes.is_held(refused) or _moved(context, remote, ours, theirs))
    for ref, commit in ours.items() if not refused else ():
        place = _place(remote, ref)
        refs.move(context.repository, place, commit, refs.read(context.repository, place), "assay: pushed")
    return refused, is_overtaken


def _moved(context: Context, remote: str, ours: Iterable[str], theirs: Mapping[str, str]) -> bool:
    """Whether one of these refs stands elsewhere at the remote than it did when we fetched it.

    What a server says when it refuses differs from one to the next; where its refs stand does not.
    """
    wanted = tuple(ours)
    there = remotes.listed(context.repository, remote, wanted)
    return any(there.get(ref) != theirs.get(ref) for ref in wanted)


def _fetched(context: Context, remote: str, wanted: Iterable[str]) -> dict[str, str]:
    """The remote's notes as they stand there, fetched beside ours: ref → commit."""
    wanted = tuple(wanted)
    there = remotes.listed(context.repository, remote, wanted)
    there = {ref: commit for ref, commit in there.items() if ref in wanted}  # git looks at the ends of names
    place = {ref: _place(remote, ref) for ref in there}
    stale = {ref: place[ref] for ref in there if refs.read(context.repository, place[ref]) != there[ref]}
    if stale:
        remotes.fetch(context.repository, remote, stale, over=True)
    found = {ref: refs.read(context.repository, place[ref]) for ref in there}
    for ref, commit in found.items():
        kind = git(context.repository, "cat-file", "-t", str(commit)).text
        if kind != "commit":
            raise CannotRun(f"{ref} of {remote} is a {kind}, not notes", f"look at it there: git show {commit}")
    return {ref: commit for ref, commit in found.items() if commit is not None}


def _place(remote: str, ref: str) -> str:
    return f"{FETCHED}{remote}/{ref.removeprefix('refs/notes/assay/')}"


def _take(context: Context, remote: str, carried: Carried, theirs: str | None, dry_run: bool) -> None:
    """Unite one fetched ref with ours. Lines that we lack although we had them are put back: records only grow."""
    repository, ref = context.repository, carried.ref
    ours = refs.read(repository, ref)
    if theirs is None or theirs == ours:
        return
    lacked = dict(notes.beyond(repository, theirs, ours))
    carried.came += _lines(lacked.items())
    _tell_no_records(context, remote, carried, lacked)
    if dry_run:
        return
    message = f"assay: notes of {remote}"
    if lacked and ours is not None and history.is_ancestor(repository, theirs, ours):
        notes.append(repository, ref, lacked, message, context.identity, context.epoch)
    notes.merge(repository, ref, theirs, message, context.identity, context.epoch)


def _tell_no_records(context: Context, remote: str, carried: Carried, lacked: Mapping[str, list[str]]) -> None:
    """Lines that are no records are kept like all others, and told."""
    wrong = [(target, line) for target, lines in lacked.items() for line in lines if not is_record(line)]
    carried.no_records += len(wrong)
    if wrong:
        target, line = wrong[0]
        what = "1 line that is no record" if len(wrong) == 1 else f"{len(wrong)} lines that are no records"
        context.warn(f"{carried.ref} of {remote} has {what}, first on {target[:10]}: {line[:60]}; kept, counts nothing")


def _lines(found: Iterable[tuple[str, list[str]]]) -> int:
    return sum(len(lines) for _, lines in found)


def _index(context: Context) -> None:
    """Have the index know what came. One that cannot be written holds nothing up: the notes have it all."""
    try:
        remaking.remake(context)
    except CannotRun as error:
        context.warn(f"the index is behind the notes: {error.message}; mend it with git assay index rebuild")


def _keep(context: Context, synced: Synced) -> None:
    """Bring `kept` refs that one side lacks to it. One that both have, but not alike, stays as it is on both."""
    repository, remote = context.repository, synced.remote
    ours = _of_runs(refs.listed(repository, names.KEPT))
    theirs = _of_runs(remotes.listed(repository, remote, (f"{names.KEPT}*",)))
    came, lacking = theirs.keys() - ours.keys(), sorted(ours.keys() - theirs.keys())
    synced.kept_came, synced.kept_went = tuple(sorted(came)), tuple(lacking)
    synced.differing = tuple(sorted(name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name]))
    if synced.dry_run:
        return
    if came:
        remotes.fetch(repository, remote, {names.KEPT + name: names.KEPT + name for name in came})
    if synced.differing:
        beside = {names.KEPT + name: f"{FETCHED}{remote}/kept/{name}" for name in synced.differing}
        remotes.fetch(repository, remote, beside, over=True)
        told = f"{remote} keeps {', '.join(synced.differing[:3])} otherwise than this clone; theirs is fetched to"
        context.warn(f"{told} {FETCHED}{remote}/kept/, and neither is changed")
    for start in range(0, len(lacking), _TOGETHER):
        some = {names.KEPT + name: ours[name] for name in lacking[start : start + _TOGETHER]}
        if refused := remotes.push(repository, remote, some):
            synced.kept_went, synced.refused = (), refused
            context.warn(f"{remote} does not take what is kept here: {refused}")
            return


def _of_runs(found: Mapping[str, str]) -> dict[str, str]:
    """By a run's id (with `.head` where its own commits are kept beside); other names below `kept` are not ours."""
    named = {ref.removeprefix(names.KEPT): target for ref, target in found.items() if ref.startswith(names.KEPT)}
    return {name: target for name, target in named.items() if names.is_id(name.removesuffix(".head"))}
