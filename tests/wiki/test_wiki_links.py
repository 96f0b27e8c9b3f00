from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.links import Resolution, name_key, resolve


@dataclass(frozen=True)
class Tree:
    """The files of a repository, with the pages found by name."""

    files: tuple[str, ...]

    def named(self, key: str) -> Sequence[str]:
        return [path for path in self.files if path.endswith(".md") and name_key(path) == key]

    def exists(self, path: str) -> bool:
        return any(file == path or file.startswith(path + "/") for file in self.files)


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
        "README.md",
    )
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
        ("wiki", "x.png"),
        ("wiki", "opic"),
        ("embed", "img/y.png"),
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
    ],
)
def test_where_links_lead(kind: str, target: str, page: str, path: str) -> None:
    assert to(kind, target, page) == Resolution("ok", (path,))


def test_the_page_nearest_the_root_wins_where_it_is_alone() -> None:
    tree = Tree(("wiki/t.md", "wiki/a/t.md", "wiki/b/t.md"))
    assert resolve("wiki", "t", "wiki/c/x.md", tree, "wiki", "").paths == ("wiki/t.md",)


@pytest.mark.parametrize("name", ["a/B c.md", "B c", "b C.MD", "B c/", " B c "])
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
