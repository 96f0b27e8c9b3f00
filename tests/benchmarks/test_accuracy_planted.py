from __future__ import annotations

import random

import pytest

from benchmarks.accuracy import breaking, memory, planted, sparing, synthetic, taking, tongues
from benchmarks.accuracy.ground import Ground
from benchmarks.accuracy.memory import Workspace
from benchmarks.accuracy.mutations import FOOTNOTED, LINKED, Mutation, spliced
from benchmarks.accuracy.planted import Outcome
from benchmarks.accuracy.quoted import Texts
from gitops.verify.finding import Finding, Level

pytestmark = pytest.mark.slow

KINDS = {
    "target misspelt", "source removed", "page removed", "only link removed", "heading misspelt", "heading renamed",
    "lines beyond the end", "moment beyond the end", "word replaced", "word dropped", "words swapped", "number changed",
    '"not" put in', "moved to another source", "definition removed", "definition doubled", "label renamed",
    "bracket left open", "tab put in", "id renamed",
}  # fmt: skip


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> list[Workspace]:
    folder = tmp_path_factory.mktemp("planted")
    synthetic.write(folder / "made")
    tongues.write(folder / "made")
    return memory.read(taking.adopted(folder / "made", folder / "taken"))


def finding(check: str, level: Level) -> Finding:
    return Finding(check=check, level=level, result="r", scope="page", message="")


def test_a_defect_of_which_nothing_is_said_is_missed() -> None:
    mutation = Mutation("target misspelt", "wiki-link", LINKED, "wiki/a.md", 1)
    assert not Outcome("w", mutation, ()).is_right
    assert Outcome("w", mutation, (finding("links", Level.NOTE),)).is_right


@pytest.mark.parametrize("said", [finding("orphan", Level.ERROR), finding("source_exists", Level.NONE)])
def test_another_check_and_what_is_right_find_no_defect(said: Finding) -> None:
    assert planted._said(Mutation("target misspelt", "wiki-link", LINKED, "wiki/a.md", 1), [said]) == ()


def test_a_change_of_form_is_spared_by_notes_alone() -> None:
    mutation = Mutation("two spaces", "page", frozenset(), "wiki/a.md", 1)
    warning = finding("links", Level.WARNING)
    said = planted._said(mutation, [finding("quote_anchor", Level.NOTE), finding("uncited", Level.WARNING), warning])
    assert said == (warning,)
    assert not Outcome("w", mutation, said).is_right


def test_splices_are_made_from_the_end() -> None:
    assert spliced("abcdef", [(1, 2, "xx"), (4, 6, ""), (0, 0, "-")]) == "-axxcd"


def test_every_convention_has_a_wiki_in_which_nothing_is_wrong(workspaces: list[Workspace]) -> None:
    assert len(workspaces) == len(synthetic.STYLES) + len(tongues.LAYOUTS)
    used = {dialect for one in workspaces for dialect in one.config.citations.dialects}
    assert set(synthetic.STYLES) <= used
    assert [path for one in workspaces for path in one.view.snapshot.paths(one.layout.wiki) if "none" in path] == []


def test_every_kind_of_defect_is_drawn(workspaces: list[Workspace]) -> None:
    chance = random.Random(1)
    drawn = {made.kind for one in workspaces for made in breaking.every(Ground(one, Texts()), chance)}
    assert drawn >= KINDS


def test_every_quotation_of_the_made_up_wikis_is_known_to_be_right(workspaces: list[Workspace]) -> None:
    for one in workspaces:
        quotes_nothing = one.layout.root.endswith("remark")
        assert len(Ground(one, Texts()).quotations) >= (4 if quotes_nothing else 12), one.layout.root


def test_the_draw_is_the_same_each_time_and_keeps_to_its_size(workspaces: list[Workspace]) -> None:
    ground = Ground(workspaces[0], Texts())
    every = list(breaking.every(ground, random.Random(1)))
    draws = [list(planted.draw(every, 2, random.Random(7))) for _ in range(2)]
    assert draws[0] == draws[1]
    kinds = [(one.kind, one.form) for one in draws[0]]
    assert max(map(kinds.count, kinds)) == 2


@pytest.mark.parametrize("style", sorted([*synthetic.STYLES, *tongues.LAYOUTS]))
def test_planted_defects_are_found_and_changes_of_form_spared(workspaces: list[Workspace], style: str) -> None:
    chosen = [one for one in workspaces if one.layout.root == f"wikis/{style.replace('_', '-')}"]
    outcomes = planted.run(chosen, each=1)
    assert {one.is_defect for one in outcomes} == {True, False}
    wrong = [one for one in outcomes if not one.is_right]
    assert [one for one in wrong if not one.mutation.form.endswith("for the page")] == []
    assert all(one.is_defect for one in wrong), "what a page as a whole cites may be missed, and raises no false alarm"


def test_a_removed_definition_is_taken_out_whole(workspaces: list[Workspace]) -> None:
    one = next(each for each in workspaces if each.layout.root == "wikis/footnote-link")
    made = next(m for m in breaking.every(Ground(one, Texts()), random.Random(1)) if m.kind == "definition removed")
    assert made.checks == FOOTNOTED
    before, after = one.tree.read(made.path).decode(), one.judged(made.edits(one))
    changed = made.edits(one)[made.path]
    assert changed is not None
    assert len(before.splitlines()) - len(changed.decode().splitlines()) == 1
    assert "undefined" in {each.result for each in after}


def test_form_is_changed_without_a_word(workspaces: list[Workspace]) -> None:
    one = next(each for each in workspaces if each.layout.root == "wikis/inline-source")
    made = list(sparing.every(Ground(one, Texts()), random.Random(1)))
    assert all(not each.checks and each.edits(one) for each in made)
