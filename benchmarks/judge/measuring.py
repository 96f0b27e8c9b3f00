"""The command of a script that measures on a folder of labelled claims, and prints what comes of it as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gitops.errors import AssayError


def command(
    name: str, about: str | None, measured: Callable[[Path], dict[str, Any]], arguments: Sequence[str] | None
) -> int:
    """Run it; the exit code. `name` is the module's below `benchmarks.judge`, `about` its docstring."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.judge.{name}", description=about)
    parser.add_argument("claims", type=Path, help="the folder of labelled claims")
    options = parser.parse_args(arguments)
    try:
        print(json.dumps(measured(options.claims), indent=2))
    except AssayError as error:
        print(f"{error.message}\n{error.hint}", file=sys.stderr)
        return error.exit_code
    return 0
