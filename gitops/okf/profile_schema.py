"""The frontmatter of an atom as our profile wants it: a model, and the JSON Schema that is made of it for others."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from gitops.okf.model import AtomType, EdgeType

Text = Annotated[str, StringConstraints(strict=True, pattern=r"[^\s\u0000-\u001f]")]
"""Holds something besides white space."""
Id = Annotated[
    str,
    StringConstraints(strict=True, pattern=r"^[^\s\u0000-\u001f]+$"),
    # Said so that no reader of schemas differs: to some of them `$` may stand before a line's end.
    WithJsonSchema({"type": "string", "minLength": 1, "not": {"pattern": r"[\s\u0000-\u001f]"}}),
]
"""Holds something, and no white space."""
Targets = Text | Annotated[list[Text], Field(strict=True)]


def _without_defaults(schema: dict[str, Any]) -> None:
    """Take out what keys are to us where they are left out: an empty text is no value that a file may have."""
    for one in schema["properties"].values():
        one.pop("default", None)


class Related(BaseModel):
    """One typed edge. `target` is an id, a concept id, or a path."""

    model_config = ConfigDict(extra="allow")
    rel: EdgeType
    target: Text


class AtomFrontmatter(BaseModel):
    """Keys that are not named here are anybody's own (OKF 0.2, 4.1); `docs/okf.md` says what each key means."""

    model_config = ConfigDict(extra="allow", json_schema_extra=_without_defaults)
    type: AtomType
    title: Text
    id: Id = Field(default="", validate_default=False)
    description: Text = Field(default="", validate_default=False)
    relationships: list[Related] = Field(default=[], strict=True)
    rationale: Targets = Field(default="", validate_default=False)
    owner: Targets = Field(default="", validate_default=False)
    uses: Targets = Field(default="", validate_default=False)
    produces: Targets = Field(default="", validate_default=False)
    governed_by: Targets = Field(default="", validate_default=False)
    stages: Targets = Field(default="", validate_default=False)
    relates_to: Targets = Field(default="", validate_default=False)
    decided_by: Targets = Field(default="", validate_default=False)


FILES: dict[str, type[BaseModel]] = {"okf-atom": AtomFrontmatter}
"""By the name under which `git assay schema` shows it."""
