"""Opens what a suite asks its cases, whatever kind of target that is."""

from __future__ import annotations

from collections.abc import Callable

from gitops.errors import UsageError
from gitops.suites.loading import Loaded
from gitops.suites.model import CommandTarget, HttpTarget, PromptTarget, PythonTarget
from gitops.suites.target import Place, Target

Prompting = Callable[[Loaded, Place, PromptTarget], Target]
"""Gives the target that asks a model: what does so is on another side of the house (`assembly.prompted`)."""


def opened(loaded: Loaded, place: Place, prompt: Prompting | None = None) -> Target:
    """The target of a suite. UsageError where it says none, or one that its limits do not fit.

    Modules of targets are loaded only where they are asked for.
    """
    loaded.demand_target()
    suite, spec = loaded.suite, loaded.suite.runs
    match spec:
        case CommandTarget():
            from gitops.suites.targets import command

            return command.opened(spec, suite, place)
        case PythonTarget():
            from gitops.suites.targets import python

            return python.opened(spec, suite, place)
        case HttpTarget():
            from gitops.suites.targets import http

            return http.opened(spec, suite)
        case PromptTarget():
            assert prompt is not None, "whoever runs suites brings who asks models"
            return prompt(loaded, place, spec)
        case None:
            pass
    raise AssertionError(f"a target of no known kind: {spec!r}")


def system_of(loaded: Loaded, place: Place, spec: PromptTarget) -> str:
    """The system prompt of a suite: its text, or that of a file in the measured tree, named from the suite's folder.

    UsageError where there is none, or no such file.
    """
    if not spec.system_file:
        if not spec.system.strip():
            raise UsageError(
                f"{loaded.path}: 'runs' has no system prompt", '"system": "…", or "system_file": "prompt.md"'
            )
        return spec.system
    path = (place.suite / spec.system_file).resolve()
    if not path.is_relative_to(place.root.resolve()) or not path.is_file():
        raise UsageError(
            f"{loaded.path}: there is no file {spec.system_file} in the tree", "name it from the suite's folder"
        )
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{loaded.path}: {spec.system_file} is not UTF-8", "save it as UTF-8") from error
