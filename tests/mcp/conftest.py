from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runs.driving import Wiki, first_files


@pytest.fixture
def wiki(make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Wiki:
    """A wiki with one source, an index that links to forty pages, and a log."""
    monkeypatch.setenv("ASSAY_CLOCK", "1704164645")
    return Wiki(make_repository(first_files(), name="wiki"))
