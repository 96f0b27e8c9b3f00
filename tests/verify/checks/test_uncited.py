from __future__ import annotations

from collections.abc import Callable

Results = Callable[..., list[tuple[str, str, str, int, bool]]]

NOTE = '\n\n[^1]: raw/a.md, "the words"\n'


def test_cited_sentences_headings_and_link_lists_owe_nothing(results: Results) -> None:
    text = f"# Title\n\nOne.[^1] Two in the same paragraph.\n\nSee also:\n\n- [[b]]\n- [C](c.md)\n{NOTE}"
    assert results("uncited", {}, {"wiki/a.md": text}) == []


def test_the_index_the_log_and_exempt_pages_owe_nothing(results: Results) -> None:
    files = {"wiki/index.md": "Plain.\n", "wiki/log.md": "Plain.\n", "wiki/meta/about.md": "Plain.\n"}
    assert results("uncited", {}, files, toml='[pages]\nexempt = ["meta/*"]\n') == []


def test_a_new_uncited_sentence_warns(results: Results) -> None:
    told = results("uncited", {"wiki/a.md": f"One.[^1]{NOTE}"}, {"wiki/a.md": f"One.[^1]\n\nMade up.{NOTE}"})
    assert told == [("uncited", "warning", "wiki/a.md", 3, True)]


def test_a_sentence_that_loses_its_citation_is_new(results: Results) -> None:
    told = results("uncited", {"wiki/a.md": f"One.[^1]{NOTE}"}, {"wiki/a.md": "One.\n"})
    assert told == [("uncited", "warning", "wiki/a.md", 1, True)]


def test_what_stood_there_before_does_not_gate_even_on_a_renamed_page(results: Results) -> None:
    told = results("uncited", {"wiki/a.md": "Plain.\n"}, {"wiki/a.md": None, "wiki/b.md": "Plain.\n"})
    assert told == [("uncited", "warning", "wiki/b.md", 1, False)]


def test_a_page_that_is_moved_and_edited_keeps_its_old_debt(results: Results) -> None:
    old = "One line.\n\nAnother line.\n\nA third line.\n"
    told = results("uncited", {"wiki/x/a.md": old}, {"wiki/x/a.md": None, "wiki/y/a.md": old + "\nA fourth line.\n"})
    assert [(one[3], one[4]) for one in told] == [(1, False), (3, False), (5, False), (7, True)]


def test_a_page_that_comes_from_outside_the_wiki_is_all_new(results: Results) -> None:
    told = results("uncited", {"notes/a.md": "Plain.\n"}, {"notes/a.md": None, "wiki/a.md": "Plain.\n"})
    assert [one[4] for one in told] == [True]


def test_the_second_copy_of_a_moved_page_is_all_new(results: Results) -> None:
    change = {"wiki/a.md": None, "wiki/b.md": "Plain.\n", "wiki/c.md": "Plain.\n"}
    told = results("uncited", {"wiki/a.md": "Plain.\n"}, change)
    assert [(one[2], one[4]) for one in told] == [("wiki/b.md", False), ("wiki/c.md", True)]


def test_off_silences_and_error_raises(results: Results) -> None:
    change = {"wiki/a.md": "Plain.\n"}
    assert results("uncited", {}, change, toml='[checks.uncited]\nlevel = "off"\n') == []
    told = results("uncited", {}, change, toml='[checks.uncited.results]\nuncited = "error"\n')
    assert [one[1] for one in told] == ["error"]
