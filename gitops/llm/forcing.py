"""Which models may be forced to call a tool: the interface refuses it of those that always think."""

from __future__ import annotations

import re

_THINKERS = re.compile(r"claude-.*-5-5(?!\d)")


def always_thinks(model: str) -> bool:
    """Is this a model that thinks before every answer, so that `tool_choice` may be `auto` or `none` only?"""
    return _THINKERS.search(model) is not None
