"""The variants of an ablation, as words of a command name them: revisions, or files that say what is otherwise."""

from __future__ import annotations

import os.path
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops.canonical import digest, strict_json
from gitops.errors import UsageError
from gitops.git import snapshot
from gitops.runs.context import Context

_FILES = (".json", ".toml")
_NAME_ONE = "name a revision (main, HEAD~3), or a .json or .toml file with name, config_overrides, rev"


@dataclass(frozen=True, slots=True)
class Configured:
    """A variant: what it is called, the commit whose tree and policy it has, and what its targets are told besides."""

    name: str
    commit: str
    overrides: Mapping[str, Any] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """What tells it from another variant, whatever either is called."""
        return digest([self.commit, self.overrides])


class ConfigFile(BaseModel):
    """A file that describes a variant. `rev` '' is HEAD."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(default="", max_length=100)
    rev: str = ""
    config_overrides: dict[str, Any] = Field(default_factory=dict)


def configured(context: Context, folder: Path, words: Sequence[str]) -> list[Configured]:
    """What some words mean, in their order; no two are called alike. Files are named from `folder`.

    UsageError for fewer than two, and for a word that is no revision and no such file.
    """
    if len(words) < 2:
        raise UsageError("an ablation takes a control and at least one treatment", _NAME_ONE)
    return _told_apart([_one(context, folder, word) for word in words])


def _one(context: Context, folder: Path, word: str) -> Configured:
    path = folder / word
    if path.suffix.lower() not in _FILES or not os.path.isfile(path):
        return Configured(word, _commit(context, word, _NAME_ONE))
    read = read_file(path, word)
    commit = _commit(context, read.rev or "HEAD", f"mend 'rev' in {word}")
    return Configured(" ".join(read.name.split()) or path.stem, commit, read.config_overrides)


def _commit(context: Context, word: str, hint: str) -> str:
    try:
        return snapshot.resolve(context.repository, word)
    except UsageError as error:
        raise UsageError(error.message, error.hint if "ambiguous" in error.message else hint) from error


def read_file(path: Path, word: str) -> ConfigFile:
    """What a file says of a variant; `word` is what it was called. UsageError for one that is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        table = tomllib.loads(text) if path.suffix.lower() == ".toml" else strict_json(text)
        return ConfigFile.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            raise UsageError(
                f"{word}: there is no '{where}'", f"known: {', '.join(ConfigFile.model_fields)}"
            ) from error
        raise UsageError(f"{word}: {where}: {first['msg']}", _NAME_ONE) from error
    except (OSError, ValueError) as error:  # bytes that are no text and text that is no JSON or TOML among them
        raise UsageError(f"{word} cannot be read: {error}", _NAME_ONE) from error


def _told_apart(found: Sequence[Configured]) -> list[Configured]:
    """The same with other names where two are called alike: a variant may be held against itself."""
    made: dict[str, Configured] = {}
    for one in found:
        names = chain((one.name,), (f"{one.name} ({number})" for number in count(2)))
        free = next(name for name in names if name not in made)
        made[free] = replace(one, name=free)
    return list(made.values())
