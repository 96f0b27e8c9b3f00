"""The hard rule of silas 20.6: nothing that is calibrated changes without an ablation that shows no harm.

A change is held to the ablations that are in the notes, by the policy and the suites of its base. One counts where its
control had what the base has of each key that changes, and a treatment what the head has, as committed, and where
nothing else that the suite names differs between the two. Those that count are taken together, so that another one adds
to the first instead of taking its place, and has to be surer: nobody tries until chance says yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gitops.runs import attesting_records, measurements, names
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.measurements import ABLATION, Measurement
from gitops.runs.workspace import Workspace, rooted
from gitops.suites import calibrated
from gitops.suites.ablations import Study, put_together
from gitops.suites.arms import arm
from gitops.suites.evidence import Change, Shown, shown
from gitops.suites.loading import Loaded


@dataclass(frozen=True, slots=True)
class Unablated:
    """A key that changes without an ablation of a suite that shows no harm; `suite_id` '' where no suite depends on it.

    `mend` is what to do about it.
    """

    key: str
    suite_id: str
    why: str
    mend: str


def unablated(
    context: Context,
    workspace: Workspace,
    base: str,
    head: str,
    changed_paths: Iterable[str],
    loadeds: Sequence[Loaded],
) -> list[Unablated]:
    """What a change calibrates without having shown that it does no harm; in the order of keys, then of suites.

    `workspace` and the suites are those of `base`, a whole commit id: a change says neither what is calibrated nor
    which suites it is held to. `changed_paths` are the paths in the repository that differ between the two. UsageError
    where the head's policy cannot be read, CannotRun where SciPy is missing.
    """
    paths = list(changed_paths)
    change = changed(context, workspace, base, head, paths, loadeds)
    held = {each: [one for one in loadeds if calibrated.depends(workspace, one, each)] for each in change.keys}
    affected = [one for one in loadeds if any(one in suites for suites in held.values())]
    studies = kept(Authority(context, workspace.name, base)) if affected else []
    margin = workspace.config.benchmarks.margin
    known = {one.suite.suite_id: shown(studies, workspace, one, change, margin) for one in affected}
    command = f"git assay benchmark ablation {base[:10]} {head[:10]}"
    return [
        *_linked(context, workspace, head, calibrated.changed_files(workspace, loadeds, paths)),
        *(found for each, suites in held.items() for found in _told(each, suites, known, command)),
    ]


def changed(
    context: Context,
    workspace: Workspace,
    base: str,
    head: str,
    changed_paths: Iterable[str],
    loadeds: Sequence[Loaded],
) -> Change:
    """What of the calibrated keys two commits have, as far as it may differ. UsageError as for `unablated`."""
    paths = list(changed_paths)
    before = after = calibrated.of_policy(workspace.config, loadeds)
    if workspace.layout.config in paths:
        after = calibrated.of_policy(rooted(context.repository, head, workspace.layout.root).config, loadeds)
    files = calibrated.changed_files(workspace, loadeds, paths)
    was, now = ({each: calibrated.file_digest(context, workspace, at, each) for each in files} for at in (base, head))
    inside = [path for path in calibrated.inside(workspace, paths) if path not in files]

    def file(path: str) -> tuple[str, str]:
        one, other = (calibrated.file_digest(context, workspace, at, path) for at in (base, head))
        return one, other

    return Change({**before, **was}, {**after, **now}, inside, file)


def _linked(context: Context, workspace: Workspace, head: str, files: Iterable[str]) -> Iterator[Unablated]:
    """The calibrated files that a change makes links of: what these lead to could change afterwards unseen."""
    for key in files:
        if link := calibrated.link_of(context, workspace, head, key):
            told = f"{link} is a symbolic link, and what it leads to could change without an ablation"
            yield Unablated(key, "", told, f"put the files there themselves in place of {link}")


def _told(key: str, suites: Sequence[Loaded], known: Mapping[str, Shown], command: str) -> Iterator[Unablated]:
    for name in (one.suite.suite_id for one in suites):
        if found := known[name].why:
            yield Unablated(key, name, found, _mend(known[name], f"{command} --suite {name}"))
    if not suites:
        told = "no suite depends on it, so that nothing shows whether it does harm"
        yield Unablated(key, "", told, f"bring a suite onto the target first {_that_depends(key)}")


def _that_depends(key: str) -> str:
    if key == calibrated.EVICTION:
        return 'whose metadata has "component": "eviction"'
    if key.startswith(calibrated.PRESET):
        return f"that names {key.removeprefix(calibrated.PRESET)} among depends_on.presets"
    return f"that names {key} among depends_on.prompts"


def _mend(found: Shown, command: str) -> str:
    if found.runs is None:
        return f"change it so that it does no harm, then {command}"
    return f"{command}{found.options}"


def kept(authority: Authority) -> list[Study]:
    """The studies in the notes of this workspace, as far as they count here."""
    every = measurements.everything(authority.context)
    mine = (one for one in every if one.kind == ABLATION and one.workspace == authority.workspace)
    found = put_together(one for one in mine if arm(one) is not None and _counts(authority, one))
    return [study for each in found for study in each.studies]


def _counts(authority: Authority, one: Measurement) -> bool:
    told = f"the ablation {one.run_id} of {one.suite} at {one.commit[:10]}"
    return attesting_records.counts(authority, names.EVALS, one.commit, one.id, told)
