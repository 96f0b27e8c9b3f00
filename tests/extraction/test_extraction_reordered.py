"""The order of files, of keys, of set-valued edges and of cases changes no score: what counts is what files say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.extraction import emitted, gold, scoring
from gitops.extraction.aggregate import aggregate
from gitops.verify import judges
from gitops.wiki.snapshot import MemorySnapshot
from tests.extraction import planted_release as planted

WRONG: Mapping[str, str] = {
    **planted.FILES,
    "workflows/release.md": planted.text("workflow", "release", "Release", planted.STAGES[::-1]),
    "processes/build.md": planted.text("process", "build", "Build", (*planted.BUILD[:2], ("relates_to", "auditor"))),
    "roles/auditor.md": planted.text("system", "auditor", "Auditor"),
    "roles/twin.md": planted.text("role", "release-manager", "Release manager"),
    "decisions/freeze.md": planted.text(
        "decision", "freeze", "No shipping", planted.FREEZE, (planted.REASONS[1], planted.INVENTED)
    ),
}
"""An extraction with something wrong of every kind."""
NAMES = ("one", "two", "three")
JUDGE = judges.find("offline")


def in_memory(folder: str, files: Mapping[str, str]) -> dict[str, bytes]:
    return {f"{folder}/{path}": text.encode() for path, text in files.items()}


def numbers(files: MemorySnapshot, names: Sequence[str]) -> dict[str, Any]:
    """All numbers there are, the cases' own among them."""
    known = {case.id: case for case in gold.cases(files, "gold")}
    cases = [known[name] for name in names]
    found = emitted.in_tree(files, "out", cases)
    every = aggregate(scoring.scored(cases, found.bundles, JUDGE, found.stray))
    return {"values": every.values, "by_case": every.by_case, "samples": every.samples, "by_type": every.by_type}


def rewritten(text: str, draw: st.DataObject) -> str:
    """The same atom with its keys, and the edges of a set, in another order."""
    front, body = text.removeprefix("---\n").split("---\n", 1)
    values = yaml.safe_load(front)
    edges = values.get("relationships", [])
    if edges and edges[0]["rel"] != "stages":
        values["relationships"] = draw.draw(st.permutations(edges))
    keys = draw.draw(st.permutations(sorted(values)))
    shuffled = {key: values[key] for key in keys}
    return f"---\n{yaml.safe_dump(shuffled, sort_keys=False)}---\n{body}"


def base() -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for name in NAMES:
        files |= in_memory(f"gold/{name}/atoms", planted.FILES)
        files |= in_memory(f"gold/{name}", {"sources/handbook.md": planted.SOURCE})
    files |= in_memory("out/one", WRONG) | in_memory("out/two", planted.FILES)
    return files


EXPECTED = numbers(MemorySnapshot(base()), NAMES)


def test_there_is_something_to_be_moved() -> None:
    values = EXPECTED["values"]
    moved = ("atom_f1", "type_accuracy", "edge_f1", "stages_lcs", "faithfulness")
    assert all(0 < values[name] < 1 for name in moved)
    assert values["graph_errors"] == 1  # an id that two files have


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.data())
def test_reordering_files_keys_edges_and_cases_changes_no_number(draw: st.DataObject) -> None:
    files = base()
    for path in sorted(files):
        if path.startswith("out/") and path.endswith(".md"):
            files[path] = rewritten(files[path].decode(), draw).encode()
    order = draw.draw(st.permutations(sorted(files)))
    names = draw.draw(st.permutations(NAMES))
    assert numbers(MemorySnapshot({path: files[path] for path in order}), names) == EXPECTED


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_what_files_are_called_changes_no_number_where_they_say_their_ids(draw: st.DataObject) -> None:
    files = base()
    out = sorted(path for path in files if path.startswith("out/"))
    called = draw.draw(st.permutations([f"n{number}.md" for number in range(len(out))]))
    places = {path: f"{path.rsplit('/', 2)[0]}/{name}" for path, name in zip(out, called, strict=True)}
    renamed = {places.get(path, path): content for path, content in files.items()}
    assert numbers(MemorySnapshot(renamed), NAMES) == EXPECTED
