"""Atoms as files beside what is there: ids that are known, files that somebody has worked on, listings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops import assembly
from gitops.agents import atom_files, known_atoms
from gitops.errors import CannotRun, UsageError
from gitops.okf import graph, reading, writing
from gitops.okf.draft import Draft, Passage, Said
from gitops.okf.model import EDGE_TYPES, Bundle, Relationship
from gitops.usage import NOTHING
from gitops.wiki.snapshot import MemorySnapshot

AT = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
CLERK = Draft("role", "clerk", "Clerk", Said("The clerk files.", (Passage("raw/a.md", "The clerk files.", 3),)))
FILING = Draft(
    "process",
    "filing",
    "Filing",
    Said("Filing is slow.", (Passage("raw/a.md", "Filing is slow.", 20),)),
    (Relationship("owner", "clerk"),),
    (Said("It has to be.", (Passage("raw/a.md", "It has to be.", 40), Passage("raw/b.md", "Has to be", 1))),),
)


def bundle_of(files: dict[str, bytes]) -> Bundle:
    return reading.bundle(MemorySnapshot(files))


def written(folder: Path, *drafts: Draft, at: datetime = AT, force: bool = False) -> atom_files.Planned:
    planned = atom_files.in_folder(drafts, folder, at, force=force)
    atom_files.write(planned, folder)
    return planned


# Into a folder


def test_a_file_of_other_content_is_not_overwritten(tmp_path: Path) -> None:
    written(tmp_path, CLERK)
    other = Draft("role", "clerk", "Clerk", Said("A clerk counts."))
    with pytest.raises(UsageError, match=r"roles/clerk.md of .* would be overwritten"):
        written(tmp_path, other)
    assert "counts" not in (tmp_path / "roles/clerk.md").read_text()
    written(tmp_path, other, force=True)
    assert "counts" in (tmp_path / "roles/clerk.md").read_text()


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="is no folder"):
        written(tmp_path / "file", CLERK)


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "roles").write_text("a file where a folder has to be")
    with pytest.raises(CannotRun, match="cannot be written"):
        written(tmp_path / "out", CLERK)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["roles"]


def test_a_symbolic_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("mine")
    (tmp_path / "out" / "roles").mkdir(parents=True)
    (tmp_path / "out" / "roles" / "clerk.md").symlink_to(tmp_path / "outside")
    with pytest.raises(UsageError, match="would be overwritten"):
        written(tmp_path / "out", CLERK)
    written(tmp_path / "out", CLERK, force=True)
    assert (tmp_path / "outside").read_text() == "mine"


def test_the_same_again_writes_nothing_whenever_it_is(tmp_path: Path) -> None:
    first = written(tmp_path, CLERK, FILING)
    assert sorted(first.files) == ["index.md", "processes/filing.md", "roles/clerk.md"]
    assert written(tmp_path, CLERK, FILING, at=LATER).files == {}
    assert list(tmp_path.rglob(".*")) == []


def test_what_is_written_reads_back_without_a_fault(tmp_path: Path) -> None:
    written(tmp_path, CLERK, FILING)
    found = reading.in_folder(tmp_path)
    assert found.every_fault == []
    assert [atom.id for atom in found.atoms] == ["filing", "clerk"]


def test_the_listing_grows_and_one_that_somebody_keeps_is_added_to(tmp_path: Path) -> None:
    written(tmp_path, CLERK)
    written(tmp_path, FILING)
    assert (tmp_path / "index.md").read_text().count("* [") == 2
    (tmp_path / "index.md").write_text("# Our atoms\n\nRead them all.\n\n* [Clerk](roles/clerk.md)\n")
    more = Draft("role", "buyer", "Buyer", Said("The buyer buys."))
    written(tmp_path, more)
    text = (tmp_path / "index.md").read_text()
    assert text.startswith("# Our atoms\n\nRead them all.\n")
    assert "* [Buyer](roles/buyer.md) - The buyer buys." in text


# Beside what is there


def test_a_draft_takes_the_id_of_the_atom_that_it_is() -> None:
    files = writing.files([Draft("role", "role/Head_of_Ops", "Head of Ops"), Draft("system", "sap-1", "SAP")], AT)
    drafts = [
        Draft("role", "head-of-ops", "Operations"),
        Draft("system", "sap", "S A P"),
        Draft("system", "other", "sap."),
        Draft("process", "p", "P", relationships=(Relationship("owner", "head-of-ops"), Relationship("uses", "other"))),
    ]
    found = known_atoms.under_known_ids(drafts, bundle_of(files))
    assert found[0].id == "role/Head_of_Ops"
    assert [edge.target for edge in found[-1].relationships] == ["role/Head_of_Ops", "sap-1"]


def test_an_atom_gains_what_is_new_and_keeps_what_it_says() -> None:
    files = writing.files([CLERK, FILING], AT)
    known = bundle_of(files)
    more = Draft(
        "process",
        "filing",
        "Filing of papers",
        Said("Another description."),
        (Relationship("owner", "clerk"), Relationship("uses", "cabinet")),
        (Said("The law asks for it.", (Passage("raw/c.md", "The law asks for it.", 0),)),),
    )
    planned = atom_files.planned([more, Draft("system", "cabinet", "Cabinet")], known, files, LATER)
    text = planned.files["processes/filing.md"].decode()
    assert "Filing is slow." in text
    assert "Another description" not in text
    assert "It has to be." in text
    assert "The law asks for it." in text
    assert "roles/clerk.md" not in planned.files
    assert planned.operation("processes/filing.md") == "update"


def test_what_adds_nothing_is_not_written() -> None:
    files = writing.files([CLERK, FILING], AT)
    planned = atom_files.planned([CLERK, FILING], bundle_of(files), files, LATER)
    assert (planned.files, planned.kept) == ({}, ())


BERTHS = Draft("artifact", "berth-report", "Berth report", Said("It lists berths."))
YARD = Draft("process", "yard", "Yard process", Said("It is old."), (Relationship("produces", "berth-report"),))
GATE = Draft("process", "gate", "Gate process", Said("It is new."), (Relationship("produces", "berth-report"),))


def test_an_artifact_that_is_there_keeps_its_one_producer(tmp_path: Path) -> None:
    files = writing.files([YARD, BERTHS], AT)
    planned = atom_files.planned([GATE], bundle_of(files), files, LATER)
    assert not graph.faults(bundle_of({**files, **planned.files}))
    assert planned.drafts[0].relationships == ()
    written(tmp_path, YARD, BERTHS)
    written(tmp_path, GATE)
    assert not graph.faults(reading.in_folder(tmp_path))
    moved = replace(YARD, relationships=())
    written(tmp_path, moved, GATE, force=True)
    assert [len(atom.edges) for atom in reading.in_folder(tmp_path).atoms if atom.type == "process"] == [1, 0]


def test_an_extractor_knows_what_leads_from_the_atoms_that_are_there() -> None:
    stubs = known_atoms.stubs(bundle_of(writing.files([YARD, BERTHS], AT)))
    assert {one.id: one.relationships for one in stubs}["yard"] == (Relationship("produces", "berth-report"),)


def test_a_file_that_somebody_has_worked_on_is_left_as_it_is() -> None:
    files = writing.files([CLERK, FILING], AT)
    files["roles/clerk.md"] = files["roles/clerk.md"].replace(b"# Clerk\n", b"# The clerk of the yard\n")
    more = Draft("role", "clerk", "Clerk", None, (Relationship("uses", "filing"),))
    planned = atom_files.planned([more], bundle_of(files), files, LATER)
    assert (planned.files, planned.kept) == ({}, ("roles/clerk.md",))


WORDS = st.text(st.sampled_from("abc äé.,:*_#[]()\"'<>&\\|`-1"), min_size=1, max_size=30).filter(
    lambda words: any(map(str.isalpha, words))
)
SAID = st.builds(
    lambda words, quotes: Said(words, tuple(Passage("raw/a.md", " ".join(one.split()), 7) for one in quotes)),
    WORDS.map(lambda words: f"So {words} it is."),
    st.lists(WORDS, max_size=2, unique_by=lambda words: " ".join(words.split())),
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(WORDS, st.none() | SAID, st.lists(SAID, max_size=2)), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(EDGE_TYPES), st.integers(0, 3)), max_size=6, unique=True),
)
def test_what_was_written_is_never_rewritten_by_itself(
    atoms: list[tuple[str, Said | None, list[Said]]], links: list[tuple[int, str, int]]
) -> None:
    drafts = [
        Draft(
            "process",
            f"p{number}",
            title,
            description,
            tuple(Relationship(rel, f"p{to}") for of, rel, to in links if of == number and to < len(atoms)),
            tuple({one.text: one for one in rationale}.values()),
        )
        for number, (title, description, rationale) in enumerate(atoms)
    ]
    files = writing.files(drafts, AT)
    planned = atom_files.planned(drafts, bundle_of(files), files, LATER)
    changed = {path: data.decode() for path, data in planned.files.items()}
    for path in changed.keys() & files.keys():  # a title of two spellings may be read back in one
        assert known_atoms.is_same(changed[path].encode(), files[path]), (files[path].decode(), changed[path])


# For cases of gold


def test_cases_are_extracted_each_into_its_folder(tmp_path: Path) -> None:
    cases = {
        "claims": [("a.md", "The Dock Lead is responsible for the berth allocation process.\n")],
        "nothing": [("b.md", "The rain had stopped.\n")],
    }
    assert assembly.extract(None, None, cases, "offline", tmp_path) == (NOTHING, [])
    assert [atom.id for atom in reading.in_folder(tmp_path / "claims").atoms] == [
        "berth-allocation-process",
        "dock-lead",
    ]
    assert (tmp_path / "nothing").is_dir()
    assert 'sources/a.md, "The Dock Lead' in (tmp_path / "claims/roles/dock-lead.md").read_text()
    assert assembly.extractor(None, "offline")["version"] == "2"
    assert assembly.extraction_estimate(None, cases, "offline") == NOTHING
