from __future__ import annotations

import pytest

from gitops.index import records as rows
from gitops.runs import goldrows, health, mirror, remaking
from tests.runs.driving import MAIN, Wiki

GOLD = """\
- query: Who tells the tide to turn?
  expected_topics: [p000]
  expected_citations: [raw/tides.md]
  authored_at: 2024-01-02T03:04:05Z
"""


def written(wiki: Wiki, text: str) -> None:
    (wiki.folder / "gold").mkdir(exist_ok=True)
    (wiki.folder / "gold/queries.yaml").write_text(text)
    wiki.git("add", "gold")
    wiki.git("commit", "-q", "-m", "gold")


def table(wiki: Wiki) -> list[dict[str, object]]:
    with mirror.opened(wiki.context()) as index:
        return rows.rows(index, "eval_gold_queries")


def test_the_table_says_what_the_committed_file_says(wiki: Wiki) -> None:
    written(wiki, GOLD)
    goldrows.mirrored(wiki.context())
    [row] = table(wiki)
    assert (row["workspace"], row["query"]) == ("tides", "Who tells the tide to turn?")
    assert (row["expected_topics"], row["expected_citations"]) == (["p000"], ["raw/tides.md"])
    written(wiki, GOLD.replace("Who tells", "Does anybody tell"))
    goldrows.mirrored(wiki.context())
    assert [row["query"] for row in table(wiki)] == ["Does anybody tell the tide to turn?"]


@pytest.mark.slow
def test_an_index_made_anew_has_it_too(wiki: Wiki) -> None:
    written(wiki, GOLD)
    wiki.finish(wiki.run())
    assert table(wiki) == []
    assert remaking.remake(wiki.context()).left_out == []
    assert len(table(wiki)) == 1
    health.examine(wiki.context(), mend=True)
    assert health.examine(wiki.context(), mend=False) == []


def test_a_file_that_cannot_be_read_is_told_and_left_out(wiki: Wiki) -> None:
    written(wiki, "- query: [\n")
    goldrows.mirrored(wiki.context())
    assert table(wiki) == []
    assert any("gold queries left out of the index" in told for told in wiki.told)


def test_a_detached_head_has_its_own(wiki: Wiki) -> None:
    written(wiki, GOLD)
    wiki.git("checkout", "-q", "--detach", MAIN)
    goldrows.mirrored(wiki.context())
    assert len(table(wiki)) == 1
