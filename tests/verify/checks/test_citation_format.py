from __future__ import annotations

from collections.abc import Callable

from gitops.verify.finding import Finding

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

GOOD = 'A claim.[^1]\n\n[^1]: raw/a.md, "the words"\n'


def test_a_canonical_citation_says_nothing(results: Results) -> None:
    assert results("citation_format", {}, {"wiki/a.md": GOOD}) == []


def test_a_footnote_in_code_is_no_footnote(results: Results) -> None:
    assert results("citation_format", {}, {"wiki/a.md": "Write `[^1]` so:\n\n```\n[^1]: x\n```\n"}) == []


def test_unknown_form(said_by: SaidBy) -> None:
    [found] = said_by("citation_format", {}, {"wiki/a.md": "A claim.[^1]\n\n[^1]: see [the book](b.md)\n"})
    assert (found.result, found.level, found.line) == ("unknown_form", "error", 3)
    assert found.repair.startswith("[^1]: ")


def test_undefined(results: Results) -> None:
    told = results("citation_format", {}, {"wiki/a.md": "A claim.[^nobody]\n"})
    assert told == [("undefined", "error", "wiki/a.md", 1, True)]


def test_unused(results: Results) -> None:
    told = results("citation_format", {}, {"wiki/a.md": 'Words.\n\n[^1]: raw/a.md, "the words"\n'})
    assert told == [("unused", "error", "wiki/a.md", 3, True)]


def test_duplicate(results: Results) -> None:
    told = results("citation_format", {}, {"wiki/a.md": GOOD + '[^1]: raw/b.md, "other words"\n'})
    assert told == [("duplicate", "error", "wiki/a.md", 4, True)]


def test_hidden_in_html(results: Results) -> None:
    text = '<div>\nA claim.[^1]\n</div>\n\n[^1]: raw/a.md, "the words"\n'
    told = results("citation_format", {}, {"wiki/a.md": text})
    assert told == [("hidden_in_html", "error", "wiki/a.md", 2, True)]


def test_incomplete_keeps_what_is_there_in_the_repair(said_by: SaidBy) -> None:
    [found] = said_by("citation_format", {}, {"wiki/a.md": "A claim.[^1]\n\n[^1]: raw/a.pdf, p.3\n"})
    assert (found.result, found.level, found.line) == ("incomplete", "error", 3)
    assert found.message == "the citation of raw/a.pdf lacks a verbatim quote"
    assert found.repair == '[^1]: raw/a.pdf, p.3, "the words of the source that say so"'


def test_page_numbers_are_required_of_documents_that_have_pages(results: Results) -> None:
    toml = '[citations]\nrequire = ["quote", "page"]\n'
    assert results("citation_format", {}, {"wiki/a.md": GOOD}, toml=toml) == []
    told = results("citation_format", {}, {"wiki/a.md": GOOD.replace("a.md", "a.PDF")}, toml=toml)
    assert [one[0] for one in told] == ["incomplete"]


def test_a_sentence_that_newly_leans_on_an_unknown_form_gates(said_by: SaidBy) -> None:
    note = "[^1]: see the book, chapter two\n"
    before = {"wiki/a.md": f"Old claim.[^1]\n\n{note}"}
    after = {"wiki/a.md": f"Old claim.[^1]\n\nFresh invention.[^1]\n\n{note}"}
    found = said_by("citation_format", before, after)
    assert sorted((one.claim, one.result, one.new) for one in found) == [
        ("Fresh invention.[^1]", "unknown_form", True),
        ("Old claim.[^1]", "unknown_form", False),
    ]


def test_old_faults_are_not_new_when_lines_move(results: Results) -> None:
    told = results("citation_format", {"wiki/a.md": "A claim.[^x]\n"}, {"wiki/a.md": "# Title\n\nA claim.[^x]\n"})
    assert told == [("undefined", "error", "wiki/a.md", 3, False)]


def test_an_identical_second_fault_is_new(results: Results) -> None:
    told = results("citation_format", {"wiki/a.md": "One.[^x]\n"}, {"wiki/a.md": "One.[^x]\n\nTwo.[^x]\n"})
    assert [(one[0], one[4]) for one in told] == [("undefined", False), ("undefined", True)]
