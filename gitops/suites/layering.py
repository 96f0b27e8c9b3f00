"""Configurations laid over one another: the policy's by a variant's, that by a case's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """A table with another laid over it, tables within tables key by key."""
    tables = {name for name in below if isinstance(below[name], Mapping) and isinstance(above.get(name), Mapping)}
    return {**below, **above, **{name: laid_over(below[name], above[name]) for name in tables}}
