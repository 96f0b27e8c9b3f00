"""What of a commit is calibrated: weights, presets and prompts, none of which changes without an ablation (silas 20.6).

A key is `eviction` (how the scorer weighs items), `llm.presets.NAME` (a preset that some suite depends on),
`llm.writer` (the preset that the policy's writer names, where a suite asks it), or a file by its path from the
workspace's folder: a prompt that a suite depends on, or what `[benchmarks] calibrated` names. Its value is a digest of
what was tuned: that a preset waits longer for an answer makes it no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache

from gitops.canonical import digest
from gitops.config import PRESETS, Config, Llm
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkSuite, PromptTarget
from gitops.wiki.layout import joined
from gitops.wiki.snapshot import SYMLINK

EVICTION, WRITER, PRESET = "eviction", "llm.writer", "llm.presets."
COMPONENT = "component"
"""The entry of a suite's metadata that tags it with what it is about, several with commas between."""
_OF_EVICTION = frozenset(("weights", "scorer", "guidance", "keep", "online"))
_OF_PRESET = frozenset(("provider", "model", "base_url", "effort", "max_tokens", "context_tokens"))
"""What of a preset changes what is answered; the rest says how long one waits and who pays."""


def state(
    context: Context, workspace: Workspace, commit: str, suites: Iterable[Loaded], said_by: Workspace | None = None
) -> dict[str, str]:
    """Each calibrated key of a commit with its digest, as far as these suites and a policy name any.

    `workspace` is as the commit has it; `said_by` is the one whose policy says which files are calibrated, by default
    the same: a change does not say so itself.
    """
    known = list(suites)
    found = of_policy(workspace.config, known)
    if globs := file_globs(said_by or workspace, known):
        tree, root = context.tree(commit), workspace.layout.root
        for path in tree.paths(root):
            inside = path.removeprefix(f"{root}/") if root else path
            if matches(globs, inside) and (blob := tree.blob(path)) is not None:
                found[inside] = blob
    return found


def of_policy(config: Config, suites: Iterable[Loaded]) -> dict[str, str]:
    """The keys that the policy holds. A preset that is named and not there has the digest ''."""
    keys = dict.fromkeys(name for loaded in suites for name in _presets(loaded.suite))
    return {EVICTION: _eviction(config), **{key: _preset(config.llm, key) for key in keys}}


def file_globs(workspace: Workspace, suites: Iterable[Loaded]) -> tuple[str, ...]:
    """The globs, from the workspace's folder, of the files that are calibrated."""
    named = [glob for loaded in suites for glob in _prompts(workspace, loaded)]
    return tuple(dict.fromkeys([*workspace.config.benchmarks.calibrated, *named]))


def changed_files(workspace: Workspace, suites: Iterable[Loaded], paths: Iterable[str]) -> list[str]:
    """Of some paths of the repository those that are calibrated files, as keys."""
    globs = file_globs(workspace, suites)
    return sorted({path for path in inside(workspace, paths) if matches(globs, path)})


def inside(workspace: Workspace, paths: Iterable[str]) -> list[str]:
    """Those of some paths of the repository that lie in a workspace's folder, from there."""
    below = joined(workspace.layout.root, "")
    return [path.removeprefix(below) for path in paths if path.startswith(below)]


def file_digest(context: Context, workspace: Workspace, commit: str, key: str) -> str:
    """The digest of a calibrated file at a commit; '' where it is not there."""
    return context.tree(commit).blob(joined(workspace.layout.root, key)) or ""


def link_of(context: Context, workspace: Workspace, commit: str, key: str) -> str:
    """The symbolic link by which a file is reached at a commit, itself or a folder above it; '' where there is none.

    What a link leads to may change while the link stays what it is.
    """
    tree, path = context.tree(commit), joined(workspace.layout.root, key)
    parts = path.split("/")
    above = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return next((each for each in above if tree.mode(each) == SYMLINK), "")


def differing(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """The keys that two states have otherwise."""
    return sorted(key for key in {*one, *other} if one.get(key, "") != other.get(key, ""))


def depends(workspace: Workspace, loaded: Loaded, key: str) -> bool:
    """Whether a suite depends on a key; one that says nothing of what it depends on depends on all."""
    suite = loaded.suite
    if suite.depends_on.is_empty or key in components(suite):
        return True
    if key == EVICTION:  # an agent with tools has a conversation, which is shortened
        return isinstance(suite.runs, PromptTarget) and bool(suite.runs.tools)
    if key == WRITER or key.startswith(PRESET):
        return key in _presets(suite)
    return matches((*suite.depends_on.paths, *_prompts(workspace, loaded)), key)


def paths_of(suite: BenchmarkSuite, paths: Iterable[str]) -> list[str]:
    """Of some paths from the workspace's folder those that a suite names as what it depends on, besides its prompts."""
    return [path for path in paths if matches(suite.depends_on.paths, path)]


def matches(globs: Sequence[str], path: str) -> bool:
    """Whether a path is meant by one of some globs; `*` goes over folders too, as everywhere in the policy."""
    pattern = _pattern(tuple(globs))
    return pattern is not None and pattern.match(path) is not None


@lru_cache(maxsize=256)
def _pattern(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile("|".join(map(translate, globs))) if globs else None


def components(suite: BenchmarkSuite) -> list[str]:
    """What a suite is about, as it tags itself."""
    return [part.strip() for part in suite.metadata.get(COMPONENT, "").split(",")]


def _presets(suite: BenchmarkSuite) -> Iterator[str]:
    yield from (PRESET + name for name in suite.depends_on.presets)
    if isinstance(suite.runs, PromptTarget):
        yield PRESET + suite.runs.preset if suite.runs.preset else WRITER


def _prompts(workspace: Workspace, loaded: Loaded) -> Iterator[str]:
    """The globs of a suite's prompts, that of the file beside it among them."""
    yield from loaded.suite.depends_on.prompts
    runs, root = loaded.suite.runs, workspace.layout.root
    if isinstance(runs, PromptTarget) and runs.system_file:
        folder = loaded.folder.removeprefix(f"{root}/") if root else loaded.folder
        yield re.sub(r"([*?\[])", r"[\1]", joined(folder, runs.system_file))


def _eviction(config: Config) -> str:
    told = config.eviction.model_dump(mode="json", include=set(_OF_EVICTION))
    scorer = config.eviction.scorer
    return digest(told | ({} if scorer == "heuristic" else {"preset": _preset(config.llm, PRESET + scorer)}))


def _preset(llm: Llm, key: str) -> str:
    name = llm.writer if key == WRITER else key.removeprefix(PRESET)
    found = llm.presets.get(name) or PRESETS.get(name)
    return "" if found is None else digest(found.model_dump(mode="json", include=set(_OF_PRESET)))
