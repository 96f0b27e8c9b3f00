"""`case.yaml`: what it says, and each fault with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.extraction.case_file import CaseFile, parsed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", CaseFile()),
        ("# nothing yet\n", CaseFile()),
        ("description: A memo,\n  in two lines.\n", CaseFile("A memo, in two lines.")),
        ("tags: [one, other]\natoms: none\n", CaseFile("", ("one", "other"), True)),
    ],
)
def test_what_it_says(text: str, said: CaseFile) -> None:
    assert parsed(text) == (said, [])


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("description: [\n", 2, "the file is not YAML"),
        ("- a list\n", 0, "keys with values are wanted"),
        ("tags: [one]\ndescripton: x\n", 2, "there is no key 'descripton'; did you mean description?"),
        ("atoms: 3\n", 1, "'atoms' says `none` or is left out"),
        ("atoms: []\n", 1, "'atoms' says `none` or is left out"),
        ("tag: x\n", 1, "there is no key 'tag'; did you mean tags?"),
        ("tags: [one]\ntag: x\n", 2, "there is no key 'tag'; did you mean tags?"),
        ("tags: one\n", 1, "'tags' is no list of words"),
        ("tags: [1]\n", 1, "'tags' is no list of words"),
        ("tags: [' ']\n", 1, "'tags' is no list of words"),
        ("description: 3\n", 1, "'description' is no text"),
        ("atoms: none\natoms: none\n", 2, "the key 'atoms' stands twice"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, told: str) -> None:
    _, [wrong] = parsed(text)
    assert (wrong.line, wrong.message.startswith(told)) == (line, True), wrong
    assert wrong.mend


@given(st.text())
def test_no_text_makes_it_fail(text: str) -> None:
    said, wrong = parsed(text)
    assert isinstance(said, CaseFile)
    assert all(one.message and one.line >= 0 for one in wrong)
