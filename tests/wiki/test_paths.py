from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.wiki.paths import collision_key, is_dotfile, objections, safe, within


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "is empty"),
        ("/etc/passwd", "is absolute"),
        ("C:/x.md", "drive letter"),
        ("c:x.md", "drive letter"),
        ("wiki\\a.md", "backslash"),
        ("a//b", "empty segment"),
        ("a/", "empty segment"),
        ("..", "leads elsewhere"),
        ("wiki/../raw/a.md", "leads elsewhere"),
        ("./a.md", "leads elsewhere"),
        ("wiki/.. /a", "leads elsewhere"),
        ("wiki/.\u200c./a", "leads elsewhere"),
        ("a\0b", "U+0000"),
        ("a\nb", "U+000A"),
        ("a\x7fb", "U+007F"),
        ("a\u2028b", "U+2028"),
        ("a\udc80b", "not UTF-8"),
    ],
)
def test_a_path_that_leads_out_or_hides_something_is_refused(path: str, reason: str) -> None:
    assert reason in (objections(path) or "")
    with pytest.raises(UsageError, match="path ") as told:
        safe(path)
    assert told.value.hint


@pytest.mark.parametrize(
    "segment",
    [
        ".git",
        ".GIT",
        ".gIt",
        ".g\u200cit",
        "\ufeff.git",
        ".gi\u202et",
        "git~1",
        "GIT~1",
        ".git.",
        ".git ",
        ".git . .",
        "git~1.",
        ".git:stream",
        ".git::$INDEX_ALLOCATION",
        ".git...:x",
    ],
)
@pytest.mark.parametrize("form", ["{}", "{}/config", "wiki/{}", "a/{}/b"])
def test_every_spelling_of_dot_git_is_refused_in_every_segment(segment: str, form: str) -> None:
    assert "'.git'" in (objections(form.format(segment)) or "")


@pytest.mark.parametrize(
    "path",
    [
        "raw/a.md",
        ".gitignore",
        ".github/workflows/ci.yml",
        "a.git/b",
        "git~2",
        "agit~1",
        "wiki/gît.md",
        "raw/a b, c; d.md",
        "raw/报告.pdf",
        "wiki/a: b.md",
        "a/...b",
        "raw/می\u200cخواهم.md",
    ],
)
def test_an_ordinary_path_passes_unchanged(path: str) -> None:
    assert safe(path) == unicodedata.normalize("NFC", path) == path


def test_a_decomposed_path_is_composed() -> None:
    assert safe("wiki/cafe\u0301.md") == "wiki/caf\u00e9.md"


@given(st.text(max_size=40))
def test_what_passes_stays_inside_and_passes_again(path: str) -> None:
    if objections(path) is None:
        again = safe(path)
        assert safe(again) == again
        assert not again.startswith("/")
        assert ".." not in again.split("/")
        assert ".git" not in [segment.casefold() for segment in again.split("/")]


def test_paths_collide_by_case_and_composition() -> None:
    assert collision_key("wiki/Straße.md") == collision_key("wiki/STRASSE.md")
    assert collision_key("wiki/cafe\u0301.md") == collision_key("wiki/CAF\u00c9.md")
    assert collision_key("wiki/a.md. /b") == collision_key("wiki/a.md/b")
    assert collision_key("wiki/a.md") != collision_key("wiki/b.md")


def test_within_is_strict_and_goes_by_segments() -> None:
    assert within("wiki/a.md", "wiki")
    assert within("wiki/a.md", "wiki/")
    assert within("a.md", "")
    assert not within("wiki2/a.md", "wiki")
    assert not within("wiki", "wiki")


def test_a_hidden_file_or_folder_is_a_dotfile() -> None:
    assert is_dotfile(".obsidian/app.json")
    assert is_dotfile("wiki/.hidden.md")
    assert not is_dotfile("wiki/a.b.md")


def test_a_name_longer_than_file_systems_take_is_refused() -> None:
    assert "255 bytes" in (objections("wiki/" + "語" * 84 + ".mdx") or "")
    assert objections("wiki/" + "語" * 84 + ".md") is None
