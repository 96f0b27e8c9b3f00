from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.wiki import dialects
from gitops.wiki.conventions import Conventions
from gitops.wiki.outline import NOTHING, Definition, Outline
from gitops.wiki.page import parse
from gitops.wiki.positions import Lines


def test_an_unknown_id_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no citation dialect 'cannonical'") as caught:
        dialects.named(("cannonical",))
    assert caught.value.hint == "did you mean 'canonical'?"


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="twice"):
        dialects.named(("canonical", "canonical"))


def test_two_modules_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "canonical.py").write_text("")
    monkeypatch.setattr(dialects, "__path__", [*dialects.__path__, str(tmp_path)])
    with pytest.raises(RuntimeError, match="two dialects are called canonical"):
        dialects.ids.__wrapped__()


def test_every_module_of_the_package_is_a_dialect() -> None:
    page = Outline("", {}, (), (), Lines(""), Conventions(dialects.ids()))
    empty = Definition("n", "", 0, 0, 0, 0, False)
    for dialect in dialects.named(dialects.ids()):
        assert dialect.read(page) == NOTHING
        assert dialect.define(empty, page) is None


def test_every_dialect_is_explained() -> None:
    text = (Path(__file__).parents[3] / "docs/dialects.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (\w+)$", text, re.MULTILINE)
    assert [name for name in headings if name in dialects.ids()] == sorted(dialects.ids())


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='[](){}^`#:;,."“”|<>!$\\/-—* \n\tab1é源raw.md'))
def test_no_page_raises_with_every_dialect_and_every_place_is_on_it(text: str) -> None:
    page = parse(f"---\nsources: [raw/a.md]\n---\na[^n]\n\n[^n]: {text}".encode(), Conventions(dialects.ids()))
    cites = [*page.cites, *(cite for claim in page.claims for cite in claim.cites)]
    for place in (*(cite.place for cite in cites), *(problem.place for problem in page.problems)):
        assert 0 <= place.start <= place.end <= len(page.text)


def test_a_source_that_two_dialects_read_off_one_place_is_cited_once() -> None:
    text = (
        "---\nsources: [{id: a, resource: raw/a.md}]\n---\nWords [1].\n\n## Sources\n1. [B](../raw/b.md)\n2. raw/c.md\n"
    )
    page = parse(text.encode(), Conventions(("okf", "frontmatter", "numbered", "source_list")))
    assert [cite.path for claim in page.claims for cite in claim.cites] == ["../raw/b.md"]
    assert sorted(cite.path for cite in page.cites) == ["raw/a.md", "raw/c.md"]


def test_the_canonical_footnote_is_there() -> None:
    assert "canonical" in dialects.ids()
