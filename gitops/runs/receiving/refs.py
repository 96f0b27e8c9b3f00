"""Refs that the tool keeps for itself: nobody pushes a candidate, and what is kept is added to, never changed."""

from __future__ import annotations

from gitops.runs import names, store
from gitops.runs.context import Context
from gitops.runs.receiving.lines import Line, refused
from gitops.runs.records import FINAL
from gitops.runs.reflines import Examined

_HEAD = ".head"


def examine(context: Context, line: Line) -> Examined:
    """Judge one ref below `refs/assay/`.

    What `git assay sync` brings passes: what is kept of a run that its records say has ended, and with these commits.
    """
    if not line.ref.startswith(names.KEPT):
        return refused(line, "the tool alone writes it, on the machine that it is on", "leave it out of the push")
    if line.deletes or not line.makes:
        told = "what is kept of a run stays as it is"
        return refused(line, told, "git assay sync brings what is missing, and changes nothing")
    run_id = line.ref.removeprefix(names.KEPT).removesuffix(_HEAD)
    run = store.exact(context, run_id) if names.is_id(run_id) else None
    if run is None or run.status not in FINAL:
        told = (
            f"no record here says that run {run_id} has ended" if names.is_id(run_id) else "it is called as no run is"
        )
        return refused(line, told, "git assay sync brings the records, then what is kept")
    known = {each for state in run.states for each in (state.head, state.candidate) if each}
    if line.new not in known:
        return refused(line, f"run {run_id} never had the commit {line.new[:10]}", "git assay sync")
    return Examined(line.ref, True, "")
