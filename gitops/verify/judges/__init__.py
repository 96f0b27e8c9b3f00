"""The judges that need no model: every module here that has `judge(corpus)`. A file's stem is its judge's id."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, cast

from gitops.errors import UsageError

if TYPE_CHECKING:
    from gitops.verify.judge import Judge
    from gitops.wiki.terms import Corpus


def names() -> list[str]:
    """The ids of all judges, in alphabetical order; none is loaded."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def find(name: str, corpus: Corpus | None = None) -> Judge:
    """The judge of an id; a corpus tells it which words are rare. UsageError names the nearest where there is none."""
    if name not in names():
        import difflib

        near = difflib.get_close_matches(name, names(), n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(names())}"
        raise UsageError(f"there is no judge '{name}'", hint)
    return cast("Judge", import_module(f"{__name__}.{name}").judge(corpus))
