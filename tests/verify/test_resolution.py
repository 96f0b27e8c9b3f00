from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.config import parse
from gitops.errors import Absent
from gitops.verify.resolution import Resolved, resolve
from gitops.verify.view import Library, View
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout
from gitops.wiki.model import Cite, How, Place
from gitops.wiki.names import Files
from gitops.wiki.snapshot import SUBMODULE, SYMLINK, MemorySnapshot

NOWHERE = Place(0, 0, 1, 1, 1)
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


class Tree(MemorySnapshot):
    __slots__ = ()

    def read(self, path: str) -> bytes:
        data = super().read(path)
        if data == b"\0absent":
            raise Absent(path)
        return data


def view(files: Mapping[str, str], modes: Mapping[str, int] | None = None, toml: str = "", root: str = "") -> View:
    config = parse(toml.encode())
    tree = Tree({path: text.encode() for path, text in files.items()}, modes or {})
    layout, library = Layout(root, config.workspace), Library(config)
    there = [path for path in tree.files if layout.is_page(path) and tree.files[path] != b"\0absent"]
    rows = {path: facts(library.page(tree, path), path, layout) for path in there}
    graph = MemoryGraph(rows, lambda path: tree.mode(path) is not None, Files(tree.paths))
    return View(tree, layout, config, library, graph)


def asked(files: Mapping[str, str], path: str, how: How = "loose", page: str = "wiki/p.md", **more: object) -> Resolved:
    return resolve(view(files, **more), page, Cite("test", path, NOWHERE, how=how))  # type: ignore[arg-type]


WIKI = {
    "raw/a.md": "A.",
    "raw/2026/1.27.md": "Then.",
    "raw/papers/deep.pdf": "%PDF",
    "raw/x y.md": "Spaced.",
    "raw/caf\u00e9.md": "Coffee.",
    "raw/\uff21\uff22.md": "Wide.",
    "raw/one/twin.md": "1",
    "raw/two/twin.md": "2",
    "wiki/index.md": "Home.",
    "wiki/p.md": "Words.",
    "wiki/sources/a-page.md": "---\ntitle: The A Page\naliases: [Ay]\n---\n\nSee [it](../../raw/a.md).\n",
    "wiki/sources/empty.md": "Nothing.",
    "wiki/sources/hop.md": "See [[a-page]].",
    "docs/notes.md": "Notes.",
    "gold/queries.yaml": "x: 1",
    "assay.toml": "",
}


@pytest.mark.parametrize("path", ["raw/gone.md", "../raw/gone.md", "gone.md", "2026/gone.md", "raw/papers/gone.pdf"])
@pytest.mark.parametrize("how", ["loose", "link", "wiki"])
def test_a_file_that_should_be_there_is_missing(how: How, path: str) -> None:
    assert asked(WIKI, path, how).status == "missing"


@pytest.mark.parametrize("path", ["source-gone", "sources/gone", "raw/gone"])
def test_a_wiki_link_to_a_source_page_that_is_not_there_is_missing(path: str) -> None:
    assert asked(WIKI, path, "wiki").status == "missing"


def test_a_wrong_case_is_missing_where_the_suffix_is_written_and_its_mend_names_the_file() -> None:
    found = asked(WIKI, "raw/A.md")
    assert (found.status, found.repair() if callable(found.repair) else "") == ("missing", "cite raw/a.md")
    assert asked(WIKI, "A").paths == ("raw/a.md",)


@pytest.mark.parametrize(
    "token",
    [
        "arXiv:2402.1", "doi:10.1000/182", "https://example.org/raw/a.md", "knowledge", "closed-issues", "N/A", "n/a",
        "~no local pdf~", "TBA", "TCP/IP", "and/or", "karpathy/nanoGPT", "Node.js", "learnprompting.org", "karpathy.ai",
        "Vaswani et al. (2017), Attention Is All You Need. In: Proc. NIPS/NeurIPS", "Smith, J. v1.2",
        "~/Downloads/a.pdf",
        "/Users/me/Downloads/a.pdf", "../../../outside.md", "raw/<file>", "raw/*.md", "raw/{slug}.md", "raw/...", "...",
        "", " ", "..", "/", "C:\\notes\\a.md", "pdfs/gone.pdf", "gone.epub", "raw/scans/gone.tif",
    ],
)  # fmt: skip
def test_what_names_no_file_that_should_be_here_is_unresolvable(token: str) -> None:
    found = asked(WIKI, token)
    assert found.status == "unresolvable"
    assert found.message


def test_nothing_is_missing_from_a_raw_folder_that_is_not_here() -> None:
    files = {"wiki/p.md": "Words."}
    assert {asked(files, path, how).status for path in ("raw/a.md", "a.pdf") for how in ("loose", "link", "wiki")} == {
        "unresolvable"
    }


def test_a_name_is_missing_from_the_source_pages_also_where_there_is_no_raw_folder() -> None:
    files = {"wiki/p.md": "Words.", "wiki/sources/talk.md": "Words."}
    assert asked(files, "talks", "wiki").status == "missing"
    assert asked(files, "talks", "loose").status == "unresolvable"


def test_a_bare_name_like_those_of_the_source_pages_is_missing_and_any_other_is_a_token() -> None:
    files = {"wiki/p.md": "Words.", "wiki/src-talk.md": "Words.", "raw/a.md": "A."}
    toml = '[citations]\nsource_pages = ["src-*"]\n'
    assert asked(files, "src-talks", toml=toml).status == "missing"
    assert asked(files, "talks", toml=toml).status == "unresolvable"
    assert asked(files, "src-talks").status == "unresolvable"


def test_a_slip_in_the_folder_of_a_file_that_is_here_is_missing() -> None:
    assert asked(WIKI, "rwa/a.md").status == "missing"


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("raw/a.md", "raw/a.md"),
        ("../raw/a.md", "raw/a.md"),
        ("./raw/a", "raw/a.md"),
        ("/raw/a.md", "raw/a.md"),
        ("a.md", "raw/a.md"),
        ("a", "raw/a.md"),
        ("2026/1.27.md", "raw/2026/1.27.md"),
        ("1.27.md", "raw/2026/1.27.md"),
        ("1.27", "raw/2026/1.27.md"),
        ("deep", "raw/papers/deep.pdf"),
        ("papers/deep", "raw/papers/deep.pdf"),
        ("raw/x%20y.md", "raw/x y.md"),
        ("x y", "raw/x y.md"),
        ("raw\\a.md", "raw/a.md"),
        ("raw/cafe\u0301.md", "raw/caf\u00e9.md"),
        ("CAFE\u0301", "raw/caf\u00e9.md"),
        ("AB.md", "raw/\uff21\uff22.md"),
        ("docs/notes.md", "docs/notes.md"),
        ("../docs/notes.md", "docs/notes.md"),
    ],
)
def test_a_path_is_tried_from_wherever_it_may_have_been_written(path: str, file: str) -> None:
    assert asked(WIKI, path) == Resolved("ok", (file,))


def test_a_name_that_several_sources_have_is_ambiguous_and_they_are_named() -> None:
    found = asked(WIKI, "twin.md")
    assert found.status == "ambiguous"
    assert "raw/one/twin.md or raw/two/twin.md" in found.message


def test_of_one_source_in_two_formats_the_text_is_meant() -> None:
    assert asked({"raw/t/a.md": "x", "raw/t/a.pdf": "y", "wiki/p.md": ""}, "a").paths == ("raw/t/a.md",)


def test_of_two_pages_of_one_name_a_citation_means_the_one_of_the_source() -> None:
    page, source = "wiki/concepts/mill.md", "wiki/sources/books/mill.md"
    files = {"raw/a.md": "A.", page: "Words.", source: "[it](../../../raw/a.md)", "wiki/concepts/p.md": ""}
    assert asked(files, "mill", "wiki", page="wiki/concepts/p.md").via == source
    assert asked(files, "concepts/mill", "wiki", page="wiki/concepts/p.md").via == page
    assert asked(files, "mill", "wiki", page=source).via == page


def test_a_bare_word_may_be_the_slug_of_a_sources_name() -> None:
    source, word = "raw/Mills and Weirs_2019.md", "mills-and-weirs-2019"
    files = {source: "Words.", "wiki/p.md": ""}
    assert asked(files, word).paths == (source,)
    assert asked(files, f"{word}.md").status == "missing"
    assert asked(files, "mills-and-weirs").status == "unresolvable"


def test_a_page_that_names_itself_stands_for_the_source_of_that_name() -> None:
    source, word = "raw/Mills and Weirs.md", "mills-and-weirs"
    files = {source: "Words.", f"wiki/x/{word}.md": "[[p]]", "wiki/p.md": "", f"wiki/y/{word}.md": "[[p]]"}
    assert asked(files, word, page=f"wiki/x/{word}.md").paths == (source,)
    files = {source: "Words.", "wiki/p.md": "", f"wiki/{word}.md": f"[it](<../{source}>)"}
    assert asked(files, word).via == f"wiki/{word}.md"


def test_a_link_is_read_from_its_page_first() -> None:
    files = {"raw/a.md": "far", "wiki/raw/a.md": "near", "wiki/p.md": "x", "wiki/d/q.md": "x"}
    assert asked(files, "../../raw/a.md", "link", "wiki/d/q.md").paths == ("raw/a.md",)
    toml = '[workspace]\nraw = "wiki/raw"\n'
    assert asked(files, "raw/a.md", "link", toml=toml).paths == ("wiki/raw/a.md",)
    assert asked(files, "../raw/a.md", "link", "wiki/d/q.md", toml=toml).paths == ("wiki/raw/a.md",)


@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("sources/a-page.md", "loose"),
        ("a-page", "wiki"),
        ("A Page", "wiki"),
        ("The A Page", "wiki"),
        ("ay", "wiki"),
        ("sources/a-page", "wiki"),
        ("sources/a-page.md", "link"),
        ("The A Page", "loose"),
    ],
)
def test_a_source_page_is_followed_one_hop(path: str, how: How) -> None:
    assert asked(WIKI, path, how) == Resolved("ok", ("raw/a.md",), via="wiki/sources/a-page.md")


def test_one_hop_only() -> None:
    found = asked(WIKI, "sources/hop.md")
    assert (found.status, found.via) == ("unresolvable", "wiki/sources/hop.md")
    assert "names no file under raw/" in found.message


def test_two_pages_that_cite_each_other_end() -> None:
    pages = {"wiki/a.md": "---\nsource: b.md\n---\nx", "wiki/b.md": "---\nsource: a.md\n---\nx", "raw/x.md": "x"}
    toml = '[citations]\ndialects = ["frontmatter"]\n'
    assert asked(pages, "b.md", page="wiki/a.md", toml=toml).status == "unresolvable"


def test_a_page_that_names_itself_is_no_source_of_its_own() -> None:
    assert "this page itself" in asked(WIKI, "sources/a-page", "wiki", "wiki/sources/a-page.md").message
    named = {"raw/talk.md": "x", "wiki/sources/talk.md": "x"}
    assert asked(named, "talk", "wiki", "wiki/sources/talk.md").paths == ("raw/talk.md",)
    assert asked(named, "talk.md", page="wiki/sources/talk.md").paths == ("raw/talk.md",)


def test_a_source_page_whose_own_source_is_gone_leaves_its_citations_unresolvable() -> None:
    files = {"raw/a.md": "x", "wiki/sources/s.md": "---\nsource_file: raw/gone.md\n---\nx", "wiki/p.md": "x"}
    found = asked(files, "s", "wiki", toml='[citations]\ndialects = ["frontmatter"]\n')
    assert (found.status, found.via) == ("unresolvable", "wiki/sources/s.md")
    assert "raw/gone.md is not there" in found.message


def test_a_source_page_may_stand_for_several_files() -> None:
    text = "---\nraw_paths: [raw/a.md, raw/b.md]\n---\nx"
    files = {"raw/a.md": "x", "raw/b.md": "x", "wiki/sources/s.md": text, "wiki/p.md": "x"}
    found = asked(files, "s", "wiki", toml='[citations]\ndialects = ["frontmatter"]\n')
    assert found.paths == ("raw/a.md", "raw/b.md")


def test_sources_may_be_the_raw_folder() -> None:
    files = {"sources/a.md": "x", "wiki/p.md": "x"}
    assert asked(files, "sources/a.md", toml='[workspace]\nraw = "sources"\n') == Resolved("ok", ("sources/a.md",))


@pytest.mark.parametrize("path", ["gold/queries.yaml", "assay.toml"])
def test_what_judges_the_wiki_is_no_source_of_it(path: str) -> None:
    assert asked(WIKI, path).status == "not_a_source"


@pytest.mark.parametrize(
    ("mode", "data", "told"),
    [
        (SUBMODULE, "", "submodule"),
        (SYMLINK, "../.git/annex/objects/Xx/SHA256E-s1--a", "git-annex"),
        (SYMLINK, "a.md", "symbolic link"),
        (0o100644, LFS, "Git LFS"),
        (0o100644, "/annex/objects/SHA256E-s1--a.pdf\n", "git-annex"),
        (0o100644, "\0absent", "does not hold"),
    ],
)
def test_what_is_there_and_cannot_be_read_is_unresolvable(mode: int, data: str, told: str) -> None:
    found = asked({"raw/a.md": "x", "raw/big.pdf": data, "wiki/p.md": "x"}, "raw/big.pdf", modes={"raw/big.pdf": mode})
    assert found.status == "unresolvable"
    assert told in found.message


@pytest.mark.parametrize(("mode", "told"), [(SUBMODULE, "submodule"), (SYMLINK, "symbolic link")])
def test_what_lies_behind_is_unresolvable(mode: int, told: str) -> None:
    files = {"raw/a.md": "x", "raw/mod": "x", "wiki/p.md": "x"}
    for path in ("raw/mod/keps/x.md", "mod/x.md"):
        found = asked(files, path, modes={"raw/mod": mode})
        assert (found.status, told in found.message) == ("unresolvable", True)


def test_a_folder_is_there_and_names_no_file() -> None:
    assert asked(WIKI, "raw/papers/").status == "unresolvable"


def test_a_workspace_in_a_folder_looks_at_home_first() -> None:
    files = {"kb/raw/a.md": "home", "raw/a.md": "top", "kb/wiki/p.md": "x"}
    assert asked(files, "raw/a.md", page="kb/wiki/p.md", root="kb").paths == ("kb/raw/a.md",)


TARGETS = st.text(st.one_of(st.sampled_from("ab./ \\#%:é[]|\0~\ud800"), st.characters()), max_size=16)


@given(TARGETS, st.sampled_from(["exact", "loose", "link", "wiki"]))
def test_no_target_raises_and_what_is_ok_is_a_file(path: str, how: How) -> None:
    found = asked(WIKI, path, how)
    assert all(one in WIKI for one in found.paths)
    assert (found.status == "ok") == bool(found.paths)


@given(
    st.text(st.sampled_from("a\u00e9\u00fc\uac00\u304c. "), min_size=1, max_size=8),
    st.sampled_from(["loose", "link", "wiki"]),
)
def test_either_unicode_form_resolves_alike(name: str, how: How) -> None:
    files = {f"raw/{unicodedata.normalize('NFD', name)}.md": "x", "raw/other.md": "x", "wiki/p.md": "x"}
    found = {asked(files, f"raw/{unicodedata.normalize(form, name)}.md", how).paths for form in ("NFC", "NFD")}
    assert len(found) == 1
