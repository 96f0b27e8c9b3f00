"""Take the wikis, lint them, hold the findings against what people said, plant defects, compare: all in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import validate_links
from benchmarks.accuracy import labelled, measured, memory, peer, planted, synthetic, taking, tongues
from benchmarks.accuracy.labelled import Reference
from benchmarks.accuracy.measured import Precision, Recall
from benchmarks.accuracy.peer import Differences
from benchmarks.accuracy.planted import Outcome
from benchmarks.accuracy.taking import Found
from benchmarks.timing import Unavailable
from gitops.errors import CannotRun

PARTS = ("measured", "planted", "compared")
SYNTHETIC = "synthetic"


@dataclass(frozen=True, slots=True)
class Measured:
    """The findings of all wikis, and how they stand against labels, defects and verdicts of one half or both.

    `labels` are the labelled references of the wikis that were taken; `alarms` the findings on those that are right.
    """

    found: tuple[Found, ...]
    labels: tuple[Reference, ...]
    precision: Precision
    recall: Recall
    alarms: tuple[tuple[Reference, Found], ...]


@dataclass(slots=True)
class Results:
    """What was measured; a part that was not asked for is None. `skipped` says what could not be, and why."""

    wikis: tuple[str, ...]
    half: str
    measured: Measured | None = None
    planted: list[Outcome] | None = None
    compared: Differences | None = None
    skipped: dict[str, str] = field(default_factory=dict)


def run(wikis: Path, scratch: Path, half: str, parts: Sequence[str], each: int, seed: int) -> Results:
    """Measure the parts that are asked for on every wiki of a folder. CannotRun where a wiki cannot be taken."""
    folders = [taking.adopted(wiki, scratch / "taken") for wiki in taking.wikis(wikis)]
    results = Results(tuple(folder.name for folder in folders), half)
    found = [one for folder in folders for one in taking.linted(folder)] if set(parts) - {"planted"} else []
    if "measured" in parts:
        results.measured = _measured(found, wikis, half, set(results.wikis))
    if "planted" in parts:
        results.planted = _planted([*folders, _synthetic(scratch)], each, seed)
    if "compared" in parts:
        try:
            remark = validate_links.install(scratch / "npm")
            results.compared = peer.compare(folders, found, remark)
        except Unavailable as error:
            results.skipped["compared"] = error.message
    return results


def _measured(found: Sequence[Found], wikis: Path, half: str, names: set[str]) -> Measured:
    """What people said is of certain pages, so findings are held against it only where these are the pages read."""
    labels = [one for one in labelled.labels() if one.wiki in names]
    looked_for = [one for one in labelled.defects() if one.wiki in names]
    changed = sorted({one.wiki for one in [*labels, *looked_for] if not labelled.is_same(wikis, one)})
    if changed:
        raise CannotRun(f"{', '.join(changed)}: not the pages that were labelled", "take the version that was labelled")
    chosen = labelled.of_half(labels, half)
    recall = measured.recall(found, labelled.of_half(labelled.known([*looked_for, *labels]), half), wikis)
    every = measured.recall(found, labelled.known([*looked_for, *labels]), wikis)
    alarms = measured.alarms(found, chosen, every, wikis)
    precision = measured.precision(found, labelled.verdicts(), half)
    return Measured(tuple(found), tuple(chosen), precision, recall, tuple(alarms))


def _synthetic(scratch: Path) -> Path:
    source = scratch / SYNTHETIC
    synthetic.write(source)
    tongues.write(source)
    return taking.adopted(source, scratch / "taken")


def _planted(folders: Sequence[Path], each: int, seed: int) -> list[Outcome]:
    outcomes = []
    for folder in folders:
        # The made-up wikis are thirteen, and alike: fewer of each say as much.
        few = max(1, each // 3) if folder.name == SYNTHETIC else each
        outcomes += planted.run(memory.read(folder), each=few, seed=seed)
    return outcomes
