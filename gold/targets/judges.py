"""The judges: does a source say what a claim says?"""

from __future__ import annotations

import json
from typing import Any

from targets.commands import assay


def vote(case: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """One word: the judge's vote where it may decide, else `abstains`."""
    asked = {"id": "1", **case["input"]["skill_args"]}
    given = json.dumps(asked) + "\n"
    judge = str(config.get("judge", "offline"))
    return _told(assay("judge", "--judge", judge, "--json", given=given))


def between(case: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """The same of the vote between two claims."""
    asked = {"id": "1", **case["input"]["skill_args"]}
    return _told(assay("judge", "--pairs", "--json", given=json.dumps(asked) + "\n"))


def _told(printed: str) -> dict[str, Any]:
    [line] = printed.splitlines()
    voted = json.loads(line)
    output = voted["vote"] if voted["may_gate"] else "abstains"
    return {"output": output, "metrics": {"confidence": voted["confidence"]}}
