"""Atoms as pages of a wiki: what drafts change in a bundle that lies in it, and the entry of the index for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gitops.agents import atom_files, known_atoms
from gitops.agents.writers import editing
from gitops.agents.writers.offline import ground
from gitops.agents.writers.pages import Linking, Target
from gitops.agents.writers.placing import Places, encoded
from gitops.okf import reading
from gitops.okf.draft import Draft
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace


def known(context: Context, commit: str, folder: str) -> list[Draft]:
    """The atoms that the bundle at a folder of a commit holds already, as far as an extractor has to know of them."""
    return known_atoms.stubs(reading.bundle(context.tree(commit), folder))


def plan(
    context: Context, workspace: Workspace, commit: str, folder: str, drafts: Sequence[Draft]
) -> atom_files.Planned:
    """What drafts change in the bundle at a folder of a commit, and the entry that the wiki's index needs for it.

    Paths are the repository's.
    """
    tree = context.tree(commit)
    there_before = reading.bundle(tree, folder)
    names = [*(atom.path for atom in there_before.atoms), atom_files.INDEX]
    there = {name: tree.read(f"{folder}/{name}") for name in names if tree.blob(f"{folder}/{name}") is not None}
    place = workspace.layout.cited(folder)
    made = atom_files.planned(drafts, there_before, there, context.clock(), place=place, is_page=True).below(folder)
    files = dict(made.files)
    if files and f"{folder}/{atom_files.INDEX}" != workspace.layout.index:
        files |= _entry(context, workspace, commit, folder)
    changed = frozenset(path for path in files if tree.blob(path) is not None)
    return replace(made, files=files, changed=changed)


def _entry(context: Context, workspace: Workspace, commit: str, folder: str) -> dict[str, bytes]:
    """The wiki's index with a link to the bundle's listing, where it lacks one."""
    layout = workspace.layout
    with ground(context, workspace, commit) as at:
        places = Places(at.view)
        page = places.page(layout.index)
        if page is None and at.view.snapshot.blob(layout.index) is not None:
            return {}  # an index that cannot be read is for a person to mend
        name = folder.rpartition("/")[2].replace("-", " ")
        target = Target(f"{folder}/{atom_files.INDEX}", name[:1].upper() + name[1:])
        link = Linking(layout.wiki, places.is_wiki).link(layout.index, target)
        text = page.text if page is not None else "# Index\n"
        if link in text or (page is not None and any(_leads(one.target, layout.inside(folder)) for one in page.links)):
            return {}
        before = at.view.snapshot.read(layout.index) if page is not None else b""
        return {layout.index: encoded(before, editing.listed(text, "Atoms", f"- {link}"))}


def _leads(target: str, folder: str) -> bool:
    return target.strip("<>./").removesuffix("/index.md").removesuffix("/index") == folder
