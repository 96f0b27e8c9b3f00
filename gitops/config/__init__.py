"""`assay.toml`: policy, read once from the base commit into one frozen value.

An unknown key is an error that names the nearest key. A change is judged by the policy of the commit
it starts from, so it cannot loosen its own gate.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import get_args

from pydantic import BaseModel, Field, ValidationError, ValidationInfo, field_validator

from gitops.canonical import digest
from gitops.config.benchmarks import Benchmarks as Benchmarks
from gitops.config.benchmarks import Eviction as Eviction
from gitops.config.extraction import Bars as Bars
from gitops.config.extraction import Extraction as Extraction
from gitops.config.llm import PRESETS as PRESETS
from gitops.config.llm import Budget as Budget
from gitops.config.llm import Budgets as Budgets
from gitops.config.llm import Llm as Llm
from gitops.config.llm import Preset as Preset
from gitops.config.llm import Price as Price
from gitops.config.tables import FREE_JUDGES as FREE_JUDGES
from gitops.config.tables import RUN_TYPES as RUN_TYPES
from gitops.config.tables import SLUG as SLUG
from gitops.config.tables import SOURCE_FIELDS as SOURCE_FIELDS
from gitops.config.tables import SOURCE_HEADINGS as SOURCE_HEADINGS
from gitops.config.tables import SOURCE_PAGES as SOURCE_PAGES
from gitops.config.tables import CheckSettings as CheckSettings
from gitops.config.tables import Citations as Citations
from gitops.config.tables import Coverage as Coverage
from gitops.config.tables import Eval as Eval
from gitops.config.tables import Pages as Pages
from gitops.config.tables import Publish as Publish
from gitops.config.tables import Runs as Runs
from gitops.config.tables import RunType as RunType
from gitops.config.tables import Synthesis as Synthesis
from gitops.config.tables import Table as Table
from gitops.config.tables import Trust as Trust
from gitops.config.tables import Verify as Verify
from gitops.config.tables import Workspace as Workspace
from gitops.errors import UsageError

FILE_NAME = "assay.toml"


class Config(Table):
    """The whole of `assay.toml`."""

    workspace: Workspace = Workspace()
    citations: Citations = Citations()
    pages: Pages = Pages()
    verify: Verify = Verify()
    coverage: Coverage = Coverage()
    checks: Mapping[str, CheckSettings] = Field(default_factory=dict)
    runs: Runs = Runs()
    publish: Publish = Publish()
    synthesis: Synthesis = Synthesis()
    eval: Eval = Eval()
    trust: Trust = Trust()
    benchmarks: Benchmarks = Benchmarks()
    eviction: Eviction = Eviction()
    extraction: Extraction = Extraction()
    llm: Llm = Llm()

    @field_validator("extraction")
    @classmethod
    def _scores_no_gold(cls, extraction: Extraction, known: ValidationInfo) -> Extraction:
        """What is scored and what it is scored by lie apart: otherwise gold could be scored by itself."""
        workspace = known.data.get("workspace", Workspace())
        emitted, gold = (f"{folder}/".casefold() for folder in (extraction.emitted, workspace.gold))
        if extraction.emitted and (emitted.startswith(gold) or gold.startswith(emitted)):
            raise ValueError(f"'emitted' must be a folder apart from the gold in '{workspace.gold}'")
        return extraction

    @property
    def verifier_preset(self) -> str:
        """The preset that verifies (alexandria 13, `runs.verifier_preset`): `offline` where no judge needs a model."""
        return "offline" if set(self.verify.judge) <= FREE_JUDGES else self.llm.verifier

    def digest(self) -> str:
        """The policy's identity: what verdicts name and caches are keyed by."""
        return digest(self.model_dump(mode="json"))


def parse(data: bytes, where: str = FILE_NAME) -> Config:
    """Read the bytes of an `assay.toml`. UsageError names the file, the key, and the nearest key there is."""
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: not UTF-8 at byte {error.start}", f"save {where} as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where}: not TOML: {error}", "mend the line it names; see docs/configuration.md") from error
    try:
        return Config.model_validate(table)
    except ValidationError as error:
        raise _told(error, where) from error


def _told(error: ValidationError, where: str) -> UsageError:
    first = error.errors(include_url=False)[0]
    path = tuple(str(part) for part in first["loc"])
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        import difflib

        near = difflib.get_close_matches(path[-1], known := _keys_beside(path), n=1, cutoff=0.5)
        hint = f"did you mean '{near[0]}'?" if near else f"known here: {', '.join(known)}"
        return UsageError(f"{where}: unknown key '{key}'", hint)
    message = str(first["msg"]).removeprefix("Value error, ")
    hint = f"change '{key}'; see docs/configuration.md"
    given = first["input"]
    told = "" if isinstance(given, dict) else f" (it is {given!r})"
    return UsageError(f"{where}: '{key}': {message}{told}", hint)


def _keys_beside(path: tuple[str, ...]) -> list[str]:
    model: type[BaseModel] = Config
    for part in path[:-1]:
        field = model.model_fields.get(part)
        if field is None:
            break
        inner = [kind for kind in (field.annotation, *get_args(field.annotation)) if isinstance(kind, type)]
        model = next((kind for kind in inner if issubclass(kind, BaseModel)), model)
    return list(model.model_fields)
