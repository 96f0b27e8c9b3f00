from __future__ import annotations

import os

import pytest

from tests.llm.asking import KEY


@pytest.fixture(autouse=True)
def _a_key_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have keys, gateways and proxies of their own: none of them is seen here."""
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "ASSAY_")) or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
