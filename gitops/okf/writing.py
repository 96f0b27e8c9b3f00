"""Drafts as files of our profile: short, the same for the same draft, and read back as what was handed in.

Edges stand in the frontmatter as `relationships` and, for whoever knows OKF alone, in the body as plain links. Every
passage that is cited is a footnote in canonical form, whose label is the id of an entry of `sources` (OKF 0.2, 5.1).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote

from gitops import __version__
from gitops.okf import naming
from gitops.okf.draft import Draft, Passage, Said
from gitops.okf.model import OKF_VERSION, ORDERED, Bundle
from gitops.okf.spelling import prose, value
from gitops.wiki.citation import format_citation, format_cite
from gitops.wiki.prose import folded, split

WRITER = f"git-assay/{__version__}"


class Entry(NamedTuple):
    """What a listing says of an atom."""

    type: str
    title: str
    path: str
    description: str = ""


def files(
    drafts: Sequence[Draft], at: datetime, *, place: str | None = None, known: Bundle | None = None
) -> dict[str, bytes]:
    """The file of each draft, by its path within the bundle.

    `at` is when they are made. `place` is the folder of the bundle as seen from where cited paths count from (the
    workspace, the folder of a case): with it the `resource` of a source is a path from the file that names it; without
    it is the cited path itself. `known` is what is there already: an id that it has keeps its file, and may be linked
    to. ValueError where two drafts share an id, where an id has white space, and for a path that no citation can name.
    """
    ids = [draft.id for draft in drafts]
    if len(set(ids)) < len(ids) or any(not one or one.split() != [one] for one in ids):
        raise ValueError("every draft needs an id of its own, without white space")
    there = {atom.id: Entry(atom.type, atom.title, atom.path) for atom in known.atoms} if known else {}
    paths = naming.paths(drafts, {id: entry.path for id, entry in there.items()})
    there |= {draft.id: Entry(draft.type, draft.title, paths[draft.id]) for draft in drafts}
    return {paths[draft.id]: text(draft, there, at, place=place).encode() for draft in drafts}


def text(draft: Draft, atoms: Mapping[str, Entry], at: datetime, *, place: str | None = None) -> str:
    """One draft as the text of its file; `atoms` tells by their ids where it and those it leads to are."""
    path = atoms[draft.id].path
    labels = _Labels(draft)
    parts = [
        "\n".join(_front(draft, path, labels, at, place)),
        f"# {prose(draft.title)}",
        *(labels.marked(said) for said in sentences(draft.description)),
    ]
    if draft.rationale:
        parts += ["## Rationale", *(labels.marked(one) for said in draft.rationale for one in sentences(said))]
    parts += _linked(draft, path, atoms)
    if labels.passages:
        parts.append("\n".join(labels.definitions()))
    return "\n\n".join(parts) + "\n"


def index(entries: Iterable[Entry], *, is_root: bool = True) -> str:
    """The listing of a bundle (OKF 0.2, 8): a section for each type, by title.

    Only at the root may it say which version it is of: a folder of a wiki is a bundle, and a part of one.
    """
    parts = [f'---\nokf_version: "{OKF_VERSION}"\n---'] if is_root else []
    ordered = sorted(entries, key=lambda entry: (entry.title.casefold(), entry.path))
    for type, folder in naming.FOLDERS.items():
        if told := [listed(entry) for entry in ordered if entry.type == type]:
            parts += [f"# {folder.capitalize()}", "\n".join(told)]
    return "\n\n".join(parts) + "\n"


def listed(entry: Entry) -> str:
    """An atom as an item of a listing."""
    about = f" - {prose(entry.description)}" if entry.description.strip() else ""
    return f"* [{prose(entry.title)}]({quote(entry.path)}){about}"


class _Labels:
    """The passages that a draft cites, each with its label: `s1`, `s2`, … in the order in which they come."""

    def __init__(self, draft: Draft) -> None:
        said = [*([draft.description] if draft.description else []), *draft.rationale]
        cited = dict.fromkeys(passage for one in said for passage in one.passages)
        self.passages: dict[Passage, str] = {passage: f"s{number}" for number, passage in enumerate(cited, 1)}

    def marked(self, said: Said) -> str:
        """A sentence with the marks of what it cites."""
        return prose(said.text) + "".join(f"[^{self.passages[one]}]" for one in dict.fromkeys(said.passages))

    def definitions(self) -> Iterator[str]:
        """The footnotes, one on each line."""
        for passage, label in self.passages.items():
            cite = format_cite(passage.path, quote=passage.quote or None, offset=passage.offset)
            yield format_citation(label, [cite])


def sentences(said: Said | None) -> list[Said]:
    """A text as the sentences that a reader will find in it, each of which cites what the whole does."""
    if said is None:
        return []
    words = folded(said.text)
    spans = split(words)
    if len(spans) < 2:
        return [Said(words, said.passages)] if spans else []
    return [one for start, end in spans for one in sentences(Said(words[start:end], said.passages))]


def _front(draft: Draft, path: str, labels: _Labels, at: datetime, place: str | None) -> Iterator[str]:
    yield "---"
    yield f"type: {draft.type}"
    yield f"id: {value(draft.id)}"
    yield f"title: {value(folded(draft.title))}"
    if draft.description is not None and draft.description.text.strip():
        yield f"description: {value(folded(draft.description.text))}"
    if draft.relationships:
        yield "relationships:"
        for edge in draft.relationships:
            yield f"  - {{rel: {edge.rel}, target: {value(edge.target, in_flow=True)}}}"
    if labels.passages:
        yield "sources:"
        for passage, label in labels.passages.items():
            yield f"  - {{id: {label}, resource: {value(_resource(passage.path, path, place), in_flow=True)}}}"
    moment = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield f'generated: {{by: {value(WRITER, in_flow=True)}, at: "{moment}"}}'
    yield "---"


def _resource(cited: str, path: str, place: str | None) -> str:
    if place is None:
        return cited
    return posixpath.relpath(cited, posixpath.dirname(posixpath.join(place, path)) or ".")


def _linked(draft: Draft, path: str, atoms: Mapping[str, Entry]) -> Iterator[str]:
    """A section for each type of edge, with links to those targets that have a file."""
    for rel in dict.fromkeys(edge.rel for edge in draft.relationships):
        ends = [atoms[edge.target] for edge in draft.relationships if edge.rel == rel and edge.target in atoms]
        links = [f"[{prose(end.title)}]({quote(posixpath.relpath(end.path, posixpath.dirname(path)))})" for end in ends]
        marks = (f"{number}." if rel == ORDERED else "-" for number in range(1, len(links) + 1))
        if links:
            yield f"## {rel.replace('_', ' ').capitalize()}"
            yield "\n".join(f"{mark} {link}" for mark, link in zip(marks, links, strict=True))
