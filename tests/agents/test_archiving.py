from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gitops.agents import archiving, querying
from gitops.agents.answers import Answer, Said, refusal
from gitops.errors import Refused, UsageError
from gitops.runs import transcripts
from gitops.runs.outcome import Outcome
from gitops.runs.transcripts import Transcript
from gitops.usage import Usage
from gitops.wiki.page import parse
from tests.agents.asked import FILES, SOURCE, asking, context_of

MAIN = "refs/heads/main"
PAGE = "wiki/answers/who-measured-the-tide.md"
KEPT = """\
# Who measured the tide?

- Ada Lovelace measured the tide in 1843.[^1]

## See also

- [Tides](../tides.md)

[^1]: raw/tides.md, "Ada Lovelace measured it in 1843." @{offset}
"""


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES)


def answered(folder: Path, question: str = "Who measured the tide?") -> Answer:
    return querying.answer(asking(folder, question))


def keep(folder: Path, answer: Answer) -> tuple[Outcome | None, archiving.Kept]:
    asked = asking(folder, answer.question)
    return archiving.archive(asked.context, asked.workspace, MAIN, answer)


def test_a_refusal_is_not_kept_and_no_run_is_begun(wiki: Path) -> None:
    with pytest.raises(Refused, match="it is refused"):
        keep(wiki, replace(answered(wiki), said=refusal("nobody knows")))


def test_what_cites_no_source_is_not_kept(wiki: Path, git: Callable[..., str]) -> None:
    before = git(wiki, "for-each-ref")
    with pytest.raises(Refused, match=r"no source's own words were found for what wiki/harbours\.md says"):
        keep(wiki, answered(wiki, "What does a harbour shelter?"))
    assert git(wiki, "for-each-ref") == before


def test_an_answer_is_kept_as_a_page_with_its_sources_words(wiki: Path, git: Callable[..., str]) -> None:
    outcome, kept = keep(wiki, answered(wiki))
    assert outcome is not None
    assert (outcome.result, outcome.run.record.run_type, kept.left_out) == ("landed", "archive", ())
    offset = FILES["raw/tides.md"].index("Ada Lovelace")
    assert git(wiki, "show", f"main:{PAGE}") == KEPT.format(offset=offset).rstrip()
    index = git(wiki, "show", "main:wiki/index.md")
    assert index.startswith(FILES["wiki/index.md"])
    assert "\n## Answers\n\n- [Who measured the tide?](answers/who-measured-the-tide.md)" in index
    assert outcome.verdict is not None
    assert not [one for one in outcome.verdict.findings if one.level in ("error", "warning")]


def test_the_same_answer_is_kept_once(wiki: Path, git: Callable[..., str]) -> None:
    keep(wiki, answered(wiki))
    tip = git(wiki, "rev-parse", "main")
    outcome, kept = keep(wiki, answered(wiki))
    assert (outcome, kept.pages) == (None, {})
    assert git(wiki, "rev-parse", "main") == tip


def test_a_changed_answer_replaces_the_page_and_leaves_the_index(
    wiki: Path, git: Callable[..., str], commit_files: Callable[..., str]
) -> None:
    keep(wiki, answered(wiki))
    index = git(wiki, "show", "main:wiki/index.md")
    page = FILES["wiki/tides.md"].replace(
        "Ada Lovelace measured the tide in 1843", "Ada Lovelace measured this tide, in 1843"
    )
    commit_files(wiki, {"wiki/tides.md": page})
    outcome, _ = keep(wiki, answered(wiki))
    assert outcome is not None
    assert outcome.result == "landed"
    assert "measured this tide" in git(wiki, "show", f"main:{PAGE}")
    assert git(wiki, "show", "main:wiki/index.md") == index


def test_sentences_without_a_source_are_left_out_and_named(wiki: Path) -> None:
    found = answered(wiki)
    other = answered(wiki, "What does a harbour shelter?")
    both = replace(found, said=replace(found.said, citations=(*found.said.citations, *other.said.citations)))
    outcome, kept = keep(wiki, both)
    assert outcome is not None
    assert kept.left_out == ("A harbour shelters boats at low water.",)
    assert b"harbour" not in kept.pages[PAGE]


def test_a_wiki_without_an_index_gets_one(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    folder = make_repository({path: text for path, text in FILES.items() if path != "wiki/index.md"}, name="bare")
    outcome, _ = keep(folder, answered(folder))
    assert outcome is not None
    assert "## Answers" in git(folder, "show", "main:wiki/index.md")


def test_what_the_policy_requires_of_pages_is_there(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    policy = FILES["assay.toml"] + '\n[pages]\nrequired = ["title", "type", "updated", "owner"]\n'
    folder = make_repository({**FILES, "assay.toml": policy}, name="strict")
    outcome, _ = keep(folder, answered(folder))
    assert outcome is not None
    assert outcome.result in ("landed", "revise", "rejected")
    assert outcome.verdict is not None
    assert "missing_field" not in [one.result for one in outcome.verdict.findings]


def test_links_are_written_as_the_wiki_writes_them(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    index = "# Index\n\n- [[tides]]\n- [[harbours]]\n"
    harbours = "# Harbours\n\nA harbour shelters boats. See [[tides]].\n"
    folder = make_repository({**FILES, "wiki/index.md": index, "wiki/harbours.md": harbours}, name="obsidian")
    keep(folder, answered(folder))
    assert "[[answers/who-measured-the-tide|Who measured the tide?]]" in git(folder, "show", "main:wiki/index.md")
    assert "- [[tides|Tides]]" in git(folder, "show", f"main:{PAGE}")


def test_a_models_words_stand_above_what_they_rest_on(wiki: Path, git: Callable[..., str]) -> None:
    found = answered(wiki)
    used = Usage(input=100, output=10, usd=0.5, calls=1)
    turns = ({"role": "user", "content": "who?"}, {"role": "assistant", "content": "Ada"})
    said = Said(
        "Ada Lovelace measured the tide.", found.said.citations, used=used,
        transcript=Transcript("writer", "claude", "You answer.", turns, used),
    )  # fmt: skip
    outcome, _ = keep(wiki, replace(found, said=said, model="claude-sonnet-5-5", preset="claude"))
    assert outcome is not None
    page = git(wiki, "show", f"main:{PAGE}")
    assert "\n\nAda Lovelace measured the tide.[^1]\n\n- Ada Lovelace measured the tide in 1843.[^1]\n" in page
    [record] = transcripts.of(context_of(wiki), outcome.run)
    assert (record.role, record.model, len(record.turns)) == ("writer", "claude", 2)
    state = outcome.run.state
    assert (state.spent["writer"]["usd"], state.used["usd"]) == (0.5, 0.0)  # paid from the budget of queries


def test_a_question_in_another_script_has_a_page_of_its_own(wiki: Path, git: Callable[..., str]) -> None:
    found = replace(answered(wiki), question="누가 조수를 쟀나?")
    outcome, kept = keep(wiki, found)
    assert outcome is not None
    assert outcome.result == "landed"
    assert kept.path.startswith("wiki/answers/")
    assert len(kept.path) > len("wiki/answers/.md")


def test_another_question_of_the_same_words_keeps_a_page_of_its_own(wiki: Path) -> None:
    long = "Who measured the tide that falls back twice a day on most coasts, "
    one, other = (replace(answered(wiki), question=f"{long}{end}?") for end in ("in spring", "in autumn"))
    _, first = keep(wiki, one)
    tip = replace(other, commit=asking(wiki, "x").commit)
    outcome, second = keep(wiki, tip)
    assert outcome is not None
    assert outcome.result == "landed"
    assert first.path != second.path
    assert second.path.startswith(first.path.removesuffix(".md"))
    again = replace(one, commit=asking(wiki, "x").commit)
    assert keep(wiki, again)[1].path == first.path


@pytest.mark.parametrize(
    "question", ['Who "measured" [the](x) | `tide`?', "# Who\n- measured *it*?", "a: b # <b>c</b> $x$ %%y%%"]
)
def test_a_question_with_mark_up_is_shown_as_it_is(wiki: Path, git: Callable[..., str], question: str) -> None:
    outcome, kept = keep(wiki, replace(answered(wiki), question=question))
    assert outcome is not None
    assert outcome.result == "landed"
    page = parse(git(wiki, "show", f"main:{kept.path}").encode())
    assert page.headings[0].text == " ".join(question.split())
    assert [problem.result for problem in page.problems] == []


@pytest.mark.parametrize(
    "question", ["Who measured the tide?🍵", "Who measured the tide++", "Who measured the tide, 1?"]
)
@pytest.mark.slow
def test_what_only_folds_alike_is_another_question(wiki: Path, git: Callable[..., str], question: str) -> None:
    keep(wiki, answered(wiki))
    other = replace(answered(wiki), question=question)
    outcome, kept = keep(wiki, other)
    assert outcome is not None
    assert kept.path != PAGE
    assert git(wiki, "show", f"main:{PAGE}") == KEPT.format(offset=SOURCE.index("Ada")).strip()


def test_the_same_question_in_other_capitals_is_kept_once(wiki: Path) -> None:
    keep(wiki, answered(wiki))
    outcome, kept = keep(wiki, replace(answered(wiki), question="who measured  the TIDE"))
    assert outcome is None
    assert kept.path == PAGE


@pytest.mark.slow
def test_an_entry_that_a_person_reworded_is_not_made_again(wiki: Path, git: Callable[..., str]) -> None:
    keep(wiki, answered(wiki))
    index = git(wiki, "show", "main:wiki/index.md").replace("[Who measured the tide?]", "[Measuring]")
    (wiki / "wiki" / "index.md").write_text(index)
    git(wiki, "commit", "--quiet", "--all", "-m", "reword")
    outcome, _ = keep(wiki, answered(wiki))
    assert outcome is None


def test_a_page_that_a_person_wrote_is_not_written_over(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    mine = "# Who measured the tide?\n\nMy own notes.\n"
    folder = make_repository({**FILES, PAGE: mine}, name="mine")
    outcome, kept = keep(folder, answered(folder))
    assert outcome is not None
    assert outcome.result == "landed"
    assert kept.path != PAGE
    assert git(folder, "show", f"main:{PAGE}") == mine.strip()
    (folder / kept.path).write_text(mine)
    git(folder, "commit", "--quiet", "--all", "-m", "and again")
    with pytest.raises(Refused, match="is there and is no kept answer"):
        keep(folder, answered(folder))


def test_a_question_too_long_for_a_title_is_not_kept(wiki: Path, git: Callable[..., str]) -> None:
    before = git(wiki, "for-each-ref")
    with pytest.raises(UsageError, match="is too long for the title"):
        keep(wiki, replace(answered(wiki), question="Who measured the tide? " * 100))
    assert git(wiki, "for-each-ref") == before


def test_what_nobody_sees_in_a_question_is_in_no_page_and_no_commit(wiki: Path, git: Callable[..., str]) -> None:
    outcome, kept = keep(wiki, replace(answered(wiki), question="Who\x1b[31m measured\u202e the \udcfftide?"))
    assert outcome is not None
    assert outcome.result == "landed"
    assert git(wiki, "show", f"main:{kept.path}").startswith("# Who \\[31m measured the tide?\n")
    told = git(wiki, "log", "--all", "--format=%B")
    assert not {"\x1b", "\u202e", "\udcff"} & set(told)
