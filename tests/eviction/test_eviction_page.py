"""What `docs/eviction.md` shows is what happens."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.cli import main
from gitops.config import parse
from tests.agents.asked import FILES

PAGE = Path(__file__).parents[2] / "docs/eviction.md"
ID = re.compile(r"ev-[0-9a-f]{16}")


def test_the_session_of_the_page_is_held_as_it_is_shown(
    make_repository: Callable[..., Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    [shown] = re.findall(r"^```console\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    calls = [each.partition("\n") for each in shown.split("$ ")[1:]]
    folder, made = make_repository(FILES), ""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    for command, _, printed in calls:
        words = shlex.split(command)
        if words[0] == "cat":
            (folder / words[1]).write_text(printed)
            continue
        assert main(["-C", os.fspath(folder), *(ID.sub(made, word) for word in words[2:])]) == 0
        found = capsys.readouterr().out
        made = made or ID.findall(found)[0]
        assert [line.rstrip() for line in ID.sub("ID", found).splitlines()] == ID.sub("ID", printed).splitlines()


def test_the_policy_of_the_page_is_the_one_that_counts_without_any() -> None:
    [shown] = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert parse(shown.encode()).eviction == parse(b"").eviction
