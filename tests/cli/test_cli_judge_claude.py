"""`git assay judge --judge claude`: presets of the workspace or of nobody, several judges, errors, what it cost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.messages_server import Answer, MessagesServer, error, structured

SOURCE = "Solvent consumption at the plant declined by two fifths in 2019. Emissions rose by 3 % in the same year."
CLAIMS: list[dict[str, Any]] = [
    {"id": "a", "claim": "Solvent consumption at the plant declined by 40 % in 2019.", "source_text": SOURCE},
    {"id": 7, "claim": "工厂已出售。", "source_text": SOURCE},
]


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def script(body: dict[str, Any], number: int) -> Answer:
    text = body["messages"][0]["content"][-1]["text"]
    if "<pairs-" in text:
        numbers = re.findall(r"^(\d+)$", text, re.MULTILINE)
        return structured(
            {"votes": [{"id": int(n), "reason": "So.", "vote": "independent", "confidence": 0.7} for n in numbers]}
        )
    row = {"reason": "So.", "unsupported": [], "vote": "does_not_support", "confidence": 0.75}
    return structured({"votes": [{"id": int(n), **row} for n in re.findall(r"^(\d+) ", text, re.MULTILINE)]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MessagesServer]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with MessagesServer(script) as made:
        yield made


def outside(monkeypatch: pytest.MonkeyPatch, server: MessagesServer, tmp_path: Path) -> Path:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    folder = tmp_path / "nowhere"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(("said", "near"), [("claud", "claude"), ("offline,claud", "claude"), (" , ", "offline")])
def test_a_judge_that_is_not_there(
    assay: Callable[..., Any], refused: Callable[..., None], tmp_path: Path, said: str, near: str
) -> None:
    refused(assay(tmp_path, "judge", "--judge", said, stdin=lines(CLAIMS)), 2, near)


def test_without_a_key_no_vote_is_printed(
    assay: Callable[..., Any],
    refused: Callable[..., None],
    server: MessagesServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    folder = outside(monkeypatch, server, tmp_path)
    done = assay(folder, "judge", "--judge", "claude", "--json", stdin=lines(CLAIMS))
    refused(done, 3, "ANTHROPIC_API_KEY")
    assert (done.out, server.requests) == ("", [])


def test_a_model_that_fails_is_exit_code_3_and_no_vote(
    assay: Callable[..., Any],
    refused: Callable[..., None],
    wiki: Path,
    commit_files: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    with MessagesServer([error(401), structured({"votes": []}), structured({"votes": []})]) as server:
        commit_files(wiki, {"assay.toml": '[workspace]\nname = "plant"\n' + server.toml()})
        for said in ("ANTHROPIC_API_KEY", "answered twice"):
            done = assay(wiki, "judge", "--judge", "claude", stdin=lines(CLAIMS))
            assert (done.code, done.out) == (3, "")
            assert said in done.err
            assert ("2 calls" in done.err) == (said == "answered twice")


def test_a_workspace_that_is_not_there_is_told(
    assay: Callable[..., Any], refused: Callable[..., None], wiki: Path, tmp_path: Path
) -> None:
    refused(assay(wiki, "--workspace", "nope", "judge", "--judge", "claude", stdin=lines(CLAIMS)), 2, "plant")


def test_outside_a_repository_the_defaults_and_the_environment_apply(
    assay: Callable[..., Any], server: MessagesServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = outside(monkeypatch, server, tmp_path)
    done = assay(folder, "judge", "--judge", "claude", "--json", stdin=lines(CLAIMS))
    assert done.code == 0, done.err
    votes = [json.loads(line) for line in done.out.splitlines()]
    assert [(vote["id"], vote["vote"], vote["judge"]) for vote in votes] == [
        ("a", "does_not_support", "claude"),
        (7, "does_not_support", "claude"),
    ]
    assert server.bodies[0]["model"] == "claude-sonnet-5-5"
    assert done.err.startswith("note: 1 call, ")
    [log] = (tmp_path / "state" / "git-assay").glob("llm-usage-*.jsonl")
    [call] = [json.loads(line) for line in log.read_text().splitlines()]
    assert (call["role"], call["run_type"], call["tokens_out"] > 0) == ("judge", "eval", True)


def test_in_a_repository_that_is_no_workspace_the_defaults_apply_too(
    assay: Callable[..., Any],
    server: MessagesServer,
    make_repository: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    for repository in (make_repository({"a.md": "A.\n"}), make_repository(name="unborn")):
        assert assay(repository, "-q", "judge", "--judge", "claude", stdin=lines(CLAIMS)).code == 0


def test_in_a_workspace_its_verifier_is_asked_as_head_has_it(
    assay: Callable[..., Any], server: MessagesServer, wiki: Path, commit_files: Callable[..., str]
) -> None:
    policy = '[workspace]\nname = "plant"\n' + server.toml(model="claude-haiku-5-5")
    commit_files(wiki, {"assay.toml": policy})
    (wiki / "assay.toml").write_text(policy.replace("claude-haiku-5-5", "claude-opus-5-5"))
    done = assay(wiki, "judge", "--judge", "claude", stdin=lines(CLAIMS))
    assert done.code == 0, done.err
    assert server.bodies[0]["model"] == "claude-haiku-5-5"
    assert list((wiki / ".git" / "assay").glob("llm-usage-*.jsonl"))


def test_a_later_judge_is_asked_only_what_the_first_was_unsure_of(
    assay: Callable[..., Any], server: MessagesServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = outside(monkeypatch, server, tmp_path)
    verbatim = {"id": "v", "claim": SOURCE.partition(". ")[0] + ".", "source_text": SOURCE}
    done = assay(folder, "judge", "--judge", "offline,claude", "--json", stdin=lines([verbatim, CLAIMS[1]]))
    votes = {vote["id"]: vote for vote in map(json.loads, done.out.splitlines())}
    assert (votes[7]["judge"], votes[7]["vote"]) == ("claude", "does_not_support")
    assert votes["v"]["judge"] == (
        "offline" if votes["v"]["may_gate"] and votes["v"]["vote"] == "supports" else "claude"
    )
    scored = lines([row | {"label": "supports"} for row in CLAIMS])
    told = json.loads(assay(folder, "-q", "judge", "--judge", "offline,claude", "--score", "--json", stdin=scored).out)
    assert told["judge"]["id"] == "offline+claude"
    assert (told["cases"], told["abstained"]) == (2, 0)


def test_pairs_are_voted_on(
    assay: Callable[..., Any], server: MessagesServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = outside(monkeypatch, server, tmp_path)
    pairs = lines([{"id": 1, "a": "It had 10 teams.", "b": "It rose."}])
    done = assay(folder, "judge", "--pairs", "--judge", "claude", "--json", stdin=pairs)
    assert json.loads(done.out)["vote"] == "independent"


def test_a_judge_without_a_model_opens_no_repository_and_imports_none_of_it(
    process: Callable[..., Any], tmp_path: Path
) -> None:
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(
        "import atexit, sys\n"
        "dear = {'pygit2', 'anthropic', 'gitops.llm', 'gitops.agents'}\n"
        "atexit.register(lambda: print(sorted(dear & sys.modules.keys()), file=sys.stderr))\n"
    )
    project = str(Path(__file__).parents[2])
    done = process(tmp_path, "judge", "--json", stdin=lines(CLAIMS), env={"PYTHONPATH": f"{hook}:{project}"})
    assert done.code == 0
    assert done.err.strip() == "[]"


def voted(vote: str, *unsupported: str) -> Answer:
    row = {"id": 1, "reason": "So.", "unsupported": list(unsupported), "vote": vote, "confidence": 0.9}
    return structured({"votes": [row]})


@pytest.mark.parametrize(
    ("answer", "code", "status", "asked"),
    [
        (structured({"votes": []}), 3, "pending", 2),
        (error(529), 3, "pending", 1),
        (voted("does_not_support", "use"), 1, "rejected", 1),
        (voted("supports"), 0, "committed", 1),
    ],
    ids=["malformed", "overloaded", "against", "for"],
)
@pytest.mark.slow
def test_a_run_lands_on_its_vote_and_stays_where_there_is_none(
    assay: Callable[..., Any],
    wiki: Path,
    commit_files: Callable[..., str],
    staged: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer,
    code: int,
    status: str,
    asked: int,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    with MessagesServer(lambda body, number: answer) as server:
        policy = '[workspace]\nname = "plant"\n[verify]\njudge = "claude"\n' + server.toml()
        commit_files(wiki, {"assay.toml": policy})
        run = staged(wiki)
        done = assay(wiki, "run", "finish", run, "--json")
        assert done.code == code, done.err + done.out
        assert json.loads(assay(wiki, "run", "show", run, "--json").out)["status"] == status
        assert len(server.requests) == asked
