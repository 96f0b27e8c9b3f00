"""Looks at wikis nobody prepared: where they lie, how they cite and link, and what policy would fit them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from gitops import config as configuration
from gitops.config import FILE_NAME, Config
from gitops.errors import Absent, CannotRun, UsageError
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import workspace as workspaces
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.verify.resolution import resolve
from gitops.verify.view import Library, View
from gitops.wiki import conventions, folders, page, policy_draft
from gitops.wiki.folders import Folders
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout, joined
from gitops.wiki.model import Cite, Page
from gitops.wiki.names import Files
from gitops.wiki.paths import within
from gitops.wiki.policy_draft import Draft
from gitops.wiki.source_pages import Sightings, stem
from gitops.wiki.survey import Survey, all_dialects, index_form, log_form


@dataclass(frozen=True, slots=True)
class Surveyed:
    """One wiki as it stands. `policy` is the text of its `assay.toml`: the one it has, or the draft of one."""

    workspace: Workspace
    draft: Draft
    policy: str
    has_policy: bool


def look(context: Context, commit: str, prefix: str = "", given: Folders | None = None) -> list[Surveyed]:
    """Every wiki at or below the folder `prefix`, or the one that is `given`. CannotRun where there is none."""
    tree = context.tree(commit)
    found = [given] if given is not None else _found(tree, prefix)
    if not found:
        where = f"{prefix}/" if prefix else "this repository"
        raise CannotRun(f"no Markdown file is committed in {where}, so there is no wiki to look at", "git assay init")
    return [_surveyed(context, commit, tree, each) for each in found]


def given_folders(tree: TreeSnapshot, prefix: str, wiki: str, raw: str) -> Folders:
    """The folders that somebody names, relative to `prefix`. UsageError for a wiki that is not there."""
    wiki, raw = wiki.strip("/") or ".", raw.strip("/") or "raw"
    place = prefix if wiki == "." else joined(prefix, wiki)
    if place and tree.folder_id(place) is None:
        raise UsageError(f"there is no folder {place} at this commit", "name the folder that holds the pages")
    paths = tree.paths(place)
    top = {path.removeprefix(f"{place}/").casefold(): path.rpartition("/")[2] for path in paths}
    index = next((top[name] for name in folders.INDEX_NAMES if name in top), None)
    log = next((top[name] for name in folders.LOG_NAMES if name in top), None)
    has_raw = tree.folder_id(joined(prefix, raw)) is not None
    found = Folders(prefix, wiki, raw, has_raw=has_raw, has_index=index is not None, has_log=log is not None)
    return replace(found, index=index or found.index, log=log or found.log)


def _found(tree: TreeSnapshot, prefix: str) -> list[Folders]:
    """What is below the prefix, or else the wiki around it."""
    roots = {root for root in workspaces.roots(tree) if not prefix or root == prefix or within(root, prefix)}
    every = folders.find(tree.paths(), tree.read)
    known = [each for each in every if not prefix or each.root == prefix or within(each.root, prefix)]
    if not known and prefix:
        known = [each for each in every if within(prefix, each.root)]
    adopted = [_configured(tree, root) for root in sorted(roots)]
    fresh = [each for each in known if not any(each.root == root for root in roots)]
    return sorted([*adopted, *fresh], key=lambda one: one.root)


def _configured(tree: TreeSnapshot, root: str) -> Folders:
    """The folders of a workspace that has a policy already."""
    names = configuration.parse(tree.read(joined(root, FILE_NAME)), joined(root, FILE_NAME)).workspace
    layout = Layout(root, names)
    return Folders(
        root,
        names.wiki,
        names.raw,
        names.index,
        names.log,
        has_raw=tree.folder_id(layout.raw) is not None,
        has_index=tree.blob(layout.index) is not None,
        has_log=tree.blob(layout.log) is not None,
        exclude=names.exclude,
    )


def _surveyed(context: Context, commit: str, tree: TreeSnapshot, found: Folders) -> Surveyed:
    path = joined(found.root, FILE_NAME)
    existing = tree.read(path).decode("utf-8-sig", "replace") if tree.blob(path) is not None else None
    if existing is None:
        layout = Layout(found.root, _broad(found).workspace)
        inside = [layout.inside(page) for page in tree.paths(layout.wiki) if layout.is_page(page)]
        found = replace(found, exclude=(*found.exclude, *folders.apart(inside, found.index)))
    config = _broad(found)
    layout = Layout(found.root, config.workspace)
    survey = _counted(context, tree, layout, config)
    draft = Draft(
        name=_slug(context, found.root),
        day=context.now[:10],
        folders=found,
        survey=survey,
        sources=sum(1 for _ in tree.paths(layout.raw)) if found.has_raw else 0,
        index_form=index_form(_page(tree, layout.index, config)),
        log_form=log_form(_text(tree, joined(found.wiki_path, found.log))),
    )
    policy = existing if existing is not None else policy_draft.text(draft)
    made = configuration.parse(policy.encode(), path)
    blob = tree.blob(path) or ""
    return Surveyed(Workspace(Layout(found.root, made.workspace), made, blob), draft, policy, existing is not None)


def _broad(found: Folders) -> Config:
    """A policy under which every convention is read."""
    names = {"raw": found.raw, "wiki": found.wiki, "index": found.index, "log": policy_draft.log_name(found)}
    workspace = names | {"exclude": found.exclude}
    return Config.model_validate({"workspace": workspace, "citations": {"dialects": all_dialects(), "require": ()}})


def _counted(context: Context, tree: TreeSnapshot, layout: Layout, config: Config) -> Survey:
    """Two passes: who is called what has to be known before it can be said where a citation leads."""
    paths = [path for path in tree.paths(layout.wiki) if layout.is_page(path) and path != layout.log]
    known, sightings = {}, Sightings()
    folders = frozenset(folder.casefold() for folder in config.citations.source_pages)
    raw_names = frozenset(stem(path) for path in tree.paths(layout.raw))
    for path, parsed in _parsed(context, tree, paths, conventions.of(config), f"reading {layout.wiki or 'the wiki'}"):
        known[path] = facts(parsed, path, layout)
        sightings.add(layout.inside(path), parsed, folders, raw_names)
    survey = Survey(source_pages=sightings.found())
    citations = {"source_pages": (*config.citations.source_pages, *survey.source_pages)}
    config = config.model_copy(update={"citations": config.citations.model_copy(update=citations)})
    graph = MemoryGraph(known, lambda path: tree.mode(path) is not None, Files(tree.paths))
    view = View(tree, layout, config, Library(config), graph)
    for path, parsed in _parsed(context, tree, paths, conventions.of(config), "counting citations"):
        survey.add(parsed, partial(_is_checkable, view, path))
    return survey


def _is_checkable(view: View, path: str, cite: Cite) -> bool:
    return resolve(view, path, cite).status == "ok"


def _parsed(
    context: Context, tree: TreeSnapshot, paths: list[str], how: conventions.Conventions, what: str
) -> Iterator[tuple[str, Page]]:
    for path in context.progress(what, paths, len(paths)):
        try:
            data = tree.read(path)
        except Absent:
            continue  # a page that this clone lacks is not counted
        yield path, page.parse(data, how)


def _page(tree: TreeSnapshot, path: str, config: Config) -> Page | None:
    return page.parse(tree.read(path), conventions.of(config)) if tree.blob(path) is not None else None


def _text(tree: TreeSnapshot, path: str) -> str | None:
    return tree.read(path).decode("utf-8", "replace") if tree.blob(path) is not None else None


def _slug(context: Context, root: str) -> str:
    top = context.repository.worktree or context.repository.git_dir
    folder = root.rpartition("/")[2] or top.resolve().name.removesuffix(".git")
    return re.sub(r"[^a-z0-9._-]+", "-", folder.lower()).strip("-._")[:60] or "main"
