"""What a check tells of judges that cost something: what they spent, and what they were spared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.ci.checking import Asked, check
from gitops.ci.events import Event
from gitops.ci.result import Result
from gitops.ci.spans import span
from gitops.errors import CannotRun
from tests.runs.driving import Wiki, first_files, name, page
from tests.verify.scripted import Scripted, sure

POLICY = '[verify]\njudge = "model"\n'


@pytest.fixture
def judged(make_repository: Callable[..., Path]) -> Callable[[Scripted], Wiki]:
    """A wiki whose policy asks a judge that costs something, and a branch `change` with two claims more than main."""

    def make(judge: Scripted) -> Wiki:
        wiki = Wiki(make_repository(first_files(POLICY)))
        wiki.seating = lambda called, seat: judge
        wiki.git("switch", "--quiet", "--create", "change")
        for number in range(2):
            (wiki.folder / name(number)).write_text(page(number))
        wiki.git("add", "wiki")
        wiki.git("commit", "--quiet", "--message", "Two pages")
        return wiki

    return make


def checked(wiki: Wiki, judge: str = "", metric: str = "none") -> Result:
    context = wiki.context()
    [found] = check(context, span(context, Event(), "main", None), Asked(metric=metric, judge=judge))
    return found.result


def test_what_a_judge_spent_before_it_failed_is_told(judged: Callable[[Scripted], Wiki]) -> None:
    found = checked(judged(Scripted(failure=CannotRun("the model is away"))), "model")
    assert (found.outcome, found.decision) == ("neutral", "none")
    assert found.tokens > 0


def test_votes_of_before_are_cache_hits_and_cost_nothing(judged: Callable[[Scripted], Wiki]) -> None:
    wiki = judged(model := Scripted({"": sure("supports")}))
    first = checked(wiki, "model")
    assert (first.outcome, first.judged, first.cache_hits) == ("passed", 2, 0)
    assert first.tokens > 0
    asked, model.used = len(model.asked), type(model.used)()
    second = checked(wiki)
    assert (second.outcome, second.judged, second.cache_hits, second.tokens) == ("passed", 2, 2, 0)
    assert len(model.asked) == asked


def test_what_is_measured_counts_its_own_cache_hits(judged: Callable[[Scripted], Wiki]) -> None:
    wiki = judged(Scripted({"": sure("supports")}))
    before = checked(wiki, "model", "M1")
    again = checked(wiki, "model", "M1")
    assert (before.cache_hits, again.cache_hits) == (0, 4)
