"""The first-parent history of a commit, of which a shallow clone has the newest part only."""

from __future__ import annotations

from collections.abc import Iterator

from gitops.errors import Absent
from gitops.git import history
from gitops.runs.context import Context


def first_parents(context: Context, tip: str) -> Iterator[str]:
    """`tip`, its first parent, that one's, and so on down to the root.

    `Absent` once it is followed to where a shallow clone is cut off: older commits are not none.
    """
    last = tip
    for last in history.first_parent(context.repository, tip):
        yield last
    if context.repository.is_shallow and last in _edge(context):
        raise Absent(f"the history before {last[:10]}, git fetch --unshallow")


def _edge(context: Context) -> list[str]:
    """The commits at which the clone is cut off (gitrepository-layout(5), `shallow`)."""
    return (context.repository.common_dir / "shallow").read_text().split()
