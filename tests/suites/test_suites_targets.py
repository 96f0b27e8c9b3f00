"""What commands, callables and endpoints are told of a case, and what becomes of what they answer."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.suites.opening import opened
from tests.loopback import Handler, Loopback
from tests.suites.target_places import a_place, asked, goal, loaded

ECHO = {"kind": "command", "words": ["cat"]}
NETWORK = {"network": True, "timeout_ms": 2_000}


def test_a_command_reads_the_case_but_not_what_is_expected_of_it(tmp_path: Path) -> None:
    case = goal("sort", context=[{"role": "user", "content": "b a"}], skill_args={"reverse": True})
    told = json.loads(asked(a_place(tmp_path), ECHO, case, {"depth": 3}).output or "")
    assert told["case_id"] == "one"
    assert told["input"] == case.input.model_dump(mode="json")
    assert (told["config"], told["seed"]) == ({"depth": 3}, 7)
    assert "expected" not in told


def test_a_command_finds_case_seed_and_configuration_in_its_environment(tmp_path: Path) -> None:
    words = ["sh", "-c", "echo $ASSAY_CASE $ASSAY_SEED $ASSAY_CONFIG; echo $ASSAY_ROOT; echo $ASSAY_SUITE"]
    place = a_place(tmp_path)
    found = asked(place, {"kind": "command", "words": words}, goal(""), {"model": "a b"})
    assert (found.output or "").split("\n") == ['one 7 {"model":"a b"}', str(place.root), str(place.suite)]


def test_the_words_of_a_command_name_the_measured_tree_and_the_suite(tmp_path: Path) -> None:
    place = a_place(tmp_path, {"tool.sh": "echo from the tree", "gold/suites/shell/tool.sh": "echo from the suite"})
    for where in ("tree", "suite"):
        words = ["sh", "{root}/tool.sh" if where == "tree" else "{suite}/tool.sh"]
        assert asked(place, {"kind": "command", "words": words}, goal("")).output == f"from the {where}"


def test_only_variables_that_the_suite_names_reach_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLOUR", "red")
    monkeypatch.setenv("SHAPE", "round")
    words = ["sh", "-c", "echo $COLOUR.$SHAPE."]
    found = asked(a_place(tmp_path), {"kind": "command", "words": words}, goal(""), limits={"env": ["COLOUR", "NONE"]})
    assert found.output == "red.."


def test_a_secret_is_handed_over_only_where_whoever_runs_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_API_KEY", "hunter2")
    place, runs = a_place(tmp_path), {"kind": "command", "words": ["sh", "-c", "echo $MY_API_KEY"]}
    with pytest.raises(CannotRun, match="would hand MY_API_KEY to its target") as refused:
        asked(place, runs, goal(""), limits={"env": ["MY_API_KEY"]})
    assert "hunter2" not in refused.value.message + refused.value.hint
    monkeypatch.setenv("ASSAY_BENCHMARK_SECRETS", "OTHER, MY_API_KEY")
    assert asked(place, runs, goal(""), limits={"env": ["MY_API_KEY"]}).output == "hunter2"


AGENT = """\
import os

def upper(case):
    print("said aside")
    return case["input"]["goal"].upper()

def told(case, config):
    return {"output": {"depth": config["depth"], "seed": case["seed"]}, "tokens": 5, "metrics": {"steps": 2}}

def slow(case, latency=None):
    import time
    time.sleep(0.05)
    return "done"

def fails(case):
    raise KeyError("no such thing")

def nothing(case):
    return None

def unspeakable(case):
    return {"output": object()}

def dies(case):
    os._exit(3)
"""


def called(folder: Path, name: str, config: dict[str, Any] | None = None, **fields: Any) -> Any:
    place = a_place(folder, {"gold/suites/shell/agent.py": AGENT})
    return asked(place, {"kind": "python", "callable": f"agent:{name}"}, goal("hello"), config, **fields)


def test_a_callable_beside_the_suite_is_given_the_case(tmp_path: Path) -> None:
    assert called(tmp_path, "upper").output == "HELLO"


def test_a_callable_of_two_arguments_is_given_the_configuration_too(tmp_path: Path) -> None:
    found = called(tmp_path, "told", {"depth": 3})
    assert (found.output, found.tokens, found.metrics) == ('{"depth":3,"seed":7}', 5, {"steps": 2.0})


def test_a_callables_latency_is_that_of_its_call(tmp_path: Path) -> None:
    begun = time.perf_counter()
    found = called(tmp_path, "slow")
    took = (time.perf_counter() - begun) * 1000
    assert 50 <= found.latency_ms < took


@pytest.mark.parametrize(
    ("name", "category", "said"),
    [
        ("fails", "exit", "KeyError: 'no such thing'"),
        ("nothing", "no_output", "its result has no output"),
        ("unspeakable", "exit", "not JSON serializable"),
        ("dies", "exit", "exit 3"),
        ("there_is_none", "exit", "has no attribute 'there_is_none'"),
    ],
)
def test_what_a_callable_does_wrong_is_its_case_s_error(tmp_path: Path, name: str, category: str, said: str) -> None:
    found = called(tmp_path, name)
    assert (found.output, found.category) == (None, category)
    assert said in found.error


def test_a_callable_of_the_measured_tree_is_found(tmp_path: Path) -> None:
    place = a_place(tmp_path, {"mine/__init__.py": "", "mine/agent.py": "def run(case):\n    return __file__\n"})
    found = asked(place, {"kind": "python", "callable": "mine.agent:run"}, goal(""))
    assert found.output == str(place.root / "mine/agent.py")


def test_a_callable_is_found_beside_the_suite_then_in_its_workspace_then_in_the_tree(tmp_path: Path) -> None:
    place = replace(a_place(tmp_path), workspace=tmp_path / "tree/gold")
    where = [place.root / "mine.py", place.workspace / "mine.py", place.suite / "mine.py"]
    runs = {"kind": "python", "callable": "mine:run"}
    for path in where:
        path.write_text("import os\n\ndef run(case):\n    return [__file__, os.environ['ASSAY_WORKSPACE']]\n")
        assert json.loads(asked(place, runs, goal("")).output or "") == [str(path), str(place.workspace)]


def test_a_suite_that_says_no_target_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'runs' is missing"):
        opened(loaded(ECHO).__class__(loaded(ECHO).suite.model_copy(update={"runs": None}), "x"), a_place(tmp_path))


class Answering(Handler):
    """Answers by the path that is asked."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = {
            "/echo": (
                200,
                json.dumps({"output": [body["input"]["goal"], self.headers["x-who"]], "tokens": 4}).encode(),
            ),
            "/text": (200, b"plain words\n"),
            "/broken": (200, b"{oops"),
            "/busy": (503, b"come back later"),
            "/away": (302, b""),
            "/much": (200, b"x" * 3_000_000),
        }
        if self.path == "/slow":
            time.sleep(0.6)
        status, data = answer.get(self.path, (200, b"late"))
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        if status == 302:
            self.send_header("location", "/text")
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback(Answering) as made:
        yield made


def posted(server: Loopback, folder: Path, path: str, **fields: Any) -> Any:
    runs = {"kind": "http", "url": f"{server.origin}{path}", **fields.pop("runs", {})}
    return asked(a_place(folder), runs, goal("hello"), limits=fields.pop("limits", NETWORK), **fields)


def test_an_endpoint_is_posted_the_case_with_headers_from_the_environment(
    server: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHO", "me")
    monkeypatch.setenv("ASSAY_BENCHMARK_SECRETS", "WHO")
    found = posted(server, tmp_path, "/echo", runs={"headers_from": {"x-who": "WHO"}})
    assert (found.output, found.tokens, found.error) == ('["hello","me"]', 4, "")
    assert found.latency_ms > 0


def test_a_header_is_sent_only_where_whoever_runs_it_says_so(
    server: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHO", "me")
    with pytest.raises(CannotRun, match="would hand WHO to its target"):
        posted(server, tmp_path, "/echo", runs={"headers_from": {"x-who": "WHO"}})
    monkeypatch.delenv("WHO")
    with pytest.raises(CannotRun, match="needs WHO for the header x-who"):
        posted(server, tmp_path / "again", "/echo", runs={"headers_from": {"x-who": "WHO"}})


@pytest.mark.parametrize(
    ("path", "category", "said"),
    [
        ("/broken", "invalid_json", "begins like a JSON object"),
        ("/busy", "http", "it answered with status 503: come back later"),
        ("/away", "http", "it answered with status 302"),
        ("/much", "output", "it answered with more than 1 MiB"),
        ("/slow", "timeout", "it took longer than 0.2 s"),
    ],
)
def test_what_an_endpoint_does_wrong_is_its_case_s_error(
    server: Loopback, tmp_path: Path, path: str, category: str, said: str
) -> None:
    limits = {**NETWORK, "output_mb": 1, **({"timeout_ms": 200} if category == "timeout" else {})}
    found = posted(server, tmp_path, path, limits=limits)
    assert (found.output, found.category, found.is_timeout) == (None, category, category == "timeout")
    assert said in found.error


def test_text_of_an_endpoint_is_the_output(server: Loopback, tmp_path: Path) -> None:
    assert posted(server, tmp_path, "/text").output == "plain words"


def test_nobody_there_is_the_case_s_error(tmp_path: Path) -> None:
    runs = {"kind": "http", "url": "http://127.0.0.1:9/"}
    found = asked(a_place(tmp_path), runs, goal(""), limits=NETWORK)
    assert found.category == "connection"


def test_an_endpoint_is_refused_where_the_suite_asks_for_no_network(server: Loopback, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="its limits allow no network"):
        posted(server, tmp_path, "/text", limits={})


@pytest.mark.parametrize("url", ["http://user:word@host/", "http://ho st/", "https:///path"])
def test_an_address_that_two_readers_could_read_as_two_hosts_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(UsageError, match="no plain address"):
        asked(a_place(tmp_path), {"kind": "http", "url": url}, goal(""), limits=NETWORK)


def test_python_itself_runs_shut_in(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "import tempfile, pathlib; print(pathlib.Path(tempfile.mkdtemp()).parent.name)"]
    assert asked(a_place(tmp_path), {"kind": "command", "words": words}, goal("")).output == "case"
