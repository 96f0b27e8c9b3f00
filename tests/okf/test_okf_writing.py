"""What is written is read back as what was handed in, and breaks no rule; the same drafts give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.okf import reading, reserved, writing
from gitops.okf.draft import Draft, Passage, Said
from gitops.okf.model import ATOM_TYPES, EDGE_TYPES, Atom, Bundle, Relationship
from gitops.wiki import page
from gitops.wiki.prose import folded, split
from gitops.wiki.snapshot import MemorySnapshot

AT = datetime(2026, 11, 22, 10, tzinfo=UTC)


def written(drafts: Sequence[Draft], place: str | None = None) -> dict[str, bytes]:
    return writing.files(drafts, AT, place=place)


def read_back(files: dict[str, bytes]) -> Bundle:
    return reading.bundle(MemorySnapshot(files), strict=True)


def sentences(text: str) -> list[str]:
    """A text as the sentences that a reader tells apart."""
    words = folded(text)
    spans = split(words)
    if len(spans) < 2:
        return [words] if words else []
    return [one for start, end in spans for one in sentences(words[start:end])]


PLAIN = "the ledger Head of e.g. is closed. 10. 1) Yes null a_b http://x.y/z a@b.de „Größe“ 日本。 🚀 ﬁ e\u0301 … ? ! :"
MARKS = (
    "- + * _x_ **b** # ## `code` [x](y) [^1] ![i](j) [[wiki]] <b> <!-- c --> &amp; & | ~~s~~ \\ \\* $x$ %% %%c%% x^2"
)
SIGNS = '== --- === > "quoted" \' {a: b} \u200b \ufeff'
WHITE = ("\t", "\n", "\n\n", "\x0b", "\x85", "\u2028")
words = st.sampled_from([*PLAIN.split(), *MARKS.split(), *SIGNS.split(), *WHITE])
texts = st.lists(words, min_size=1, max_size=9).map(" ".join).filter(lambda text: any(map(str.isalnum, text)))
tight = st.lists(words, min_size=1, max_size=6).map("".join).filter(lambda text: any(map(str.isalnum, text)))
said_texts = texts | tight
ids = st.from_regex(r"[A-Za-z0-9_.:/#'\"é{\[,&*!-]{1,12}", fullmatch=True)
passages = st.builds(
    Passage,
    st.sampled_from(["raw/a.md", "sources/mit Leer, zeichen.txt", "sources/b;c.md", 'x"y.md', "a @3"]),
    said_texts.filter(lambda text: "%%" not in text),  # two of them comment out what is between, in any page
    st.none() | st.integers(0, 10**9),
)
saids = st.builds(Said, said_texts, st.lists(passages, max_size=3).map(tuple))


@st.composite
def bundles(draw: st.DrawFn) -> list[Draft]:
    names = draw(st.lists(ids, min_size=1, max_size=4, unique=True))
    edges = st.builds(Relationship, st.sampled_from(EDGE_TYPES), st.sampled_from(names) | ids)
    return [
        Draft(
            draw(st.sampled_from(ATOM_TYPES)),
            name,
            draw(said_texts),
            draw(st.none() | saids),
            tuple(draw(st.lists(edges, max_size=4))),
            tuple(draw(st.lists(saids, max_size=3))),
        )
        for name in names
    ]


def as_read(atom: Atom) -> tuple[object, ...]:
    edges = tuple((edge.rel, edge.target) for edge in atom.edges)
    said = [(one.text, [(backing.path, backing.quote) for backing in one.backings]) for one in atom.rationale]
    return atom.type, atom.id, atom.title, atom.description, edges, said


def as_handed_in(draft: Draft) -> tuple[object, ...]:
    edges = tuple((edge.rel, edge.target) for edge in draft.relationships)
    said = [
        (one, [(passage.path, folded(passage.quote)) for passage in dict.fromkeys(each.passages)])
        for each in draft.rationale
        for one in sentences(each.text)
        if any(character.isalnum() or character == "_" for character in one)
    ]
    about = folded(draft.description.text) if draft.description else ""
    return draft.type, draft.id, folded(draft.title), about, edges, said


@pytest.mark.slow
@given(bundles())
@settings(max_examples=60, deadline=None)
def test_drafts_are_read_back_as_they_were_handed_in(drafts: list[Draft]) -> None:
    files = written(drafts)
    found = read_back(files)
    assert not found.unread
    assert {atom.id: as_read(atom) for atom in found.atoms} == {draft.id: as_handed_in(draft) for draft in drafts}
    assert {fault.result for fault in found.every_fault} <= {"duplicate_edge", "stages_elsewhere"}
    assert written(list(reversed(drafts))) == files


HEAD = Draft("role", "head-of-ops", "Head of ops")
CLOSE = Draft(
    "process",
    "close-books",
    "Close the books",
    Said("Every month the ledger is closed.", (Passage("raw/a.md", "the ledger is closed", 12),)),
    (Relationship("owner", "head-of-ops"), Relationship("uses", "ledger"), Relationship("owner", "nobody")),
    (
        Said("It is closed early. The auditors want it so.", (Passage("raw/b.md", 'they said "early"'),)),
        Said("Late books cost money.", (Passage("raw/a.md", "the ledger is closed", 12),)),
    ),
)
MONTH = Draft("workflow", "month", "Month's end", None, (Relationship("stages", "close-books"),))
WRITTEN = f"""---
type: process
id: close-books
title: Close the books
description: Every month the ledger is closed.
relationships:
  - {{rel: owner, target: head-of-ops}}
  - {{rel: uses, target: ledger}}
  - {{rel: owner, target: nobody}}
sources:
  - {{id: s1, resource: "../../../raw/a.md"}}
  - {{id: s2, resource: "../../../raw/b.md"}}
generated: {{by: {writing.WRITER}, at: "2026-11-22T10:00:00Z"}}
---

# Close the books

Every month the ledger is closed.[^s1]

## Rationale

It is closed early.[^s2]

The auditors want it so.[^s2]

Late books cost money.[^s1]

## Owner

- [Head of ops](../roles/head-of-ops.md)

[^s1]: raw/a.md, "the ledger is closed" @12
[^s2]: raw/b.md, "they said \\"early\\""
"""


def test_a_file_is_short_and_says_all_to_readers_of_okf_too() -> None:
    files = written([CLOSE, HEAD, MONTH], "wiki/atoms")
    assert sorted(files) == ["processes/close-books.md", "roles/head-of-ops.md", "workflows/month.md"]
    assert files["processes/close-books.md"].decode() == WRITTEN
    assert (
        "\n\n## Stages\n\n1. [Close the books](../processes/close-books.md)\n" in files["workflows/month.md"].decode()
    )


def test_without_a_place_a_source_is_named_as_it_is_cited() -> None:
    assert b"- {id: s1, resource: raw/a.md}\n" in written([CLOSE])["processes/close-books.md"]


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (["Ops", "ops"], ["ops", "ops-2"]),
        (["a/b", "a:b"], ["a-b", "a-b-2"]),
        (["index", "log"], ["index-2", "log-2"]),
        (["..", "e\u0301tat"], ["role", "état"]),
        (["x" * 300], ["x" * 60]),
        (["日本"], ["日本"]),
    ],
)
def test_every_id_has_a_file_of_its_own(ids: list[str], names: list[str]) -> None:
    files = written([Draft("role", id, "T") for id in ids])
    assert sorted(files) == sorted(f"roles/{name}.md" for name in names)


def test_what_is_there_keeps_its_file_and_is_linked_to() -> None:
    known = read_back({"people/chief.md": b"---\ntype: role\nid: head-of-ops\ntitle: The *chief*\n---\n"})
    files = writing.files([CLOSE], AT, known=known)
    assert list(files) == ["processes/close-books.md"]
    assert b"- [The \\*chief\\*](../people/chief.md)\n" in files["processes/close-books.md"]
    assert list(writing.files([HEAD], AT, known=known)) == ["people/chief.md"]


@pytest.mark.parametrize("drafts", [[HEAD, HEAD], [Draft("role", "a b", "T")], [Draft("role", "", "T")]])
def test_ids_that_no_file_could_bear_are_refused(drafts: list[Draft]) -> None:
    with pytest.raises(ValueError, match="an id of its own"):
        written(drafts)


def test_the_listing_is_in_the_form_of_an_index_and_every_link_leads_to_its_file() -> None:
    files = written([CLOSE, HEAD, MONTH])
    entries = [writing.Entry(one.type, one.title, one.path, one.description) for one in read_back(files).atoms]
    listing = writing.index(entries)
    assert listing == (
        '---\nokf_version: "0.2"\n---\n\n'
        "# Processes\n\n* [Close the books](processes/close-books.md) - Every month the ledger is closed.\n\n"
        "# Roles\n\n* [Head of ops](roles/head-of-ops.md)\n\n"
        "# Workflows\n\n* [Month's end](workflows/month.md)\n"
    )
    assert read_back({**files, "index.md": listing.encode()}).faults == ()
    below = writing.index(entries, is_root=False)
    assert listing.endswith(f"---\n\n{below}")
    assert list(reserved.faults("atoms/index.md", below.encode())) == []
    assert {link.target for link in page.parse(listing.encode()).links} == set(files)
