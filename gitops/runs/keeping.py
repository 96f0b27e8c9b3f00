"""What models answered, kept for the next time, by purpose. What was replayed is not kept: nobody answered it here."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from gitops.index.cache import Cache


@dataclass(frozen=True, slots=True)
class Kept:
    """A part of the local cache that is written through: what is put is there after a kill.

    `purpose` keeps the votes of landings apart from those of measurements (`PROTOCOL.md` 8). While answers are recorded
    none is taken from here, so that the recording is whole; while they are replayed none is taken and none is put, so
    that they come from recordings alone, and are never believed without them. `fresh` takes none either.

    `shared` is looked at for what was not put here: what others answered and signed.
    """

    cache: Cache
    purpose: str
    fresh: bool = False
    shared: Callable[[str, str, str], bytes | None] | None = None

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        """What was put, or None."""
        if self.fresh or _mode() in ("record", "replay"):
            return None
        found = self.cache.get(kind, self._of(version), key)
        return found if found is not None or self.shared is None else self.shared(kind, version, key)

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        """Keep some bytes, at once."""
        if not is_replayed():
            self.cache.put(kind, self._of(version), key, value)
            self.cache.flush()

    def _of(self, version: str) -> str:
        return f"{self.purpose} {version}"


def is_replayed() -> bool:
    """Whether answers come from recordings (`ASSAY_LLM=replay`)."""
    return _mode() == "replay"


def _mode() -> str:
    return os.environ.get("ASSAY_LLM", "").strip()
