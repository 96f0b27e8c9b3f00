from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.retrieval.command import Asking, Template, ask
from gitops.retrieval.model import Answer, GoldenQuery, Result

PYTHON = sys.executable
ECHO = "import sys, json; print(json.dumps({'answer': {'text': '|'.join(sys.argv[1:])}}))"

Program = Callable[..., Asking]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """How a program of Python's is asked; `words` is the template behind its name."""

    def make(code: str, words: str = "{query}", top: int = 10, timeout_s: float = 30.0, jobs: int = 1) -> Asking:
        (tmp_path / "rag.py").write_text(code)
        return Asking(Template.of(f"{PYTHON} rag.py {words}", tmp_path), tmp_path, top, timeout_s, jobs)

    return make


def one(asking: Asking, query: str = "How?", query_id: str = "q") -> Result:
    return ask(asking, [GoldenQuery(query_id, query)]).by_query[query_id]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("my-rag", "has no {query} in it"),
        ("my-rag {query_id} {k}", "has no {query} in it"),
        ("my-rag '{query}", "No closing quotation"),
        ("", "has no {query} in it"),
        ("there-is-no-such-rag {query}", "there is no program 'there-is-no-such-rag'"),
        ("./rag.py {query}", "there is no program './rag.py'"),
        ("{query} --json", "what is asked would say what runs"),
        ("./rag-{k} {query}", "what is asked would say what runs"),
    ],
)
def test_a_template_that_could_not_be_asked_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        Template.of(text, tmp_path)
    assert refused.value.hint


def test_a_program_named_by_its_path_is_looked_for_where_it_will_run(tmp_path: Path) -> None:
    (tmp_path / "rag").write_text(f"#!{PYTHON}\nprint('here')\n")
    (tmp_path / "rag").chmod(0o755)
    asking = Asking(Template.of("./rag {query}", tmp_path), tmp_path, 10)
    assert one(asking).answer == Answer("here")


@pytest.mark.parametrize(
    "query",
    ["it's $(touch x); rm -rf / | cat", "{query_id} {k} {query}", 'a "quoted"  part\n--help', "--version", "é 물"],
)
def test_a_query_is_one_word_and_nothing_in_it_is_obeyed(program: Program, query: str, tmp_path: Path) -> None:
    found = one(program(ECHO, "-- x{query}y {query_id} {k}", top=3), query, "id-1")
    assert found.answer is not None
    assert found.answer.text == f"--|x{query}y|id-1|3"
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import sys; print('half'); sys.exit('one\\n  the last line \\n')", "exit 1: the last line"),
        ("import sys; sys.exit(3)", "exit 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "signal 15"),
        ("pass", "it printed nothing"),
        ("import sys; sys.stdout.buffer.write(b'\\xff')", "what it printed is not UTF-8"),
        ("print('{\"answer\"')", "begins like JSON and is none"),
        ("print('{} {}')", "begins like JSON and is none"),
        ('print(\'{"a": 1, "a": 2}\')', "a name occurs twice"),
        ('print(\'{"query_id": "other", "hits_top_k": []}\')', "it answered another query: 'other'"),
        ('print(\'{"query_id": [], "hits_top_k": []}\')', "'query_id' must be text, not []"),
        ('print(\'{"hits_top_k": [{"rank": 1}]}\')', "chunk_id"),
        ('print(\'{"hits_top_k": [{"chunk_id": "c", "spans": [[5, 2]]}]}\')', "hit 1"),
        ('print(\'{"nothing": "known"}\')', "it tells no 'hits_top_k'"),
    ],
)
def test_what_goes_wrong_is_the_querys_error(program: Program, code: str, error: str) -> None:
    found = one(program(code))
    assert error in found.error
    assert "\n" not in found.error
    assert (found.hits, found.answer, found.latency_ms) == ((), None, None)


@pytest.mark.parametrize("query", ["with\0in it", "long " * 50_000])
def test_a_query_that_no_command_line_can_hold_is_its_own_error(program: Program, query: str) -> None:
    assert one(program(ECHO), query).error.startswith("it could not be started: ")


@pytest.mark.slow
def test_what_takes_too_long_is_ended_and_the_others_go_on(program: Program) -> None:
    code = "import sys, time\nif sys.argv[1] == 'slow': time.sleep(60)\nprint('done')"
    found = ask(
        program(code, timeout_s=1.5, jobs=2), [GoldenQuery("slow", "slow"), GoldenQuery("quick", "quick")]
    ).by_query
    assert list(found) == ["slow", "quick"]
    assert found["slow"].error == "it took longer than 1.5 s"
    assert found["quick"].answer == Answer("done")


def test_plain_text_is_an_answer_that_does_not_tell_whether_it_is_grounded(program: Program) -> None:
    found = one(program("print('\\ufeff  Twice a day. \\n')"))
    assert found.answer == Answer("Twice a day.")
    assert found.latency_ms is not None
    assert found.latency_ms > 0


def test_an_object_over_several_lines_is_a_result_and_no_deeper_than_asked(program: Program) -> None:
    hits = "[{'chunk_id': f'c{n}', 'score': 9 - n} for n in range(int(sys.argv[2]) + 5)]"
    code = f"import json, sys\nprint(json.dumps({{'hits_top_k': {hits}, 'answer': None}}, indent=1))"
    found = one(program(code, "{query} {k}", top=3))
    assert [(hit.rank, hit.chunk_id) for hit in found.hits] == [(1, "c0"), (2, "c1"), (3, "c2")]
    assert (found.answer, found.error) == (None, "")


def test_the_time_that_a_system_tells_is_taken_before_ours(program: Program) -> None:
    assert one(program('print(\'{"hits_top_k": [], "latency_ms": 1.25, "tokens": 7}\')')).latency_ms == 1.25
    assert (one(program('print(\'{"hits_top_k": [], "latency_ms": null}\')')).latency_ms or 0) > 1.25


def test_an_id_in_another_normal_form_is_the_same_query(program: Program) -> None:
    assert one(program('print(\'{"query_id": "cafe\\u0301", "hits_top_k": []}\')'), query_id="café").error == ""


@pytest.mark.parametrize("told", ["12", '"12"', "null"])
def test_an_id_may_be_a_number_or_be_left_open(program: Program, told: str) -> None:
    assert one(program(f'print(\'{{"query_id": {told}, "hits_top_k": []}}\')'), query_id="12").error == ""


def test_results_come_in_the_order_of_the_gold_however_many_run_at_once(program: Program) -> None:
    code = "import sys, time; time.sleep(0.3 / int(sys.argv[1])); print(sys.argv[1])"
    queries = [GoldenQuery(f"q{number}", str(number)) for number in range(1, 6)]
    seen: list[str] = []

    def watch(given: Sequence[GoldenQuery]) -> Iterator[GoldenQuery]:
        for query in given:
            seen.append(query.query_id)
            yield query

    found = ask(program(code, jobs=3), queries, watch)
    assert list(found.by_query) == seen == [query.query_id for query in queries]
    assert [each.answer for each in found.by_query.values()] == [Answer(str(number)) for number in range(1, 6)]
    assert not found.has_header


def test_an_interruption_ends_what_runs_and_starts_nothing_more(program: Program, tmp_path: Path) -> None:
    code = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"

    def interrupted(queries: Sequence[GoldenQuery]) -> Iterator[GoldenQuery]:
        while not (tmp_path / "first").exists() or not (tmp_path / "first").read_text():
            pass
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(program(code), [GoldenQuery("first", "first"), GoldenQuery("second", "second")], interrupted)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "first").read_text()), 0)
    assert not (tmp_path / "second").exists()
