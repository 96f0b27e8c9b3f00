from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from gitops.evals import topic_pairs
from gitops.evals.topic_pairs import Sampled, sample
from gitops.verify.view import View
from gitops.wiki.terms import tokens

Make = Callable[..., View]
INDEX = "- [[mill]]\n"


def wiki(make_view: Make, index: str = INDEX, **pages: str) -> View:
    files = {f"wiki/{name.replace('__', '/')}.md": text for name, text in pages.items()}
    return make_view({"assay.toml": "", "wiki/index.md": index, **files})


def sampled(view: View, seed: int = 0, topics: int = 20) -> list[Sampled]:
    pages = {path: set(tokens(view.page(path).text)) for path in view.snapshot.paths("wiki")}

    def holding(terms: Sequence[str]) -> list[str]:
        return [path for path, words in pages.items() if words.issuperset(terms)]

    return list(sample(view, holding, seed, topics))


def numbered(name: str, count: int) -> str:
    return f"# {name}\n\n" + "\n\n".join(f"The mill has hall number {name} {at}." for at in range(count))


def test_a_topic_of_one_page_has_no_pairs(make_view: Make) -> None:
    (only,) = sampled(wiki(make_view, mill="# Mill\n\nThe mill is old.\n\nThe mill is new.\n", other="# Other\n"))
    assert (only.mentioning, only.of, only.pairs) == (1, 0, ())


def test_words_that_stand_apart_are_read_and_left_out(make_view: Make) -> None:
    old = "# Old mill\n\nThe old mill is large.\n"
    (only,) = sampled(wiki(make_view, "- [[old-mill]]\n", **{"old-mill": old, "town": "An old town has a mill.\n"}))
    assert (only.mentioning, only.pages, only.pairs) == (2, ("wiki/old-mill.md",), ())


def test_pairs_are_of_different_pages_and_words(make_view: Make) -> None:
    mill = "# Mill\n\nIt employs 40 people.\n\nThe mill is old.\n"
    town = "# Town\n\nThe mill employs 60 people.\n\nThe MILL is old!\n\nThe town is small.\n"
    (only,) = sampled(wiki(make_view, mill=mill, town=town))
    assert {frozenset((one.a.text, one.b.text)) for one in only.pairs} == {
        frozenset(("It employs 40 people.", "The mill employs 60 people.")),
        frozenset(("It employs 40 people.", "The MILL is old!")),
        frozenset(("The mill is old.", "The mill employs 60 people.")),
    }
    assert (only.of, only.same) == (3, 1)


def test_a_dated_claim_beside_its_successor_is_no_pair(make_view: Make) -> None:
    mill = "# Mill\n\nAs of 2019-05-01, the mill employs 40 people.\n"
    (only,) = sampled(wiki(make_view, mill=mill, town="The mill employs 60 people.\n"))
    assert only.pairs == ()


NOTE = "\n> [!disputed] Sources disagree\n> The mill employs 40 people.\n>\n> The mill employs 60 people.\n"


@pytest.mark.parametrize(("notes", "pairs"), [((NOTE, NOTE), 0), ((NOTE, ""), 1), (("", NOTE), 1), (("", ""), 1)])
def test_a_pair_is_settled_where_both_pages_say_that_it_is_disputed(
    make_view: Make, notes: tuple[str, str], pairs: int
) -> None:
    pages = {"mill": f"The mill employs 40 people.\n{notes[0]}", "town": f"The mill employs 60 people.\n{notes[1]}"}
    (only,) = sampled(wiki(make_view, **pages))
    assert (len(only.pairs), only.disputed) == (pairs, 1 - pairs)


def test_a_pair_that_two_topics_lead_to_is_asked_once(make_view: Make) -> None:
    pages = {"mill": "# Mill\n\nThe mill of Lindau is old.\n", "lindau": "# Lindau\n\nLindau has a mill.\n"}
    found = sampled(wiki(make_view, "- [[mill]]\n- [[lindau]]\n", **pages))
    assert sorted(len(one.pairs) for one in found) == [0, 1]


def test_of_many_pairs_so_many_are_drawn(make_view: Make) -> None:
    view = wiki(make_view, mill="# Mill\n", **{f"p{at}": numbered(f"p{at}", 20) for at in range(6)})
    (only,) = sampled(view)
    assert only.of == 15 * topic_pairs.MOST_OF_PAGE**2
    assert len(only.pairs) == topic_pairs.MOST_PAIRS
    assert len({one.id for one in only.pairs}) == topic_pairs.MOST_PAIRS
    assert [one.id for one in sampled(view)[0].pairs] == [one.id for one in only.pairs]
    other = {one.id for one in sampled(view, seed=1)[0].pairs}
    assert len(other & {one.id for one in only.pairs}) < topic_pairs.MOST_PAIRS


def test_what_is_drawn_leans_to_no_page(make_view: Make) -> None:
    """Of six pages each is in a third of the pairs: of 200 some 67, and beyond 40 or 95 once in ten thousand wikis."""
    view = wiki(make_view, mill="# Mill\n", **{f"p{at}": numbered(f"p{at}", 12) for at in range(6)})
    pairs = sampled(view)[0].pairs
    for at in range(6):
        assert 40 < sum(f"wiki/p{at}.md" in (one.a.path, one.b.path) for one in pairs) < 95


def test_a_sample_stays_as_it_is_while_the_wiki_changes_elsewhere(make_view: Make) -> None:
    pages = {f"p{at}": numbered(f"p{at}", 4) for at in range(3)}
    before = sampled(wiki(make_view, mill="# Mill\n", **pages))[0].pairs
    changed = {**pages, "p2": f"A new line.\n\n{pages['p2']}\n", "q": "# Q\n\nIt is something else.\n"}
    after = sampled(wiki(make_view, mill="# Mill\n", **changed))[0].pairs
    assert {one.id for one in after} == {one.id for one in before}


def test_topics_are_drawn_until_there_are_enough_with_pairs(make_view: Make) -> None:
    lonely = {f"lonely{at}": f"# Lonely{at}\n\nThis page is alone.\n" for at in range(8)}
    spoken = {f"spoken{at}": f"# Spoken{at}\n\nIt is here.\n" for at in range(4)}
    other = "\n\n".join(f"The spoken{at} is there." for at in range(4))
    index = "".join(f"- [[{name}]]\n" for name in (*lonely, *spoken))
    view = wiki(make_view, index, **lonely, **spoken, other=other)
    found = sampled(view, topics=2)
    assert sum(bool(one.pairs) for one in found) == 2
    assert found[-1].pairs
    assert len(sampled(view, topics=20)) == 12
