"""Pages and sources that are not what they should be: each is said, with its line; none is skipped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

PAGE = '# Solvents\n\nSolvent use fell by two fifths.[^1]\n\n[^1]: raw/report.md, "declined by two fifths"\n'
INDEX = "# Index\n\nPages of this wiki.\n\n- [Solvents](solvents.md)\n"


@pytest.mark.parametrize(
    ("content", "said", "line"),
    [
        (b"", "no visible text", 1),
        (b"\x00\x01\x02\xff\xfe\x80" * 500, "", 1),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 20, "", 1),
        (("\ufeff" + PAGE).encode("utf-16-le"), "UTF-16", 1),
        (PAGE.encode("utf-16-be"), "UTF-16", 1),
        (PAGE.replace("two fifths.[^1]", "two \udcff fifths.[^1]").encode("utf-8", "surrogateescape"), "0xff", 3),
        (PAGE.replace("\n", "\r\n").encode(), "CR", 1),
        (("\ufeff" + PAGE).encode(), "byte-order mark", 1),
        ((PAGE + "\n" + ("- " + "filler " * 1000 + "\n") * 850).encode(), "larger than 5 MiB", 1),
        (b"---\ntitle: [unclosed\n---\n" + PAGE.encode(), "frontmatter", 2),
        (b"---\na: 1\n---\n---\nb: 2\n---\n" + PAGE.encode(), "frontmatter", 4),
        ((PAGE + '\n[^1]: raw/report.md, "in the same year"\n').encode(), "defined", 7),
        (PAGE.replace("[^1]:", "[^2]:").encode(), "[^1]", 3),
        (PAGE.replace("fifths.[^1]", "fifths.").encode(), "[^1]", 5),
    ],
    ids=["empty", "binary", "png", "utf-16-le", "utf-16-be", "invalid", "crlf", "bom", "6 MB", "yaml", "two", "twice",
         "undefined", "unused"],
)  # fmt: skip
@pytest.mark.slow
def test_a_page_that_is_not_as_pages_are_is_a_finding_with_its_line(
    wiki: Path, assay: Command, staged: Command, content: bytes, said: str, line: int
) -> None:
    run = staged(wiki, {"wiki/solvents.md": content, "wiki/index.md": INDEX})
    done = assay(wiki, "run", "finish", run, "--json")
    assert done.err == ""
    body = json.loads(done.out)
    on_page = [finding for finding in body["findings"] if finding["path"] == "wiki/solvents.md"]
    telling = [finding for finding in on_page if said in finding["message"]]
    assert telling, on_page
    assert min(finding["line"] for finding in telling) == line
    assert all(finding["line"] >= 1 for finding in on_page)
    assert (body["result"], done.code) in (("rejected", 1), ("revise", 1), ("landed", 0))


def encrypted_pdf() -> bytes:
    from fpdf import FPDF

    made = FPDF()
    made.add_page()
    made.set_font("helvetica", size=12)
    made.cell(text="declined by two fifths")
    made.set_encryption(owner_password="owner", user_password="user")
    return bytes(made.output())


def pdf(text: str) -> bytes:
    from fpdf import FPDF

    made = FPDF()
    made.add_page()
    if text:
        made.set_font("helvetica", size=12)
        made.cell(text=text)
    else:
        made.rect(20, 20, 50, 50)
    return bytes(made.output())


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 12345\n"


@pytest.mark.parametrize(
    ("name", "make", "said", "code"),
    [
        ("report.pdf", encrypted_pdf, "is encrypted", 1),
        ("report.pdf", lambda: pdf("declined by two fifths")[:300], "is damaged", 1),
        ("report.pdf", lambda: b"%PDF-1.7\nnothing of the kind\n", "is damaged", 1),
        ("report.pdf", lambda: pdf(""), "has no text layer", 1),
        ("report.pdf", lambda: POINTER, "Git LFS pointer", 0),  # its text exists elsewhere: a note, by protocol
        ("data.bin", lambda: bytes(range(256)) * 20, "is binary", 1),
        ("empty.md", lambda: b"", "is empty", 1),
    ],
    ids=["encrypted", "cut", "broken", "scan", "pointer", "binary", "empty"],
)
def test_a_source_without_text_says_so_when_it_comes_in_and_when_it_is_quoted(
    wiki: Path,
    tmp_path: Path,
    assay: Command,
    staged: Command,
    name: str,
    make: Callable[[], bytes],
    said: str,
    code: int,
) -> None:
    source = tmp_path / name
    source.write_bytes(make())
    added = assay(wiki, "raw", "add", os.fspath(source))
    assert added.code == 0
    assert f"raw/{name}" in added.out
    assert said in added.err
    page = PAGE.replace("raw/report.md", f"raw/{name}")
    run = staged(wiki, {"wiki/solvents.md": page, "wiki/index.md": INDEX})
    done = assay(wiki, "run", "finish", run, "--json")
    found = [finding for finding in json.loads(done.out)["findings"] if finding["path"] == "wiki/solvents.md"]
    assert [finding["line"] for finding in found if said in finding["message"]] == [5], found
    assert done.code == code


def test_a_pdf_with_text_can_be_quoted_by_its_page(wiki: Path, tmp_path: Path, assay: Command, staged: Command) -> None:
    (tmp_path / "report.pdf").write_bytes(pdf("Consumption declined by two fifths in 2019."))
    assert assay(wiki, "raw", "add", os.fspath(tmp_path / "report.pdf")).err == ""
    page = PAGE.replace("raw/report.md", "raw/report.pdf, p.1")
    run = staged(wiki, {"wiki/solvents.md": page, "wiki/index.md": INDEX})
    assert assay(wiki, "run", "finish", run).code == 0


def test_a_source_is_taken_in_where_it_lies_and_again_changes_nothing(wiki: Path, assay: Command, git: Command) -> None:
    (wiki / "raw/2026").mkdir()
    (wiki / "raw/2026/Größe und Maß.md").write_text("Zwei Fünftel.\n")
    done = assay(wiki, "raw", "add", "raw/2026/Größe und Maß.md", "--json")
    assert json.loads(done.out)["paths"] == ["raw/2026/Größe und Maß.md"]
    assert git(wiki, "status", "--porcelain") == ""
    at = git(wiki, "rev-parse", "main")
    again = assay(wiki, "raw", "add", "raw/2026/Größe und Maß.md", "--json")
    assert (again.code, json.loads(again.out)["commit"]) == (0, None)
    assert git(wiki, "rev-parse", "main") == at


def test_a_source_that_changed_takes_sync(wiki: Path, assay: Command, refused: Command, git: Command) -> None:
    (wiki / "raw/report.md").write_text("Another text.\n")
    at = git(wiki, "rev-parse", "main")
    refused(assay(wiki, "raw", "add", "raw/report.md"), 2, "with other content", "git assay raw sync raw/report.md")
    assert git(wiki, "rev-parse", "main") == at
    assert assay(wiki, "raw", "sync", "raw/report.md").code == 0
    assert git(wiki, "show", "main:raw/report.md") == "Another text."
    assert git(wiki, "status", "--porcelain") == ""


@pytest.mark.parametrize("into", ["2026/Q 1", "2026/Q 1/", "raw/2026/Q 1"])
def test_a_source_from_outside_goes_below_the_folder_that_is_named(
    wiki: Path, tmp_path: Path, assay: Command, into: str
) -> None:
    (tmp_path / "notes.md").write_text("Notes.\n")
    done = assay(wiki, "raw", "add", os.fspath(tmp_path / "notes.md"), "--into", into, "--json")
    assert json.loads(done.out)["paths"] == ["raw/2026/Q 1/notes.md"]
    assert (wiki / "raw/2026/Q 1/notes.md").read_text() == "Notes.\n"


@pytest.mark.slow
def test_names_outside_ascii_and_with_spaces_go_all_the_way(make_wiki: Command, assay: Command, git: Command) -> None:
    wiki = make_wiki({"raw/報告 2019.md": "消費量は五分の二減った。\n"}, name="mein Wiki – 日本")
    page = '# 溶剤\n\n消費量は五分の二減った。[^1]\n\n[^1]: raw/報告 2019.md, "五分の二減った"\n'
    run = assay(wiki, "run", "start", "--type", "ingest", "--source", "raw/報告 2019.md").out.strip()
    assert assay(wiki, "run", "write", run, "wiki/溶剤 und Größe.md", stdin=page.encode()).code == 0
    index = "# Index\n\n- [溶剤](<溶剤 und Größe.md>)\n"
    assert assay(wiki, "run", "write", run, "wiki/index.md", stdin=index.encode()).code == 0
    done = assay(wiki, "run", "finish", run)
    assert done.code == 0, done
    assert (wiki / "wiki/溶剤 und Größe.md").read_text() == page
    shown = assay(wiki, "run", "show", run)
    assert "wiki/溶剤 und Größe.md" in shown.out
    assert "raw/報告 2019.md" in shown.out
    assert git(wiki, "status", "--porcelain") == ""


def test_a_name_that_is_not_utf8_is_a_finding(wiki: Path, assay: Command, git: Command) -> None:
    git(wiki, "switch", "--quiet", "--create", "run/by-hand")
    (wiki / "wiki" / os.fsdecode(b"caf\xe9.md")).write_text("# Cafe\n")
    git(wiki, "add", ".")
    git(wiki, "commit", "--quiet", "--message", "A name in Latin-1")
    git(wiki, "switch", "--quiet", "main")
    for words in (("verify", "run/by-hand", "--base", "main"), ("run", "finish", "by-hand")):
        done = assay(wiki, *words, "--json")
        assert done.code == 1, done
        body = json.loads(done.out)
        assert "path_acl" in {finding["check"] for finding in body["findings"]}
    assert "by-hand" in assay(wiki, "run", "list").out
    assert assay(wiki, "run", "show", "by-hand").code == 0
