"""`git-assay -h` against a Python that does nothing: what a person waits for before anything starts."""

from __future__ import annotations

import sys
from pathlib import Path

import gitops
from benchmarks.timing import Options, Ratio, against, process

LIMIT = 3.0


def run(options: Options) -> list[Ratio]:
    """The module, and the installed script where this Python has one."""
    root = Path(gitops.__file__).parents[1]
    floor = ("python -c pass", process([sys.executable, "-c", "pass"], root))
    commands = {"python -m gitops -h": [sys.executable, "-m", "gitops", "-h"]}
    script = Path(sys.executable).with_name("git-assay")
    if script.exists():
        commands["git-assay -h"] = [str(script), "-h"]
    return [
        against(name, floor, process(command, root), options, limit=LIMIT, size=1) for name, command in commands.items()
    ]
