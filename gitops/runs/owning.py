"""Who is at work on a run: a lock that the kernel frees when its holder dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gitops.errors import CannotRun
from gitops.git.locks import Busy, held
from gitops.runs.context import Context


class Owned(CannotRun):
    """Another living process is at work on the run."""


WAITS_S = 1.0
"""For how long one who would verify waits: a sweep looks at a run for a moment, another verification is told."""

WRITER_WAITS_S = 5.0
"""For how long one who stages waits for another who does."""


@contextmanager
def owned(context: Context, run_id: str, wait: float = WAITS_S) -> Iterator[None]:
    """Own a run, by its whole id, while it is written to or verified. `Owned` while another process does."""
    lock = held(context.repository.common_dir, run_id, wait=wait)
    try:
        lock.__enter__()
    except Busy as error:
        told = f"run {run_id} is being written to or verified by another process"
        raise Owned(told, f"git assay run show {run_id}, and try again when it is done") from error
    try:
        yield
    finally:
        lock.__exit__(None, None, None)
