"""One sound case of gold as files, to be changed by a test in one place."""

from __future__ import annotations

from collections.abc import Mapping

from gitops.extraction import gold, gold_files
from gitops.okf.model import Fault
from gitops.wiki.snapshot import MemorySnapshot

MEMO = """\
# Memo

The Dike Board decided to mow in May, because birds nest in June. The mowing is owned by the Green Crew.
They use Mowbook for it, and write a mowing list.
"""
DECISION = """\
---
type: decision
id: mow-in-may
title: Mow in May
relationships:
  - {rel: decided_by, target: dike-board}
sources:
  - {id: s1, resource: sources/memo.md}
  - {id: s2, resource: sources/memo.md}
---

The dikes are mown in May.[^s1]

## Rationale

Birds nest in June.[^s2]

[^s1]: sources/memo.md, "The Dike Board decided to mow in May"
[^s2]: sources/memo.md, "because birds nest in June"
"""
ROLE = """\
---
type: role
id: dike-board
title: Dike Board
sources:
  - {id: s1, resource: sources/memo.md}
---

It decides when the dikes are mown.[^s1]

[^s1]: sources/memo.md, "The Dike Board decided to mow in May"
"""
CASE = {
    "mowing/case.yaml": "description: A memo.\ntags: [memo]\n",
    "mowing/sources/memo.md": MEMO,
    "mowing/atoms/decisions/mow-in-may.md": DECISION,
    "mowing/atoms/roles/dike-board.md": ROLE,
}
"""One case with a decision, its reason, and the role that took it."""
DECISION_FILE, ROLE_FILE = [path for path in CASE if path.endswith(("mow-in-may.md", "dike-board.md"))]


def like(text: str, type: str, id: str, title: str) -> str:
    """The file of an atom such as `ROLE`, of another type, id and title."""
    return text.replace("type: role", f"type: {type}").replace("dike-board", id).replace("Dike Board", title, 1)


def tree(files: Mapping[str, str | bytes | None] | None = None) -> MemorySnapshot:
    """The case below `gold/`, with other files in it; None takes one out."""
    every = {**CASE, **(files or {})}
    data = {path: text.encode() if isinstance(text, str) else text for path, text in every.items() if text is not None}
    return MemorySnapshot({f"gold/{path}": content for path, content in data.items()})


def faults(files: Mapping[str, str | bytes | None]) -> list[Fault]:
    """All that is wrong with the case so changed."""
    return gold.every_fault(gold_files.read(tree(files), "gold", "gold"))
