"""What pages of HTML are made of: templates in which every text is foreign, and shown as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def environment() -> Environment:
    """Where the templates of a report are found; a name that a template misspells is an error, not nothing."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("gitops.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["px"] = lambda value: f"{value:.1f}"  # places in drawings
    return made
