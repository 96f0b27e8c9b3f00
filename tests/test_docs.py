"""What the documentation says is so: its links lead somewhere, its commands exist, its policies are policies."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from docs import picture
from gitops.cli.parser import parse
from gitops.config import RUN_TYPES, Budget, Budgets, Config
from gitops.config import parse as parse_policy
from gitops.verify.registry import refuse_unknown, registry
from gitops.wiki import page as pages
from gitops.wiki.slugs import numbered, slug

ROOT = Path(__file__).parents[1]
FRONT = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
DOCUMENTS = [*FRONT, *sorted((ROOT / "docs").glob("*.md"))]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """A fenced block: in which document, of what kind, and its text."""

    document: Path
    kind: str
    text: str


def blocks(document: Path, kind: str) -> list[Block]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", document.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(document, kind, text) for said, text in found if said == kind]


def all_blocks(kind: str) -> list[Block]:
    return [block for document in DOCUMENTS for block in blocks(document, kind)]


def commands(text: str) -> Iterator[list[str]]:
    """The commands behind the prompts, as words; one whose quotation is open goes on over the next lines."""
    open_command = ""
    for line in text.splitlines():
        if line.startswith("$ "):
            assert not open_command, f"a quotation is never closed: {open_command}"
            line = line[2:]
        elif not open_command:
            continue
        try:
            words = shlex.split(f"{open_command}{line}", comments=True)
        except ValueError:
            open_command += f"{line}\n"
            continue
        if not line.endswith("\\"):
            open_command = ""
            yield words
        else:
            open_command += line.removesuffix("\\")
    assert not open_command


def assay_words(words: list[str]) -> list[str] | None:
    """What follows `git assay` in a command, without the shell's own parts; None where it does not call it."""
    text = shlex.join(words).replace("'RUN=$(git'", "git").replace("RUN=$(git", "git")
    words = shlex.split(text)
    if words[:2] != ["git", "assay"]:
        return None
    words = words[2 : words.index("<")] if "<" in words else words[2:]
    return [word.removesuffix(")") for word in words]


def accepted(words: list[str]) -> bool:
    """Whether the real parser takes the words; help and version leave with 0, which is fine."""
    try:
        parse(words)
    except SystemExit as leaving:
        return leaving.code == 0
    return True


# Links


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_link_leads_to_a_file_and_heading_that_are_there(document: Path) -> None:
    page = pages.parse(document.read_bytes())
    for link in page.links:
        if link.kind not in ("markdown", "image") or re.match(r"[a-z]+:", link.target):
            continue
        target = (document.parent / link.target).resolve() if link.target else document
        assert target.is_file(), f"{named(document)}:{link.place.line}: {link.target} is not there"
        if link.anchor:
            headings = pages.parse(target.read_bytes()).headings
            assert link.anchor in numbered(slug(heading.text) for heading in headings), link.anchor


def test_the_readme_leads_to_every_document() -> None:
    page = pages.parse((ROOT / "README.md").read_bytes())
    targets = {link.target for link in page.links}
    assert {named(document) for document in (ROOT / "docs").glob("*.md")} <= targets
    assert {"docs/demo.svg", "ARCHITECTURE.md", "CONTRIBUTING.md"} <= targets


# Commands


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_command_in_a_console_block_parses(document: Path) -> None:
    for block in blocks(document, "console"):
        for words in commands(block.text):
            called = assay_words(words)
            assert called is None or accepted(called), f"git assay {shlex.join(called)}"


def test_console_blocks_are_read_at_all() -> None:
    called = [words for block in all_blocks("console") for words in map(assay_words, commands(block.text)) if words]
    assert len(called) >= 10
    assert ["init"] in called
    assert not accepted(["run", "invent"])
    assert not accepted(["raw", "add", "file.md", "--nonsense"])


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_command_in_running_text_parses(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for said in re.findall(r"`git assay ([^`]+)`", text):
        words = shlex.split(said.replace("…", "").replace("\n", " "))
        if not {"COMMAND", "NAME"} & set(words[:1]) and "|" not in said:
            whole = accepted(words) or accepted([*words, "--help"])
            assert whole, f"{named(document)}: git assay {said}"


# Configuration


@pytest.mark.parametrize("block", all_blocks("toml"), ids=lambda block: f"{block.document.name}")
def test_every_policy_that_is_shown_is_one(block: Block) -> None:
    refuse_unknown(parse_policy(block.text.encode()), block.document.name)


def keys(model: type[BaseModel], before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every key of the configuration by its path; `*` stands for the names of a table of tables, or of budgets."""
    for name, field in model.model_fields.items():
        yield from _keys(field.annotation, (*before, name))


def _keys(kind: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if kind is Budget:
        yield from keys(Budget, (*path[:-1], "*"))
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        yield from keys(kind, path)
    elif get_origin(kind) in (Union, UnionType):
        yield from _keys(get_args(kind)[0], path)
    elif isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Mapping):
        yield from _keys(get_args(kind)[1], (*path, "*"))
    else:
        yield path


def holds(table: Any, path: tuple[str, ...]) -> bool:
    if not path:
        return True
    if not isinstance(table, dict):
        return False
    if path[0] == "*":
        return any(holds(value, path[1:]) for value in table.values())
    return path[0] in table and holds(table[path[0]], path[1:])


def test_every_key_of_the_configuration_is_shown() -> None:
    shown = [tomllib.loads(block.text) for block in blocks(ROOT / "docs/configuration.md", "toml")]
    wanted = set(keys(Config))
    assert {("workspace", "name"), ("checks", "*", "level"), ("llm", "budgets", "*", "usd")} <= wanted
    missing = [".".join(path) for path in sorted(wanted) if not any(holds(table, path) for table in shown)]
    assert missing == []


def test_there_is_a_budget_for_every_type_of_run() -> None:
    assert {*RUN_TYPES, "query"} == {name for name, field in Budgets.model_fields.items() if field.annotation is Budget}


# Checks


def sections() -> dict[str, str]:
    """What docs/checks.md says below each heading of the second level."""
    parts = re.split(r"^## (.+)$", (ROOT / "docs/checks.md").read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("check", registry())
def test_every_check_has_a_heading_with_its_results_and_their_levels(check: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|", sections()[check], re.MULTILINE)
    assert dict(rows) == {name: level.value for name, level in registry()[check].check.results.items()}


def test_no_check_is_described_that_is_not_there() -> None:
    described = {name for name, text in sections().items() if re.search(r"^\| result \| level \|", text, re.MULTILINE)}
    assert described == set(registry())


def test_the_changelog_names_every_check() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert [check for check in registry() if f"`{check}`" not in text] == []


# The picture


@pytest.mark.slow
def test_the_picture_shows_what_the_demonstration_prints() -> None:
    drawn, printed = (_words(svg) for svg in (picture.PICTURE.read_text("utf-8"), picture.draw(picture.scenes())))
    assert drawn == printed, "python docs/picture.py draws it anew"
    assert "landed" in drawn[4:8]
    assert drawn.count("rejected") == 3


def _words(svg: str) -> list[str]:
    """The texts of the picture in their order, commit ids apart."""
    texts = (node.text or "" for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))
    return [re.sub(r"\b[0-9a-f]{10}\b", "…", text.replace("\xa0", " ").strip()) for text in texts if text.strip()]


def test_the_picture_is_small_and_loads_nothing() -> None:
    svg = picture.PICTURE.read_text("utf-8")
    assert len(svg.encode()) < 60_000
    assert set(re.findall(r"https?://[^\"'<> ]+", svg)) == {"http://www.w3.org/2000/svg"}
    assert "@font-face" not in svg
    assert "@import" not in svg


# The tree


def test_no_file_names_the_folder_that_it_was_written_in() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone of the repository")
    listing = ["git", "-C", os.fspath(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, capture_output=True, check=True).stdout.split(b"\0")
    here = [os.fspath(ROOT).encode()] + ([sys.prefix.encode()] if sys.prefix != sys.base_prefix else [])
    files = [ROOT / os.fsdecode(name) for name in names if name]
    assert len(files) > 100
    assert [named(file) for file in files if file.is_file() and any(path in file.read_bytes() for path in here)] == []
