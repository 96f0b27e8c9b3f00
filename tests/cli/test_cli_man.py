"""The man page says what the command's grammar says, and every reader of man pages takes it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gitops.cli.parser import COMMANDS

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "man" / "git-assay.1"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_man", PROJECT / "man" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_grammar_says(generate: ModuleType) -> None:
    assert PAGE.read_text() == generate.page(), "out of date: python man/generate.py"


def test_check_says_whether_it_is(generate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    assert generate.main() == 0
    monkeypatch.setattr(generate, "PAGE", tmp_path / "old.1")
    assert generate.main() == 1
    (tmp_path / "old.1").write_text(PAGE.read_text() + "more\n")
    assert generate.main() == 1


def test_text_that_roff_would_obey_is_escaped(generate: ModuleType) -> None:
    assert generate._escaped(".SH --x 'y' \\z … é") == "\\&.SH \\-\\-x \\(aqy\\(aq \\ez ... \\[u00E9]"


def test_it_names_every_command_and_has_every_section() -> None:
    text = PAGE.read_text()
    assert text.isascii()
    assert re.findall(r"^\.SH (.*)$", text, re.MULTILINE) == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "OPTIONS", "COMMANDS", "EXIT STATUS", "FILES", "ENVIRONMENT",
        "SEE ALSO",
    ]  # fmt: skip
    assert re.findall(r"^\.SS (.*)$", text, re.MULTILINE) == [name for name, _, _ in COMMANDS]
    for told in ("ASSAY_CLOCK", "NO_COLOR", "git\\-notes"):
        assert told in text


def test_every_line_fits_a_terminal_of_80_columns() -> None:
    if shutil.which("groff") is None:
        pytest.skip("no groff here")
    shown = subprocess.run(
        ["groff", "-man", "-Tascii", "-P-c", PAGE], capture_output=True, text=True, check=True
    ).stdout
    plain = re.sub(r".\x08", "", shown)
    assert [line for line in plain.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    "reader",
    [
        ["groff", "-ww", "-man", "-Tutf8", "-z"],
        ["mandoc", "-Tlint", "-Wwarning"],
        ["man", "--warnings=w", "-E", "UTF-8", "-l", "-Tutf8", "-Z"],
    ],
    ids=lambda reader: reader[0],
)
def test_readers_of_man_pages_have_nothing_to_say(reader: list[str]) -> None:
    if shutil.which(reader[0]) is None:
        pytest.skip(f"no {reader[0]} here")
    done = subprocess.run([*reader, PAGE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert reader[0] != "mandoc" or done.stdout == ""
