from __future__ import annotations

from tests.agents.synthesis.wikis import BEFORE, all_carried, with_page

LINKING = '[citations]\ndialects = ["canonical", "footnote_link", "frontmatter"]\nrequire = []\n'


def page(cite: str, claim: str = "The mill was sold in 2019.") -> dict[str, str]:
    return {
        **{path: text for path, text in BEFORE.items() if path.startswith("raw/")},
        "wiki/x.md": f"# X\n\n{claim}[^1]\n\n[^1]: {cite}\n",
    }


def test_a_quotation_that_is_not_there_is_not_carried() -> None:
    assert all_carried(page('raw/report.md, "sold in 2020"')) == [None]


def test_a_source_that_is_not_there_is_not_carried() -> None:
    assert all_carried(page('raw/gone.md, "sold in 2019"')) == [None]


def test_a_citation_without_a_quotation_is_not_carried_where_the_policy_wants_one() -> None:
    assert all_carried(page("raw/report.md")) == [None]


def test_one_citation_of_two_may_fail() -> None:
    (found,) = all_carried(page('raw/gone.md, "x"; raw/report.md, "sold in 2019"'))
    assert found is not None
    assert found.cites == ('raw/report.md, "sold in 2019" @102',)
    assert found.sources == {"raw/report.md"}


def test_the_quotation_is_the_sources_own_and_says_where_it_stands() -> None:
    (found,) = all_carried(page('raw/report.md, "the mill was SOLD in 2019" @7'))
    assert found is not None
    assert found.cites == ('raw/report.md, "The mill was sold in 2019" @89',)


def test_quotation_marks_in_the_claim_become_the_quotation() -> None:
    (found,) = all_carried(page("raw/report.md", 'Its history is short: "It has burnt wood since 1950".'), LINKING)
    assert found is not None
    assert found.cites == ('raw/report.md, "It has burnt wood since 1950" @34',)


def test_without_a_quotation_the_place_stays_in_the_form_that_the_wiki_reads() -> None:
    (found,) = all_carried(page("[raw/report.md](../raw/report.md), line 2"), LINKING)
    assert found is not None
    assert found.cites == ("[raw/report.md](../../raw/report.md), line 2",)
    (bare,) = all_carried(page("[raw/report.md](../raw/report.md)"), LINKING)
    assert bare is not None
    assert bare.cites == ("raw/report.md",)


def test_a_cell_says_its_row_and_column() -> None:
    table = '# X\n\n| mill | sold |\n|---|---|\n| Alder | 2019[^1] |\n\n[^1]: raw/report.md, "sold in 2019"\n'
    found = all_carried(with_page("wiki/x.md", table, page('raw/report.md, "x"')))
    assert [each.text for each in found if each is not None] == ["Alder, sold: 2019"]


def test_the_head_of_a_callout_is_no_part_of_the_words() -> None:
    said = "> [!superseded] 2019-01-01\n> The mill was sold in 2019.[^1]"
    text = f'# X\n\n{said}\n\n[^1]: raw/report.md, "sold in 2019"\n'
    (found,) = all_carried(with_page("wiki/x.md", text, page('raw/report.md, "x"')))
    assert found is not None
    assert (found.text, found.news.day) == ("The mill was sold in 2019.", "2019-01-01")
