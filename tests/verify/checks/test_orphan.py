from __future__ import annotations

from collections.abc import Callable

from gitops.verify.finding import Finding

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]


def test_a_linked_page_the_index_and_the_log_say_nothing(results: Results) -> None:
    files = {"wiki/index.md": "[[a]]\n", "wiki/a.md": "Words.\n", "wiki/log.md": "# Log\n"}
    assert results("orphan", {}, files) == []


def test_an_orphan_is_told_how_to_be_linked(said_by: SaidBy) -> None:
    [found] = said_by("orphan", {"wiki/index.md": "Home.\n"}, {"wiki/topics/the mill.md": "Words.\n"})
    assert (found.result, found.level, found.line) == ("orphan", "error", 1)
    assert found.repair == "link to it from wiki/index.md: [the mill](<topics/the mill.md>)"


def test_a_link_to_itself_or_from_the_log_does_not_count(results: Results) -> None:
    files = {"wiki/index.md": "Home.\n", "wiki/log.md": "[[a]]\n", "wiki/a.md": "[[a]]\n"}
    assert [one[0] for one in results("orphan", {}, files)] == ["orphan"]


def test_a_ring_that_nothing_reaches_is_an_island(results: Results) -> None:
    files = {"wiki/index.md": "Home.\n", "wiki/a.md": "[[b]]\n", "wiki/b.md": "[[a]]\n"}
    told = results("orphan", {}, files)
    assert told == [("island", "note", "wiki/a.md", 1, True), ("island", "note", "wiki/b.md", 1, True)]


def test_a_page_loses_its_last_link_because_another_page_is_rewritten(results: Results) -> None:
    before = {"wiki/index.md": "[[a]]\n", "wiki/a.md": "[[b]]\n", "wiki/b.md": "Words.\n"}
    told = results("orphan", before, {"wiki/a.md": "No link any more.\n"})
    assert told == [("orphan", "error", "wiki/b.md", 1, True)]


def test_a_page_loses_its_last_link_because_a_page_is_deleted(results: Results) -> None:
    before = {"wiki/index.md": "[[a]]\n", "wiki/a.md": "[[b]]\n", "wiki/b.md": "Words.\n"}
    assert [one[2] for one in results("orphan", before, {"wiki/a.md": None})] == ["wiki/b.md"]


def test_a_page_loses_its_last_link_to_a_new_page_of_the_same_name(results: Results) -> None:
    before = {"wiki/index.md": "[[auth]]\n", "wiki/deep/auth.md": "Words.\n"}
    told = results("orphan", before, {"wiki/auth.md": "Nearer the root.\n"})
    assert told == [("orphan", "error", "wiki/deep/auth.md", 1, True)]


def test_an_old_orphan_does_not_gate(results: Results) -> None:
    before = {"wiki/index.md": "Home.\n", "wiki/a.md": "Words.\n"}
    assert [one[4] for one in results("orphan", before, {"wiki/a.md": "Other words.\n"})] == [False]
