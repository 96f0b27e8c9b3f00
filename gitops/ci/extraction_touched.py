"""Whether a change decides how extraction is scored: what was extracted, the gold, or who extracts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops.ci.spans import Span
from gitops.ci.suite_subject import merge
from gitops.config import Config
from gitops.errors import AssayError, UsageError
from gitops.extraction import places
from gitops.git.treediff import Entry
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, rooted
from gitops.wiki.paths import within


@dataclass(frozen=True, slots=True)
class Hit:
    """What of a change decides how extraction is scored; '' of nothing, and then nothing is.

    `landing` is the commit that would land, `policy` what its policy would be: who extracts is what is scored, and so
    the change's own. `is_gold` says that the change touches gold. `missing` is why it could not be told, `mend` what to
    do about it.
    """

    because: str = ""
    landing: str = ""
    policy: Config | None = None
    is_gold: bool = False
    missing: str = ""
    mend: str = ""

    @property
    def is_any(self) -> bool:
        """Whether extraction is to be scored."""
        return bool(self.because or self.missing)


def touched(context: Context, workspace: Workspace, span: Span, entries: Sequence[Entry]) -> Hit:
    """What a change decides of the extraction of a workspace as its base has it; `entries` is all that it touches."""
    folder = places.gold(workspace.layout)
    has_gold = context.tree(span.base).folder_id(folder) is not None
    is_gold = any(_is_in(entry.path, folder) for entry in entries)
    if not (has_gold or is_gold):
        return Hit()
    policy, landing = workspace.config, span.head
    try:
        is_policy = any(entry.path == workspace.layout.config for entry in entries)
        if is_policy or is_gold or _is_extracted(workspace, workspace.config, entries):
            landing = merge(context, span)
            policy = rooted(context.repository, landing, workspace.layout.root).config
        told = "; ".join(_because(workspace, policy, entries, is_gold=is_gold))
    except AssayError as error:
        return Hit(missing=f"how extraction is scored is not known: {error.message}", mend=error.hint)
    return Hit(told, landing, policy, is_gold)


def emitted_folder(workspace: Workspace, policy: Config) -> str:
    """The folder of the repository that holds what was extracted, by a policy; '' where a preset extracts."""
    return places.emitted(workspace.layout, policy.extraction)


def _because(workspace: Workspace, after: Config, entries: Sequence[Entry], *, is_gold: bool) -> Iterator[str]:
    """What of the change decides it, in words."""
    folders = dict.fromkeys(emitted_folder(workspace, each) for each in (workspace.config, after))
    mine = sorted({entry.path for entry in entries for each in folders if each and _is_in(entry.path, each)})
    if mine:
        yield f"{mine[0]} changed" if len(mine) == 1 else f"{mine[0]} and {len(mine) - 1:,} more changed"
    if is_gold:
        yield "the gold changed"
    before = workspace.config
    if before.extraction != after.extraction:
        yield "[extraction] changed"
    names = dict.fromkeys((before.extraction.preset, before.extraction.judge))
    yield from (f"llm.presets.{name} changed" for name in names if _preset(before, name) != _preset(after, name))


def _preset(config: Config, name: str) -> object:
    """A preset of a policy; its absence is a value like another."""
    try:
        return config.llm.preset(name)
    except UsageError:
        return None


def _is_extracted(workspace: Workspace, policy: Config, entries: Sequence[Entry]) -> bool:
    folder = emitted_folder(workspace, policy)
    return bool(folder) and any(_is_in(entry.path, folder) for entry in entries)


def _is_in(path: str, folder: str) -> bool:
    return path == folder or within(path, folder)
