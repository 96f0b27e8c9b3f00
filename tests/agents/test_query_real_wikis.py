"""Questions to wikis that nobody here wrote: the right page is cited, or the question is rightly refused."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from gitops.agents import querying
from gitops.agents.answers import Answer
from gitops.cli import main
from gitops.git import snapshot
from gitops.runs.workspace import find
from tests.agents.asked import context_of
from tests.agents.wiki_questions import ALIKE, BLIND, FRESH, TEN, TUNED, Asked

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"
EVERY = (*TUNED, *FRESH, *BLIND)
NAMES = sorted({one.wiki for one in EVERY})

pytestmark = pytest.mark.skipif(not WIKIS.is_dir(), reason="the shared wikis are not here")


@pytest.fixture
def adopt(tmp_path: Path, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A copy of a shared wiki in a repository, adopted as it stands."""
    monkeypatch.setenv("ASSAY_CLOCK", "1704164645")

    def adopted(name: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(WIKIS / name, folder)
        git(tmp_path, "init", "--quiet", "--initial-branch=main", os.fspath(folder))
        git(folder, "add", "--all", "--force")
        git(folder, "commit", "--quiet", "--message", "As it stood")
        assert main(["-C", os.fspath(folder), "-q", "adopt", "--no-hook"]) == 0
        return folder

    return adopted


def answers(folder: Path, asked: Iterable[Asked]) -> Iterator[tuple[Asked, Answer]]:
    context = context_of(folder)
    commit = snapshot.resolve(context.repository, "HEAD")
    for one in asked:
        workspace = find(context.repository, commit, one.workspace or None)
        yield one, querying.answer(querying.Asking(context, workspace, commit, one.question))


def is_right(asked: Asked, found: Answer) -> bool:
    said = found.said
    if not asked.pages:
        return said.refused
    says = not asked.words or any(word in said.text for word in asked.words)
    return not said.refused and said.topics[0] in asked.pages and says


@pytest.mark.slow
def test_ten_questions_to_citadel_beverages_cite_the_right_page_or_are_refused(adopt: Callable[[str], Path]) -> None:
    wrong = [
        (one.question, found.said.text)
        for one, found in answers(adopt("citadel-beverages"), TEN)
        if not is_right(one, found)
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_a_wiki_does_not_say_is_refused_and_nearly_all_else_is_answered(
    adopt: Callable[[str], Path], name: str
) -> None:
    every = list(answers(adopt(name), (one for one in EVERY if one.wiki == name)))
    invented = [(one.question, found.said.text) for one, found in every if not one.pages and not found.said.refused]
    assert invented == []
    right = sum(is_right(one, found) for one, found in every)
    assert right >= 0.9 * len(every) - 0.5
    for one, found in every:
        assert found.said.refused == (not found.said.citations), one.question


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({one.wiki for one in ALIKE}))
def test_most_of_what_only_sounds_like_the_wiki_is_refused(adopt: Callable[[str], Path], name: str) -> None:
    every = list(answers(adopt(name), (one for one in ALIKE if one.wiki == name)))
    assert sum(found.said.refused for _, found in every) >= 0.7 * len(every)


def test_what_is_answered_stands_on_the_page_that_is_cited(adopt: Callable[[str], Path]) -> None:
    folder = adopt("citadel-gazette")
    for one, found in answers(folder, (one for one in TUNED if one.wiki == "citadel-gazette" and one.pages)):
        for citation in found.said.citations:
            page = (folder / citation.path).read_text()
            assert citation.line <= page.count("\n") + 1
            assert page[citation.start : citation.end].split()[0] in citation.quote, one.question
            assert [source.path for source in citation.sources if source.path.startswith("raw/")]
