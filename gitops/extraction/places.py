"""Where the gold of extraction lies in a workspace, and what was extracted: known without loading what reads it."""

from __future__ import annotations

from gitops.config import Extraction
from gitops.wiki.layout import Layout, joined

NAME = "extraction"
"""What the folder of the cases is called, in the gold folder of a workspace."""


def gold(layout: Layout) -> str:
    """The folder of the cases in the repository."""
    return joined(layout.gold, NAME)


def emitted(layout: Layout, policy: Extraction) -> str:
    """The folder of the repository that holds what was extracted, by a policy; '' where a preset extracts."""
    return joined(layout.root, policy.emitted) if policy.emitted else ""
