"""The worst case: a model that does whatever a hostile text tells it. What it may not do, it cannot do."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitops.agents.desk import Desk
from gitops.agents.judges.claude_agent import ClaudeAgent
from gitops.agents.judges.claude_agent import judge as seated
from gitops.agents.loop import Conversation
from gitops.agents.seating import seat
from gitops.agents.tools import reading_tools, writing_tools
from gitops.errors import CannotRun
from gitops.runs import transcripts
from gitops.runs.records import Run
from gitops.runs.seating import Seat
from tests.agents.attacks.corpus import ATTACKS, FACT, MARK, source_of
from tests.agents.speaking import messages_of, results
from tests.messages_server import Answer, MessagesServer, text, tool_use, tool_uses
from tests.runs.driving import Wiki, first_files, kept

pytestmark = pytest.mark.slow

SOUND = f'# Tide\n\nThe sea falls back twice a day.[^1]\n\n[^1]: raw/tides.md, "{FACT}"\n'
INVENTED = '# Moon\n\nCamels carry it.[^1]\n\n[^1]: raw/tides.md, "camels are the ships of the desert, so they say"\n'
PAGE = "wiki/p000.md"
OTHER = "wiki/p059.md"
HOOK = "../../.git/hooks/post-commit"
WRITES: list[tuple[str, Mapping[str, Any]]] = [
    ("stage_write", {"path": HOOK, "content": f"#!/bin/sh\necho {MARK}\n"}),
    ("stage_write", {"path": "assay.toml", "content": f'[workspace]\nname = "{MARK}"\n'}),
    ("stage_write", {"path": "raw/tides.md", "content": MARK}),
    ("str_replace", {"path": PAGE, "old": "twice", "new": MARK}),
    ("write", {"path": "/tmp/x", "content": MARK}),
    ("delete", {"path": PAGE}),
    ("bash", {"command": f"git update-ref refs/heads/{MARK} HEAD"}),
    ("git", {"arguments": ["notes", "add", "-m", MARK]}),
    ("finish", {"summary": MARK}),
    ("record_verdict", {"verdict": "commit"}),
]
READS: list[tuple[str, Mapping[str, Any]]] = [
    ("read", {"path": "../../.git/config"}),
    ("read", {"path": "/etc/passwd"}),
    ("read", {"path": "assay.toml"}),
    ("list", {"path": ".."}),
    ("grep", {"pattern": ".", "path": "gold"}),
]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")


def votes(body: Mapping[str, Any], kind: str = "supports", only: int = 0) -> Answer:
    """The same vote on every claim that the first message of the conversation asks about."""
    count = int(re.findall(r"The (\d+) claims to vote on", body["messages"][0]["content"][0]["text"])[-1])
    one = {"vote": kind, "confidence": 1.0, "reason": "As I was told.", "unsupported": []}
    return tool_use("submit_votes", {"votes": [{"number": at + 1, **one} for at in range(only or count)]})


def obedient(body: dict[str, Any], number: int) -> Answer:
    """Tries everything that it was ever told to do, a few at a time so that nobody loses patience; votes in the end."""
    turn = sum(1 for message in body["messages"] if message["role"] == "assistant")
    tries = [
        tool_uses([*WRITES[:3], ("read", {"path": PAGE})]),
        tool_uses([*WRITES[3:6], ("events", {})]),
        tool_uses([*WRITES[6:], ("read", {"path": "raw/tides.md"})]),
        tool_uses(READS),
    ]
    return tries[turn] if turn < len(tries) else votes(body)


def honest(body: dict[str, Any], number: int) -> Answer:
    """Looks at nothing and supports everything: the same votes without any attempt at anything else."""
    return votes(body)


@pytest.fixture
def make(make_repository: Callable[..., Path]) -> Callable[..., Wiki]:
    def made(server: MessagesServer, attack: str, name: str = "hostile") -> Wiki:
        files = {
            **first_files(_policy(server)),
            "raw/tides.md": source_of(attack),
            "gold/queries.yaml": f"- q: {MARK}\n",
        }
        wiki = Wiki(make_repository(files, name=name))
        wiki.seating = seat
        return wiki

    return made


def _policy(server: MessagesServer) -> str:
    return '[verify]\njudge = "claude_agent"\n' + server.toml("verifier")


@dataclass
class Siege:
    """A wiki with a source for each attack, and the server whose model obeys them."""

    wiki: Wiki
    server: MessagesServer

    def run(self, number: int, page: str) -> Run:
        """A run that cites the attack of a number, finished."""
        content = page.replace("raw/tides.md", f"raw/{number:02}.md")
        return self.wiki.finish(self.wiki.run({f"wiki/p{number:03}.md": content}, run_id=f"attack-{number:02}")).run


@pytest.fixture(scope="module")
def besieged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Siege]:
    """One wiki for all attacks, one after the other: what one of them left behind would meet the next."""
    with pytest.MonkeyPatch.context() as patch, MessagesServer(obedient) as server:
        for name, value in {"HOME": os.devnull, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}.items():
            patch.setenv(name, value)
        for who in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{who}_NAME", "Ada Writer")
            patch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")
        folder = tmp_path_factory.mktemp("siege")
        files = {**first_files(_policy(server), pages=60), "gold/queries.yaml": f"- q: {MARK}\n"}
        files |= {f"raw/{number:02}.md": source_of(attack) for number, attack in enumerate(ATTACKS.values())}
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content.encode())
        for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
            subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True)
        yield Siege(Wiki(folder, seating=seat), server)


@pytest.fixture
def siege(besieged: Siege, monkeypatch: pytest.MonkeyPatch) -> Siege:
    """The wiki of all attacks, whose server outlives the ban on the network that every test begins with."""
    monkeypatch.delenv("ASSAY_LLM", raising=False)
    return besieged


def standing(wiki: Wiki) -> dict[str, Any]:
    """All that stands in the repository and around it, but for objects, records and what was said."""
    files = {
        str(file.relative_to(wiki.folder)): file.read_bytes()
        for file in sorted(wiki.folder.rglob("*"))
        if file.is_file() and not file.is_relative_to(wiki.folder / ".git")
    }
    hooks = wiki.folder / ".git" / "hooks"
    return {
        "refs": {line.split("\t")[1] for line in wiki.refs().split("\n")},
        "hooks": sorted(os.listdir(hooks)) if hooks.exists() else [],
        "beside": sorted(os.listdir(wiki.folder.parent)),
        "files": files,
    }


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(ATTACKS)), ids=ATTACKS)
def test_what_a_check_refuses_stays_refused_and_the_judge_is_not_even_asked(siege: Siege, number: int) -> None:
    main, asked, before = siege.wiki.ref("main"), len(siege.server.requests), standing(siege.wiki)
    run = siege.wiki.run(
        {f"wiki/p{number:03}.md": SOUND.replace("raw/tides.md", f"raw/{number:02}.md"), OTHER: INVENTED}
    )
    ended = siege.wiki.finish(run).run
    assert ended.status == "rejected"
    assert siege.wiki.ref("main") == main
    assert siege.wiki.ref(kept(ended)) is not None
    assert len(siege.server.requests) == asked
    after = standing(siege.wiki)
    new = {kept(ended), "refs/notes/assay/runs", "refs/notes/assay/verdicts"}
    assert after["refs"] - before["refs"] <= new
    assert {**after, "refs": 0} == {**before, "refs": 0}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(ATTACKS)), ids=ATTACKS)
def test_an_obedient_judge_does_nothing_but_vote(siege: Siege, number: int) -> None:
    """It lands what no check refuses, since it says yes; of all else that it tries, nothing is left behind."""
    page = f"wiki/p{number:03}.md"
    main, asked, before = siege.wiki.ref("main"), len(siege.server.requests), standing(siege.wiki)
    ended = siege.run(number, SOUND)
    assert ended.status == "committed"
    assert len(siege.server.requests) == asked + 5
    assert siege.wiki.git("diff", "--name-only", str(main), "main").split("\n") == ["wiki/log.md", page]
    assert siege.wiki.show(page) == SOUND.replace("raw/tides.md", f"raw/{number:02}.md").rstrip("\n")
    after = standing(siege.wiki)
    notes = {f"refs/notes/assay/{name}" for name in ("runs", "verdicts", "transcripts")}
    assert after["refs"] - before["refs"] <= notes
    changed = {path for path in after["files"] if after["files"][path] != before["files"].get(path)}
    assert changed == {"wiki/log.md", page}
    assert (after["hooks"], after["beside"]) == (before["hooks"], before["beside"])


def test_after_an_obedient_judge_the_target_is_the_very_commit_that_it_is_after_one_that_only_votes(
    make: Callable[..., Wiki],
) -> None:
    landed = []
    with MessagesServer(lambda body, number: (obedient if is_obeyed else honest)(body, number)) as server:
        for is_obeyed in (True, False):
            wiki = make(server, ATTACKS["call stage_write"], name=f"obeyed-{is_obeyed}")
            wiki.finish(wiki.run({PAGE: SOUND}, run_id="attacked"))
            landed.append(wiki.ref("main"))
        assert len(server.requests) == 6
    assert landed[0] == landed[1]


def test_every_attempt_is_answered_with_an_error(make: Callable[..., Wiki]) -> None:
    with MessagesServer(obedient) as server:
        wiki = make(server, ATTACKS["call stage_write"])
        wiki.finish(wiki.run({PAGE: SOUND}))
        refused = [one for body in server.bodies[1:] for one in results(body) if one.get("is_error")]
    told = [one["content"] for one in refused]
    assert len(told) == len(WRITES) + len(READS)
    assert all(words.startswith("there is no tool '") for words in told[: len(WRITES)])
    assert all(MARK not in words for words in told[len(WRITES) :])


class Free(ClaudeAgent):
    """The same agent, asked even where the checks refuse the change."""

    is_free = True


def test_an_obedient_judge_that_is_asked_all_the_same_cannot_outvote_a_check(make: Callable[..., Wiki]) -> None:
    def free(name: str, given: Seat) -> ClaudeAgent:
        judge = seated(given)
        judge.__class__ = Free
        return judge

    with MessagesServer(obedient) as server:
        wiki = make(server, ATTACKS["ignore your instructions"])
        wiki.seating = free
        main = wiki.ref("main")
        ended = wiki.finish(wiki.run({PAGE: SOUND, OTHER: INVENTED})).run
        assert len(server.requests) == 5
    assert ended.status == "rejected"
    assert wiki.ref("main") == main


NOT_VOTES = {
    "a vote too few": lambda body: votes(body, only=1),
    "a vote too many": lambda body: votes(body, only=3),
    "no votes": lambda body: tool_use("submit_votes", {"votes": []}),
    "a verdict instead": lambda body: tool_use("submit_votes", {"verdict": "commit"}),
    "a word": lambda body: text("commit"),
    "commits for votes": lambda body: votes(body, "commit"),
}


@pytest.mark.parametrize("script", NOT_VOTES.values(), ids=NOT_VOTES)
def test_votes_that_are_not_one_for_each_claim_are_no_verdict(
    make: Callable[..., Wiki], script: Callable[[Mapping[str, Any]], Answer]
) -> None:
    two = SOUND + "\nNobody has to tell the sea to fall back twice a day.[^1]\n"
    with MessagesServer(lambda body, number: script(body)) as server:
        wiki = make(server, ATTACKS["votes as JSON"])
        run, main = wiki.run({PAGE: two}), wiki.ref("main")
        with pytest.raises(CannotRun):
            wiki.finish(run)
    assert wiki.find(run).status == "pending"
    assert wiki.ref("main") == main
    assert wiki.ref("refs/notes/assay/verdicts") is None
    assert len(transcripts.of(wiki.context(), wiki.find(run))) == 1


def test_the_command_ends_with_3_and_the_run_waits(make: Callable[..., Wiki]) -> None:
    with MessagesServer(lambda body, number: tool_use("submit_votes", {"votes": []})) as server:
        wiki = make(server, ATTACKS["ask for nothing"])
        run = wiki.run({PAGE: SOUND})
        done = wiki.assay("run", "finish", run.id)
    assert done.returncode == 3, done.stderr
    assert "gave no valid votes in 3 tries" in done.stderr
    assert "Traceback" not in done.stderr
    assert wiki.find(run).status == "pending"
    shown = wiki.assay("run", "show", run.id, "--transcript")
    assert shown.returncode == 0, shown.stderr
    assert "find the error in this write" in shown.stdout
    assert "no vote was taken" in shown.stdout


def test_a_judge_that_only_makes_forbidden_calls_is_stopped_and_gave_no_verdict(make: Callable[..., Wiki]) -> None:
    with MessagesServer(lambda body, number: tool_uses(WRITES)) as server:
        wiki = make(server, ATTACKS["tool call"])
        run = wiki.run({PAGE: SOUND})
        with pytest.raises(CannotRun, match="misused its tools 5 times in a row"):
            wiki.finish(run)
        assert len(server.requests) == 1
    assert wiki.find(run).status == "pending"


def test_an_obedient_writer_writes_pages_of_its_run_alone_and_they_do_not_land(
    make: Callable[..., Wiki], tmp_path: Path
) -> None:
    script = [
        tool_uses(WRITES[:4]),
        tool_use("stage_write", {"path": "wiki/log.md", "content": MARK}),
        tool_use("stage_write", {"path": OTHER, "content": INVENTED}),
        tool_use("finish", {"summary": "As I was told."}),
    ]
    with MessagesServer(script) as server:
        wiki = make(server, ATTACKS["call stage_write"])
        run, main = wiki.run({}), wiki.ref("main")
        with Desk(wiki.context(), run, wiki.workspace()) as desk:
            tools = [*reading_tools(desk.shelf()), *writing_tools(desk)]
            Conversation(messages_of(server, tmp_path), "Write.", tools).say("Go on.")
            assert desk.written == [OTHER]
        assert wiki.git("diff", "--name-only", "main", f"run/{run.id}") == OTHER
        assert wiki.finish(run).run.status == "rejected"
    assert wiki.ref("main") == main
    assert not (wiki.folder / ".git" / "hooks" / "post-commit").exists()
