"""The disputed note: how a page says that its sources disagree, where nobody can tell which of them is newer.

    > [!disputed] Sources disagree
    > The mill employs 40 people.[^1]
    >
    > The mill employs 60 people.[^2]

Both claims, each in the words in which it stands and with a citation of its own. The claims stay where they are
(docs/convergence.md).
"""

from __future__ import annotations

import re

TITLE = "Sources disagree"
HEAD = f"> [!disputed] {TITLE}"
"""The first line of the note, as it is written here; another title will do."""
_HEAD = re.compile(r"[>\s]*>\s*\[!disputed\](?:[+-]?\s.*)?[+-]?\s*", re.IGNORECASE)


def note_around(page_text: str, start: int) -> int | None:
    """The code point at which the disputed note begins that holds what stands at `start`; None where none does."""
    end = page_text.find("\n", start)
    end = len(page_text) if end < 0 else end
    while end >= 0:
        begin = page_text.rfind("\n", 0, end) + 1
        line = page_text[begin:end]
        if not line.lstrip().startswith(">"):
            return None
        if _HEAD.fullmatch(line):
            return begin
        end = begin - 1
    return None
