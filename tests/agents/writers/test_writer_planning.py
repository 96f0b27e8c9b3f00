"""What the offline writer would write: claims of the source alone, on the right pages, each time the same."""

from __future__ import annotations

import pytest

from gitops.agents.writers.document import Unreadable
from gitops.wiki.dated import normalised
from gitops.wiki.page import parse
from gitops.wiki.page import sentences as sentences_of
from tests.agents.writers.drafting import DAY, after, planned, texts

HARBOUR = """# The Harbour

Morrow harbour was dredged in 1987 to nine metres. Ships enter Morrow two hours before high water.
The pilots of Morrow wait at the outer buoy. Granite for the quay of Morrow came from Leith.
Spring tides at Morrow reach 7.2 metres.
"""
OTHER = """# Ships

The first ship of the line was sold to Morrow in 1921. The second ship was lost off Leith in 1922.
A third ship carried granite until 1930. Its captain was drowned. Each ship was built of oak.
"""
SOURCE = "raw/harbour.md"
MORROW, OWN = "wiki/topics/morrow.md", "wiki/sources/harbour.md"
PAGE = '# Morrow\n\nMorrow is old.[^1]\n\n[^1]: raw/harbour.md, "Morrow"\n'


def test_a_source_without_claims_is_named() -> None:
    with pytest.raises(Unreadable, match="no sentence that could stand as a claim"):
        planned({SOURCE: "eggs\nmilk\n"}, SOURCE)


def test_a_scan_is_named() -> None:
    with pytest.raises(Unreadable, match="the file is binary"):
        planned({SOURCE: bytes(range(256)) * 10}, SOURCE)


@pytest.mark.parametrize("name", ["raw/a<b>.md", "raw/a\udcff.md", "raw/a\nb.md"])
def test_a_source_that_no_citation_can_name_is_told(name: str) -> None:
    with pytest.raises(Unreadable, match="no citation can name"):
        planned({name: HARBOUR}, name)


def test_names_with_marks_of_citations_are_cited_all_the_same() -> None:
    name = 'raw/a, "b"; (c) [d] & p.1 @3.md'
    for text in texts(planned({name: HARBOUR}, name)).values():
        page = parse(text.encode())
        assert {cite.path for claim in page.claims for cite in claim.cites} <= {name}
        assert not page.problems


def test_every_sentence_written_is_the_sources_and_is_cited() -> None:
    files = {SOURCE: HARBOUR}
    for path, text in texts(planned(files, SOURCE)).items():
        page = parse(text.encode())
        assert not page.problems
        if path != "wiki/index.md":
            assert page.claims
            assert [one.text for one in sentences_of(page) if not (one.cited or one.free)] == []
        for claim in page.claims:
            cite = claim.cites[0]
            assert cite.offset is not None
            assert cite.quote is not None
            assert HARBOUR[cite.offset : cite.offset + len(cite.quote)].split() == cite.quote.split()
            assert normalised(claim.text) == normalised(cite.quote)


def test_a_page_for_the_source_and_one_for_its_topic_and_entries_for_both() -> None:
    made = texts(planned({SOURCE: HARBOUR}, SOURCE))
    assert sorted(made) == ["wiki/index.md", OWN, MORROW]
    assert f"From [The Harbour](../sources/harbour.md), as of {DAY}:" in made[MORROW]
    assert made[OWN].startswith("# The Harbour\n\nTopics: [Morrow](../topics/morrow.md)\n\n- ")
    assert made["wiki/index.md"].endswith(
        "## Sources\n\n- [The Harbour](sources/harbour.md)\n\n## Topics\n\n- [Morrow](topics/morrow.md)\n"
    )


def test_the_same_input_gives_the_same_bytes() -> None:
    assert planned({SOURCE: HARBOUR}, SOURCE) == planned({SOURCE: HARBOUR}, SOURCE)


def test_what_was_written_is_not_written_again() -> None:
    files = {SOURCE: HARBOUR}
    assert planned(after(files, planned(files, SOURCE)), SOURCE).steps == ()


def test_a_page_that_is_there_gains_claims_and_loses_nothing() -> None:
    made = texts(planned({SOURCE: HARBOUR, "wiki/morrow.md": PAGE}, SOURCE))
    page = made["wiki/morrow.md"]
    assert MORROW not in made
    assert page.startswith("# Morrow\n\nMorrow is old.[^1]\n\nFrom [The Harbour](sources/harbour.md), as of")
    assert '[^1]: raw/harbour.md, "Morrow"\n[^2]: ' in page


def test_a_claim_that_a_page_makes_already_is_not_doubled() -> None:
    said = "Spring tides at Morrow reach 7.2 metres."
    page = f'# Morrow\n\n{said}[^1]\n\n[^1]: raw/harbour.md, "{said}"\n'
    made = texts(planned({SOURCE: HARBOUR, "wiki/morrow.md": page}, SOURCE))
    assert made["wiki/morrow.md"].count("reach 7.2 metres.") == 2  # the claim and its footnote, as before


def test_claims_to_leave_out_are_left_out() -> None:
    wrong = frozenset([normalised("Spring tides at Morrow reach 7.2 metres.")])
    assert "7.2" not in "".join(texts(planned({SOURCE: HARBOUR}, SOURCE, without=wrong)).values())


def test_pages_that_mention_the_sources_terms_are_touched() -> None:
    page = 'Dredged ships of granite.[^1]\n\n[^1]: raw/x.md, "a"\n'
    pages = {f"wiki/p{number}.md": f"# Page {number}\n\n{page}" for number in range(4)}
    made = texts(planned({SOURCE: HARBOUR, **pages}, SOURCE))
    linked = [path for path in pages if path in made]
    assert len(linked) == 3  # of four as many as leave at most 30 % missed
    assert all("## See also\n\n- [The Harbour](sources/harbour.md)\n\n[^1]:" in made[path] for path in linked)


def test_a_wiki_of_wiki_links_gets_wiki_links() -> None:
    files = {SOURCE: HARBOUR, "wiki/index.md": "# Index\n\n- [[tea]]\n", "wiki/tea.md": "# Tea\n\nSee [[index]].\n"}
    made = texts(planned(files, SOURCE))
    assert "- [[sources/harbour|The Harbour]]" in made["wiki/index.md"]
    assert "From [[sources/harbour|The Harbour]], as of" in made[MORROW]


def test_required_frontmatter_is_written() -> None:
    made = texts(planned({SOURCE: HARBOUR}, SOURCE, '[pages]\nrequired = ["title", "updated"]\n'))
    assert made[MORROW].startswith(f'---\ntitle: "Morrow"\nupdated: {DAY}\n---\n\n# Morrow\n')


def test_new_pages_have_the_frontmatter_that_most_pages_have() -> None:
    policy = '[citations]\ndialects = ["canonical", "frontmatter"]\nrequire = []\n'
    head = "---\ntype: Concept\ntitle: {0}\ntags: [a]\nsources: [raw/ships.md]\ntimestamp: 2020-01-01\n---\n# {0}\n"
    files = {f"wiki/concepts/{name}.md": head.format(name) for name in ("quay", "tide")}
    made = texts(planned({SOURCE: HARBOUR, "raw/ships.md": OTHER, **files}, SOURCE, policy))
    written = f'---\ntype: "Concept"\ntitle: "Morrow"\nsources: ["raw/harbour.md"]\ntimestamp: {DAY}\n---\n\n# Morrow\n'
    assert made["wiki/concepts/morrow.md"].startswith(written)
    assert made[OWN].startswith("---\ntype: source\n")


def test_a_folder_that_is_the_sources_own_gets_no_page() -> None:
    policy = '[workspace]\nwiki = "."\nraw = "sources"\nindex = "index.md"\n'
    made = texts(planned({"sources/harbour.md": HARBOUR, "index.md": "# Index\n"}, "sources/harbour.md", policy))
    assert sorted(made) == ["index.md", "sources-pages/harbour.md", "topics/morrow.md"]


def test_a_folder_keeps_the_spelling_that_it_has() -> None:
    files = {SOURCE: HARBOUR, "wiki/Topics/old.md": "# A town\n", "wiki/Sources/old.md": "# Old\n"}
    made = sorted(texts(planned(files, SOURCE)))
    assert made == ["wiki/Sources/harbour.md", "wiki/Topics/morrow.md", "wiki/index.md"]


def test_a_file_that_is_called_like_a_folder_stays() -> None:
    made = texts(planned({SOURCE: HARBOUR, "wiki/topics": "no folder\n"}, SOURCE))
    assert sorted(made) == ["wiki/index.md", "wiki/sources/harbour.md", "wiki/topics-pages/morrow.md"]


@pytest.mark.parametrize("name", ["index", "README", "log", "Claude"])
def test_no_source_becomes_the_index_or_the_rules_of_a_folder(name: str) -> None:
    files = {f"raw/{name}.md": HARBOUR, "wiki/sources/index.md": "# Sources\n\n- [Other](other.md)\n"}
    made = texts(planned(files, f"raw/{name}.md"))
    assert f"wiki/sources/{name.lower()}-page.md" in made
    assert "wiki/sources/index.md" not in made


def test_two_sources_of_one_name_get_two_pages() -> None:
    files = {"raw/a.md": HARBOUR, "raw/a.txt": OTHER, "raw/b/a.md": OTHER}
    assert "wiki/sources/a-md.md" in texts(planned(files, "raw/a.md"))
    assert "wiki/sources/a-txt.md" in texts(planned(files, "raw/a.txt"))
    assert "wiki/sources/b-a.md" in texts(planned(files, "raw/b/a.md"))


def test_a_second_source_adds_to_the_first_ones_topic() -> None:
    files = {SOURCE: HARBOUR, "raw/ships.md": OTHER}
    both = after(files, planned(files, SOURCE))
    made = texts(planned(both, "raw/ships.md"))
    assert "From [Ships](../sources/ships.md)" in made[MORROW]
    claims = [claim.text for claim in parse(made[MORROW].encode()).claims]
    assert "The first ship of the line was sold to Morrow in 1921." in claims
    old = both[MORROW]
    assert isinstance(old, bytes)
    assert {line for line in old.decode().splitlines() if line} <= set(made[MORROW].splitlines())


def test_line_ends_and_mark_of_a_page_stay() -> None:
    page = b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode()
    step = next(one for one in planned({SOURCE: HARBOUR, "wiki/morrow.md": page}, SOURCE).steps if "morrow" in one.path)
    assert step.data.startswith(b"\xef\xbb\xbf# Morrow\r\n")
    assert step.data.count(b"\n") == step.data.count(b"\r\n")


def test_a_page_that_cannot_be_read_is_not_overwritten() -> None:
    made = texts(planned({SOURCE: HARBOUR, MORROW: "# Morrow\n".encode("utf-16")}, SOURCE))
    assert MORROW not in made
    assert "topics/morrow.md" not in made["wiki/index.md"]


@pytest.mark.parametrize("end", ["```\ncode that nobody closed\n", "<!-- a comment that nobody closed\n"])
def test_nothing_is_written_where_nobody_would_read_it(end: str) -> None:
    made = texts(planned({SOURCE: HARBOUR, "wiki/morrow.md": f"# Morrow\n\nText.\n\n{end}"}, SOURCE))
    assert "wiki/morrow.md" not in made
    assert OWN in made


def test_korean_is_read_by_its_own_ends() -> None:
    text = "# 항구\n\n항구는 1987년에 9미터 깊이로 준설되었다. 배는 만조 두 시간 전에 들어온다.\n"
    made = texts(planned({"raw/항구.md": text}, "raw/항구.md"))
    assert "- 항구는 1987년에 9미터 깊이로 준설되었다.[^1]" in made["wiki/sources/항구.md"]
