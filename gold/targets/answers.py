"""The query engine: what it answers from this project's own wiki."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from targets.commands import answer, repository


def ask(case: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """The answer with the pages it cites, or `refused`."""
    root = Path(os.environ["ASSAY_WORKSPACE"])
    folders = [root / name for name in ("assay.toml", "wiki", "raw", "gold")]
    paths = [path for folder in folders for path in ([folder] if folder.is_file() else folder.rglob("*.*"))]
    repository({str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in paths if path.is_file()})
    told = answer("query", case["input"]["goal"], codes=(0, 1))["answer"]
    if told["refused"]:
        return {"output": "refused"}
    cited = sorted({one["doc_id"] for one in told["citations"]})
    return {"output": f"{told['text']}\n\ncited: {', '.join(cited)}", "metrics": {"citations": len(cited)}}
