"""What kept ablations of a suite say of a change: whether any is of it, and whether they show that it does no harm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from gitops.comparing.measured import compared
from gitops.comparing.recalling import Recalled, key
from gitops.runs.measurements import Measurement
from gitops.runs.workspace import Workspace
from gitops.stats.harmless import least_repeats
from gitops.suites import calibrated
from gitops.suites.ablations import Study, Variant
from gitops.suites.arms import draw_of
from gitops.suites.harms import HELD, Finding, draws, findings
from gitops.suites.loading import Loaded

REPEATS = 5
"""So many times each variant is run, where nobody says otherwise (silas 20.6)."""


@dataclass(frozen=True, slots=True)
class Change:
    """The digests that the base of a change has of each calibrated key, and those that its head has.

    `paths` are the files that it touches, from the workspace's folder; `file` gives the digests of one at both ends.
    """

    base: Mapping[str, str]
    head: Mapping[str, str]
    paths: Sequence[str] = ()
    file: Callable[[str], tuple[str, str]] = lambda path: ("", "")

    @property
    def keys(self) -> list[str]:
        """Those that differ, sorted."""
        return calibrated.differing(self.base, self.head)


Beside = tuple[Variant, Variant]
"""A control and the treatment that was measured beside it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What there is to show. `why` it is not enough, '' where it is; `runs` more of each variant may mend that.

    `seed` is the first that was not tried yet.
    """

    why: str = ""
    runs: int | None = None
    seed: int = 0

    @property
    def options(self) -> str:
        """How the ablation is called that may mend it; '' where none may."""
        if self.runs is None:
            return ""
        return f" --runs {self.runs}" + (f" --seed {self.seed}" if self.seed else "")


def shown(studies: Sequence[Study], workspace: Workspace, loaded: Loaded, change: Change, margin: float) -> Shown:
    """What the studies of a suite show of a change; of a suite as committed, whoever has sessions of their own."""
    loaded = as_committed(loaded)
    mine = [study for study in studies if study.suite == loaded.suite.suite_id]
    found = [each for study in mine if (each := _of_change(study, workspace, loaded, change))]
    if not found:
        return Shown(_none_of(mine, loaded), max(REPEATS, least_repeats(len(loaded.suite.cases), margin) or 0))
    newest, *others = _by_instruments(found)
    held, repeats = held_together(newest, margin)
    lacking = [one for one in held if not one.is_harmless]
    needed = [one.harm.needed for one in lacking if one.harm.needed is not None]
    more = max(needed) - repeats if len(needed) == len(lacking) and needed else None
    told = [f"{one.metric}: {one.why}" for one in lacking]
    elsewhere = (one for each in others for one in held_together(each, margin)[0])
    if harmed := next((one for one in elsewhere if one.harm.held == "harm"), None):
        told, more = [*told, f"{harmed.metric}, by another judge or grading: {harmed.why}"], None
    return Shown("; ".join(told), more, max(one.arm.seed + one.arm.repeats for one, _ in found))


def as_committed(loaded: Loaded) -> Loaded:
    """A suite without the cases that lie in somebody's worktree alone (silas 20.7)."""
    if not loaded.organic:
        return loaded
    cases = [case for case in loaded.suite.cases if case.case_id not in loaded.organic]
    return replace(loaded, suite=loaded.suite.model_copy(update={"cases": cases}), organic=())


def _none_of(mine: Sequence[Study], loaded: Loaded) -> str:
    if not mine:
        return "no ablation of it was kept that counts here"
    if all(study.variants[0].arm.suite != loaded.digest for study in mine):
        return "the ablations that were kept are of another version of the suite"
    if not any(study.is_whole for study in mine):
        return "of the ablations that were kept a part is missing"
    return "no ablation has what the base has as its control and what the head has as a treatment"


def _of_change(study: Study, workspace: Workspace, loaded: Loaded, change: Change) -> Beside | None:
    """The control and the first treatment of a study that are the base and the head of the change, if it has both."""
    control, *treatments = study.variants
    if not study.is_whole or any(each.arm.suite != loaded.digest for each in study.variants):
        return None
    return next(((control, each) for each in treatments if _is_of(control, each, workspace, loaded, change)), None)


def _is_of(control: Variant, treatment: Variant, workspace: Workspace, loaded: Loaded, change: Change) -> bool:
    """Whether all that changes, as far as the suite depends on it, is what differs here, and nothing else does."""
    if control.arm.overrides or treatment.arm.overrides or not _is_beside(control, treatment, loaded, change):
        return False
    before, after = control.arm.calibrated, treatment.arm.calibrated
    keys = {*change.keys, *calibrated.differing(before, after)}
    mine = [each for each in keys if calibrated.depends(workspace, loaded, each)]
    return all(
        before.get(each, "") == change.base.get(each, "") and after.get(each, "") == change.head.get(each, "")
        for each in mine
    )


def _is_beside(control: Variant, treatment: Variant, loaded: Loaded, change: Change) -> bool:
    """The same of the files that are not calibrated: a control that somebody broke makes everything look harmless."""
    before, after = control.arm.beside, treatment.arm.beside
    paths = {*calibrated.paths_of(loaded.suite, change.paths), *calibrated.differing(before, after)}
    return all((before.get(each, ""), after.get(each, "")) == change.file(each) for each in paths)


def _by_instruments(found: Sequence[Beside]) -> list[list[Beside]]:
    """Those together that were measured with the same instruments, those of the newest one first."""
    groups: list[list[Beside]] = []
    for each in sorted(found, key=lambda each: each[0].repeats[-1].completed_at, reverse=True):
        alike = next((group for group in groups if _instruments(group[0]) == _instruments(each)), None)
        groups.append([each]) if alike is None else alike.append(each)
    return groups


def held_together(found: Sequence[Beside], margin: float) -> tuple[list[Finding], int]:
    """What several studies of the same change say as one, and how many repeats of each variant they have together.

    They were measured with the same instruments.
    """
    control = tuple(chain.from_iterable(one.repeats for one, _ in found))
    treatment = tuple(chain.from_iterable(other.repeats for _, other in found))
    sides = [_side("control", control), _side("treatment", treatment)]
    return findings(control, treatment, compared(sides).compared, margin, tries=_tries(found)), draws(control)


def _tries(found: Sequence[Beside]) -> int:
    """How many of some studies drew what none before them had: so often it could have been stopped at what is liked.

    Of those that ended in the same second the smaller ones count as the earlier: that makes the more tries.
    """
    known: set[object] = set()
    tries = 0
    for control, _ in sorted(found, key=lambda each: (each[0].repeats[-1].completed_at, len(each[0].repeats))):
        drawn = {draw_of(one) for one in control.repeats}
        tries += not drawn <= known
        known |= drawn
    return tries


def _instruments(beside: Beside) -> list[Mapping[str, object]]:
    every = [one.instrument for variant in beside for one in variant.repeats]
    return [one for at, one in enumerate(every) if one not in every[:at]]


def _side(name: str, repeats: Sequence[Measurement]) -> Recalled:
    return Recalled(name, dict(_metrics(repeats)), repeats[0].commit)


def _metrics(repeats: Sequence[Measurement]) -> Iterator[tuple[str, tuple[Measurement, ...]]]:
    for name in HELD:
        if all(name in one.metrics for one in repeats):
            yield key(repeats[0], name), tuple(repeats)
