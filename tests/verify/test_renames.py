from __future__ import annotations

from gitops.verify.renames import renames
from gitops.wiki.snapshot import REGULAR, Change, MemorySnapshot, Touched


def change(before: dict[str, str], after: dict[str, str]) -> Change:
    base = MemorySnapshot({path: text.encode() for path, text in before.items()})
    head = MemorySnapshot({path: text.encode() for path, text in after.items()})
    touched = []
    for path in sorted({*before, *after}):
        old, new = base.blob(path), head.blob(path)
        if old != new:
            touched.append(Touched(path, old, new, REGULAR if old else None, REGULAR if new else None))
    return Change(base, head, tuple(touched))


def moved(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    return renames(change(before, after), lambda path: path.startswith("wiki/"))


LINES = "one\ntwo\nthree\nfour\n"


def test_a_copy_is_no_rename() -> None:
    assert moved({"wiki/a.md": LINES}, {"wiki/a.md": LINES, "wiki/b.md": LINES}) == {}


def test_what_comes_from_outside_the_wiki_is_no_rename() -> None:
    assert moved({"notes/a.md": LINES}, {"wiki/a.md": LINES}) == {}


def test_a_page_moves_only_once() -> None:
    assert moved({"wiki/a.md": LINES}, {"wiki/b.md": LINES, "wiki/c.md": LINES}) == {"wiki/b.md": "wiki/a.md"}


def test_less_than_half_alike_is_another_page() -> None:
    assert moved({"wiki/a.md": LINES}, {"wiki/b.md": "one\nfive\nsix\nseven\n"}) == {}


def test_a_page_that_is_moved_and_edited_is_the_same_page() -> None:
    assert moved({"wiki/a.md": LINES}, {"wiki/b.md": LINES + "five\n"}) == {"wiki/b.md": "wiki/a.md"}


def test_the_most_alike_are_paired_first() -> None:
    before = {"wiki/a.md": LINES, "wiki/b.md": LINES + "five\n"}
    after = {"wiki/c.md": LINES + "five\nsix\n", "wiki/d.md": LINES + "x\n"}
    assert moved(before, after) == {"wiki/c.md": "wiki/b.md", "wiki/d.md": "wiki/a.md"}
