from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.sources import extract, extractor_for, from_bytes, page_of, to_bytes

ROOT = Path(__file__).parents[2]
WIKIS = ROOT / "../shared/data/wikis"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2\nsize 12345\n"
ANNEX = b"/annex/objects/SHA256E-s10--4d7a2.pdf\n"


def two_pages() -> bytes:
    document = FPDF()
    for words in ("first page", "second page"):
        document.add_page()
        document.set_font("Helvetica", size=12)
        document.cell(text=words)
    return bytes(document.output())


@pytest.mark.parametrize(
    ("path", "data", "problem"),
    [
        ("raw/a.md", b"", "empty"),
        ("raw/a.md", b"\xef\xbb\xbf", "empty"),
        ("raw/a.txt", b" \n\t", "empty"),
        ("raw/a.html", b"<p></p>", "empty"),
        ("raw/a.pdf", b"", "empty"),
        ("raw/a.md", LFS, "lfs_pointer"),
        ("raw/a.pdf", LFS, "lfs_pointer"),
        ("raw/a.pdf", ANNEX, "lfs_pointer"),
        ("raw/a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0", "not_text"),
        ("raw/a.txt", b"abc\0def", "not_text"),
        ("raw/a.txt", bytes(range(1, 256)) * 4, "not_text"),
        ("raw/a.txt", "text".encode("utf-32"), "not_text"),
        ("raw/a.html", b"<b>" * 50_000 + b"x", "not_text"),
        ("raw/a.pdf", b"not a pdf", "broken_pdf"),
        ("raw/a.md", b"%PDF-1.4 nonsense", "broken_pdf"),
    ],
)
def test_a_source_without_text_says_why(path: str, data: bytes, problem: str) -> None:
    source = extract(path, data)
    assert (source.problem, source.text.strip()) == (problem, "")
    assert source.message


def test_invalid_utf8_is_told_with_its_line_and_read_all_the_same() -> None:
    source = extract("raw/a.md", b"one\ncaf\xe9 two\n")
    assert (source.problem, source.text) == ("invalid_utf8", "one\ncaf\ufffd two\n")
    assert source.message == "byte 0xe9 on line 2 is not UTF-8"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_decoded_and_told(encoding: str) -> None:
    mark = b"" if encoding == "utf-16" else "\ufeff".encode(encoding)
    for data in (mark + "a lake\n湖".encode(encoding), "a lake without a mark".encode(encoding)):
        source = extract("raw/a.txt", data)
        assert source.problem == "utf16"
        assert source.text.startswith("a lake")


def test_text_is_left_as_it_is_but_for_the_mark() -> None:
    source = extract("raw/a.md", b"\xef\xbb\xbf# A\r\n  \xc3\xa9 **b**  \r\n")
    assert (source.text, source.problem, source.page_starts) == ("# A\r\n  é **b**  \r\n", "", ())
    assert (source.extractor, source.version) == ("text", "1")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"<p>caf\xc3\xa9</p>", "café"),
        (b"<meta charset=windows-1252><p>caf\xe9 \x93q\x94</p>", "café “q”"),
        (b"<meta charset='iso-8859-1'><p>\x93q\x94</p>", "“q”"),
        (b"<meta http-equiv=content-type content='text/html; charset=Shift_JIS'><p>\x8c\xce</p>", "湖"),
        (b"<meta charset=utf-16><p>caf\xc3\xa9</p>", "café"),
        (b"<meta charset=no-such-thing><p>caf\xc3\xa9</p>", "café"),
        (b"<meta charset=rot13><p>abc</p>", "abc"),
    ],
)
def test_html_is_decoded_as_it_declares(data: bytes, text: str) -> None:
    assert extract("raw/a.html", data).text == text


def test_a_pdf_is_read_page_by_page() -> None:
    source = extract("raw/a.PDF", two_pages())
    assert source.text == "first page\fsecond page"
    assert source.page_starts == (0, 11)
    assert [page_of(source, offset) for offset in (0, 10, 11)] == [1, 1, 2]


@pytest.mark.parametrize(
    ("path", "head", "name"),
    [
        ("raw/a.md", b"# A", "text"),
        ("raw/a.md", b"<html>", "text"),
        ("raw/pdf", b"text", "text"),
        ("raw/a.htm", b"", "html"),
        ("raw/page", b"\n<!DOCTYPE html><p>", "html"),
        ("raw/a.pdf", b"", "pdf"),
        ("raw/paper", b"%PDF-1.7", "pdf"),
        ("raw/a.b/c", b"x", "text"),
    ],
)
def test_the_extractor_is_known_from_name_and_head(path: str, head: bytes, name: str) -> None:
    assert extractor_for(path, head)[0] == name


def test_asking_for_the_extractor_imports_no_library() -> None:
    code = (
        "import sys; from gitops.wiki.sources import extractor_for;"
        "print(extractor_for('a.pdf', b''), extractor_for('a.html', b''));"
        "print(sorted({'pypdfium2', 'selectolax', 'rapidfuzz', 'pygit2', 'pydantic'} & set(sys.modules)))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)}
    )
    extractors, imported = shown.stdout.splitlines()
    assert "'pdf', '1+pypdfium2-" in extractors
    assert "'html', '1+selectolax-" in extractors
    assert imported == "[]"


@given(st.sampled_from(["a.md", "a.txt", "a.html", "a.pdf", "a"]), st.binary(max_size=200))
def test_no_bytes_make_it_raise(path: str, data: bytes) -> None:
    for content in (data, b"%PDF-1.4\n" + data, b"<meta charset=" + data, b"\xff\xfe" + data, LFS + data):
        source = extract(path, content)
        assert bool(source.problem) == bool(source.message)
        assert from_bytes(to_bytes(source)) == source


@pytest.mark.skipif(not WIKIS.is_dir(), reason="the real wikis are not here")
def test_the_real_sources_are_read_or_say_why() -> None:
    problems = {
        path.name: (source := extract(path.name, path.read_bytes())).problem or len(source.page_starts)
        for path in WIKIS.glob("*/raw/*.pdf")
    }
    assert problems == {
        "feature-article.pdf": 2,
        "figure-brief.pdf": 1,
        "preprint.pdf": 2,
        "scanned-notice.pdf": "no_text_layer",
        "canary-scanned.pdf": "no_text_layer",
    }
    for path in WIKIS.glob("*/raw/**/*.md"):
        assert extract(path.name, path.read_bytes()).problem == ""


@pytest.mark.parametrize(("path", "is_markdown"), [("raw/a.md", True), ("raw/A.MD", True), ("raw/a.txt", False)])
def test_markdown_is_known_by_its_name(path: str, is_markdown: bool) -> None:
    assert extract(path, b"Some *text*.").is_markdown is is_markdown
