from __future__ import annotations

from dataclasses import replace

from gitops.agents.synthesis.carrying import Statement
from gitops.agents.synthesis.changes import Kind, News
from gitops.agents.synthesis.comparing import Pair
from gitops.agents.synthesis.digest import Digest, Part, Topic
from gitops.agents.synthesis.page import Frame, page
from gitops.wiki.model import Claim, Place
from gitops.wiki.page import parse, sentences
from gitops.wiki.slugs import anchor_exists

FRAME = Frame("Synthesis 1", "2024-01-01", lambda path, text: f"[{text}](../{path})", lambda path: path[:1].upper())


def said(text: str, path: str = "a.md", kind: Kind = "new", day: str = "", cite: str = 'raw/a.md, "x"') -> Statement:
    claim = Claim(text, Place(0, len(text), 1, 1, 1), "item", ())
    return Statement(News(path, claim, kind, day), path, text, (cite,), frozenset(["raw/a.md"]))


def digest(*statements: Statement, **others: object) -> Digest:
    topic = Topic((Part("a.md", statements, len(statements)),), ())
    return replace(Digest((topic,), claims=len(statements), shown=len(statements), pages=1), **others)  # type: ignore[arg-type]


def test_all_that_carries_no_citation_is_free_of_one() -> None:
    pair = Pair(said("One says so."), said("Another says not.", "b.md"), "open", "")
    made = digest(
        said("Mills grind."),
        said("Wheels turn.", kind="reworded"),
        open=(pair,),
        dated=(said("It had a wheel.", day="2020-01-01"), said("As of 2020-02-02, it stood.", day="2020-02-02")),
        islands=("i.md",),
        orphans=("o.md",),
        unread={"u.md": 2},
        bare=tuple(f"{n}.md" for n in range(30)),
    )
    read = parse(page(made, FRAME).encode())
    owing = [sentence.text for sentence in sentences(read) if not sentence.cited and not sentence.free]
    assert owing == []
    assert read.problems == ()


def test_the_contents_lead_to_the_topics() -> None:
    some = Topic((Part("a.md", (said("Mills grind."),), 3), Part("b.md", (said("Wheels turn.", "b.md"),), 1)), ())
    made = Digest((some, Topic((Part("c.md", (said("Bread.", "c.md"),), 9),), ())), claims=13, shown=3, pages=3)
    read = parse(page(made, FRAME).encode())
    anchors = [link.anchor for link in read.links if not link.target]
    assert anchors == ["a-b", "c-1-of-9-claims"]
    assert all(anchor_exists(read, anchor) for anchor in anchors)


def test_equal_citations_are_one_footnote_and_each_is_used() -> None:
    text = page(digest(said("One."), said("Two."), said("Three.", cite='raw/b.md, "y"')), FRAME)
    assert text.endswith('- One.[^1]\n- Two.[^1]\n- Three.[^2]\n\n[^1]: raw/a.md, "x"\n[^2]: raw/b.md, "y"\n')


def test_what_is_shown_of_how_much_is_told() -> None:
    text = page(digest(said("One."), claims=1_200, pages=30), FRAME)
    assert "1,200 claims came in or changed on 30 pages since 2024-01-01, 1 of them here:" in text


def test_what_held_once_is_never_said_as_if_it_held() -> None:
    text = page(digest(said("Now."), dated=(said("It had a wheel.", day="2020-01-01"),)), FRAME)
    assert "> [!superseded] 2020-01-01\n> It had a wheel.[^1]" in text


def test_long_lists_of_pages_are_cut_and_say_so() -> None:
    text = page(digest(said("One."), bare=tuple(f"{n}.md" for n in range(30))), FRAME)
    assert "New pages on which no claim by itself cites a source (20 of 30):" in text
    assert "(../20.md)" not in text


def test_the_frontmatter_is_yaml_that_holds() -> None:
    frame = replace(FRAME, frontmatter={"title": "Synthesis: 1", "tags": ["synthesis"]})
    read = parse(page(digest(said("One.")), frame).encode())
    assert read.frontmatter == {"title": "Synthesis: 1", "tags": ["synthesis"]}
    assert read.headings[0].text == "Synthesis 1"
