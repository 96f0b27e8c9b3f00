"""Files as atoms: edges however they are carried, rationale, what is cited, and every way in which a file is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.okf import graph, reading
from gitops.okf.model import Atom, Backing, Bundle
from gitops.wiki.snapshot import SYMLINK, MemorySnapshot

CLOSE = """---
type: process
id: close-books
title: Close the books
description: Every month the ledger is closed.
relationships:
  - {rel: owner, target: head-of-ops}
  - rel: uses
    target: ledger
sources:
  - {id: s1, resource: ../a.md}
---

# Close the books

Every month the ledger is closed.[^s1]

## Rationale

It is closed early. The auditors want it so.[^s2][^s3]

### In short

- Late books cost money.[^s1]

## Owner

- [Head of ops](../roles/head-of-ops.md)

[^s1]: sources/a.md, "the ledger is closed" @10
[^s2]: sources/a.md, "auditors want it"
[^s3]: sources/b.md
"""


def read(files: dict[str, str | bytes], *, strict: bool = False) -> Bundle:
    held = {path: text if isinstance(text, bytes) else text.encode() for path, text in files.items()}
    return reading.bundle(MemorySnapshot(held), strict=strict)


def atom(front: str, body: str = "", path: str = "x.md") -> Atom:
    [found] = read({path: f"---\n{front}\n---\n{body}"}).atoms
    return found


def results(bundle: Bundle) -> list[tuple[str, str]]:
    return [(fault.path, fault.result) for fault in bundle.every_fault if fault.level == "error"]


def test_a_file_is_read_as_the_atom_that_it_is() -> None:
    [found] = read({"processes/close.md": CLOSE}).atoms
    assert (found.id, found.type, found.title) == ("close-books", "process", "Close the books")
    assert (found.concept, found.description) == ("processes/close", "Every month the ledger is closed.")
    assert [(edge.rel, edge.target, edge.line) for edge in found.edges] == [
        ("owner", "head-of-ops", 7),
        ("uses", "ledger", 8),
    ]
    first = Backing("sources/a.md", "the ledger is closed", 30)
    assert [(one.text, one.line, one.backings) for one in found.rationale] == [
        ("It is closed early.", 20, ()),
        (
            "The auditors want it so.",
            20,
            (Backing("sources/a.md", "auditors want it", 31), Backing("sources/b.md", "", 32)),
        ),
        ("Late books cost money.", 24, (first,)),
    ]
    assert found.backings == (first, *found.rationale[1].backings)
    assert found.sources == ("../a.md",)
    assert (found.lines["type"], found.lines["relationships"]) == (2, 6)
    assert found.is_valid


def test_what_is_left_out_comes_from_the_path() -> None:
    found = atom("type: role", path="roles/head_of_ops.md")
    assert (found.id, found.title) == ("roles/head_of_ops", "head_of_ops")


@pytest.mark.parametrize(
    ("front", "edges"),
    [
        ("owner: ops", [("owner", "ops")]),
        ("uses: [a, b]", [("uses", "a"), ("uses", "b")]),
        ("stages:\n  - b\n  - a", [("stages", "b"), ("stages", "a")]),
        ("links: [{target: a, rel: uses}, {target: b, rel: reads}]", [("uses", "a")]),
        ("uses: [z]\nrelationships: [{rel: owner, target: o}]", [("uses", "z"), ("owner", "o")]),
        ("relationships: [{rel: owns, target: a}, {rel: owner}, 3, {rel: owner, target: ''}]", []),
        ("relationships: {rel: owner, target: a}", [("owner", "a")]),
        ("owner: 3\nuses: {a: b}", []),
        ("mentions: [a]", []),
    ],
)
def test_edges_are_read_however_they_are_carried(front: str, edges: list[tuple[str, str]]) -> None:
    assert [(edge.rel, edge.target) for edge in atom(f"type: role\n{front}").edges] == edges


@pytest.mark.parametrize(
    ("front", "lines"),
    [
        ("relationships:\n- rel: owner\n  target: a\n- {rel: uses, target: b}", [3, 5]),
        ("relationships: [{rel: owner, target: a},\n  {rel: uses, target: b}]", [3, 4]),
        ("relationships: [{rel: owner, target: a}, {rel: uses, target: b}]", [3, 3]),
        ("uses:\n  - a\n  - b", [4, 5]),
    ],
)
def test_an_edge_knows_its_line_where_it_has_one(front: str, lines: list[int]) -> None:
    expected = [3, 5] if lines == [3, 5] else lines
    found = atom(f"type: role\n{front}")
    shift = 1 if front.startswith("relationships:\n") else 0
    assert [edge.line for edge in found.edges] == [line + shift for line in expected]


@pytest.mark.parametrize(
    ("front", "body", "said"),
    [
        ("", "# Rationale\n\nSo it is.\n", ["So it is."]),
        (
            "",
            "#### RATIONALE:\n\nSo it is.\n\n##### Deeper\n\nAnd so.\n\n#### Next\n\nNot this.\n",
            ["So it is.", "And so."],
        ),
        ("", "# X\n\nSome words about the rationale.\n", []),
        ("", "## Rationale\n\nOf these:\n\n- one thing\n- [a link](b.md)\n", ["one thing"]),
        ("", "## Rationale\n\nOne.\n\n## Else\n\nNo.\n\n## Rationale\n\nTwo.\n", ["One.", "Two."]),
        ("rationale: It is so. And so.", "", ["It is so.", "And so."]),
        ("rationale: [It is so., And so.]", "", ["It is so.", "And so."]),
        ("rationale: It is so.", "## Rationale\n\nBelow.\n", ["Below."]),
        ("rationale: 3", "", []),
    ],
)
def test_the_rationale_is_what_stands_below_its_heading_or_in_its_key(front: str, body: str, said: list[str]) -> None:
    found = atom(f"type: role\n{front}".rstrip(), body)
    assert [one.text for one in found.rationale] == said


def test_a_rationale_in_the_frontmatter_cites_by_footnotes_of_the_body() -> None:
    front = 'type: role\nrationale: "It is so.[^1] And so.[^2] Or so."'
    found = atom(front, '[^1]: sources/a.md, "so"\n[^2]: sources/b.md, "and"\n')
    assert [(one.text, [backing.path for backing in one.backings]) for one in found.rationale] == [
        ("It is so.", ["sources/a.md"]),
        ("And so.", ["sources/b.md"]),
        ("Or so.", []),
    ]


def test_footnotes_of_other_writers_join_sources_by_their_labels() -> None:
    body = "## Rationale\n\nIt is so.[^policy] Or not.[^else]\n\n[^policy]: Revenue policy\n[^else]: Something\n"
    found = atom("type: role\nsources:\n- {id: policy, resource: ../p.md}", body)
    assert [[backing.path for backing in one.backings] for one in found.rationale] == [["../p.md"], []]


@pytest.mark.parametrize(
    ("data", "result", "line"),
    [
        (b"# no frontmatter\n", "no_frontmatter", 1),
        (b"\n---\ntype: role\n---\n", "no_frontmatter", 1),
        (b"", "no_frontmatter", 1),
        (b"---\ntype: role\n", "unclosed_frontmatter", 1),
        (b"---\ntype: role\n bad: : x\n---\n", "unparsable_frontmatter", 3),
        (b"---\ntype: [a\n---\n", "unparsable_frontmatter", 2),
        (b"---\na: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
         b"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
         b"g: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n---\n", "unparsable_frontmatter", 2),
        (b"---\ntype: role\nx: " + b"[" * 5000 + b"\n---\n", "unparsable_frontmatter", 2),
        (b"---\ntype: role\ntitle: a\0b\n---\n", "unparsable_frontmatter", 2),
        (b"---\n- a\n- b\n---\n", "not_a_mapping", 2),
        (b"---\ntitle: x\n---\n", "no_type", 1),
        (b"---\ntype:\n---\n", "no_type", 2),
        (b"---\ntype: '  '\n---\n", "no_type", 2),
        (b"---\ntype: [role]\n---\n", "no_type", 2),
        (b"---\ntype: 3\n---\n", "no_type", 2),
        (b"---\ntype: role\ntitle: caf\xe9\n---\n", "invalid_utf8", 3),
        ("---\ntype: role\n---\n".encode("utf-16"), "utf16", 1),
    ],
)  # fmt: skip
def test_of_what_cannot_be_read_there_is_no_atom_but_a_finding(data: bytes, result: str, line: int) -> None:
    found = read({"a.md": data, "b.md": "---\ntype: role\ntitle: B\n---\n"})
    assert [(fault.path, fault.result, fault.line) for fault in found.every_fault if fault.level == "error"] == [
        ("a.md", result, line)
    ]
    assert found.unread == ("a.md",)
    assert [one.id for one in found.atoms] == ["b"]
    assert found.files == 2


@pytest.mark.parametrize(
    ("data", "result", "level"),
    [
        (b"\xef\xbb\xbf---\ntype: role\ntitle: A\n---\n", "byte_order_mark", "warning"),
        (b"---\ntype: role\ntype: role\ntitle: A\n---\n", "duplicate_key", "error"),
        (b"---\ntype: role\ntitle: A\n---\n---\ntags: [x]\n---\n", "duplicate_frontmatter", "warning"),
    ],
)
def test_what_is_odd_and_can_be_read_is_read_and_told(data: bytes, result: str, level: str) -> None:
    found = read({"a.md": data})
    assert [(fault.result, fault.level) for fault in found.every_fault] == [(result, level)]
    assert [one.type for one in found.atoms] == ["role"]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_of_every_kind_are_alike(end: str) -> None:
    [found] = read({"a.md": CLOSE.replace("\n", end)}).atoms
    [plain] = read({"a.md": CLOSE}).atoms
    assert (found.edges, found.rationale, found.lines, found.faults) == (
        plain.edges,
        plain.rationale,
        plain.lines,
        plain.faults,
    )


@pytest.mark.parametrize(
    ("front", "id"),
    [
        ("id: 007", "007"),
        ("id: 7.5 # x", "7.5"),
        ("id: true", "x"),
        ("id: [a]", "x"),
        ("id:", "x"),
        ('id: "007"', "007"),
    ],
)
def test_an_id_is_a_text_and_a_number_is_taken_as_it_is_written(front: str, id: str) -> None:
    found = atom(f"type: role\ntitle: X\n{front}")
    assert found.id == id
    assert [fault.result for fault in found.faults] == ([] if '"' in front else ["bad_id"])


def test_days_and_moments_stay_as_they_are_written() -> None:
    found = atom("type: role\ntitle: X\nid: 2026-01-02\nwhen: 2026-01-02T10:00:00Z")
    assert (found.id, found.values["when"], found.faults) == ("2026-01-02", "2026-01-02T10:00:00Z", ())


def test_the_bundle_is_a_folder_of_the_tree_and_knows_its_own_paths_alone() -> None:
    files = {
        "wiki/atoms/roles/a.md": "---\ntype: role\ntitle: A\n---\n",
        "wiki/other.md": "no atom",
        "wiki/atomsx.md": "",
    }
    tree = MemorySnapshot({path: text.encode() for path, text in files.items()})
    found = reading.bundle(tree, "wiki/atoms")
    assert (found.name, [one.path for one in found.atoms], found.unread) == ("atoms", ["roles/a.md"], ())


def test_hidden_files_reserved_names_and_other_suffixes_are_no_concepts() -> None:
    files: dict[str, str | bytes] = dict.fromkeys(
        (".obsidian/x.md", "a/.b.md", "index.md", "a/log.md", "x.txt", "y"), "# X\n"
    )
    found = read(files)
    assert (found.files, found.every_fault) == (0, [])


def test_an_empty_folder_is_an_empty_bundle_and_no_folder_is_none(tmp_path: Path) -> None:
    assert reading.in_folder(tmp_path) == Bundle(tmp_path.name)
    with pytest.raises(UsageError, match="there is no folder"):
        reading.in_folder(tmp_path / "nowhere")


def test_what_is_no_file_of_the_bundle_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntype: role\ntitle: A\n---\n")
    (tmp_path / "big.md").write_bytes(b"a" * 20_000_000)
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    (tmp_path / "up.md").symlink_to("../x.md")
    (tmp_path / "inside.md").symlink_to("a.md")
    (tmp_path / "folder").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe.md")
    found = reading.in_folder(tmp_path)
    assert [one.id for one in found.atoms] == ["a"]
    assert [(fault.path, fault.level, fault.result) for fault in found.every_fault] == [
        ("big.md", "error", "too_large"),
        ("folder", "note", "symbolic_link"),
        ("inside.md", "note", "symbolic_link"),
        ("out.md", "error", "leaves_bundle"),
        ("pipe.md", "error", "no_file"),
        ("up.md", "error", "leaves_bundle"),
    ]
    assert found.unread == ("big.md", "out.md", "pipe.md", "up.md")
    assert "19.1 MiB" in found.every_fault[0].message


def test_a_symbolic_link_in_a_commit_is_told_alike() -> None:
    tree = MemorySnapshot({"a.md": b"../secret.md", "b.md": b"c.md"}, {"a.md": SYMLINK, "b.md": SYMLINK})
    found = reading.bundle(tree)
    assert [(fault.path, fault.result) for fault in found.every_fault] == [
        ("a.md", "leaves_bundle"),
        ("b.md", "symbolic_link"),
    ]


def test_names_that_some_file_systems_take_for_one_are_told() -> None:
    text = "---\ntype: role\ntitle: A\n---\n"
    found = read({"Roles/a.md": text, "roles/A.md": text, "e\u0301.md": text, "é.md": text})
    assert [(fault.result, fault.level) for fault in found.faults] == [("colliding_names", "warning")] * 2


def test_a_concept_of_another_type_is_read_and_is_a_fault_only_where_atoms_alone_are_wanted() -> None:
    files: dict[str, str | bytes] = {"a.md": "---\ntype: Metric\ntitle: A\nowner: nobody\n---\n"}
    assert read(files).every_fault == []
    strict = read(files, strict=True)
    assert results(strict) == [("a.md", "outside_profile")]
    assert not strict.atoms[0].is_valid
    near: dict[str, str | bytes] = {"a.md": "---\ntype: Processes\ntitle: A\n---\n"}
    assert read(near, strict=True).every_fault[0].mend == "did you mean 'process'?"


def test_one_file_is_a_bundle_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(CLOSE)
    (tmp_path / "b.md").write_text("no atom")
    found = reading.of_file(tmp_path / "a.md")
    assert (found.files, [one.id for one in found.atoms]) == (1, ["close-books"])


FRONT = """---
type: role
id: 7 a b
title: A
relationships:
- {rel: owner, target: b}
rationale: links: uses: [ ] { } &a *a !!int <<: ? | ' " :
sources:
  - resource: generated: 2026-01-01 verified: okf_version: é"""
BODY = """# Rationale
So it is.[^1]
[^1]: a.md, "x"
## 2026-01-01
| a | b |
|---|---|
<b> %% [[x]]"""
PIECES = [
    *FRONT.split(" "),
    *FRONT.splitlines(True),
    *BODY.split(" "),
    *BODY.splitlines(True),
    "\n",
    "\r",
    "\t",
    "\0",
    " ",
    "\x85",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=40), st.binary(max_size=20))
@settings(deadline=None, max_examples=300)
def test_no_file_however_odd_stops_the_reading(text: str, data: bytes) -> None:
    odd = text.encode()
    names = ("a.md", "index.md", "log.md", "x/index.md")
    found = read({**dict.fromkeys(names, odd), "b.md": b"---\ntype: role\n" + odd, "c.md": data, "d.md": odd + data})
    assert found.files == 4
    assert all(fault.line >= 0 and fault.message for fault in found.every_fault)
    graph.faults(found)
