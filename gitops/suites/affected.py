"""Which suites a change affects: those that depend on something in it, and those that it changes themselves.

A suite names what it depends on: `paths` and `prompts` as globs from the workspace's folder (`*` goes over folders,
too), `presets` by name. One that names nothing is always run. Of the policy a change counts where it makes another
preset of one that a suite depends on, or, for a suite of an agent with tools, another eviction; whatever else of the
policy a suite depends on, it says with `assay.toml` among its paths.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from gitops.config import Config
from gitops.suites import calibrated, places
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkSuite, PromptTarget


@dataclass(frozen=True, slots=True)
class Affected:
    """A suite that has to be run, and because of what."""

    loaded: Loaded
    because: str


def affected(
    loadeds: Iterable[Loaded], changed_paths: Collection[str], base_config: Config, head_config: Config
) -> list[Affected]:
    """Those of some suites of a workspace that a change affects, in their order.

    `changed_paths` are paths of the repository, of what was renamed both; the configurations are the workspace's.
    """
    found = []
    for loaded in loadeds:
        told = [*_of_itself(loaded, changed_paths), *_of_what_it_names(loaded, changed_paths, base_config)]
        told += _of_policy(loaded, base_config, head_config)
        if loaded.suite.depends_on.is_empty:
            told = told or ["it names nothing that it depends on, so it is always run"]
        if told:
            found.append(Affected(loaded, "; ".join(told)))
    return found


def _of_itself(loaded: Loaded, paths: Collection[str]) -> Iterator[str]:
    """What of the suite's own files changed, but for what a run of it came to."""
    below = f"{loaded.folder}/"
    if any(path.startswith(below) and path.removeprefix(below) != places.BASELINE for path in paths):
        yield "the suite itself changed"


def _of_what_it_names(loaded: Loaded, paths: Collection[str], config: Config) -> Iterator[str]:
    """What of the paths and prompts that it names changed."""
    depends = loaded.suite.depends_on
    root = _root(loaded.folder, config.workspace.gold)
    inside = [path.removeprefix(f"{root}/") for path in paths if not root or path.startswith(f"{root}/")]
    mine = [path for path in sorted(inside) if calibrated.matches((*depends.paths, *depends.prompts), path)]
    if mine:
        yield f"{mine[0]} changed" if len(mine) == 1 else f"{mine[0]} and {len(mine) - 1:,} more changed"


def _root(folder: str, gold: str) -> str:
    """The workspace's folder, by where a suite of it lies."""
    parts = folder.split("/")
    is_of_skill = parts[-1] == places.BENCHMARKS and parts[-3:-2] == ["skills"]
    depth = 3 if is_of_skill else gold.count("/") + 3  # skills/NAME/benchmarks, or gold/suites/NAME
    return "/".join(parts[:-depth])


def _of_policy(loaded: Loaded, base: Config, head: Config) -> Iterator[str]:
    """What of the policy that it depends on changed: a preset that it asks, or how a conversation is shortened."""
    before, after = (calibrated.of_policy(config, [loaded]) for config in (base, head))
    for key in calibrated.differing(before, after):
        if key != calibrated.EVICTION or _is_shortened(loaded.suite):
            yield f"{key} changed"


def _is_shortened(suite: BenchmarkSuite) -> bool:
    is_agent = isinstance(suite.runs, PromptTarget) and bool(suite.runs.tools)
    return is_agent or calibrated.EVICTION in calibrated.components(suite)
