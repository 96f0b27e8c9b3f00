"""A wiki about tides in a repository, and how tests ask it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gitops.agents.querying import Asking
from gitops.git import snapshot
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.workspace import find

CLOCK = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
FALLS = "the sea falls back twice a day"
SOURCE = f"# On tides\n\nOn most coasts {FALLS}. The moon pulls the water.\n\nAda Lovelace measured it in 1843.\n"
TIDES = f"""---
title: Tides
---
The sea falls twice a day on most coasts.[^1] The moon pulls the water towards it.[^2]

## Measuring

Ada Lovelace measured the tide in 1843.[^3] Nobody knows why.

[^1]: raw/tides.md, "{FALLS}"
[^2]: raw/tides.md, "The moon pulls the water."
[^3]: raw/tides.md, "Ada Lovelace measured it in 1843."
"""
FILES = {
    "assay.toml": '[workspace]\nname = "tides"\n',
    "raw/tides.md": SOURCE,
    "wiki/index.md": "# Index\n\n- [Tides](tides.md): the sea falls twice a day\n- [Harbours](harbours.md)\n",
    "wiki/log.md": "# Log\n\n",
    "wiki/tides.md": TIDES,
    "wiki/harbours.md": "# Harbours\n\nA harbour shelters boats at low water.\n\nSee also:\n\n- [Tides](tides.md)\n",
}


def context_of(folder: Path, told: list[str] | None = None) -> Context:
    """What commands have around them, at a fixed moment."""
    return Context(open_repository(folder), lambda: CLOCK, (told if told is not None else []).append)


def asking(folder: Path, question: str, **more: Any) -> Asking:
    """A question to the wiki as HEAD has it."""
    context = context_of(folder)
    commit = snapshot.resolve(context.repository, "HEAD")
    return Asking(context, find(context.repository, commit), commit, question, **more)
