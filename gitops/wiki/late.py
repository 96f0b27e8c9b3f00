"""Regular expressions that are compiled when they are first used.

To compile a set of the scripts of the world takes some milliseconds, and most wikis are of one script: all that could
be needed would take a fifth of the time in which a command starts.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Late:
    def __init__(self, pattern: str, flags: int) -> None:
        self._made_from = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet; from the second time on it is the compiled expression's own."""
        found = getattr(re.compile(*self._made_from), name)
        setattr(self, name, found)
        return found


def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, but not now."""
    return cast(re.Pattern[str], _Late(pattern, flags))
