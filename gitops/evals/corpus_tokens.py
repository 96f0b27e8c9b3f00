"""How many tokens the sources have, as they stood at several times: the text that a model would have to read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime

from gitops.git import objects
from gitops.git.treediff import changed
from gitops.llm.estimate import BYTES_PER_TOKEN
from gitops.runs.first_parents import first_parents
from gitops.runs.views import Bench
from gitops.wiki.layout import joined
from gitops.wiki.snapshot import EXECUTABLE, REGULAR

_PLAIN = (".md", ".markdown", ".txt")
"""Files of which every byte is text: their headers say how many there are."""


def corpus_tokens(bench: Bench, ends: Sequence[datetime]) -> list[int]:
    """The tokens of the sources' text (bytes of UTF-8 over 3.5) at each of some times, the last of them the present.

    As the first-parent history of the bench's commit has them: at a time that is the newest commit that is not younger.
    Before the first commit there are none. `Absent` where this clone lacks a source, or the commits of then.
    """
    repository, context = bench.context.repository, bench.context
    commits = [*_standing(bench, ends[:-1]), bench.base]
    tokens: list[int] = []
    before: str | None = None
    count = 0
    for commit in commits:
        tree = context.tree(commit).folder_id(bench.layout.raw) if commit else None
        for entry in changed(repository, before, tree) if tree != before else ():
            path = joined(bench.layout.raw, entry.path)
            count -= _bytes(bench, path, entry.old_blob, entry.old_mode)
            count += _bytes(bench, path, entry.new_blob, entry.new_mode)
        before = tree
        tokens.append(math.ceil(count / BYTES_PER_TOKEN))
    return tokens


def _standing(bench: Bench, ends: Iterable[datetime]) -> list[str | None]:
    """The newest first-parent commit at each time, oldest first; None before the first."""
    wanted = [end.timestamp() for end in ends]
    found: list[str | None] = []
    for commit in first_parents(bench.context, bench.base) if wanted else ():
        time = bench.context.commit(commit).time
        while wanted and time <= wanted[-1]:
            found.append(commit)
            wanted.pop()
        if not wanted:
            break
    return [*([None] * len(wanted)), *reversed(found)]


def _bytes(bench: Bench, path: str, blob: str | None, mode: int | None) -> int:
    """The bytes of a source's text; 0 for what has none that can be read."""
    if blob is None or mode not in (REGULAR, EXECUTABLE) or not bench.layout.is_source(path):
        return 0
    repository = bench.context.repository
    if path.lower().endswith(_PLAIN):
        return objects.size(repository, blob)
    text = bench.library.text(path, blob, lambda: objects.read(repository, blob)).text
    return len(text.encode("utf-8", "surrogatepass"))
