"""Citation conventions, one module each: the file's stem is the dialect's id.

A dialect is a module that satisfies `Dialect`. To add one, add a file here and its twin test.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from typing import Protocol, cast

from gitops.errors import UsageError
from gitops.wiki.model import Cite
from gitops.wiki.outline import Definition, Outline, Reading


class Dialect(Protocol):
    """How one convention is read; both functions are pure and raise nothing on any page.

    A dialect of footnotes reads nothing; one of marks in the prose, of lists or of the frontmatter defines none.
    """

    def define(self, definition: Definition, outline: Outline) -> tuple[Cite, ...] | None:
        """The cites of a footnote definition in this convention; None leaves it to the next dialect."""
        ...

    def read(self, outline: Outline) -> Reading:
        """What the page cites in this convention outside its footnotes."""
        ...


@cache
def ids() -> tuple[str, ...]:
    """The ids of every dialect there is, sorted. RuntimeError when two modules have one name."""
    # One folder at a time: over several, pkgutil keeps the first of two equal names in silence.
    found = [module.name for folder in __path__ for module in pkgutil.iter_modules([folder])]
    doubled = {name for name in found if found.count(name) > 1}
    if doubled:
        raise RuntimeError(f"two dialects are called {', '.join(sorted(doubled))}")
    return tuple(sorted(found))


@cache
def named(chosen: tuple[str, ...]) -> tuple[Dialect, ...]:
    """The dialects of these ids, in this order. UsageError names an id that is unknown or stands twice."""
    for index, name in enumerate(chosen):
        if name not in ids():
            near = difflib.get_close_matches(name, ids(), n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(ids())}"
            raise UsageError(f"there is no citation dialect '{name}'", hint)
        if name in chosen[:index]:
            raise UsageError(f"the citation dialect '{name}' stands twice", "name it once in [citations] dialects")
    return tuple(cast(Dialect, importlib.import_module(f"{__name__}.{name}")) for name in chosen)
