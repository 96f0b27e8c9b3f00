"""On which lines of a file the keys of its frontmatter stand, and the entries of its lists."""

from __future__ import annotations

import re
from collections.abc import Mapping

_LINE_END = re.compile(r"\r\n?|\n")
_KEY = re.compile(r"""(?:"([^"]+)"|'([^']+)'|([^\s#"'\[\]{}&*!|>%@`,-][^:]*?))[ \t]*:(?=[ \t]|$)""")
_ENTRY = re.compile(r"([ \t]*)-(?=[ \t]|$)")
_TARGET = re.compile(r"""(?<![\w-])target["']?[ \t]*:""")


class Places:
    """The lines of one frontmatter, from 1; the opening `---` is the first."""

    def __init__(self, front: str) -> None:
        self._lines = _LINE_END.split(front)
        self.keys: Mapping[str, int] = self._keys()

    def _keys(self) -> dict[str, int]:
        """The keys at the left margin; of equal ones the last, whose value counts."""
        found: dict[str, int] = {}
        for number, line in enumerate(self._lines, 1):
            if line and not line[0].isspace() and (key := _KEY.match(line)):
                found[key[1] or key[2] or key[3]] = number
        return found

    def entries(self, key: str, count: int) -> list[int]:
        """The lines of so many entries of a list; the key's own line for all where they cannot be told apart."""
        first = self.keys.get(key, 1)
        last = min((line for line in self.keys.values() if line > first), default=len(self._lines) + 1) - 1
        below = [(number, self._lines[number - 1]) for number in range(first, last + 1)]
        dashes = [(number, len(found[1])) for number, line in below if (found := _ENTRY.match(line))]
        outer = min((indent for _, indent in dashes), default=0)
        starts = [number for number, indent in dashes if indent == outer]
        if len(starts) != count:
            starts = [number for number, line in below for _ in _TARGET.finditer(line)]
        return starts if len(starts) == count else [first] * count

    def written(self, key: str) -> str:
        """A value as its line has it, without quotation marks: `007`, which YAML takes for a number."""
        line = self._lines[self.keys[key] - 1] if key in self.keys else ""
        return line.partition(":")[2].partition(" #")[0].strip().strip("\"'")
