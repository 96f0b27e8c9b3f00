"""Which models may be forced to call a tool: the interface refuses it of those that always think.

The models that are known (as of 2026-11) are not asked; of one that is not, the interface's refusal says it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gitops.errors import CannotRun

_THINKERS = re.compile(r"claude-(?:.*-5-5|fable-5-1)(?!\d)")
_REFUSAL = re.compile(r"tool[_ ]choice|\bforc\w+ tool", re.IGNORECASE)
FORCING = ("any", "tool")
"""The types of `tool_choice` that leave a model no choice whether to call a tool."""


class Unforceable(CannotRun):
    """The model cannot be forced to call a tool; the same request without `tool_choice` may be answered."""


def always_thinks(model: str) -> bool:
    """Is this a model that thinks before every answer, so that `tool_choice` may be `auto` or `none` only?"""
    return _THINKERS.search(model) is not None


def is_forcing(request: Mapping[str, Any]) -> bool:
    """Does a request force the model to call a tool?"""
    choice = request.get("tool_choice")
    return isinstance(choice, Mapping) and choice.get("type") in FORCING


def is_refusal(said: str) -> bool:
    """Does a server that answers 400 say that a tool may not be forced? Servers put it in words of their own."""
    return _REFUSAL.search(said) is not None


def unforced(request: Mapping[str, Any]) -> dict[str, Any]:
    """The same request, by which the model may choose: without `tool_choice`, which stands for `auto`."""
    return {key: value for key, value in request.items() if key != "tool_choice"}
