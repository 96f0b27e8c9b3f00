"""Calls a Python callable with the case on standard input. A program of its own, which imports nothing of this project.

    python -I calling.py package.module:function FOLDER…

The folders are where modules are looked for first. A callable of two arguments gets the configuration, too. What it
prints goes to standard error: standard output is for its result, which may be text, a table with `output`, `tokens`,
`metrics` …, or any other value that JSON has.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from time import perf_counter
from typing import Any


def main(named: str, folders: list[str]) -> None:
    """Call it, and print the result as JSON with how long the call took."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(2, 1)
    sys.path[:0] = folders
    module, _, function = named.partition(":")
    called = getattr(import_module(module), function)
    case = json.load(sys.stdin)
    given = (case, case["config"]) if _takes_configuration(called) else (case,)
    begun = perf_counter()
    result = called(*given)
    took = (perf_counter() - begun) * 1000
    is_told = isinstance(result, dict) and bool({"output", "error"} & result.keys())
    told = {"latency_ms": took, **(result if is_told else {"output": result})}
    json.dump(told, answers, allow_nan=False)
    answers.flush()


def _takes_configuration(called: Callable[..., Any]) -> bool:
    """Whether it has room for a second argument."""
    try:
        signature(called).bind({}, {})
    except TypeError:
        return False
    return True


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
