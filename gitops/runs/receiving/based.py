"""What pushed commits began from: the commit that they share with what the branches here hold already."""

from __future__ import annotations

from gitops.git import history, objects, refs
from gitops.git.process import git
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.receiving.lines import HEADS


def base(context: Context, head: str, old: str = "") -> str | None:
    """The last commit that was let in before: of the branch itself (`old`), else of any that is no run.

    No record is believed here: it could name a commit of its own as the one that all began from. An AssayError where
    the history ends in what is not here, as that of a shallow clone does: then nobody can say what it began from.
    """
    repository = context.repository
    if old.strip("0") and objects.exists(repository, old):
        return history.merge_base(repository, old, head)
    known = refs.listed(repository, HEADS)
    there = sorted({tip for ref, tip in known.items() if not ref.startswith(names.BRANCHES)})
    done = git(repository, "merge-base", head, *there, check=False) if there else None
    if done is not None and done.code == 0:
        return done.text.split("\n")[0]
    for _ in history.between(repository, None, head):
        pass
    return None
