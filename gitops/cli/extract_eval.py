"""Declares nothing yet."""

from __future__ import annotations

from gitops.cli.arguments import Commands


def declare(inner: Commands) -> None:
    """Add the command."""
