"""What `docs/mcp.md` shows is what happens."""

from __future__ import annotations

import json
import re

import pytest

from docs import mcp_session
from gitops.mcp.offers import offers

pytestmark = pytest.mark.slow

PAGE = mcp_session.PAGE.read_text("utf-8")


def test_the_session_of_the_page_is_held_as_it_is_shown() -> None:
    [shown] = re.findall(r"^```text\n(.*?)\n^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert shown == mcp_session.session(), "python docs/mcp_session.py holds it anew"


def test_the_page_names_every_tool_and_no_other() -> None:
    table = PAGE.partition("| tool | changes |")[2].partition("\n\n")[0]
    named = {name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == set(offers())


def test_what_the_page_lets_pass_unasked_lands_nothing() -> None:
    settings = json.loads(re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1])["permissions"]
    effects = {f"mcp__assay__{name}": offer.effect for name, offer in offers().items()}
    assert set(settings["allow"]) | set(settings["ask"]) == set(effects)
    assert all(effects[name] != "lands" for name in settings["allow"])
