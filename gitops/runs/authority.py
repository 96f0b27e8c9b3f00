"""By whose word the records of a workspace count: the policy and the signers of a commit, or the server's own.

That commit is the one that a gate is asked for: the tip of the target, which is the base of the next landing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gitops.errors import UsageError
from gitops.git import refs
from gitops.git.snapshot import resolve
from gitops.runs import trusting
from gitops.runs.context import Context
from gitops.runs.targets import default_target
from gitops.runs.workspace import at, roots


@dataclass(frozen=True)
class Authority:
    """A workspace, by its name, at the commit whose policy decides; by default at the tip of the branch of landings.

    Nothing is looked up before somebody asks.
    """

    context: Context
    workspace: str
    base: str = ""

    @cached_property
    def commit(self) -> str:
        """The commit whose policy decides; '' where there is no commit yet."""
        return self.base or _tip(self.context)

    @cached_property
    def is_strict(self) -> bool:
        """Does an unsigned record open nothing: by the policy, or because this is a server?"""
        if self._found is None:
            return trusting.is_server(self.context)
        return bool(self.problem) or trusting.demands_signed(self.context, self.root, self.commit)

    @cached_property
    def wants_signed(self) -> bool:
        """Does the policy itself ask for signatures?"""
        known = self._found is not None and not self.problem
        return known and trusting.wants_signed(self.context, self.root, self.commit)

    @property
    def repository(self) -> str:
        """What this repository is called."""
        return trusting.called(self.context, trusting.policy(self.context, self.root, self.commit))

    @property
    def signers_path(self) -> str:
        """Where the allowed signers are named."""
        return trusting.signers_path(self.context, self.root, self.commit)

    @property
    def root(self) -> str:
        """The folder of the workspace."""
        return self._found[0] if self._found is not None else ""

    @property
    def problem(self) -> str:
        """Why nobody can say by whose word records count here: then none does that would have to be signed."""
        return self._found[1] if self._found is not None else f"there is no workspace '{self.workspace}' to hold it to"

    @cached_property
    def _found(self) -> tuple[str, str] | None:
        """The workspace's folder, and what stands in the way of its policy; None where there is no such workspace."""
        if not self.commit:
            return None
        return self.context.once(("authority", self.workspace, self.commit), self._look_up)

    def _look_up(self) -> tuple[str, str] | None:
        tree, unreadable = self.context.tree(self.commit), ""
        for root in roots(tree):
            try:
                if at(tree, root, self.commit).name == self.workspace:
                    return root, ""
            except UsageError as error:
                unreadable = unreadable or error.message
        return ("", unreadable) if unreadable else None


def _tip(context: Context) -> str:
    try:
        tip = refs.read(context.repository, default_target(context.repository))
    except UsageError:  # a detached HEAD, or one on a run's branch
        tip = None
    if tip is None and not context.repository.is_unborn:
        return resolve(context.repository, "HEAD")
    return tip or ""
