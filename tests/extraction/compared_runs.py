"""Runs of `extract eval` to be compared: the planted case under several names, some of them changed, as measurements.

measured(folder, changed, **setting)    the gold's own files but for those changed, written, parsed back, scored
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitops.config import Bars
from gitops.extraction import emitted, gold, measuring, scoring
from gitops.extraction.measuring import Setting
from gitops.runs.measurements import Measurement
from gitops.verify import judges
from tests.extraction import planted_release as planted

Changed = Mapping[str, Mapping[str, str | None]]
"""By case the files that are written otherwise, or not at all."""
NAMES = tuple(f"case-{at:02}" for at in range(12))
NO_AUDITOR: Mapping[str, str | None] = {"roles/auditor.md": None}
MADE_UP: Mapping[str, str | None] = {
    "decisions/freeze.md": planted.text(
        "decision", "freeze", "No shipping in December", planted.FREEZE, (*planted.REASONS, planted.INVENTED)
    )
}
MISTYPED: Mapping[str, str | None] = {"roles/auditor.md": planted.text("system", "auditor", "Auditor")}
DANGLING: Mapping[str, str | None] = {
    "artifacts/changelog.md": planted.text("artifact", "changelog", "Changelog", (("relates_to", "nobody"),))
}


def write(folder: Path, changed: Changed, names: tuple[str, ...] = NAMES) -> Path:
    """The gold's own files of each case in a folder of its own, with some of them changed."""
    for name in names:
        files = {path: text for path, text in {**planted.FILES, **changed.get(name, {})}.items() if text is not None}
        planted.write(folder / name, files)
    return folder


def measured(folder: Path, changed: Changed, names: tuple[str, ...] = NAMES, **setting: Any) -> Measurement:
    """A run over those cases; `folder` is emptied of nothing, so give each run its own."""
    cases = gold.in_folder(planted.gold(folder / "gold", names))
    found = emitted.in_folder(write(folder / "out", changed, names), cases, "out")
    judge = setting.pop("judge", judges.find("offline"))
    scored = scoring.scored(cases, found.bundles, judge, found.stray)
    known: dict[str, Any] = {
        "suite": "extraction",
        "digest": gold.digest(cases),
        "judge": judge,
        "bars": Bars(),
        "subject": {"extractor": "git-assay", "preset": "offline"},
        "run_id": f"20240102-030405-{folder.name:0>8}",
        "commit": "c" * 40,
        "workspace": "plant",
        "started_at": "2024-01-02T03:04:05Z",
        "completed_at": "2024-01-02T03:04:06Z",
    }
    return measuring.measurement(scored, Setting(**known | setting)).named()
