"""A change that was refused, and what of it shows why: the files of a case, before and after, with their policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gitops.config import FREE_JUDGES, Config
from gitops.errors import Absent, CannotRun
from gitops.git.failure import FETCH_MORE
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import changed
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.suites.replaying import SECTIONS
from gitops.verify.finding import Finding
from gitops.verify.resolution import resolve
from gitops.verify.verdict import Verdict
from gitops.wiki.layout import joined
from gitops.wiki.model import Cite, Page

GOAL = "Judge this change of a wiki against its sources."


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the case is taken from: a refused change, with the policy of its base."""

    context: Context
    workspace: Workspace
    verdict: Verdict
    base: TreeSnapshot
    head: TreeSnapshot


def given(ground: Ground, run: Run, paths: Iterable[str]) -> dict[str, Any]:
    """The input of a case that has these files. CannotRun for one that is no text, or not in this clone."""
    root = ground.workspace.layout.root
    sources = [path.removeprefix(f"{root}/") if root else path for path in run.record.sources]
    told = {"run_type": run.record.run_type, "sources": sources, "reason": run.record.reason}
    files = [_file(ground, path) for path in sorted(paths)]
    return {"goal": GOAL, "context": files, "skill_args": {**told, "policy": policy(ground.workspace.config)}}


def policy(config: Config) -> dict[str, Any]:
    """What of a policy a verdict on a few files depends on, without its name, and with judges that need no model."""
    told = config.model_dump(mode="json", exclude_defaults=True, include=set(SECTIONS))
    told.get("workspace", {}).pop("name", None)
    free = [name for name in config.verify.judge if name in FREE_JUDGES]
    told.setdefault("verify", {})["judge"] = free or ["offline"]
    return {name: table for name, table in told.items() if table}


def _file(ground: Ground, path: str) -> dict[str, Any]:
    root = ground.workspace.layout.root
    before, after = _text(ground.base, path), _text(ground.head, path)
    called = path.removeprefix(f"{root}/") if root else path
    if before == after:
        return {"path": called, "text": after}
    return {"path": called, "base": before, "head": after}


def _text(tree: TreeSnapshot, path: str) -> str | None:
    if tree.blob(path) is None:
        return None
    try:
        return tree.read(path).decode()
    except UnicodeDecodeError as error:
        told = f"{path} is no text in UTF-8, and a case holds nothing else"
        raise CannotRun(told, "write a case of its own for that failure: docs/benchmark-cases.md") from error
    except Absent as error:
        raise CannotRun(f"the content of {path} is not in this clone", FETCH_MORE) from error


def few(ground: Ground, wanted: Iterable[Finding]) -> set[str]:
    """The pages that were found fault with, and all that they cite."""
    pages = {one.path for one in wanted if ground.workspace.layout.is_page(one.path)}
    return pages | _cited(ground, pages)


def all_that_matter(ground: Ground, wanted: Iterable[Finding]) -> set[str]:
    """Those and all that the change touches, with what that cites, and the page that is the root of the wiki."""
    layout = ground.workspace.layout
    touched = {one.path for one in changed(ground.context.repository, ground.base.tree_id, ground.head.tree_id)}
    touched = {path for path in touched if layout.is_page(path) or layout.is_source(path)} - {layout.log}
    pages = {path for path in touched if layout.is_page(path)} | {layout.index}
    return few(ground, wanted) | touched | _cited(ground, pages) | pages


def _cited(ground: Ground, pages: Iterable[str]) -> set[str]:
    """The sources that pages lead to as they are after the change, and the pages that lead there."""
    with Bench(ground.context, ground.workspace, ground.verdict.candidate) as bench:
        view = bench.base_view()
        there = [path for path in pages if view.snapshot.blob(path) is not None]
        cites = [(path, cite) for path in there for cite in _cites(view.page(path))]
        found = [resolve(view, path, cite) for path, cite in cites]
        return {path for one in found for path in (*one.paths, one.via) if path}


def _cites(page: Page) -> Iterator[Cite]:
    yield from page.cites
    for claim in page.claims:
        yield from claim.cites


def relative(ground: Ground, told: str, path: str) -> str:
    """A line that names a path, with that path from the workspace's folder."""
    root = ground.workspace.layout.root
    return told.replace(path, path.removeprefix(joined(root, "")), 1) if root and path else told
