from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runs.driving import Wiki, first_files


@pytest.fixture
def make_wiki(make_repository: Callable[..., Path]) -> Callable[..., Wiki]:
    """A wiki with one source, an index and a log, on main; `policy` is added to its assay.toml."""

    def make(policy: str = "", name: str = "wiki", pages: int = 40) -> Wiki:
        return Wiki(make_repository(first_files(policy, pages), name=name))

    return make


@pytest.fixture
def wiki(make_wiki: Callable[..., Wiki]) -> Wiki:
    return make_wiki()
