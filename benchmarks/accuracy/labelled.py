"""What people said of the wikis: labels of references drawn at random, defects found by hand, verdicts on findings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.draw import FORMS
from benchmarks.accuracy.taking import Found

HERE = Path(__file__).parent
RIGHT = ("ok", "none", "external", "unresolvable")
"""Labels of which no error or warning may be reported."""
_CHECKS = {"altered": "quote_anchor", "misplaced": "locator", "broken": "links", "unused": "citation_format"}
"""Which check answers for a defect that a label names; a defect that was looked for names its check itself."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A labelled reference, or a defect, of which `check` has to speak."""

    wiki: str
    path: str
    line: int
    column: int
    form: str
    truth: str
    check: str
    half: str
    why: str
    line_sha256: str

    @property
    def is_defect(self) -> bool:
        """Whether something has to be said of it."""
        return self.truth not in RIGHT


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader, with page and source at hand, decided about an error finding."""

    wiki: str
    path: str
    line: int
    check: str
    result: str
    fingerprint: str
    is_true: bool
    why: str
    half: str


def labels(file: Path = HERE / "labels.jsonl") -> list[Reference]:
    """The references that were drawn at random."""
    return [_reference(line) for line in file.read_text(encoding="utf-8").splitlines()]


def defects(file: Path = HERE / "defects.jsonl") -> list[Reference]:
    """The defects that were found by looking for them."""
    return [_reference(line) for line in file.read_text(encoding="utf-8").splitlines()]


def verdicts(file: Path = HERE / "verdicts.jsonl") -> list[Verdict]:
    """The verdicts on error findings."""
    return [Verdict(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def known(references: Iterable[Reference]) -> list[Reference]:
    """The defects among references, each once."""
    found = {(one.wiki, one.path, one.line, one.column): one for one in references if one.is_defect}
    return [found[key] for key in sorted(found)]


def of_half(every: Iterable[Reference], half: str) -> list[Reference]:
    """Those of one half, or all for `both`."""
    return [one for one in every if half in ("both", one.half)]


def is_same(wikis: Path, one: Reference) -> bool:
    """Does the line still stand as it did when it was labelled?"""
    try:
        line = lines(wikis, one)[one.line - 1]
    except (FileNotFoundError, IndexError):
        return False
    return hashlib.sha256(line.encode()).hexdigest().startswith(one.line_sha256)


def covers(wikis: Path, one: Reference, column: int) -> bool:
    """Does the reference, as it stands on its line, cover a column?"""
    if one.form not in FORMS:
        return True
    line = lines(wikis, one)[one.line - 1]
    pattern = FORMS[one.form]
    group = "at" if "at" in pattern.groupindex else 0
    found = next((each for each in pattern.finditer(line) if each.start(group) + 1 == one.column), None)
    if found is None:
        return False
    return one.column <= column <= found.end() + _beyond(one, line, found.end())


def _beyond(one: Reference, line: str, end: int) -> int:
    """A source line and a numbered entry are more than the words that gave them away."""
    return len(line) - end if one.form in ("source_line", "footnote_definition", "frontmatter_value") else 0


def lines(wikis: Path, one: Reference | Found) -> list[str]:
    """The lines of the page."""
    return (wikis / one.wiki / one.path).read_text(encoding="utf-8").split("\n")


def _reference(line: str) -> Reference:
    told = json.loads(line)
    check = told.get("check") or _CHECKS.get(told["truth"], "")
    names = ("wiki", "path", "line", "column", "form", "truth", "half", "why", "line_sha256")
    return Reference(check=check, **{name: told[name] for name in names})
