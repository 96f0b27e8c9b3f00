"""A run of a benchmark suite, or two beside each other, as one page of HTML that holds everything and runs nothing."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gitops.report.benchmark_values import Told
from gitops.report.pages import environment

if TYPE_CHECKING:
    from jinja2 import Template

_SIGNS = {"broken": "✕", "degraded": "△", "healthy": "✓", "not_measured": "○"}
"""Beside the colour, for who sees none."""


def page(told: Told) -> str:
    """The page. Nothing in it is loaded from anywhere."""
    return _template().render(told=told, sign=_SIGNS[told.tone])


@cache
def _template() -> Template:
    return environment().get_template("benchmark.html.j2")
