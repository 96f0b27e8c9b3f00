from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.accuracy import draw, labelled

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"


def test_every_form_gets_its_least_number_and_no_more_than_wanted_are_drawn(tmp_path: Path) -> None:
    page = tmp_path / "wiki" / "a.md"
    page.parent.mkdir()
    page.write_text("".join(f"See [[page {n}]], [x]({n}.md) and `raw/{n}.md`.\n" for n in range(90)))
    found = list(draw.references(tmp_path, page))
    drawn = draw.draw(found, 90, seed=1)
    assert len(drawn) == 90
    forms = [one.form for one in drawn]
    assert all(forms.count(form) >= draw.LEAST_PER_FORM for form in ("wikilink", "markdown_link", "code_span_raw"))


def test_the_halves_are_even_within_a_form(tmp_path: Path) -> None:
    page = tmp_path / "wiki" / "a.md"
    page.parent.mkdir()
    page.write_text("".join(f"See [[page {n}]].\n" for n in range(20)))
    sides = draw.halves(list(draw.references(tmp_path, page)), seed=1)
    assert sides.count("seen") == sides.count("unseen") == 10


@pytest.mark.skipif(not WIKIS.exists(), reason="the labelled wikis are not here")
@pytest.mark.slow
def test_what_was_labelled_is_what_is_drawn() -> None:
    found = [one for page in draw.pages(WIKIS) for one in draw.references(WIKIS, page)]
    drawn = {(one.wiki, one.path, one.line, one.column, one.form) for one in draw.draw(found, draw.WANTED, draw.SEED)}
    assert drawn == {(one.wiki, one.path, one.line, one.column, one.form) for one in labelled.labels()}


@pytest.mark.skipif(not WIKIS.exists(), reason="the labelled wikis are not here")
def test_every_label_and_defect_names_a_line_that_stands() -> None:
    assert all(labelled.is_same(WIKIS, one) for one in [*labelled.labels(), *labelled.defects()])
