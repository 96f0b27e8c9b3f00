"""Measures retrieval: golden queries of a wiki, a system that is asked them, and the measurement of what came of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gitops.errors import CannotRun, UsageError
from gitops.retrieval import golden, stores, workflow
from gitops.retrieval.measures import DEPTH
from gitops.retrieval.measuring import Setting, measurement
from gitops.retrieval.model import GoldenQuery, Results, Versions
from gitops.retrieval.results import NO_HEADER, VERSION_NAMES
from gitops.retrieval.scoring import Scored, score
from gitops.retrieval.stores import Store
from gitops.retrieval.workflow import Workflow
from gitops.runs import names, searching
from gitops.runs.bad_input import BadInput, Fault, nfc
from gitops.runs.context import Context
from gitops.runs.gold import nearest
from gitops.runs.measurements import Measurement
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.wiki.layout import Layout, joined
from gitops.wiki.snapshot import SYMLINK

FILE = "retrieval.yaml"
"""What the golden file is called, in the gold folder of a workspace."""
TOP = DEPTH
"""How many hits of a query are asked for, unless something else is said: so deep the metrics look."""
_VERSIONS = tuple(VERSION_NAMES)


@dataclass(frozen=True, slots=True)
class Gold:
    """The queries of a golden file, and what it is called: with its folder for whoever mends it."""

    name: str
    queries: Sequence[GoldenQuery]
    remarks: tuple[str, ...] = ()
    """What is to be told aloud of looking them up in a store."""

    @property
    def suite(self) -> str:
        """The file's name without its folder, as measurements have it."""
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a system gave for the queries of a golden file, both looked up in the store there is, if there is one."""

    gold: Gold
    results: Results
    system: str
    started_at: str
    top: int | None = None
    chunks: str | None = None
    """The digest of a store that was handed in."""
    has_store: bool = False
    used: Usage = NOTHING
    subject: dict[str, Any] = field(default_factory=dict)


def file_of(layout: Layout) -> str:
    """The repository path of a workspace's golden file."""
    return joined(layout.gold, FILE)


def gold_at(context: Context, workspace: Workspace, commit: str) -> Gold:
    """The golden queries of a workspace as a commit has them. CannotRun where it has none, BadInput for a bad file."""
    tree, path = context.tree(commit), file_of(workspace.layout)
    if tree.mode(path) == SYMLINK:
        raise BadInput(path, [Fault(0, "this is a symbolic link, which leads nowhere in a commit")], "put a file there")
    if tree.blob(path) is None:
        worktree = context.repository.worktree
        is_written = worktree is not None and (worktree / path).is_file()
        mend = f"commit it, or: --gold {path}" if is_written else "docs/retrieval.md shows one; or --gold FILE"
        raise CannotRun(f"there are no golden queries: {commit[:10]} has no {path}", mend)
    return Gold(path, golden.parse(tree.read(path), path))


def some_of(gold: Gold, ids: Sequence[str]) -> Gold:
    """Those golden queries alone that are named. UsageError for a name that none has."""
    known = {one.query_id: one for one in gold.queries}
    wanted = list(dict.fromkeys(map(nfc, ids)))
    for name in wanted:
        if name not in known:
            raise UsageError(
                f"{gold.name} has no query '{name}'", nearest(name, known).removeprefix("; ") or "--query ID"
            )
    return replace(gold, queries=[known[name] for name in wanted])


def by_workflow(flow: Workflow, gold: Gold, top: int, *, other_chunker: bool = False) -> Ran:
    """Ask this project's own query workflow. BadInput, before anything is spent, where an expected chunk is not there.

    `top` is what the flow's answering was told to give at most.
    """
    context, started = flow.context, flow.context.now
    located, store = looked_up_in_wiki(context, flow.workspace, flow.commit, gold, other_chunker=other_chunker)
    results, used = workflow.ask(flow, located.queries)
    subject = {"preset": flow.chosen, "config_snapshot": flow.workspace.policy}
    return Ran(
        located,
        stores.resolved(results, store),
        workflow.NAME,
        started,
        top=top,
        has_store=True,
        used=used,
        subject=subject,
    )


def looked_up(gold: Gold, store: Store | None, *, other_chunker: bool = False) -> Gold:
    """The queries with their expected chunks as a store has them; with `other_chunker` those that are named by their
    ids stay as they are. What documents the store lacks is told by a remark.

    BadInput for a chunk that is not in it, and for a quotation where there is no store to find it in.
    """
    if store is not None:
        queries = stores.located(gold.queries, store, gold.name, other_chunker=other_chunker)
        return replace(gold, queries=queries, remarks=tuple(stores.unknown_documents(queries, store, gold.name)))
    quoted = (one for query in gold.queries for one in query.chunks or () if one.quote and not one.chunk_id)
    faults = [Fault(one.line, f"no store was given to find this quotation of {one.doc_id} in") for one in quoted]
    if faults:
        raise BadInput(gold.name, faults, "--chunks FILE, or name the chunk by its chunk_id")
    return gold


def looked_up_in_wiki(
    context: Context, workspace: Workspace, commit: str, gold: Gold, *, other_chunker: bool = False
) -> tuple[Gold, Store]:
    """The same by the chunks of a wiki's own pages as a commit has them, and those chunks."""
    with searching.opened(context, workspace, commit, "wiki") as searcher:
        gold = replace(gold, queries=workflow.placed(gold.queries, searcher, workspace.layout))
        store = workflow.store(searcher, gold.queries)
    return looked_up(gold, store, other_chunker=other_chunker), store


def of_system(
    gold: Gold, results: Results, system: str, started_at: str, *, top: int | None, store: Store | None
) -> Ran:
    """What another system gave, its citations looked up in the store that was handed in, if one was."""
    if store is None:
        return Ran(gold, results, system, started_at, top=top)
    resolved = stores.resolved(results, store)
    return Ran(gold, resolved, system, started_at, top=top, chunks=store.digest, has_store=True)


def named(results: Results, given: dict[str, str]) -> Results:
    """The results with versions that a person names over those that they tell themselves; the rest is `others`."""
    versions = results.versions
    told = {name: given.get(name, getattr(versions, name)) for name in _VERSIONS}
    others = {name: value for name, value in given.items() if name not in _VERSIONS}
    remarks = tuple(one for one in results.remarks if one != NO_HEADER or not any(told.values()))
    return replace(results, versions=Versions(**told, others={**versions.others, **others}), remarks=remarks)


def measured(context: Context, workspace: Workspace, commit: str, ran: Ran) -> Measurement:
    """The measurement of what a system gave, recorded nowhere yet. CannotRun where every single query failed."""
    every = list(ran.results.by_query.values())
    if every and all(one.error for one in every):
        count = len(every)
        told = f"all {count} queries failed" if count > 1 else "the query failed"
        raise CannotRun(f"nothing was measured, for {told}: {every[0].error}", _mend(ran))
    results = replace(ran.results, remarks=(*ran.results.remarks, *_shallow(ran.top)))
    scored = scored_by(ran.gold, results, has_store=ran.has_store)
    setting = Setting(
        gold=ran.gold.suite,
        system=ran.system,
        run_id=names.new_id(context.clock()),
        commit=commit,
        workspace=workspace.name,
        top=ran.top,
        chunks=ran.chunks,
        has_store=ran.has_store,
        subject=ran.subject,
        started_at=ran.started_at,
        completed_at=context.now,
        used=ran.used.record() if ran.used.calls else {},
    )
    return measurement(scored, results, setting).named()


def _shallow(top: int | None) -> Iterator[str]:
    if top is not None and top < DEPTH:
        hits = "the first hit" if top == 1 else f"the first {top} hits"
        yield f"{hits} of each query alone {'was' if top == 1 else 'were'} kept: metrics that look deeper see no more"


def scored_by(gold: Gold, results: Results, *, has_store: bool) -> Scored:
    """Results scored by golden queries (`scoring.score`), and told aloud what there is to tell of those."""
    scored = score(gold.queries, results, has_store=has_store)
    return replace(scored, remarks=(*gold.remarks, *scored.remarks))


def _mend(ran: Ran) -> str:
    if ran.system == workflow.NAME:
        asked = shlex.quote(ran.gold.queries[0].query)
        return f"git assay query {asked} --preset {ran.subject['preset']} shows what is wrong"
    return "run it by hand for one query, and mend what it says"
