from __future__ import annotations

from pathlib import Path

import pytest

from tests.runs.receiving.pushes import Served, serve
from tests.runs.signed import SignedWiki
from tests.runs.signed import signed as signed


@pytest.fixture
def served(signed: SignedWiki, tmp_path: Path) -> Served:
    return serve(tmp_path, signed)
