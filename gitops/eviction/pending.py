"""Proposals that wait for an answer: one file each beside the index, written whole and synced, gone once recorded.

A proposal is this clone's business alone until it is resolved; then the notes have it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from gitops.canonical import dumps, strict_json
from gitops.errors import CannotRun
from gitops.eviction.model import EvictionProposal, Part

_ID = re.compile(r"ev-[0-9a-f]{16}")


class Pending(Part):
    """A proposal that waits. `timeout_ms` is how long whoever made it meant to wait for an answer."""

    workspace: str
    timeout_ms: int
    proposal: EvictionProposal

    def is_over(self, now: datetime, grace_s: float = 0.0) -> bool:
        """Whether that time has passed for certain, and so many seconds: moments are recorded to the second."""
        return (now - self.proposal.proposed_at).total_seconds() - 1 > self.timeout_ms / 1000 + grace_s


def put(folder: Path, made: Pending) -> None:
    """Keep a proposal, durably; one process at a time may. CannotRun where it cannot be written."""
    place = _place(folder)
    path = place / f"{made.proposal.proposal_id}.json"
    try:
        place.mkdir(parents=True, exist_ok=True)
        _replace(path, f"{dumps(made.model_dump(mode='json'))}\n".encode())
    except OSError as error:
        raise CannotRun(f"{path} cannot be written: {error.strerror}", "check who owns the folder") from error


def of(folder: Path, proposal_id: str) -> Pending | None:
    """The proposal of an id, if it waits. CannotRun where its file is damaged."""
    if not _ID.fullmatch(proposal_id):
        return None
    path = _place(folder) / f"{proposal_id}.json"
    try:
        return Pending.model_validate(strict_json(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, ValidationError) as error:
        raise CannotRun(f"{path} cannot be read: {str(error).splitlines()[0]}", "propose anew") from error


def every(folder: Path, warn: Callable[[str], None]) -> Iterator[Pending]:
    """All that wait, by id. A file that is damaged is told and passed over: the others do not hang on it."""
    place = _place(folder)
    for name in sorted(path.stem for path in place.glob("ev-*.json")) if place.is_dir() else []:
        try:
            found = of(folder, name)
        except CannotRun as error:
            warn(f"{error.message}; remove it")
        else:
            if found is not None:
                yield found


def is_there(folder: Path, proposal_id: str) -> bool:
    """Whether there is a file of this id, be it damaged."""
    return _ID.fullmatch(proposal_id) is not None and (_place(folder) / f"{proposal_id}.json").exists()


def drop(folder: Path, proposal_id: str) -> None:
    """Forget a proposal, which is recorded by now."""
    (_place(folder) / f"{proposal_id}.json").unlink(missing_ok=True)


def _place(folder: Path) -> Path:
    return folder / "eviction"


def _replace(path: Path, data: bytes) -> None:
    beside = path.parent / ".new"  # one at a time writes here, and what a kill or a full disk left is written over
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # so that the name, too, is there after a power cut
    finally:
        os.close(folder)
