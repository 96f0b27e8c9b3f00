"""`floor-<preset>.json`: what a preset's capability floor came out at in this clone, and what `status` tells of it.

The specification has `~/.alexandria/state/floor-<preset>.json`; a clone's state lies beside its index here.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

from gitops import canonical
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace

METRICS = ("M1", "M2")
"""What decides a floor (alexandria 14, "Capability floor")."""


def path_of(context: Context, preset: str) -> Path:
    """Where the floor of a preset is kept."""
    return context.folder / f"floor-{quote(preset, safe='')}.json"


def floor_warning(context: Context, workspace: Workspace) -> str | None:
    """What is to be told of the preset that writes, if it is at or below the floor, or nobody knows; else None.

    Reads one small file. What it says blocks nothing (alexandria 14, "Startup warning").
    """
    preset = workspace.config.llm.writer
    test = f"git assay eval floor --preset {preset}"
    try:
        kept = json.loads(path_of(context, preset).read_bytes())
        verdict, digest, day = kept["verdict"], kept["preset_digest"], str(kept["measured_at"])[:10]
        lost = sum(int(count) for name, count in kept["ingests"].items() if name != "landed")
        scores = ", ".join(f"{name} {shown(kept[name])}" for name in METRICS)
    except FileNotFoundError:
        return f"the capability floor of preset '{preset}' has not been tested: {test}"
    except (OSError, ValueError, KeyError, TypeError):
        return f"what is kept of the capability floor of preset '{preset}' cannot be read: {test}"
    if digest != preset_digest(workspace, preset):
        return f"preset '{preset}' has changed since its capability floor was tested on {day}: {test}"
    if verdict == "supported":
        told = f"preset '{preset}' is above the capability floor, but {lost} of its sources did not land"
        return f"{told} (tested on {day}): {test}" if lost else None
    named = {"degraded": "at the capability floor", "unsupported": "below the capability floor"}
    return f"preset '{preset}' is {named.get(verdict, 'of unknown capability')} ({scores}, tested on {day}): {test}"


def preset_digest(workspace: Workspace, name: str) -> str:
    """What a preset is: another model behind its name is another floor."""
    return canonical.digest(workspace.config.llm.preset(name).model_dump(mode="json"))[:16]


def shown(score: float | None) -> str:
    """A score as people read it."""
    return "not measured" if score is None else f"{score:.2f}"
