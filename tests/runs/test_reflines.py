"""Which workspaces a push concerns, where one lies within another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.runs.reflines import are_touched
from gitops.runs.workspace import at, roots
from tests.runs.driving import Wiki, first_files, name


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    """A workspace at the top, one in a folder beside its wiki, and one that came in with its sources."""
    files = first_files()
    for folder in ("other", "raw/copied"):
        files |= {f"{folder}/{path}": text for path, text in first_files().items()}
        files[f"{folder}/assay.toml"] = f'[workspace]\nname = "{folder.replace("/", "-")}"\n'
    return Wiki(make_repository(files))


@pytest.mark.parametrize(
    ("path", "concerned"),
    [
        (name(0), {"tides"}),
        ("README.md", {"tides"}),
        (f"other/{name(0)}", {"other"}),
        ("other/README.md", {"other"}),
        ("otherwise.md", {"tides"}),
        # However many policies lie in a source, it stays a source.
        (f"raw/copied/{name(0)}", {"tides", "raw-copied"}),
    ],
)
def test_what_lies_in_an_inner_one_concerns_the_outer_one_only_by_its_own_folders(
    wiki: Wiki, path: str, concerned: set[str]
) -> None:
    context, base = wiki.context(), wiki.git("rev-parse", "main")
    (wiki.folder / path).write_text("Changed.\n")
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "A change")
    workspaces = [at(context.tree(base), root, base) for root in roots(context.tree(base))]
    found = are_touched(context, workspaces, base, wiki.git("rev-parse", "main"), [])
    assert {each.name for each in found} == concerned
