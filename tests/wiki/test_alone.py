from __future__ import annotations

from gitops.wiki.alone import in_words
from gitops.wiki.page import parse

END = "\n[^1]: raw/report.md\n"


def test_a_sentence_is_its_own_words() -> None:
    (claim,) = parse(f"The mill is old. It employs 40 people.[^1] It is red.\n{END}".encode()).claims
    assert in_words(claim) == "It employs 40 people."


def test_an_item_is_read_without_its_lead_in() -> None:
    (claim,) = parse(f"Of the mill:\n\n- It employs 40 people.[^1]\n{END}".encode()).claims
    assert in_words(claim) == "It employs 40 people."


def test_a_cell_is_read_behind_its_heads() -> None:
    table = "| mill | people | halls |\n|---|---|---|\n| Lindau | 40 in all[^1] | 2 |\n"
    (claim,) = parse(f"{table}{END}".encode()).claims
    assert in_words(claim) == "Lindau, people: 40 in all"


def test_the_cell_that_names_its_row_has_its_columns_head_alone() -> None:
    (claim,) = parse(f"| mill | people |\n|---|---|\n| Lindau works[^1] | 40 |\n{END}".encode()).claims
    assert in_words(claim) == "mill: Lindau works"
