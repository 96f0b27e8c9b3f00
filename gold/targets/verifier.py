"""The verifier: what it says of a run that writes one page."""

from __future__ import annotations

from typing import Any

from targets.commands import INDEX, POLICY, answer, assay, repository

_PAGE = "wiki/halden.md"


def judge(case: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """The verdict, and a line for each of its findings that is an error or a warning: level, check, result."""
    given = case["input"]["skill_args"]
    policy = POLICY + "".join(f"\n[verify]\njudge = '{name}'\n" for name in [config.get("judge")] if name)
    repository({"assay.toml": policy, "wiki/index.md": INDEX, "wiki/log.md": "# Log\n", **given["sources"]})
    run = assay("run", "start", "--type", "ingest", "--source", next(iter(given["sources"]))).strip()
    assay("run", "write", run, _PAGE, given=given["page"])
    assay("run", "write", run, "wiki/index.md", given=f"{INDEX}\n- [Halden](halden.md)\n")
    told = answer("run", "finish", run, codes=(0, 1, 3))
    verdict = told.get("verdict") or {}
    lines = [
        f"{one['level']} {one['check']}: {one['result']}"
        for one in verdict.get("findings", ())
        if one["level"] != "note"
    ]
    return {"output": "\n".join([f"verdict: {verdict.get('verdict', 'none')}", *lines])}
