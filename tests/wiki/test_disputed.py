from __future__ import annotations

import pytest

from gitops.wiki.disputed import HEAD, note_around

NOTE = (
    "# Mill\n\nIt employs 40 people.\n\n> [!disputed] Sources disagree\n> It employs 40 people.\n>\n> It employs 60.\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "# Mill\n\nIt employs 40 people.\n",
        "> It employs 40 people.\n",
        "> [!note] disputed\n> It employs 40 people.\n",
        "> [!disputed] Sources disagree\n\n> It employs 40 people.\n",
        "> [!disputed]x\n> It employs 40 people.\n",
        "[!disputed] Sources disagree\nIt employs 40 people.\n",
    ],
)
def test_no_note(text: str) -> None:
    assert note_around(text, text.index("It employs 40")) is None


def test_both_claims_stand_in_one_note() -> None:
    head = NOTE.index("> [!disputed]")
    assert note_around(NOTE, NOTE.rindex("It employs 40")) == head
    assert note_around(NOTE, NOTE.index("It employs 60")) == head
    assert note_around(NOTE, NOTE.index("It employs 40")) is None


@pytest.mark.parametrize("head", [HEAD, "> [!disputed]", "> [!DISPUTED]- Since 2019", ">> [!disputed]+"])
def test_heads(head: str) -> None:
    text = f"{head}\n> It employs 40 people.\n"
    assert note_around(text, text.index("It")) == 0
