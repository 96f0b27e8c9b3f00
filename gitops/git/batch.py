"""Many objects at once, from one `git cat-file --batch`: a pack of deltas is read far faster there than one by one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence

from gitops.errors import Absent, CannotRun
from gitops.git import objects
from gitops.git.process import OFFLINE, stream
from gitops.git.repository import Repository

MANY = 200
"""From so many objects on, a process of git's costs less than it saves."""


def read(repository: Repository, ids: Sequence[str]) -> Iterator[bytes]:
    """The bytes of objects, in the order of their ids. `Absent` for one that this clone does not hold."""
    if len(ids) < MANY:
        yield from (objects.read(repository, object_id) for object_id in ids)
        return
    with tempfile.TemporaryFile() as asked:
        asked.write("".join(f"{object_id}\n" for object_id in ids).encode())
        asked.seek(0)
        with stream(repository, "cat-file", "--batch", "--buffer", env=OFFLINE, stdin=asked) as output:
            for object_id in ids:
                header = output.readline().split()
                if header[1:] == [b"missing"]:
                    raise Absent(object_id)
                if len(header) != 3:
                    raise CannotRun(f"object {object_id} cannot be read", "'git fsck' says what is damaged")
                yield output.read(int(header[2]))
                output.read(1)
