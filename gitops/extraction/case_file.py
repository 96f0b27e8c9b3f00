"""`case.yaml`: what a case of gold is about, and whether its documents hold anything at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from gitops.runs.gold import nearest
from gitops.wiki import yaml_values

_KEYS = ("description", "tags", "atoms")
_NONE = "none"


@dataclass(frozen=True, slots=True)
class CaseFile:
    """What the file says. `has_none`: that nothing is to be extracted."""

    description: str = ""
    tags: tuple[str, ...] = ()
    has_none: bool = False


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong in it, on which line (0: the file as a whole), and the mend."""

    message: str
    mend: str
    line: int = 0


def parsed(text: str) -> tuple[CaseFile, list[Wrong]]:
    """The file's text as what it says, as far as that is known, and all that is wrong with it."""
    loaded = yaml_values.load(text)
    wrong = [
        Wrong(one.message.replace("the frontmatter", "the file"), "mend the YAML", one.line + 1)
        for one in loaded.faults
    ]
    value = loaded.value
    if value is None:
        return CaseFile(), wrong
    if not isinstance(value, dict):
        return CaseFile(), [*wrong, Wrong("keys with values are wanted", "write `description: …`")]
    for key in value:
        if key not in _KEYS:
            told = f"there is no key '{key}'{nearest(key, _KEYS)}"
            wrong.append(Wrong(told, f"known: {', '.join(_KEYS)}", _line(text, key)))
    atoms = value.get("atoms")
    if atoms is not None and atoms != _NONE:
        wrong.append(Wrong("'atoms' says `none` or is left out", "write the atoms as files", _line(text, "atoms")))
    return CaseFile(_description(value, text, wrong), _tags(value, text, wrong), atoms == _NONE), wrong


def _description(value: dict[str, Any], text: str, wrong: list[Wrong]) -> str:
    said = value.get("description", "")
    if isinstance(said, str):
        return " ".join(said.split())
    wrong.append(Wrong("'description' is no text", "write a sentence", _line(text, "description")))
    return ""


def _tags(value: dict[str, Any], text: str, wrong: list[Wrong]) -> tuple[str, ...]:
    said = value.get("tags", [])
    if isinstance(said, list) and all(isinstance(tag, str) and tag.strip() for tag in said):
        return tuple(said)
    wrong.append(Wrong("'tags' is no list of words", "write `tags: [one, other]`", _line(text, "tags")))
    return ()


def _line(text: str, key: str) -> int:
    """The line that a key stands on, at the left margin; 0 where it stands elsewhere."""
    written = re.compile(rf"""["']?{re.escape(key)}["']?\s*:""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if written.match(line)), 0)
