from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from gitops.evals.cascades import Cascade
from gitops.evals.recent_ingests import Week, week
from gitops.evals.subject import Subject
from gitops.runs.views import Bench
from tests.evals.milling import FILES, MILL, ingest
from tests.runs.driving import Wiki


@pytest.fixture
def mill(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(FILES))


def found(wiki: Wiki) -> Week:
    with Bench(wiki.context(), wiki.workspace(), wiki.git("rev-parse", "main")) as bench:
        return week(Subject(bench, wiki.now))


def only(wiki: Wiki) -> Cascade:
    [each] = found(wiki).made
    return each


@pytest.mark.slow
def test_index_log_exempt_pages_and_those_that_the_ingest_made_are_not_asked_for(mill: Wiki) -> None:
    ingest(mill, MILL, "raw/mill.md")
    asked = only(mill)
    assert set(asked.mentioning) == {"wiki/a.md", "wiki/b.md", "wiki/c.md", "wiki/d.md"}
    assert "wiki/new.md" in asked.touched.union(MILL) - set(asked.mentioning)


def test_a_page_that_only_came_to_mention_a_term_by_the_ingest_was_there_and_counts(mill: Wiki) -> None:
    ingest(mill, {"wiki/e.md": "Flour, ground by a turbine.\n"}, "raw/mill.md")
    assert (only(mill).mentioning["wiki/e.md"], only(mill).reached) == (("turbine",), ["wiki/e.md"])


@pytest.mark.slow
def test_a_page_that_an_ingest_removed_is_neither_missed_nor_reached(mill: Wiki) -> None:
    ingest(mill, {"wiki/d.md": None, "wiki/a.md": "The turbine turns.\n"}, "raw/mill.md")
    asked = only(mill)
    assert (asked.reached, asked.missed) == (["wiki/a.md"], ["wiki/b.md", "wiki/c.md"])


@pytest.mark.slow
def test_missed_pages_come_with_most_terms_first_and_idle_ones_are_the_ingests_own(mill: Wiki) -> None:
    ingest(mill, MILL, "raw/mill.md")
    ingest(mill, {"wiki/c.md": "He.\n", "wiki/free.md": "x\n"}, "raw/mill.md", run_type="cascade")
    asked = only(mill)
    assert (asked.missed, asked.idle, asked.share) == (["wiki/d.md"], ["wiki/e.md"], 3 / 4)


def test_the_terms_of_all_sources_of_an_ingest_count(mill: Wiki) -> None:
    ingest(mill, MILL, "raw/mill.md", "raw/other.md")
    asked = only(mill)
    assert asked.terms == ("turbine", "sluice", "miller", "bread", "flour", "grain")
    assert asked.mentioning["wiki/e.md"] == ("flour",)


@pytest.mark.slow
def test_what_a_week_missed_is_told_by_the_sources_of_its_ingests(mill: Wiki) -> None:
    ingest(mill, {"wiki/e.md": "Flour, and no more.\n"}, "raw/other.md")
    ingest(mill, MILL, "raw/mill.md")
    told = found(mill)
    assert told.missed() == {
        ("raw/mill.md",): {"wiki/c.md": ("miller",), "wiki/d.md": ("turbine", "sluice")},
    }
    assert told.last == mill.now
    mill.now += timedelta(days=8)
    assert (found(mill).made, found(mill).missed(), found(mill).last) == ((), {}, told.last)
