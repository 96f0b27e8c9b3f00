"""Gold expects nothing that its documents do not say: each rule by one change of a sound case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.okf.model import Fault
from gitops.wiki.citation import escape
from tests.extraction.gold_case import DECISION, DECISION_FILE, MEMO, ROLE, ROLE_FILE, faults, like

PLACE = "gold/mowing/atoms/decisions/mow-in-may.md"


def only(old: str, new: str) -> Fault:
    """The only fault of the decision with other words in it."""
    assert old in DECISION
    [fault] = faults({DECISION_FILE: DECISION.replace(old, new)})
    assert fault.path == PLACE
    return fault


def told(fault: Fault) -> tuple[str, int, str]:
    return fault.result, fault.line, fault.level


def test_what_is_quoted_stands_there_letter_for_letter() -> None:
    fault = only('"because birds nest in June"', '"because birds nest in July"')
    assert told(fault) == ("misquoted", 19, "error")
    assert fault.message == '"because birds nest in July" does not stand in sources/memo.md'
    assert fault.mend == "quote the words letter for letter"


def test_other_letters_and_marks_are_told_with_the_line_of_the_source() -> None:
    fault = only('"because birds nest in June"', '"Because birds nest in June!"')
    assert told(fault) == ("misquoted", 19, "error")
    assert "the words stand at gold/mowing/sources/memo.md:3" in fault.mend


def test_white_space_and_unicode_form_are_no_misquotation() -> None:
    broken = "because birds\n  nest in Ju\u0308ne"
    one_line = DECISION.replace("because birds nest in June", "because birds nest in J\u00fcne")
    memo = f"# Memo\n\nThe Dike Board decided to mow in May, {broken}.\n"
    assert faults({DECISION_FILE: one_line, "mowing/sources/memo.md": memo}) == []


def test_a_quotation_of_another_document_is_told_where_it_stands() -> None:
    other = {"mowing/sources/other.md": "Once more: birds breed in June.\n"}
    [fault] = faults({**other, DECISION_FILE: DECISION.replace("because birds nest in June", "birds breed in June")})
    assert (fault.result, fault.mend) == ("misquoted", "it stands in sources/other.md")


@pytest.mark.parametrize("path", ["sources/mem.md", "memo.md", "../other/sources/memo.md", "raw/memo.md"])
def test_only_documents_of_the_case_are_cited(path: str) -> None:
    fault = only('[^s2]: sources/memo.md, "', f'[^s2]: {path}, "')
    assert told(fault) == ("no_such_source", 19, "error")
    assert fault.mend == "it has: sources/memo.md"


def test_a_citation_has_the_words() -> None:
    fault = only('[^s1]: sources/memo.md, "The Dike Board decided to mow in May"', "[^s1]: sources/memo.md")
    assert told(fault) == ("no_quote", 18, "error")


def test_a_mark_that_refers_to_nothing_is_refused() -> None:
    fault = only("The dikes are mown in May.[^s1]", "The dikes are mown in May.[^s1][^s11]")
    assert told(fault) == ("undefined_footnote", 12, "error")
    assert "[^s11]" in fault.message


def test_an_atom_cites_something() -> None:
    [fault] = faults({ROLE_FILE: ROLE.replace("[^s1]\n", "\n", 1).rsplit("[^s1]:", 1)[0]})
    assert (fault.result, fault.path) == ("uncited_atom", "gold/mowing/atoms/roles/dike-board.md")


def test_a_reason_that_nobody_gave_is_refused() -> None:
    fault = only("Birds nest in June.[^s2]", "Birds nest in June.[^s2]\n\nIt is cheaper as well.")
    assert told(fault) == ("unfounded_rationale", 18, "error")
    assert "It is cheaper as well." in fault.message


def test_a_reason_in_the_words_of_a_document_needs_no_citation() -> None:
    assert faults({DECISION_FILE: DECISION.replace("Birds nest in June.[^s2]", "birds nest in June.[^s2]")}) == []
    said = DECISION.replace("Birds nest in June.[^s2]", "They use Mowbook for it, and write a mowing list.")
    assert faults({DECISION_FILE: said}) == []


def test_a_decision_without_a_reason_says_that_none_is_stated() -> None:
    bare = DECISION.split("## Rationale")[0] + DECISION.rsplit("\n\n", 1)[1].splitlines()[0] + "\n"
    [fault] = faults({DECISION_FILE: bare})
    assert told(fault) == ("no_rationale", 0, "error")
    assert faults({DECISION_FILE: bare.replace("sources:", "rationale: []\nsources:", 1)}) == []


def test_a_reason_is_not_given_and_denied() -> None:
    fault = only("title: Mow in May", "title: Mow in May\nrationale: []")
    assert told(fault) == ("rationale_denied", 5, "error")


def test_ids_that_are_one_in_canonical_form_are_refused() -> None:
    [fault] = faults({"mowing/atoms/roles/x.md": like(ROLE, "role", "Role_Dike_Board", "Other Board")})
    assert (fault.result, fault.line) == ("same_id", 3)
    assert "'Role_Dike_Board' and 'dike-board'" in fault.message


def test_one_title_in_one_type_is_refused_and_in_two_is_not() -> None:
    other = like(ROLE, "role", "board", "DIKE  board")
    [fault] = faults({"mowing/atoms/roles/x.md": other})
    assert (fault.result, fault.line) == ("same_title", 4)
    assert faults({"mowing/atoms/x.md": other.replace("type: role", "type: system")}) == []


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("type: decision", "type: meeting", "outside_profile"),
        ("rel: decided_by", "rel: decided", "bad_relationship"),
        ("target: dike-board", "target: mow-in-may", "self_edge"),
        ("target: dike-board", "target: nobody", "dangling_edge"),
        ("id: mow-in-may", "id: dike-board", "duplicate_id"),
        ("title: Mow in May\n", "", "bad_title"),
        ("title: Mow in May", "title: [", "unparsable_frontmatter"),
    ],
)
def test_the_rules_of_the_format_hold_for_gold_too(old: str, new: str, result: str) -> None:
    found = faults({DECISION_FILE: DECISION.replace(old, new, 1)})
    assert result in {fault.result for fault in found if fault.level == "error"}
    assert {fault.path.split("/atoms/")[0] for fault in found} == {"gold/mowing"}


def test_an_artifact_need_not_be_produced() -> None:
    assert faults({"mowing/atoms/list.md": like(ROLE, "artifact", "list", "List")}) == []


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=30))
def test_whatever_is_quoted_is_told_or_stands_there(words: str) -> None:
    found = faults({ROLE_FILE: ROLE.rsplit("[^s1]:", 1)[0] + f'[^s1]: sources/memo.md, "{escape(words)}"\n'})
    stands = " ".join(words.split()) in " ".join(MEMO.split())
    assert stands or found
