"""JSON schemas of everything that is recorded or printed, made from the models themselves."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from gitops.config import Config
from gitops.errors import UsageError
from gitops.runs.records import LandedRecord, PlanRecord, RunRecord, StateRecord
from gitops.verify.finding import Finding
from gitops.verify.registry import nearest
from gitops.verify.verdict import Verdict

MODELS: dict[str, type[BaseModel]] = {
    "config": Config,
    "finding": Finding,
    "verdict": Verdict,
    "run": RunRecord,
    "state": StateRecord,
    "plan": PlanRecord,
    "landed": LandedRecord,
}


def schema_of(name: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a record. UsageError for a name there is none for."""
    if name not in MODELS:
        raise UsageError(f"there is no schema '{name}'", nearest(name, MODELS))
    schema = MODELS[name].model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"assay/{name}/1", **schema}
