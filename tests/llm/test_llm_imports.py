from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import gitops.llm

MODULES = sorted(path.stem for path in Path(gitops.llm.__file__).parent.glob("*.py") if path.stem != "__init__")


def loaded(*names: str) -> set[str]:
    """The packages that are there after a fresh interpreter imported these modules."""
    program = f"import sys, {', '.join(names)}; print(*{{name.split('.')[0] for name in sys.modules}})"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=root)
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def config() -> set[str]:
    return loaded("gitops.config")


@pytest.mark.slow
def test_importing_all_of_it_costs_no_more_than_the_configuration_does(config: set[str]) -> None:
    more = loaded(*(f"gitops.llm.{name}" for name in MODULES)) - config
    assert {name for name in more if name not in sys.stdlib_module_names} == set()
