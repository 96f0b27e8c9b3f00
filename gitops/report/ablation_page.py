"""An ablation as one page of HTML that holds everything it needs and runs nothing."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gitops.report import ablation_chart, ablation_values
from gitops.report.pages import environment
from gitops.suites.concluding import Conclusion

if TYPE_CHECKING:
    from jinja2 import Template

_SIGNS = {"broken": "✕", "degraded": "?", "healthy": "✓"}
"""Beside the colour, for who sees none."""
_PILLS = {"no_harm": "healthy", "harm": "broken", "cannot_tell": "unsure"}


def page(conclusion: Conclusion) -> str:
    """The page. Nothing in it is loaded from anywhere."""
    tone, sentence = ablation_values.verdict(conclusion)
    columns, rows = ablation_values.overview(conclusion)
    return _template().render(
        page={
            "title": ablation_values.title(conclusion),
            "id": conclusion.ablation.id,
            "at": conclusion.newest.completed_at,
            "sizes": ablation_values.sizes(conclusion),
            "tone": tone,
            "sign": _SIGNS[tone],
            "sentence": f"{sentence[0].upper()}{sentence[1:]}.",
            "variants": list(ablation_values.variants(conclusion)),
            "columns": columns,
            "rows": rows,
            "held_columns": (*ablation_values.HELD, "why"),
            "held": [
                {"cells": row.cells, "pill": _PILLS[row.held], "called": ablation_values.called(row), "why": row.why}
                for row in ablation_values.held(conclusion)
            ],
            "remarks": conclusion.remarks,
            "legend": ablation_values.legend(conclusion),
        },
        shown=ablation_values.shown(conclusion),
        picture=ablation_chart.picture(conclusion),
        width=ablation_chart.WIDTH,
        left=ablation_chart.LEFT,
        right=ablation_chart.RIGHT,
    )


@cache
def _template() -> Template:
    return environment().get_template("ablation.html.j2")
