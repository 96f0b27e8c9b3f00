"""Which judge a name means: those that need a model are here, the others below. A file's stem is its judge's id."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, cast

from gitops.agents import judges
from gitops.errors import UsageError
from gitops.runs.seating import Seat, offline_only
from gitops.verify import judges as free
from gitops.verify.registry import nearest

if TYPE_CHECKING:
    from gitops.verify.judge import Judge


def names() -> list[str]:
    """The ids of the judges that need a model, in alphabetical order; none is loaded."""
    return sorted(module.name for module in pkgutil.iter_modules(judges.__path__))


def seat(name: str, seat: Seat) -> Judge:
    """The judge of an id (`runs.seating.Seating`). UsageError names the nearest of all where there is none."""
    if name in names():
        return cast("Judge", import_module(f"{judges.__name__}.{name}").judge(seat))
    refuse_unknown([name])
    return offline_only(name, seat)


def refuse_unknown(wanted: Iterable[str], where: str = "") -> None:
    """UsageError for the first name that no judge has; it names the nearest of all."""
    known = [*names(), *free.names()]
    for name in wanted:
        if name not in known:
            told = f"there is no judge '{name}'"
            raise UsageError(f"{where}: [verify] judge: {told}" if where else told, nearest(name, known))
