"""Finds the checks: every module of `verify/checks/` that holds a `CHECK`. The file's stem is the check's id."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from gitops.config import Config
from gitops.errors import UsageError
from gitops.verify import checks
from gitops.verify.check import Check
from gitops.verify.finding import Level

MOST_TOLD = 100
"""So many known words stand in a hint: a line of all cases of a large suite is read by nobody."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A check with what its module says of it."""

    id: str
    check: Check
    explanation: str


@cache
def registry() -> Mapping[str, Registered]:
    """All checks by id, in alphabetical order; a module without a declaration is an error."""
    found: dict[str, Registered] = {}
    for module_info in pkgutil.iter_modules(checks.__path__):
        module = importlib.import_module(f"{checks.__name__}.{module_info.name}")
        if module_info.name in found:
            raise ValueError(f"two checks are called {module_info.name}")
        found[module_info.name] = Registered(module_info.name, module.CHECK, (module.__doc__ or "").strip())
    return found


def level_of(registered: Registered, result: str, config: Config) -> Level | None:
    """The level of a result under a policy; None where the policy turns it off."""
    default = registered.check.results[result]
    settings = config.checks.get(registered.id)
    if settings is None or registered.check.sealed or default is Level.NONE:
        return default
    wanted = settings.results.get(result, settings.level)
    if wanted is None:
        return default
    return None if wanted == "off" else Level(wanted)


def refuse_unknown(config: Config, where: str) -> None:
    """UsageError where the policy names a check or a result that does not exist, or loosens a sealed one."""
    known = registry()
    for name, settings in config.checks.items():
        if name not in known:
            raise UsageError(f"{where}: unknown check '{name}' in [checks.{name}]", nearest(name, known))
        if known[name].check.sealed:
            raise UsageError(f"{where}: [checks.{name}]: this check's level is fixed", f"remove [checks.{name}]")
        for result in settings.results:
            if result not in known[name].check.results:
                hint = nearest(result, known[name].check.results)
                raise UsageError(f"{where}: [checks.{name}.results]: unknown result '{result}'", hint)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that names the closest known word, or all of them; of very many the first."""
    import difflib

    words = sorted(known)
    near = difflib.get_close_matches(name, words, n=1)
    more = f", … ({len(words)} in all)" if len(words) > MOST_TOLD else ""
    return f"did you mean '{near[0]}'?" if near else f"known: {', '.join(words[:MOST_TOLD])}{more}"
