"""What pages that an ingest missed gain: values only."""

from __future__ import annotations

import pytest

from gitops.agents.writers import backfill_planning
from gitops.agents.writers.backfill_planning import Missed
from gitops.agents.writers.ground import Plan
from gitops.wiki.dated import normalised
from gitops.wiki.page import parse
from tests.agents.writers.drafting import after, ground_of, texts

HARBOUR = """# The Harbour of Morrow

Morrow harbour was dredged in 1987 to nine metres by two ships from Genoa. Spring tides at Morrow reach 7.2 metres.
The pilots of Morrow wait at the outer buoy until the slack of the tide has passed them.
"""
MILL = """# The Mill

The mill at Morrow has ground barley since 1820, and a miller still lives beside its wheel.
"""
OWN = "wiki/sources/harbour.md"
WIKI = {
    "raw/harbour.md": HARBOUR,
    "raw/mill.md": MILL,
    OWN: "# The Harbour of Morrow\n\nDredged.[^1]\n\n[^1]: raw/harbour.md\n",
    "wiki/pilots.md": "# Pilots\n\nThey wait at a buoy, whatever the slack.\n",
    "wiki/food.md": "# Food\n\nBread of Morrow.\n",
}


def made(*missed: Missed, without: frozenset[str] = frozenset(), **files: str) -> Plan:
    named = {path.replace("__", "/") + ".md": text for path, text in files.items()}
    return backfill_planning.plan(ground_of({**WIKI, **named}), missed, without)


def test_nothing_missed_is_nothing_planned() -> None:
    assert made().steps == ()


@pytest.mark.parametrize("source", ["raw/nope.md", "raw/empty.md"])
def test_a_source_that_cannot_be_read_adds_nothing(source: str) -> None:
    assert made(Missed((source,), {"wiki/pilots.md": ("buoy",)}), raw__empty="- a list\n").steps == ()


def test_a_page_that_is_gone_or_is_the_sources_own_gains_nothing() -> None:
    assert made(Missed(("raw/harbour.md",), {"wiki/gone.md": ("buoy",), OWN: ("buoy",)})).steps == ()


def test_a_page_gains_what_the_source_says_of_the_terms_it_mentions_cited_and_quoted() -> None:
    plan = made(Missed(("raw/harbour.md",), {"wiki/pilots.md": ("buoy", "slack")}))
    [step] = plan.steps
    page = parse(step.data)
    [claim] = page.claims
    assert claim.text == "The pilots of Morrow wait at the outer buoy until the slack of the tide has passed them."
    [cite] = claim.cites
    assert (cite.path, cite.quote) == ("raw/harbour.md", claim.text)
    assert page.text.startswith("# Pilots\n\nThey wait at a buoy, whatever the slack.\n")
    assert "From [The Harbour of Morrow](sources/harbour.md), as of 2024-01-02:" in page.text


def test_a_page_with_one_term_that_the_source_does_not_name_gains_a_link() -> None:
    plan = made(Missed(("raw/harbour.md",), {"wiki/food.md": ("morrow",)}))
    assert texts(plan)["wiki/food.md"].endswith("## See also\n\n- [The Harbour of Morrow](sources/harbour.md)\n")
    assert plan.claims == 0


def test_a_source_without_a_page_gets_one_which_the_index_lists() -> None:
    found = texts(made(Missed(("raw/mill.md",), {"wiki/food.md": ("morrow", "miller")})))
    assert set(found) == {"wiki/food.md", "wiki/sources/mill.md", "wiki/index.md"}
    assert "(sources/mill.md)" in found["wiki/index.md"]
    assert "raw/mill.md" in found["wiki/sources/mill.md"]


def test_what_two_ingests_missed_on_one_page_stands_there_together() -> None:
    pages = {"wiki/food.md": ("morrow", "ships")}
    plan = made(Missed(("raw/harbour.md",), pages), Missed(("raw/mill.md",), {"wiki/food.md": ("mill", "barley")}))
    text = texts(plan)["wiki/food.md"]
    assert "has ground barley since 1820" in text
    assert "two ships from Genoa" in text
    assert {cite.path for claim in parse(text.encode()).claims for cite in claim.cites} == {
        "raw/harbour.md",
        "raw/mill.md",
    }
    assert sum(len(step.claims) for step in plan.steps if step.path == "wiki/food.md") == 2


def test_claims_that_are_to_be_left_out_are_replaced_by_a_link() -> None:
    missed = Missed(("raw/harbour.md",), {"wiki/pilots.md": ("buoy", "slack")})
    [claim] = made(missed).steps[0].claims
    again = made(missed, without=frozenset([normalised(claim.text)]))
    assert (again.claims, "See also" in texts(again)["wiki/pilots.md"]) == (0, True)


def test_planned_again_on_what_it_wrote_it_adds_nothing() -> None:
    missed = Missed(("raw/harbour.md",), {"wiki/pilots.md": ("buoy", "slack"), "wiki/food.md": ("morrow",)})
    written = after(WIKI, made(missed))
    assert backfill_planning.plan(ground_of(written), [missed]).steps == ()


def test_one_run_mends_so_many_pages_those_with_most_terms_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backfill_planning, "MOST_PAGES", 1)
    plan = made(Missed(("raw/harbour.md",), {"wiki/food.md": ("morrow",), "wiki/pilots.md": ("buoy", "slack")}))
    assert [step.path for step in plan.steps] == ["wiki/pilots.md"]
