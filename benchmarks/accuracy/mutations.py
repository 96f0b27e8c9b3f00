"""What a mutation is: a few characters of one file replaced, or files taken away, and what has to be said of it."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.accuracy.memory import Edits, Workspace
from benchmarks.accuracy.quoted import Quotation
from benchmarks.accuracy.references import Pointer
from gitops.evals.planting.splices import Splice as Splice
from gitops.evals.planting.splices import spliced as spliced

LINKED = frozenset(("links", "source_exists"))
QUOTED = frozenset(("quote_anchor", "locator"))
"""These answer for each other: words that stand elsewhere, and a place that does not hold them, are one defect."""
FOOTNOTED = frozenset(("citation_format",))
FRAMED = frozenset(("schema",))
FOUND = frozenset(("orphan",))
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one file, at `line` of the page `path` (where the reference stands that it is about).

    `checks` are those that may report it; none for a change of form, of which nothing may be said. `edited` is the
    file that is changed, `removed` are files that go.
    """

    kind: str
    form: str
    checks: frozenset[str]
    path: str
    line: int
    edited: str = ""
    splices: tuple[Splice, ...] = ()
    removed: tuple[str, ...] = ()

    def edits(self, workspace: Workspace) -> Edits:
        """The files as they become."""
        made: dict[str, bytes | None] = dict.fromkeys(self.removed)
        if self.edited:
            text = workspace.tree.read(self.edited).decode()
            made[self.edited] = spliced(text, self.splices).encode()
        return made


def form_of(one: Pointer) -> str:
    """How a reference is written, and whether in a footnote."""
    return f"{one.form} in a footnote" if one.is_definition and one.form != "footnote path" else one.form


def form_of_quotation(quoted: Quotation) -> str:
    """How its citation is written, and whether that backs the page as a whole."""
    return f"{form_of(quoted.cited)} for the page" if quoted.of_page else form_of(quoted.cited)
