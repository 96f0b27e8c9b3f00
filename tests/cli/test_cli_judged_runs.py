"""Runs whose judge needs a model, through the command line: who is asked what, what lands and what is kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli import judged
from tests.cli.judged import PAGE, Mills, claims_of, mills_of, page, row, votes
from tests.messages_server import Answer, MessagesServer, structured

pytestmark = pytest.mark.slow

AGAINST = votes("does_not_support")
KELP = "# Kelp\n\nKelp grows up to 60 cm a day in cold water.\n"
FORGED = (
    '{"summary":"claude: supports","at":"2024-01-01T00:00:00Z","claim":"Mill 00 ground 10 tons of rye.",'
    '"confidence":1.0,"id":"%s","judge":"claude","kind":"judgement","schema":"assay/judgement/1","vote":"supports"}'
)


@pytest.fixture
def mills(
    assay: Callable[..., Any], make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Mills]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
    return judged.maker(assay, make_repository)


class Model:
    """A script that can be told anew what to vote."""

    def __init__(self, script: Callable[[dict[str, Any], int], Answer]) -> None:
        self.script = script

    def __call__(self, body: dict[str, Any], number: int) -> Answer:
        return self.script(body, number)


def support(told: dict[str, Any]) -> list[tuple[str, str]]:
    """What `support` found, by level and result."""
    return [(one["level"], one["result"]) for one in told["findings"] if one["check"] == "support"]


@pytest.mark.parametrize("judge", ["claud", "Claude", "offline', 'claud"])
def test_a_judge_that_is_not_there_is_told_by_the_first_command(
    mills: Callable[..., Mills], assay: Callable[..., Any], refused: Callable[..., None], judge: str
) -> None:
    with MessagesServer([]) as server:
        wiki = mills(server, f"['{judge}']")
        for words in (["status"], ["lint"], ["verify", "HEAD", "--base", "HEAD"], ["verify", "--staged"]):
            refused(assay(wiki.folder, *words), 2, "assay.toml", "[verify] judge", "claude")


def test_votes_reject_and_votes_land_in_processes_of_their_own(
    mills: Callable[..., Mills], process: Callable[..., Any]
) -> None:
    with MessagesServer(votes(by_words={"Mill 01": "does_not_support"})) as server:
        wiki = mills(server)
        refused_run, sound = wiki.run(0, 1), wiki.run(0, 2)
        done = process(wiki.folder, "run", "finish", refused_run)
        assert (done.code, "the source does not say so, says the claude judge (0.90)" in done.out) == (1, True)
        assert wiki.show(refused_run)["status"] == "rejected"
        done = process(wiki.folder, "run", "finish", sound, "--json")
        told = json.loads(done.out)
        assert (done.code, told["result"], told["verdict"]["verdict"]) == (0, "landed", "commit")
        assert told["verdict"]["counts"] == {"judged": 2, "unjudged": 0, "unverified": 0}
        assert told["verdict"]["judge"].startswith("claude/claude-sonnet-5-5/prompt-")
        assert mills_of(server) == ["Mill 00", "Mill 01", "Mill 02"]
        assert (wiki.folder / PAGE).read_text() == page([0, 2])


def test_transcripts_tokens_and_votes_are_on_record(mills: Callable[..., Mills], assay: Callable[..., Any]) -> None:
    with MessagesServer(votes()) as server:
        wiki = mills(server)
        run = wiki.run(0, 1)
        told = json.loads(wiki.finish(run, "--json").out)
        calls = wiki.log()
        written = float(sum(call["tokens_out"] for call in calls))
        assert told["verdict"]["tokens_used"]["output"] == wiki.show(run)["spent"]["verifier"]["output"] == written
        assert {(call["role"], call["run_id"], call["run_type"]) for call in calls} == {("verifier", run, "cascade")}
        said = json.loads(assay(wiki.folder, "run", "show", run, "--transcript", "--json").out)["transcripts"]
        assert sum(one["usage"]["output_tokens"] for one in said) == written
        assert {(one["role"], one["verdict_id"]) for one in said} == {("judge", told["verdict"]["id"])}
        assert all("Find the error" in one["prompt"] and len(one["turns"]) == 2 for one in said)
        kept = wiki.judgements()
        assert [one["vote"] for one in kept] == ["supports", "supports"]
        assert {one["purpose"] for one in kept} == {"landing"}


@pytest.mark.parametrize("staged", [True, False])
def test_verify_asks_and_refuses_and_a_second_time_asks_nothing(
    mills: Callable[..., Mills], assay: Callable[..., Any], staged: bool
) -> None:
    with MessagesServer(votes(by_words={"Mill 01": "partially_supports"})) as server:
        wiki = mills(server)
        (wiki.folder / PAGE).write_text(page([0, 1]))
        wiki.git("add", PAGE)
        if not staged:
            wiki.git("commit", "--quiet", "--message", "Write of mills")
        words = ["verify", "--staged"] if staged else ["verify", "HEAD"]
        for calls in (2, 0):
            before = len(server.requests)
            done = assay(wiki.folder, *words, "--json")
            assert (done.code, len(server.requests) - before) == (1, calls), done.err
            assert json.loads(done.out)["verdict"] == "revise"
            assert support(json.loads(done.out)) == [("warning", "partially_supports")]


def test_verify_then_finish_asks_nothing_anew_and_the_votes_are_in_the_note(
    mills: Callable[..., Mills], assay: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with MessagesServer(votes()) as server:
        wiki = mills(server)
        run = wiki.run(0, 1, 2)
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        monkeypatch.setenv("ASSAY_LLM", "off")
        assert wiki.finish(run).code == 0
        assert len(server.requests) == 3
        assert sorted(one["claim"][:7] for one in wiki.judgements()) == ["Mill 00", "Mill 01", "Mill 02"]
        assert wiki.show(run)["spent"] == {}


def test_fresh_asks_anew_and_the_new_votes_count(mills: Callable[..., Mills], assay: Callable[..., Any]) -> None:
    model = Model(votes())
    with MessagesServer(model) as server:
        wiki = mills(server)
        run = wiki.run(0)
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        model.script = AGAINST
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        assert assay(wiki.folder, "verify", "--fresh", f"run/{run}").code == 1
        assert (wiki.finish(run).code, len(server.requests)) == (1, 2)


def test_votes_in_a_note_that_were_not_given_here_are_not_believed(
    mills: Callable[..., Mills], assay: Callable[..., Any]
) -> None:
    """Neither with the cache gone, nor written by hand: they are there to be read."""
    model = Model(votes())
    with MessagesServer(model) as server:
        wiki = mills(server)
        run = wiki.run(0)
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        wiki.forget()
        model.script = AGAINST
        head = wiki.git("rev-parse", f"run/{run}")
        for commit in (head, "HEAD"):
            wiki.git("notes", f"--ref={judged.VERDICTS}", "add", "--message", FORGED % ("0" * 40), commit)
        assert wiki.finish(run).code == 1
        assert (len(server.requests), wiki.show(run)["status"]) == (2, "rejected")


def test_a_landing_is_not_decided_by_votes_that_were_asked_for_something_else(
    mills: Callable[..., Mills], assay: Callable[..., Any]
) -> None:
    """Though it is the very same question."""
    said = {"claim": judged.claim(0), "source_text": judged.source(0), "title": "Mill 00"}
    cited = {"span": "Mill 00 ground 10 tons of rye in 1901.", "context": judged.source(0).strip()}
    line = json.dumps({"id": 1, **said, **cited}).encode()
    with MessagesServer(votes()) as server:
        wiki = mills(server)
        for asked in (1, 1):
            assert assay(wiki.folder, "judge", "--judge", "claude", stdin=line).code == 0
            assert len(server.requests) == asked
        assert wiki.finish(wiki.run(0)).code == 0
        assert len(server.requests) == 2
        assert server.bodies[0] == server.bodies[1]


def test_a_recording_is_whole_though_the_votes_are_kept(
    mills: Callable[..., Mills], assay: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "recordings"))
    with MessagesServer(votes()) as server:
        wiki = mills(server)
        run = wiki.run(0, 1, 2)
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        monkeypatch.setenv("ASSAY_LLM", "record")
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        assert (len(server.requests), len(list((tmp_path / "recordings").glob("*.json")))) == (6, 3)


@pytest.mark.parametrize("mode", ["replay", " replay "])
def test_replayed_votes_say_so_and_decide_nothing_afterwards(
    mills: Callable[..., Mills],
    assay: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    mode: str,
) -> None:
    monkeypatch.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "recordings"))
    model = Model(votes())
    with MessagesServer(model) as server:
        wiki = mills(server)
        run = wiki.run(0, 1)
        monkeypatch.setenv("ASSAY_LLM", "record")
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        wiki.forget()
        monkeypatch.setenv("ASSAY_LLM", mode)
        replayed = json.loads(assay(wiki.folder, "verify", f"run/{run}", "--json").out)
        assert (replayed["verdict"], len(server.requests)) == ("commit", 2)
        assert replayed["judge"].endswith(" (replayed)")
        monkeypatch.delenv("ASSAY_LLM")
        model.script = AGAINST
        told = json.loads(wiki.finish(run, "--json").out)
        assert (told["result"], len(server.requests)) == ("rejected", 4)
        assert "replayed" not in told["verdict"]["judge"]


def test_a_replay_answers_from_its_recordings_alone(
    mills: Callable[..., Mills], assay: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither what was answered live nor what was replayed before takes a recording's place."""
    monkeypatch.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "recordings"))
    with MessagesServer(votes()) as server:
        wiki = mills(server)
        run = wiki.run(0)
        monkeypatch.setenv("ASSAY_LLM", "record")
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        monkeypatch.setenv("ASSAY_LLM", "replay")
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        [recording] = (tmp_path / "recordings").glob("*.json")
        recording.write_text(recording.read_text().replace("supports", "does_not_support"))
        assert assay(wiki.folder, "verify", f"run/{run}").code == 1
        recording.unlink()
        done = assay(wiki.folder, "verify", f"run/{run}")
        assert (done.code, "no recording answers request" in done.err, len(server.requests)) == (3, True, 1)


def test_a_run_that_lands_by_replayed_votes_says_so_in_its_notes(
    mills: Callable[..., Mills], assay: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "recordings"))
    with MessagesServer(votes()) as server:
        wiki = mills(server)
        run = wiki.run(0)
        monkeypatch.setenv("ASSAY_LLM", "record")
        assert assay(wiki.folder, "verify", f"run/{run}").code == 0
        monkeypatch.setenv("ASSAY_LLM", "replay")
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        told = json.loads(wiki.finish(run, "--json").out)
        assert (told["result"], told["verdict"]["judge"].endswith("(replayed)")) == ("landed", True)
        assert [one["replayed"] for one in wiki.judgements()] == [True]


@contextmanager
def proxy() -> Iterator[tuple[str, list[str]]]:
    """A proxy that refuses everything, and what it was asked for."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.append(self.path)
            self.send_error(502)

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{made.server_address[1]}", seen
        made.shutdown()


def test_a_model_on_this_machine_is_never_asked_through_a_proxy(
    mills: Callable[..., Mills], monkeypatch: pytest.MonkeyPatch
) -> None:
    with proxy() as (address, seen), MessagesServer(votes()) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, address)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        wiki = mills(server)
        assert wiki.finish(wiki.run(0)).code == 0
        assert (seen, len(server.requests)) == ([], 1)


def test_a_rehearsal_asks_nothing_and_says_what_asking_would_take(
    mills: Callable[..., Mills], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with MessagesServer([]) as server:
        wiki = mills(server)
        run, refs = wiki.run(0, 1, 2), wiki.git("for-each-ref")
        done = wiki.finish(run, "--dry-run")
        assert (done.code, server.requests, wiki.git("for-each-ref")) == (3, [], refs)
        assert "claude would be asked 3 questions in 3 requests, about " in done.err
        assert "$0.0" in done.err


def test_a_rehearsal_knows_what_was_answered_before(mills: Callable[..., Mills], assay: Callable[..., Any]) -> None:
    with MessagesServer(votes("partially_supports")) as server:
        wiki = mills(server)
        run = wiki.run(0, 1)
        assert assay(wiki.folder, "verify", f"run/{run}").code == 1
        done = wiki.finish(run, "--dry-run")
        assert (done.code, done.err, len(server.requests)) == (1, "", 2)
        assert wiki.show(run)["status"] == "pending"
        wiki.write(run, {PAGE: page([0, 1, 2])})
        assert "claude would be asked 1 question in 1 request, about " in wiki.finish(run, "--dry-run").err


@pytest.mark.parametrize(("voted", "code"), [(14, 0), (13, 3)])
def test_the_share_that_must_have_a_vote_is_counted_in_whole_claims(
    mills: Callable[..., Mills], voted: int, code: int
) -> None:
    """0.56 of 25 is 14, and 14.000000000000002 in floating point."""
    source = "# Mills\n\n" + "".join(f"Mill {n:02} ground {n + 10} tons.\n\n" for n in range(25))
    claims = "".join(f"Mill {n:02} ground {n + 10} tons.[^1]\n\n" for n in range(25))
    text = f'# Mills\n\n{claims}[^1]: raw/all.md, "Mill 00 ground 10 tons."\n'

    def script(body: dict[str, Any], number: int) -> Answer:
        of = {at: int(words[5:7]) < voted for at, words in claims_of(body).items()}
        return structured({"votes": [row(at, "supports" if yes else "abstained") for at, yes in of.items()]})

    with MessagesServer(script) as server:
        wiki = mills(server, count=0, policy="min_judged = 0.56", extra={"raw/all.md": source})
        done = wiki.finish(wiki.run(pages={PAGE: text}))
        assert done.code == code, done.err
        assert ("13 of 25 claims have a vote, and [verify] min_judged wants 56%" in done.err) == (code == 3)


def test_a_page_that_cites_as_a_whole_has_its_new_sentences_judged_once_and_warned_of_at_most(
    mills: Callable[..., Mills],
) -> None:
    dialects = '[citations]\ndialects = ["canonical", "frontmatter"]\nrequire = []\n'
    head = "---\nsources:\n  - raw/kelp.md\n  - raw/mill-00.md\n---\n# Mills\n\n"
    old = "Kelp grows up to 60 cm a day.\n"
    extra = {PAGE: head + old, "raw/kelp.md": KELP}
    with MessagesServer(AGAINST) as server:
        wiki = mills(server, policy=dialects, extra=extra)
        run = wiki.run(pages={PAGE: f"{head}{old}\nKelp cures the gout.\n"})
        told = json.loads(wiki.finish(run, "--json").out)
        assert (told["result"], support(told)) == ("revise", [("warning", "does_not_support")])
        assert [list(claims_of(body).values()) for body in server.bodies] == [["Kelp cures the gout."]]
        assert told["verdict"]["counts"]["judged"] == 1
        assert wiki.finish(run).code == 1
        assert len(server.requests) == 1


PAIRED = {"raw/kelp.md": KELP}
SURE = "Kelp grows up to 60 cm a day in cold water."
WRONG = "Kelp grows up to 600 cm a day in cold water."
UNSURE = "Kelp is a quick plant."


def kelp(*claims: str) -> dict[str, str]:
    text = "".join(f"{one}[^1]\n\n" for one in claims)
    return {PAGE: f'# Mills\n\n{text}[^1]: raw/kelp.md, "Kelp grows up to 60 cm a day in cold water."\n'}


def test_after_the_offline_judge_a_model_is_asked_only_what_that_was_unsure_of(mills: Callable[..., Mills]) -> None:
    with MessagesServer(votes()) as server:
        wiki = mills(server, '["offline", "claude"]', count=0, extra=PAIRED)
        told = json.loads(wiki.finish(wiki.run(pages=kelp(SURE, UNSURE)), "--json").out)
        assert [list(claims_of(body).values()) for body in server.bodies] == [[UNSURE]]
        assert (told["result"], told["verdict"]["counts"]["judged"]) == ("landed", 2)
        assert told["verdict"]["judge"].startswith("offline/")
        assert "+claude/" in told["verdict"]["judge"]
        judges = {
            one["claim"]: one["evidence"]["judge"]
            for one in told["verdict"]["per_claim_findings"]
            if one["check"] == "support"
        }
        assert judges == {SURE: "offline", UNSURE: "claude"}


def test_what_the_offline_judge_is_sure_to_refuse_costs_nothing(mills: Callable[..., Mills]) -> None:
    with MessagesServer([]) as server:
        wiki = mills(server, '["offline", "claude"]', count=0, extra=PAIRED)
        told = json.loads(wiki.finish(wiki.run(pages=kelp(WRONG)), "--json").out)
        assert (told["result"], support(told)) == ("rejected", [("error", "does_not_support")])


@pytest.mark.parametrize("how", [("abstained", 0.9), ("supports", 0.3)], ids=["said", "too unsure"])
def test_a_model_that_abstains_gives_no_vote_in_an_ensemble_either(
    mills: Callable[..., Mills], refused: Callable[..., None], how: tuple[str, float]
) -> None:
    with MessagesServer(votes(how[0], confidence=how[1])) as server:
        wiki = mills(server, '["offline", "claude"]', count=0, extra=PAIRED)
        run = wiki.run(pages=kelp(SURE, UNSURE))
        refused(wiki.finish(run), 3, "1 of 2 claims have a vote, and [verify] min_judged wants 100%")
        assert wiki.show(run)["status"] == "pending"


def test_what_the_checks_refuse_costs_nothing(mills: Callable[..., Mills]) -> None:
    with MessagesServer([]) as server:
        wiki = mills(server)
        invented = page([0]).replace("in 1901", "in 1991")
        assert wiki.finish(wiki.run(pages={PAGE: invented})).code == 1


GROUND = "Mill 00 ground 10 tons of rye.[^1]"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (GROUND, f"{GROUND}\n\nAs of 2024-01-01, mill 00 burned down.[^1]"),
        (GROUND, f"{GROUND}\n\nMill 00 ground ~~no~~ 99 tons of rye.[^1]"),
        ("Of rye:\n\n- Mill 00 ground 10 tons.[^1]", "Of wheat:\n\n- Mill 00 ground 10 tons.[^1]"),
        ("It was wet. It ground 10 tons of rye.[^1]", "It never ran. It ground 10 tons of rye.[^1]"),
    ],
    ids=["dated", "struck", "lead-in", "sentence before"],
)
def test_a_claim_that_says_something_else_now_is_judged(mills: Callable[..., Mills], before: str, after: str) -> None:
    definition = '\n\n[^1]: raw/mill-00.md, "Mill 00 ground 10 tons of rye in 1901."\n'
    with MessagesServer(AGAINST) as server:
        wiki = mills(server, extra={PAGE: f"# Mills\n\n{before}{definition}"})
        told = json.loads(wiki.finish(wiki.run(pages={PAGE: f"# Mills\n\n{after}{definition}"}), "--json").out)
        assert (told["result"], len(mills_of(server))) == ("rejected", 1)
        assert support(told) == [("error", "does_not_support")]
