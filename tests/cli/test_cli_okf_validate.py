"""`git assay okf validate`: two answers apart, with places and mends, and no green where nothing was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gitops.okf import profile_schema, reading
from gitops.wiki.snapshot import MemorySnapshot

Command = Callable[..., Any]
PAGE = Path(__file__).parents[2] / "docs/okf.md"
CLOSE = "---\ntype: process\nid: close\ntitle: Close the books\nrelationships:\n- {rel: owner, target: head}\n---\n"
HEAD = "---\ntype: role\nid: head\ntitle: Head\n---\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is no repository."""
    made = tmp_path / "nowhere"
    (made / "atoms/roles").mkdir(parents=True)
    (made / "atoms/close.md").write_text(CLOSE)
    (made / "atoms/roles/head.md").write_text(HEAD)
    return made


def as_json(assay: Command, folder: Path, *words: str) -> tuple[int, Any]:
    done = assay(folder, "okf", "validate", *words, "--json")
    found = json.loads(done.out)
    jsonschema.validate(found, json.loads(assay(folder, "schema", "okf-validated").out))
    return done.code, found


def test_sound_atoms_keep_both(assay: Command, folder: Path) -> None:
    done = assay(folder, "okf", "validate", "atoms")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "atoms: 2 concepts (1 process, 1 role)\n\n"
        "Open Knowledge Format 0.2: kept by 2 concepts\n\n"
        "Profile of atoms: kept by 2 atoms\n\n"
    )


def test_what_is_wrong_stands_below_the_standard_that_it_breaks(assay: Command, folder: Path) -> None:
    (folder / "atoms/roles/head.md").write_text("---\nid: head\n---\n")
    (folder / "atoms/log.md").write_text("## May\n")
    done = assay(folder, "okf", "validate", "atoms")
    assert done.code == 1
    okf, profile = done.out.split("\n\n")[1:3]
    assert okf.splitlines() == [
        "Open Knowledge Format 0.2: broken (2 errors)",
        "  atoms/log.md:1  error  log_heading",
        "    'May' is no day",
        "    mend: write `## YYYY-MM-DD`",
        "  atoms/roles/head.md:1  error  no_type",
        "    there is no type",
        "    mend: write `type: …`, a short text",
    ]
    assert profile.splitlines() == [
        "Profile of atoms: broken (1 error)",
        "  atoms/close.md:6  error  dangling_edge",
        "    owner leads to 'head', which is no concept of the bundle",
        "    mend: name an id or a path that is there, or add the atom",
    ]


def test_only_one_of_the_two_is_asked(assay: Command, folder: Path) -> None:
    (folder / "atoms/close.md").write_text(CLOSE.replace("head", "nobody"))
    assert assay(folder, "okf", "validate", "atoms").code == 1
    assert assay(folder, "okf", "validate", "atoms", "--only", "profile").code == 1
    done = assay(folder, "okf", "validate", "atoms", "--only", "okf")
    assert (done.code, "Profile" in done.out) == (0, False)
    (folder / "atoms/close.md").write_text("no atom")
    code, found = as_json(assay, folder, "atoms", "--only", "profile")
    assert (code, found["bundles"][0]["okf"]) == (1, None)
    assert [fault["result"] for fault in found["bundles"][0]["profile"]["faults"]] == ["unread"]


def test_warnings_and_notes_are_told_and_change_no_exit_code(assay: Command, folder: Path) -> None:
    (folder / "atoms/roles/head.md").write_text(HEAD.replace("---\n", "---\ntimestamp: old\nstatus: x\n", 1))
    done = assay(folder, "okf", "validate", "atoms")
    assert done.code == 0
    assert "kept by 2 concepts (1 warning, 1 note)" in done.out


def test_a_single_file_is_not_held_to_what_lies_beside_it(assay: Command, folder: Path) -> None:
    done = assay(folder, "okf", "validate", "atoms/close.md")
    assert (done.code, "Profile of atoms: kept by 1 atom" in done.out) == (0, True)
    (folder / "atoms/close.md").write_text(CLOSE.replace("owner", "own"))
    done = assay(folder, "okf", "validate", "atoms/close.md")
    assert done.code == 1
    assert "  atoms/close.md:6  error  bad_relationship\n" in done.out


def test_several_paths_are_answered_one_after_the_other(assay: Command, folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other/x.md").write_text("---\ntype: Metric\n---\n")
    code, found = as_json(assay, folder, "atoms", "other", "atoms/roles/head.md")
    assert code == 0
    told = [(one["path"], one["files"], one["types"], one["profile"]["kept"]) for one in found["bundles"]]
    assert told == [
        ("atoms", 2, {"process": 1, "role": 1}, True),
        ("other", 1, {"Metric": 1}, None),
        ("atoms/roles/head.md", 1, {"role": 1}, True),
    ]


@pytest.mark.parametrize("words", [("empty",), ("empty", "--json"), ("atoms", "empty"), ("empty/note.txt",)])
def test_where_nothing_could_be_asked_it_is_not_green(
    assay: Command, folder: Path, refused: Command, words: tuple[str, ...]
) -> None:
    (folder / "empty").mkdir()
    (folder / "empty/note.txt").write_text("x")
    (folder / "empty/index.md").write_text("# Nothing\n")
    done = assay(folder, "okf", "validate", *words)
    assert done.code == 3
    assert done.err.startswith("error: there is no concept in empty")
    if "--json" in words:
        assert json.loads(done.out)["bundles"][0]["okf"]["kept"] is None


def test_the_profile_alone_is_not_kept_by_concepts_of_other_types(assay: Command, folder: Path) -> None:
    (folder / "other.md").write_text("---\ntype: Metric\n---\n")
    assert assay(folder, "okf", "validate", "other.md").code == 0
    done = assay(folder, "okf", "validate", "other.md", "--only", "profile")
    assert (done.code, done.err.splitlines()[0]) == (3, "error: there is no atom in other.md: nothing was validated")


def test_a_path_that_is_not_there_is_refused(assay: Command, folder: Path, refused: Command) -> None:
    refused(assay(folder, "okf", "validate", "nowhere"), 2, "there is no file or folder nowhere")
    refused(assay(folder, "okf", "validate", ""), 2, "there is no file or folder ''")
    refused(assay(folder, "okf", "validate"), 2)


def test_names_and_values_cannot_steer_the_terminal(assay: Command, folder: Path) -> None:
    (folder / "atoms/\x1b[31mred.md").write_text('---\ntype: role\ntitle: X\nid: "a \\e[31m"\n---\n')
    done = assay(folder, "okf", "validate", "atoms")
    assert done.code == 1
    assert "\x1b" not in done.out


def test_the_schema_of_an_atom_is_shown_and_tells_sound_from_unsound(assay: Command, folder: Path) -> None:
    schema = json.loads(assay(folder, "schema", "okf-atom").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == "assay/okf-atom/1"
    jsonschema.validate(
        {"type": "role", "title": "A", "relationships": [{"rel": "owner", "target": "b"}], "x": 1}, schema
    )
    for wrong in ({"title": "A"}, {"type": "Metric", "title": "A"}, {"type": "role", "title": "A", "id": "a b"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)
    made = profile_schema.AtomFrontmatter.model_json_schema()
    assert {key: schema[key] for key in made} == made


def test_what_the_page_shows_is_what_is_printed(assay: Command, tmp_path: Path) -> None:
    made = {"process": 5, "role": 4, "artifact": 2, "decision": 2, "workflow": 1}
    for type, number in made.items():
        for index in range(number):
            (tmp_path / f"atoms/{type}").mkdir(parents=True, exist_ok=True)
            (tmp_path / f"atoms/{type}/{index}.md").write_text(f"---\ntype: {type}\ntitle: T\n---\n")
    makes = "title: T\nproduces: [artifact/0, artifact/1]"
    (tmp_path / "atoms/process/1.md").write_text(f"---\ntype: process\n{makes}\n---\n")
    (tmp_path / "atoms/processes").mkdir()
    (tmp_path / "atoms/process/0.md").unlink()
    (tmp_path / "atoms/processes/close.md").write_text(
        "---\ntype: process\nid: close-books\ntitle: Close\nrelationships:\n"
        "  - {rel: relates_to, target: process/1}\n  - {rel: owner, target: head-of-op}\n---\n"
    )
    (tmp_path / "atoms/roles").mkdir()
    (tmp_path / "atoms/role/0.md").unlink()
    (tmp_path / "atoms/roles/clerk.md").write_text(
        "---\ntype: role\ntitle: Clerk\nsources:\n- {id: 1, resource: a}\n---\n\nSo.[^1]\n\nAnd.[^2]\n\n[^2]: There\n"
    )
    shown = PAGE.read_text("utf-8").split("$ git assay okf validate atoms\n")[1].split("```")[0]
    done = assay(tmp_path, "okf", "validate", "atoms")
    assert (done.code, done.out.rstrip()) == (1, shown.rstrip())


def test_the_atom_on_the_page_is_one() -> None:
    shown = PAGE.read_text("utf-8").split("```markdown\n")[1].split("```")[0]
    [atom] = reading.bundle(MemorySnapshot({"processes/close.md": shown.encode()}), strict=True).atoms
    assert (atom.faults, len(atom.edges), len(atom.rationale)) == ((), 2, 1)
    assert atom.rationale[0].backings[0].path == "raw/ops.md"
