from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from pathlib import Path

import pytest

from gitops.evals.claim_sample import draw
from gitops.evals.overrides import Brought, brought, phi
from gitops.runs import overriding
from tests.evals.subjects import subject
from tests.runs.driving import Wiki, first_files, name, page

Claims = dict[str, str]


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    """A wiki with one page that was there before there were runs."""
    return Wiki(make_repository({**first_files('[verify]\njudge = "none"\n'), name(0): page(0)}))


def told(wiki: Wiki, rev: str = "main") -> tuple[Brought, Claims]:
    """What is said of all claims at a revision, and their words by id."""
    with subject(wiki.folder, rev) as made:
        drawn = draw(made.bench, 500, 0).claims
        found = brought(made.context, made.workspace, made.commit, drawn)
    return found, {one.id: one.claim.text for one in drawn}


def overridden(wiki: Wiki, content: str) -> str:
    run = wiki.run({name(1): content})
    assert wiki.finish(run).result == "rejected"
    overriding.override(wiki.context(), run.id, "the source is wrong")
    return run.id


def test_where_nobody_overrode_anything_there_is_nothing_to_tell(wiki: Wiki) -> None:
    assert wiki.finish(wiki.run({name(1): page(1)})).result == "landed"
    assert told(wiki)[0] == Brought({}, {})


def test_a_run_that_was_refused_brought_nothing_in(wiki: Wiki) -> None:
    assert wiki.finish(wiki.run({name(1): page(1, "nothing of the kind")})).result == "rejected"
    assert told(wiki)[0] == Brought({}, {})


def test_the_claims_of_an_unverified_run_are_known(wiki: Wiki) -> None:
    run = wiki.run({name(1): page(1)})
    assert wiki.finish(run, no_verify=True).result == "landed"
    found, words = told(wiki)
    assert {words[id]: by for id, by in found.unverified.items()} == {"The tide turns, as page 1 knows.": run.id}
    assert found.overridden == {}


def test_the_claims_of_an_overridden_run_are_known(wiki: Wiki) -> None:
    run = overridden(wiki, page(1, "the sea stands still for ever and ever"))
    found, words = told(wiki)
    assert {words[id]: by for id, by in found.overridden.items()} == {"The tide turns, as page 1 knows.": run}
    assert found.unverified == {}


def test_what_stood_on_the_page_before_is_not_the_runs(wiki: Wiki) -> None:
    more = page(0).replace("\n\n[^1]", "\n\nIt comes back, too.[^1]\n\n[^1]")
    assert wiki.finish(wiki.run({name(0): more}), no_verify=True).result == "landed"
    found, words = told(wiki)
    assert [words[id] for id in found.unverified] == ["It comes back, too."]


def test_before_the_run_landed_nothing_is_its(wiki: Wiki) -> None:
    assert wiki.finish(wiki.run({name(0): page(0) + "\n"}), no_verify=True).result == "landed"
    assert told(wiki, "main~1")[0] == Brought({}, {})


def test_phi_is_that_of_the_table() -> None:
    # Overridden: 2 right, 8 wrong. The rest: 36 right, 4 wrong. (2·4 − 8·36) / √(10·40·38·12).
    assert phi(2, 8, 36, 4) == pytest.approx((2 * 4 - 8 * 36) / sqrt(10 * 40 * 38 * 12))
    assert phi(5, 0, 0, 5) == 1.0
    assert phi(0, 5, 5, 0) == -1.0


def test_without_variation_there_is_no_correlation() -> None:
    assert phi(3, 0, 7, 0) is None
    assert phi(0, 0, 7, 3) is None
