from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki import links
from gitops.wiki.links import Resolution, resolve
from gitops.wiki.names import name_key, source_key


@dataclass(frozen=True)
class Tree:
    """The files of a repository, with the pages found by name."""

    held: tuple[str, ...]
    tagged: Mapping[str, str] = field(default_factory=dict)

    def files(self, key: str) -> Sequence[str]:
        return [path for path in self.held if source_key(path) == key]

    def named(self, key: str) -> Sequence[str]:
        tagged = [self.tagged[key]] if key in self.tagged else []
        return [path for path in self.held if path.endswith(".md") and name_key(path) == key] + tagged

    def exists(self, path: str) -> bool:
        return any(file == path or file.startswith(path + "/") for file in self.held)


TREE = Tree(
    (
        "kb/raw/a.pdf",
        "kb/wiki/index.md",
        "kb/wiki/Coffee.md",
        "kb/wiki/a/topic.md",
        "kb/wiki/b/topic.md",
        "kb/wiki/b/deep/topic.md",
        "kb/wiki/a/twin.md",
        "kb/wiki/b/twin.md",
        "kb/wiki/a/only.md",
        "kb/wiki/img/x.png",
        "kb/wiki/u\u0308ber.md",
        "kb/wiki/folder/index.md",
        "kb/wiki/coffee-guide.md",
        "kb/wiki/titled.md",
        "kb/wiki/both/both.md",
        "kb/wiki/both.md",
        "kb/wiki/ns/inner.md",
        "kb/wiki/\uff21\uff22.md",
        "kb/bundle/tables/x.md",
        "kb/raw/deep/issue-3644.md",
        "attic/pictures/plan.png",
        "README.md",
    ),
    {
        "title:ci/cd": "kb/wiki/titled.md",
        "alias:coffee": "kb/wiki/titled.md",
        "alias:the pipeline": "kb/wiki/titled.md",
        "heading:at last": "kb/wiki/titled.md",
        "folder:folder": "kb/wiki/folder/index.md",
    },
)


def to(kind: str, target: str, page: str = "kb/wiki/index.md") -> Resolution:
    return resolve(kind, target, page, TREE, "kb/wiki", "kb")


@pytest.mark.parametrize("target", ["../../../x", "../../../../README.md", "/../../x"])
@pytest.mark.parametrize("kind", ["markdown", "image", "wiki", "embed"])
def test_a_path_out_of_the_repository_escapes(kind: str, target: str) -> None:
    assert to(kind, target).status == "escapes"


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        ("markdown", "missing.md"),
        ("markdown", "coffee.md"),
        ("markdown", "/index"),
        ("wiki", "missing"),
        ("wiki", "../b/missing"),
        ("wiki", "opic"),
        ("embed", "img/y.png"),
        ("embed", "y.png"),
        ("markdown", "plan.png"),
        ("markdown", "topic.html"),
        ("markdown", "/tables/y.md"),
        ("wiki", "The Pipe"),
        ("wiki", "A: inner"),
        ("wiki", "plan"),
    ],
)
def test_what_is_not_there_is_broken(kind: str, target: str) -> None:
    expected = "ok" if target == "/index" else "broken"
    assert to(kind, target).status == expected


def test_of_several_pages_none_nearer_than_another_the_name_is_ambiguous() -> None:
    assert to("wiki", "twin") == Resolution("ambiguous", ("kb/wiki/a/twin.md", "kb/wiki/b/twin.md"))


@pytest.mark.parametrize(
    ("kind", "target", "page", "path"),
    [
        ("markdown", "", "kb/wiki/index.md", "kb/wiki/index.md"),
        ("markdown", "a/topic.md", "kb/wiki/index.md", "kb/wiki/a/topic.md"),
        ("markdown", "a/topic", "kb/wiki/index.md", "kb/wiki/a/topic.md"),
        ("markdown", "../Coffee.md", "kb/wiki/a/topic.md", "kb/wiki/Coffee.md"),
        ("markdown", "../../README.md", "kb/wiki/index.md", "README.md"),
        ("markdown", "/raw/a.pdf", "kb/wiki/a/topic.md", "kb/raw/a.pdf"),
        ("markdown", "/Coffee.md", "kb/wiki/a/topic.md", "kb/wiki/Coffee.md"),
        ("markdown", "a/", "kb/wiki/index.md", "kb/wiki/a"),
        ("markdown", "../..", "kb/wiki/index.md", ""),
        ("image", "img/x.png", "kb/wiki/index.md", "kb/wiki/img/x.png"),
        ("markdown", "\u00fcber.md", "kb/wiki/index.md", "kb/wiki/u\u0308ber.md"),
        ("wiki", "coffee", "kb/wiki/a/topic.md", "kb/wiki/Coffee.md"),
        ("wiki", "COFFEE.md", "kb/wiki/a/topic.md", "kb/wiki/Coffee.md"),
        ("wiki", "\u00dcber", "kb/wiki/a/topic.md", "kb/wiki/u\u0308ber.md"),
        ("wiki", "A/Topic", "kb/wiki/b/topic.md", "kb/wiki/a/topic.md"),
        ("wiki", "b/topic", "kb/wiki/a/topic.md", "kb/wiki/b/topic.md"),
        ("wiki", "deep/topic", "kb/wiki/index.md", "kb/wiki/b/deep/topic.md"),
        ("wiki", "topic", "kb/wiki/a/only.md", "kb/wiki/a/topic.md"),
        ("wiki", "twin", "kb/wiki/b/topic.md", "kb/wiki/b/twin.md"),
        ("wiki", "../a/only", "kb/wiki/b/topic.md", "kb/wiki/a/only.md"),
        ("wiki", "raw/a.pdf", "kb/wiki/index.md", "kb/raw/a.pdf"),
        ("embed", "img/x.png", "kb/wiki/a/topic.md", "kb/wiki/img/x.png"),
        ("wiki", "moved/since/only", "kb/wiki/index.md", "kb/wiki/a/only.md"),
        ("wiki", "../moved/only", "kb/wiki/b/topic.md", "kb/wiki/a/only.md"),
        ("wiki", "/a/only", "kb/wiki/b/topic.md", "kb/wiki/a/only.md"),
        ("wiki", "CI/CD", "kb/wiki/index.md", "kb/wiki/titled.md"),
        ("wiki", "The-Pipeline", "kb/wiki/index.md", "kb/wiki/titled.md"),
        ("wiki", "at last", "kb/wiki/index.md", "kb/wiki/titled.md"),
        ("wiki", "Coffee", "kb/wiki/index.md", "kb/wiki/Coffee.md"),
        ("wiki", "coffee guide", "kb/wiki/index.md", "kb/wiki/coffee-guide.md"),
        ("wiki", "Coffee_Guide", "kb/wiki/index.md", "kb/wiki/coffee-guide.md"),
        ("wiki", "ns:inner", "kb/wiki/index.md", "kb/wiki/ns/inner.md"),
        ("wiki", "other:inner", "kb/wiki/index.md", "kb/wiki/ns/inner.md"),
        ("wiki", "ab", "kb/wiki/index.md", "kb/wiki/\uff21\uff22.md"),
        ("wiki", "both", "kb/wiki/index.md", "kb/wiki/both.md"),
        ("wiki", "kb/wiki/both", "kb/wiki/index.md", "kb/wiki/both.md"),
        ("wiki", "folder", "kb/wiki/index.md", "kb/wiki/folder/index.md"),
        ("wiki", "issue-3644", "kb/wiki/index.md", "kb/raw/deep/issue-3644.md"),
        ("wiki", "raw/deep/issue-3644", "kb/wiki/index.md", "kb/raw/deep/issue-3644.md"),
        ("wiki", "x.png", "kb/wiki/index.md", "kb/wiki/img/x.png"),
        ("embed", "plan.png", "kb/wiki/a/topic.md", "attic/pictures/plan.png"),
        ("embed", "pictures/plan.png", "kb/wiki/a/topic.md", "attic/pictures/plan.png"),
        ("markdown", "folder/", "kb/wiki/index.md", "kb/wiki/folder/index.md"),
        ("markdown", "../folder", "kb/wiki/a/topic.md", "kb/wiki/folder/index.md"),
        ("markdown", "/tables/x.md", "kb/bundle/a/b/page.md", "kb/bundle/tables/x.md"),
        ("markdown", "/README.md", "kb/wiki/a/topic.md", "README.md"),
        ("markdown", "a/topic.html", "kb/wiki/index.md", "kb/wiki/a/topic.md"),
        ("markdown", "../raw/a.pdf:12", "kb/wiki/index.md", "kb/raw/a.pdf"),
    ],
)
def test_where_links_lead(kind: str, target: str, page: str, path: str) -> None:
    assert to(kind, target, page) == Resolution("ok", (path,))


def test_the_page_nearest_the_root_wins_where_it_is_alone() -> None:
    tree = Tree(("wiki/t.md", "wiki/a/t.md", "wiki/b/t.md"))
    assert resolve("wiki", "t", "wiki/c/x.md", tree, "wiki", "").paths == ("wiki/t.md",)


def test_the_page_that_shares_most_folders_wins_over_the_one_nearest_the_root() -> None:
    tree = Tree(("wiki/t.md", "wiki/en/x/t.md", "wiki/ko/x/t.md"))
    assert resolve("wiki", "t", "wiki/en/y/p.md", tree, "wiki", "").paths == ("wiki/en/x/t.md",)


def test_the_spelling_decides_at_last() -> None:
    tree = Tree(("wiki/a/Rust.md", "wiki/b/rust.md"))
    assert resolve("wiki", "Rust", "wiki/p.md", tree, "wiki", "").paths == ("wiki/a/Rust.md",)
    assert resolve("wiki", "RUST", "wiki/p.md", tree, "wiki", "").status == "ambiguous"


@pytest.mark.parametrize(
    "name", ["a/B c.md", "B c", "b C.MD", "B c/", " B c ", "b-c", "B_c.markdown", "ns:B c", "\uff22 c"]
)
def test_a_name_key_is_the_folded_last_segment(name: str) -> None:
    assert name_key(name) == "b c"


@given(st.text(max_size=12))
def test_a_name_key_is_the_same_for_every_unicode_form(name: str) -> None:
    assert name_key(unicodedata.normalize("NFD", name)) == name_key(unicodedata.normalize("NFC", name))


@given(
    st.sampled_from(["wiki", "embed", "markdown", "image"]), st.text(st.sampled_from("ab./ \\#%é[]|\0"), max_size=12)
)
def test_no_target_raises_and_what_is_ok_is_inside(kind: str, target: str) -> None:
    found = to(kind, target, "kb/wiki/a/topic.md")
    assert all(not path.startswith(("../", "/")) for path in found.paths)


_FOLDERS = st.sampled_from(["a", "wiki", "x.y", ".h"])
_SEGMENTS = st.sampled_from(["a", "b", "..", ".", "", "c.md", ".x", "d e", "..."])


@given(st.lists(_FOLDERS, max_size=3).map("/".join), st.lists(_SEGMENTS, min_size=1, max_size=5).map("/".join))
def test_paths_are_joined_and_normalised_as_posixpath_does(folder: str, target: str) -> None:
    inner = target.lstrip("/")
    assert links._joined(folder, inner) == posixpath.normpath(posixpath.join(folder, inner))
