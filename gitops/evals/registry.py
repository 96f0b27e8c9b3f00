"""Finds the metrics: each module below `evals/metrics/` is one, its file's stem its id in small letters."""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from gitops.errors import UsageError
from gitops.evals import metrics
from gitops.evals.metric import Metric


@cache
def registry() -> Mapping[str, Metric]:
    """Every metric by its id (`M1`), sorted."""
    stems = sorted(each.name for each in pkgutil.iter_modules(metrics.__path__))
    return {stem.upper(): import_module(f"{metrics.__name__}.{stem}").METRIC for stem in stems}


def chosen(names: str) -> dict[str, Metric]:
    """The metrics that some names with commas between say, or `all`. UsageError for one that there is not."""
    known = registry()
    wanted = [name.strip().upper() for name in names.split(",")]
    if wanted == ["ALL"]:
        return dict(known)
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            told = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}, all"
            raise UsageError(f"there is no metric '{name}'", told)
    return {name: known[name] for name in dict.fromkeys(wanted)}
