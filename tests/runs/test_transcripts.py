from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.canonical import line
from gitops.git import notes
from gitops.runs import names, transcripts
from gitops.runs.records import id_of
from gitops.runs.transcripts import Transcript
from gitops.usage import Usage
from tests.runs.driving import Wiki

TURNS = [
    {"role": "user", "content": [{"type": "text", "text": "Find the error."}]},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "x"}]},
]


def _lines(wiki: Wiki, root: str) -> list[str]:
    return notes.read(wiki.context().repository, names.TRANSCRIPTS, root)


def _append(wiki: Wiki, root: str, text: str) -> None:
    context = wiki.context()
    notes.append(context.repository, names.TRANSCRIPTS, {root: [text]}, "by hand", context.identity, context.epoch)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("not JSON at all", "Expecting value"),
        ('{"kind":"transcript","kind":"transcript"}', "a name occurs twice"),
        ('{"summary":"x","kind":"transcript"}', "validation error"),
        ('{"a":NaN}', "NaN is not JSON"),
    ],
)
def test_a_line_that_is_none_is_named_and_skipped(wiki: Wiki, text: str, told: str) -> None:
    run = wiki.run()
    _append(wiki, run.record.root, text)
    transcripts.keep(wiki.context(), run, "writer", "Be brief.", TURNS, Usage())
    assert len(transcripts.of(wiki.context(), run)) == 1
    assert any(told in said and "refs/notes/assay/transcripts" in said and "skipped" in said for said in wiki.told)


def test_a_line_that_was_changed_no_longer_bears_its_id(wiki: Wiki) -> None:
    run = wiki.run()
    transcripts.keep(wiki.context(), run, "writer", "Be brief.", TURNS, Usage())
    (written,) = _lines(wiki, run.record.root)
    _append(wiki, run.record.root, written.replace("Find the error.", "Praise it."))
    assert len(transcripts.of(wiki.context(), run)) == 1
    assert any("its id is not the digest of its content" in said for said in wiki.told)


def test_a_conversation_of_another_run_on_the_same_commit_is_not_this_ones(wiki: Wiki) -> None:
    run = wiki.run()
    kept = transcripts.keep(wiki.context(), run, "writer", "Be brief.", TURNS, Usage())
    assert kept is not None
    body = kept.model_dump(mode="json", by_alias=True) | {"run_id": "another-run"}
    body.pop("summary")
    _append(wiki, run.record.root, line("another", body | {"id": id_of(body)}))
    assert [record.run_id for record in transcripts.of(wiki.context(), run)] == [run.id]


def test_where_nothing_was_said_nothing_is_kept(wiki: Wiki) -> None:
    run = wiki.run()
    assert transcripts.keep(wiki.context(), run, "writer", "Be brief.", [], Usage()) is None
    assert transcripts.of(wiki.context(), run) == []
    assert wiki.ref(names.TRANSCRIPTS) is None


def test_a_conversation_is_kept_on_the_runs_root_commit_as_one_canonical_line(wiki: Wiki) -> None:
    run = wiki.run()
    used = Usage(input=10, cache_read=90, output=5, usd=0.25, calls=2)
    kept = transcripts.keep(wiki.context(), run, "verifier", "Find it.", TURNS, used, "v1", model="claude-x")
    (text,) = _lines(wiki, run.record.root)
    assert kept is not None
    assert text == kept.line()
    assert text.startswith(f'{{"summary":"run {run.id}: a conversation of the verifier, 1 answers of claude-x",')
    assert '"schema":"assay/transcript/1"' in text
    (found,) = transcripts.of(wiki.context(), run)
    assert found == kept
    assert (found.at, found.prompt, found.verdict_id) == ("2024-01-02T03:04:05Z", "Find it.", "v1")
    assert found.usage == {"input_tokens": 100, "output_tokens": 5, "usd": 0.25, "calls": 2}
    assert list(found.turns) == TURNS


def test_kept_twice_it_is_there_once(wiki: Wiki) -> None:
    run = wiki.run()
    for _ in range(2):
        transcripts.keep(wiki.context(), run, "writer", "Be brief.", TURNS, Usage())
    assert len(_lines(wiki, run.record.root)) == 1


def test_conversations_come_oldest_first_also_when_kept_together(wiki: Wiki) -> None:
    run = wiki.run()
    transcripts.keep(wiki.context(), run, "writer", "Write.", TURNS, Usage())
    wiki.later(minutes=1)
    both = [Transcript("verifier", "m", f"Find {at}.", TURNS) for at in range(2)]
    assert len(transcripts.keep_all(wiki.context(), run, both, "v2")) == 2
    found = transcripts.of(wiki.context(), run)
    assert [record.role for record in found] == ["writer", "verifier", "verifier"]
    assert int(wiki.git("rev-list", "--count", names.TRANSCRIPTS)) == 2


def test_text_that_is_no_unicode_is_kept_readable(wiki: Wiki) -> None:
    run = wiki.run()
    turns = [{"role": "user", "content": "a\ud800b"}]
    transcripts.keep(wiki.context(), run, "writer", "Be brief.", turns, Usage())
    assert len(transcripts.of(wiki.context(), run)) == 1


def test_what_is_kept_changes_neither_the_run_nor_its_branch(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki()
    run = wiki.run()
    before = wiki.refs()
    transcripts.keep(wiki.context(), run, "writer", "Be brief.", TURNS, Usage())
    changed = set(wiki.refs().split("\n")) - set(before.split("\n"))
    assert [ref.rpartition("\t")[2] for ref in changed] == [names.TRANSCRIPTS]
    assert wiki.find(run).state == run.state
