"""Atoms as we write them are sound pages of a wiki: linked, cited, and with quotations that stand in their sources."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitops.okf import writing
from gitops.okf.draft import Draft, Passage, Said
from gitops.okf.model import Relationship

Command = Callable[..., Any]
SOURCE = "The head of ops closes the ledger every month. It is closed early because the auditors want it so.\n"


def said(text: str) -> Said:
    return Said(text, (Passage("raw/ops.md", text, SOURCE.index(text)),))


DRAFTS = [
    Draft(
        "process",
        "close-ledger",
        "Close the ledger",
        said("The head of ops closes the ledger every month."),
        (Relationship("owner", "head-of-ops"),),
        (said("It is closed early because the auditors want it so."),),
    ),
    Draft("role", "head-of-ops", "Head of ops", said("The head of ops closes the ledger every month.")),
]


@pytest.mark.parametrize("dialects", ['["canonical"]', '["canonical", "okf"]'])
def test_atoms_in_a_wiki_have_no_error(make_wiki: Callable[..., Path], assay: Command, dialects: str) -> None:
    files = writing.files(DRAFTS, datetime(2026, 11, 22, tzinfo=UTC), place="wiki/atoms")
    pages = {f"wiki/atoms/{path}": data for path, data in files.items()}
    links = "".join(f"- [{one.title}]({path.removeprefix('wiki/')})\n" for one, path in zip(DRAFTS, pages, strict=True))
    policy = f'[workspace]\nname = "plant"\n[citations]\ndialects = {dialects}\n'
    wiki = make_wiki({**pages, "raw/ops.md": SOURCE, "assay.toml": policy, "wiki/index.md": f"# Index\n\n{links}"})
    done = assay(wiki, "lint", "--json")
    found = [one for one in json.loads(done.out)["findings"] if one["path"].startswith("wiki/atoms/")]
    assert [(one["path"], one["check"], one["message"]) for one in found if one["level"] != "note"] == []
    assert assay(wiki, "okf", "validate", "wiki/atoms").code == 0
