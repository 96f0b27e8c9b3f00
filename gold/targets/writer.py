"""The writer: what becomes of a source that is ingested into an empty wiki."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from targets.commands import INDEX, POLICY, answer, repository


def ingest(case: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """How it ended and what the wiki then has against itself, a blank line, and the pages as they were written."""
    given = case["input"]["skill_args"]
    source = f"raw/{given['name']}"
    repository({"assay.toml": POLICY, "wiki/index.md": INDEX, "wiki/log.md": "# Log\n", source: given["source"]})
    [run] = answer("ingest", source, codes=(0, 1, 3))["runs"]
    counts = answer("lint", codes=(0, 1))["counts"]
    serious = counts["error"] + counts["warning"]
    told = f"result: {run['result']}\nfindings: {serious}\nunverified: {counts['claims'] - counts['verified']}"
    pages = "\n".join(Path(path).read_text(encoding="utf-8") for path in _pages())
    return {"output": f"{told}\n\n{pages}", "metrics": {"claims": counts["claims"], "findings": serious}}


def _pages() -> list[str]:
    free = ("wiki/index.md", "wiki/log.md")
    return sorted(str(path) for path in Path("wiki").rglob("*.md") if str(path) not in free)
