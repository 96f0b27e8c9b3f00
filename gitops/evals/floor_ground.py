"""The synthetic workspace of the capability floor: an empty wiki in a repository of its own, with a policy made for it.

The policy has the models, prices and budgets of the workspace that asks, and nothing else of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gitops.config import Config
from gitops.git import commits, refs, trees
from gitops.git.objects import EMPTY_TREE
from gitops.git.process import git
from gitops.git.repository import open_repository
from gitops.runs import logline
from gitops.runs.context import Context
from gitops.wiki.snapshot import REGULAR

MAIN = "refs/heads/main"
NAME = "floor"
INDEX = "# Index\n\nPages of this wiki, each on a line of its own.\n"


def begin(context: Context, folder: Path, config: Config, preset: str, judges: Sequence[str]) -> Context:
    """Make the repository in a folder that is empty, and give a context in it.

    It has the clock and the judges' seating of the one that asks; what it would tell a person stays unsaid. Git must
    know whose name commits carry.
    """
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", ".")
    git(folder, "config", "commit.gpgsign", "false")
    made = Context(open_repository(folder), context.clock, seating=context.seating, triggered_by="cli:eval")
    content = {
        "assay.toml": policy(config, preset, judges),
        "wiki/index.md": INDEX.encode(),
        "wiki/log.md": (logline.HEADER + "\n").encode(),
    }
    tree = trees.edit(made.repository, EMPTY_TREE, {path: (data, REGULAR) for path, data in content.items()})
    commit = commits.write(made.repository, tree, [], "Begin an empty wiki", made.identity, made.epoch)
    refs.move(made.repository, MAIN, commit, None, "assay: the capability floor begins")
    return made


def policy(config: Config, preset: str, judges: Sequence[str]) -> bytes:
    """The `assay.toml` of the synthetic workspace."""
    llm = config.llm.model_dump(mode="json") | {"writer": preset}
    tables = {
        "workspace": {"name": NAME},
        "verify": {"judge": list(judges)},
        "eval": {"on_ingest": False},  # it is measured once, when all sources are in
        "llm": llm,
    }
    return _toml(tables).encode()


def _toml(table: Mapping[str, Any], name: str = "") -> str:
    """A table in TOML."""
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"[{name}]"] if name and plain else []
    lines += [f"{_value(key)} = {_value(value)}" for key, value in plain.items()]
    inner = [
        _toml(value, f"{name}.{_value(key)}" if name else _value(key))
        for key, value in table.items()
        if isinstance(value, Mapping)
    ]
    return "\n".join(filter(None, ["\n".join(lines), *inner])) + ("\n" if not name else "")


def _value(value: Any) -> str:
    """A value in TOML: as JSON has it, but for a character beyond U+FFFF, and for DEL, which JSON leaves bare."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
