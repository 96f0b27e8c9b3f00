"""How pages are set: what is shown is what the source says, whatever marks it holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitops.agents.writers.document import Sentence
from gitops.agents.writers.pages import Group, Linking, Target, definitions_text, escaped, groups_text, head
from gitops.agents.writers.phrases import phrase
from gitops.wiki.page import parse
from gitops.wiki.source_text import SourceText
from tests.agents.writers.drafting import source_of

AT = "wiki/topics/tea.md"
TARGETS = {phrase("Black tea"): Target("wiki/topics/black-tea.md", "Black tea"), "tea": Target(AT, "Tea")}
MARKDOWN = Linking("wiki", False, TARGETS)
WIKI = Linking("wiki", True, TARGETS)


def said(text: str, start: int = 0) -> Sentence:
    return Sentence(text, text, start, start + len(text))


def page(sentences: list[Sentence], source: SourceText) -> str:
    group = [Group("From there:", tuple(sentences))]
    return (
        f"# Tea\n\n{groups_text(group, MARKDOWN, AT, 1, set())}\n\n{definitions_text(group, 'raw/a.md', source, 1)}\n"
    )


def test_other_pages_are_linked_once_and_the_page_itself_never() -> None:
    done: set[str] = set()
    line = MARKDOWN.linked("Tea is a drink, and black teas are tea; black tea is dark.", AT, done)
    assert line == "Tea is a drink, and [black teas](black-tea.md) are tea; black tea is dark."


def test_wiki_links_where_the_wiki_has_them() -> None:
    assert WIKI.link("wiki/index.md", TARGETS["black tea"]) == "[[topics/black-tea|Black tea]]"
    odd = Target("wiki/topics/a.md", "A [b] | c")
    assert WIKI.link("wiki/index.md", odd) == r"[A \[b\] \| c](topics/a.md)"


def test_paths_with_spaces_are_bracketed() -> None:
    assert MARKDOWN.link("wiki/index.md", Target("wiki/my (old) page.md", "Old")) == "[Old](<my (old) page.md>)"


def test_claims_come_back_with_their_citations() -> None:
    text = 'Tea is *hot*. It costs $5 & more: a_b < c, [x] ~2 100%% ==n== `q` | "so" \\ &amp; 1^2.\n'
    one = Sentence(text[14:-1], text[14:-1], 14, len(text) - 1)
    parsed = parse(page([one], source_of(text)).encode())
    assert [claim.text for claim in parsed.claims] == [one.text]
    cite = parsed.claims[0].cites[0]
    assert (cite.path, cite.quote, cite.offset) == ("raw/a.md", one.quote, 14)
    assert not parsed.problems


def test_a_pdf_is_cited_by_its_page() -> None:
    source = SourceText("first page\fsecond one.", (0, 11), "pdf")
    sentence = Sentence("second one.", "second one.", 11, 22)
    assert (
        definitions_text([Group("", (sentence,))], "raw/a.pdf", source, 4) == '[^4]: raw/a.pdf, p.2, "second one." @11'
    )


def test_the_frontmatter_that_the_policy_asks_for() -> None:
    values = {"title": '"Tea"', "updated": "2024-01-02"}
    assert head("Tea", ("title", "updated"), values) == '---\ntitle: "Tea"\nupdated: 2024-01-02\n---\n\n# Tea'
    assert head("Tea", (), values) == "# Tea"


@given(st.text(st.sampled_from("abc .,*_`[]()<>|~$%=&;#-+1!\"'\\/:^{}@é가"), min_size=1, max_size=60))
def test_whatever_is_escaped_is_shown_as_it_was(text: str) -> None:
    sentence = " ".join(f"Xy {text} z.".split())
    shown = parse(f'# T\n\n- {escaped(sentence)}[^1]\n\n[^1]: raw/a.md, "q"\n'.encode())
    assert [claim.text for claim in shown.claims][-1:] == [sentence] or sentence.endswith(shown.claims[-1].text)
    assert not shown.links
