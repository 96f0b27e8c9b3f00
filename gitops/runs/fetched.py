"""Takes in the notes that a plain `git fetch` brought: by the setting of `git assay init` they lie beside ours.

What a server answered is found so without another command. Nothing is asked of a remote, and no line of ours goes.
"""

from __future__ import annotations

from gitops.errors import CannotRun
from gitops.git import history, notes, refs
from gitops.runs import names, remaking
from gitops.runs.context import Context

BESIDE = "refs/notes/remotes/"


def take(context: Context) -> int:
    """Unite fetched notes with ours, where they say more; gives how many refs did. The index then knows them too."""
    came = sum(_taken(context, ref, commit) for ref, commit in refs.listed(context.repository, BESIDE).items())
    if came:
        try:
            remaking.remake(context)
        except CannotRun as error:  # it mirrors, and decides nothing
            context.warn(f"the index is behind the notes: {error.message}; mend it with git assay index rebuild")
    return came


def _taken(context: Context, ref: str, theirs: str) -> bool:
    remote, _, name = ref.removeprefix(BESIDE).partition("/assay/")
    own = f"refs/notes/assay/{name}"
    ours = refs.read(context.repository, own) if own in names.NOTES else theirs
    if ours == theirs or (ours is not None and history.is_ancestor(context.repository, theirs, ours)):
        return False
    notes.merge(context.repository, own, theirs, f"assay: notes of {remote}", context.identity, context.epoch)
    return True
