"""The writer of a run that extracts: stages atoms, and leaves out what the verifier finds wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gitops.agents import atom_files, atom_pages
from gitops.agents.extracting import Extracted
from gitops.agents.revising import gating
from gitops.okf.draft import Draft, Said
from gitops.runs import staging
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify.verdict import Verdict
from gitops.wiki.dated import normalised

if TYPE_CHECKING:
    from gitops.agents.extractors.claude import ClaudeExtractor


class AtomWriter:
    """Stages atoms in a pending run. What is found wrong it leaves out, once: it cannot put it otherwise."""

    def __init__(
        self,
        context: Context,
        run: Run,
        workspace: Workspace,
        folder: str,
        extract: Callable[[], Extracted],
        extractor: ClaudeExtractor | None = None,
    ) -> None:
        self._context, self._run, self._workspace, self._folder = context, run, workspace, folder
        self._extract, self._extractor = extract, extractor
        self._is_revised = False
        self.extracted = Extracted()
        self.planned = atom_files.Planned()

    @property
    def used(self) -> Usage:
        """What the model has used so far."""
        return self._extractor.messages.used if self._extractor is not None else NOTHING

    def draft(self) -> None:
        """Extract, and stage every file."""
        self.extracted = self._extract()
        self._stage(self.extracted.drafts)

    def revise(self, verdict: Verdict) -> bool:
        """Stage all but what was found wrong; False where no sentence is named, or after the first time."""
        wrong = frozenset(normalised(finding.claim) for finding in gating(verdict) if finding.claim)
        if not wrong or self._is_revised:
            return False
        self._is_revised = True
        before = set(self.planned.files)
        self.extracted = less(self.extracted, wrong)
        self._stage(self.extracted.drafts)
        self._take_back(before - set(self.planned.files))
        return True

    def _stage(self, drafts: Sequence[Draft]) -> None:
        self.planned = atom_pages.plan(self._context, self._workspace, self._run.record.base, self._folder, drafts)
        for path, data in self.planned.files.items():
            staging.write(self._context, self._run, self._workspace, path, data)

    def _take_back(self, paths: set[str]) -> None:
        """Leave pages as the base has them that are no part of the plan any more."""
        base = self._context.tree(self._run.record.base)
        for path in sorted(paths):
            if base.blob(path) is None:
                staging.remove(self._context, self._run, self._workspace, path)
            else:
                staging.write(self._context, self._run, self._workspace, path, base.read(path))


def less(extracted: Extracted, wrong: frozenset[str]) -> Extracted:
    """An extraction without some sentences, given normalised, which it tells as left out."""
    told = [
        f"{one.id}: {said.text!r}: the verifier does not find it borne out"
        for one in extracted.drafts
        for said in (*([one.description] if one.description else []), *one.rationale)
        if normalised(said.text) in wrong
    ]
    dropped = tuple(dict.fromkeys((*extracted.dropped, *told)))
    return replace(extracted, drafts=without(extracted.drafts, wrong), dropped=dropped)


def without(drafts: Sequence[Draft], wrong: frozenset[str]) -> tuple[Draft, ...]:
    """Drafts without some sentences, given normalised; one whose description is among them is left out altogether."""

    def is_wrong(said: Said | None) -> bool:
        return said is not None and normalised(said.text) in wrong

    kept = [one for one in drafts if not is_wrong(one.description)]
    lost = {one.id for one in drafts} - {one.id for one in kept}
    return tuple(
        replace(
            one,
            relationships=tuple(edge for edge in one.relationships if edge.target not in lost),
            rationale=tuple(said for said in one.rationale if not is_wrong(said)),
        )
        for one in kept
    )
