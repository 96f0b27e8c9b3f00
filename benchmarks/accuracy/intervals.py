"""How sure a share is that was counted in a sample."""

from __future__ import annotations

from gitops.stats.intervals import wilson as wilson


def told(hits: int, of: int) -> str:
    """A share with its interval, for a table: `0.981 (0.93–0.99)`."""
    bounds = wilson(hits, of)
    return "–" if bounds is None else f"{hits / of:.3f} ({bounds[0]:.2f}–{bounds[1]:.2f})"
