"""What other harnesses hand in, by the names under which `git assay schema` shows its lines."""

from __future__ import annotations

from pydantic import BaseModel

from gitops.eviction.model import ContextItem

FILES: dict[str, type[BaseModel]] = {"context-item": ContextItem}
"""The lines of `eviction propose`: a field with a default may be left out."""
