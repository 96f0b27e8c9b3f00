"""Which atom the target of an edge means: an id, a concept id, or a path as OKF links have them (OKF 0.2, 6.2)."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from gitops.okf.canonical_id import canonical
from gitops.okf.model import Atom, Bundle


class Resolver:
    """The atoms of one bundle by everything that an edge may call them; of two that share a name the first counts."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self._by_id: dict[str, Atom] = {}
        self._by_concept: dict[str, Atom] = {}
        self._by_canonical: dict[str, dict[str, Atom]] = {}
        for atom in atoms:
            self._by_id.setdefault(_composed(atom.id), atom)
            self._by_concept.setdefault(_composed(atom.concept), atom)
            for name in _names(atom):
                self._by_canonical.setdefault(name, {})[atom.path] = atom

    def atom(self, of: Atom, target: str) -> Atom | None:
        """The atom that an edge of `of` leads to, or None.

        It is first looked for as it is spelled (`exactly`). Else the target means the one atom whose id has the same
        canonical spelling; where several have, none.
        """
        if (found := self.exactly(of, target)) is not None:
            return found
        alike = self._by_canonical.get(canonical(target), {})
        return next(iter(alike.values())) if len(alike) == 1 else None

    def exactly(self, of: Atom, target: str) -> Atom | None:
        """The same by what is written alone: an id, then a path from the file of `of`, then one from the bundle.

        Paths may lack `.md`; Unicode's normal form, percent escapes and a fragment do not count.
        """
        if (found := self._by_id.get(_composed(target))) is not None:
            return found
        concepts = (self._by_concept.get(concept) for concept in _concepts(of, target))
        return next((found for found in concepts if found is not None), None)


def resolve(bundle: Bundle) -> Resolver:
    """Who is called what in a bundle; made once, asked often."""
    return Resolver(bundle.atoms)


def _names(atom: Atom) -> set[str]:
    """The canonical spellings of its id: as it is, and with and without the word of its type before it."""
    bare = canonical(atom.id, atom.type)
    return {canonical(atom.id), bare, canonical(f"{atom.type}-{bare}")}


def _concepts(of: Atom, target: str) -> Iterator[str]:
    """The concept ids that a target may be a path to."""
    path = _composed(unquote(target.partition("#")[0])).removesuffix(".md")
    if not path.startswith("/"):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(_composed(of.path)), path))
    yield posixpath.normpath(path.lstrip("/")) if path.strip("/") else ""


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
