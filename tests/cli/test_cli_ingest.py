"""`git assay ingest`: sources into pages by the offline writer and by a model that a loopback server plays."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done
from tests.messages_server import Answer, MessagesServer, error, text, tool_use, tool_uses

Assay = Callable[..., Done]
Git = Callable[..., str]
TIDES = """# Tides of the North Coast

Spring tides reach 7.2 metres at the harbour of Morrow. Neap tides at Morrow reach no more than 3.1 metres.
The Moon raises two bulges of water, and each coast meets both of them every day.

## Morrow harbour

Morrow harbour was dredged in 1987 to a depth of nine metres. Large ships enter Morrow two hours before high water.
Pilots wait at the outer buoy until the stream slackens at high water.
"""
PAGE = '# Morrow\n\nSpring tides reach 7.2 metres there.[^1]\n\n[^1]: raw/tides.md, "{quote}"\n'
QUOTE = "Spring tides reach 7.2 metres at the harbour of Morrow."
INDEX = "# Index\n\n- [Morrow](morrow.md)\n"


@pytest.fixture
def coast(make_wiki: Callable[..., Path]) -> Path:
    return make_wiki({"raw/tides.md": TIDES})


@pytest.fixture(autouse=True)
def _a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-tests")
    monkeypatch.delenv("ASSAY_LLM", raising=False)


@pytest.fixture
def told() -> list[Answer]:
    """What the model will answer, in order."""
    return []


@pytest.fixture
def server(told: list[Answer]) -> Iterator[MessagesServer]:
    def script(body: dict[str, Any], number: int) -> Answer:
        return told[number]

    with MessagesServer(script) as made:
        yield made


@pytest.fixture
def asked(server: MessagesServer, make_wiki: Callable[..., Path]) -> Callable[..., Path]:
    """A wiki whose presets ask the server."""

    def make(policy: str = "", **keys: Any) -> Path:
        config = f'[workspace]\nname = "plant"\n{policy}\n{server.toml(**keys)}'
        return make_wiki({"assay.toml": config, "raw/tides.md": TIDES}, name="asked")

    return make


def writes(quote: str = QUOTE) -> Answer:
    pages = [("wiki/morrow.md", PAGE.format(quote=quote)), ("wiki/index.md", INDEX)]
    return tool_uses([("stage_write", {"path": path, "content": content}) for path, content in pages])


DONE = tool_use("finish", {"summary": "wrote a page on Morrow"})


def runs(assay: Assay, folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(assay(folder, "run", "list", "--json").out)["runs"]
    return found


def usage_lines(folder: Path) -> list[dict[str, Any]]:
    (log,) = (folder / ".git/assay").glob("llm-usage-*.jsonl")
    return [json.loads(line) for line in log.read_text().splitlines()]


# Refusals


def test_an_address_that_only_the_repository_vouches_for_begins_no_run(
    assay: Assay, make_wiki: Callable[..., Path], refused: Callable[..., None]
) -> None:
    policy = '[workspace]\nname = "plant"\n[llm.presets.claude]\nmodel = "m"\nbase_url = "https://evil.example"\n'
    folder = make_wiki({"assay.toml": policy, "raw/tides.md": TIDES})
    refused(assay(folder, "ingest", "--preset", "claude", "raw/tides.md"), 2, "would be sent your key")
    assert runs(assay, folder) == []


def test_a_source_that_is_not_there(assay: Assay, coast: Path, refused: Callable[..., None]) -> None:
    refused(assay(coast, "ingest", "raw/none.md"), 2, "raw/none.md: No such file", "name sources below raw/")


def test_a_preset_that_is_none(assay: Assay, coast: Path, refused: Callable[..., None]) -> None:
    refused(assay(coast, "ingest", "raw/tides.md", "--preset", "gpt"), 2, "there is no preset 'gpt'", "offline")


def test_a_wiki_that_does_not_read_canonical_citations(
    assay: Assay,
    make_wiki: Callable[..., Path],
    refused: Callable[..., None],
    state: Callable[[Path], str],
    tmp_path: Path,
) -> None:
    policy = '[workspace]\nname = "plant"\n[citations]\ndialects = ["caret"]\n'
    folder = make_wiki({"assay.toml": policy})
    before = state(folder)
    (tmp_path / "tides.md").write_text(TIDES)
    refused(assay(folder, "ingest", "raw/report.md"), 2, "lacks 'canonical'")
    refused(assay(folder, "ingest", str(tmp_path / "tides.md")), 2, "lacks 'canonical'")
    assert state(folder) == before


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty.md", b"", "the file is empty"),
        ("blank.txt", b" \n\n", "white space only"),
        ("picture.dat", bytes(range(256)) * 40, "binary, not text"),
        ("broken.pdf", b"%PDF-1.4\nnothing of the kind", "the PDF is damaged"),
    ],
)
def test_what_has_no_text_is_not_even_added(
    assay: Assay, coast: Path, tmp_path: Path, state: Callable[[Path], str], name: str, content: bytes, why: str
) -> None:
    before = state(coast)
    (tmp_path / name).write_bytes(content)
    done = assay(coast, "ingest", str(tmp_path / name))
    assert (done.code, done.out) == (3, "")
    assert why in done.err
    assert state(coast) == before


@pytest.mark.slow
def test_one_that_cannot_be_read_does_not_hold_the_next(assay: Assay, coast: Path, tmp_path: Path, git: Git) -> None:
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "list.txt").write_text("eggs\nmilk\n")
    done = assay(coast, "ingest", "--json", str(tmp_path / "empty.md"), str(tmp_path / "list.txt"), "raw/tides.md")
    printed = json.loads(done.out)
    assert done.code == 3
    assert [run["result"] for run in printed["runs"]] == ["no_verdict", "no_verdict", "landed"]
    assert "no sentence that could stand as a claim" in printed["runs"][1]["error"]
    assert "wiki/sources/tides.md" in git(coast, "ls-tree", "-r", "--name-only", "main")


def test_another_file_of_the_same_name_is_not_taken_for_the_source(
    assay: Assay, coast: Path, tmp_path: Path, refused: Callable[..., None]
) -> None:
    (tmp_path / "tides.md").write_text("Something else.\n")
    refused(assay(coast, "ingest", str(tmp_path / "tides.md")), 2, "is there already, with other content", "raw sync")


# The offline writer


@pytest.mark.slow
def test_a_source_becomes_pages_that_land(assay: Assay, coast: Path, git: Git) -> None:
    done = assay(coast, "ingest", "raw/tides.md")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("landed  run ")
    page = git(coast, "show", "main:wiki/topics/morrow.md")
    assert page.startswith("# Morrow\n\nFrom [Tides of the North Coast](../sources/tides.md), as of 2024-01-02:\n\n- ")
    assert f'[^1]: raw/tides.md, "{QUOTE}" @{TIDES.index(QUOTE)}' in page
    index = git(coast, "show", "main:wiki/index.md")
    assert "## Sources\n\n- [Tides of the North Coast](sources/tides.md)\n" in index
    assert "- [Morrow](topics/morrow.md)" in index
    assert git(coast, "status", "--porcelain") == ""


def test_all_checks_hold_with_votes_on_every_claim(assay: Assay, coast: Path) -> None:
    assert assay(coast, "ingest", "raw/tides.md").code == 0
    verdict = json.loads(assay(coast, "verify", "main", "--json").out)
    gating = [one for one in verdict["findings"] if one["level"] in ("error", "warning")]
    assert (verdict["verdict"], gating) == ("commit", [])
    assert verdict["counts"]["judged"] >= 5


@pytest.mark.slow
def test_the_same_source_again_changes_nothing(assay: Assay, coast: Path, state: Callable[[Path], str]) -> None:
    assert assay(coast, "ingest", "raw/tides.md").code == 0
    before = state(coast)
    again = assay(coast, "ingest", "raw/tides.md")
    assert (again.code, "nothing new" in again.out, "ingested it as it is" in again.out) == (0, True, True)
    assert assay(coast, "ingest", "--again", "raw/tides.md").out.endswith("the wiki says all of it already\n")
    assert state(coast) == before
    assert [each["run_type"] for each in runs(assay, coast)].count("ingest") == 1


@pytest.mark.slow
def test_a_renewed_source_adds_what_is_new_and_takes_nothing_away(assay: Assay, coast: Path, git: Git) -> None:
    assert assay(coast, "ingest", "raw/tides.md").code == 0
    before = git(coast, "show", "main:wiki/topics/morrow.md")
    added = "The quay of Morrow was rebuilt in 2023 after a storm surge of 4.4 metres.\n"
    (coast / "raw/tides.md").write_text(TIDES + "\n" + added)
    assert assay(coast, "raw", "sync", "raw/tides.md").code == 0
    done = assay(coast, "ingest", "raw/tides.md")
    after = git(coast, "show", "main:wiki/topics/morrow.md")
    assert done.code == 0, done
    assert added.strip() in re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", after)
    assert [line for line in before.splitlines() if line and line not in after.splitlines()] == []


@pytest.mark.slow
def test_a_file_from_outside_is_added_first_and_that_is_said(
    assay: Assay, coast: Path, tmp_path: Path, git: Git
) -> None:
    (tmp_path / "moon.md").write_text("# The Moon\n\nThe Moon turns round the Earth in 27.3 days.\n")
    done = assay(coast, "ingest", "--into", "space", str(tmp_path / "moon.md"))
    assert done.code == 0
    assert "note: raw/space/moon.md is new: added to the sources by" in done.err
    subjects = git(coast, "log", "--format=%s", "--first-parent", "-2").splitlines()
    assert subjects[1] == "Add source raw/space/moon.md"
    assert "wiki/sources/space-moon.md" in git(coast, "ls-tree", "-r", "--name-only", "main")


@pytest.mark.slow
def test_pushed_the_source_goes_first_and_then_what_landed(assay: Assay, coast: Path, tmp_path: Path, git: Git) -> None:
    git(coast, "clone", "-q", "--bare", str(coast), str(tmp_path / "server.git"))
    git(coast, "remote", "add", "origin", str(tmp_path / "server.git"))
    git(coast, "fetch", "-q")
    git(coast, "branch", "-q", "-u", "origin/main")
    (tmp_path / "moon.md").write_text("# The Moon\n\nThe Moon turns round the Earth in 27.3 days.\n")
    done = assay(coast, "ingest", "--push", str(tmp_path / "moon.md"), "raw/tides.md")
    assert done.code == 0, done
    assert git(tmp_path / "server.git", "rev-parse", "main") == git(coast, "rev-parse", "main")
    assert "wiki/topics/morrow.md" in git(tmp_path / "server.git", "ls-tree", "-r", "--name-only", "main")


@pytest.mark.slow
def test_a_page_that_is_there_is_added_to_and_not_doubled(
    assay: Assay, make_wiki: Callable[..., Path], git: Git
) -> None:
    page = '# Morrow\n\nMorrow is a port.[^a]\n\n## See also\n\n- [Index](index.md)\n\n[^a]: raw/other.md, "kind."\n'
    files = {"raw/tides.md": TIDES, "wiki/morrow.md": page, "wiki/index.md": INDEX}
    folder = make_wiki(files)
    assert assay(folder, "ingest", "raw/tides.md").code == 0
    after = git(folder, "show", "main:wiki/morrow.md")
    assert after.startswith("# Morrow\n\nMorrow is a port.[^a]\n\nFrom [Tides of the North Coast](sources/tides.md)")
    assert after.index("7.2 metres") < after.index("## See also") < after.index("[^a]:") < after.index("[^1]:")
    assert "wiki/topics/morrow.md" not in git(folder, "ls-tree", "-r", "--name-only", "main")


def test_a_draft_waits_and_nothing_is_judged(assay: Assay, coast: Path, git: Git) -> None:
    tip = git(coast, "rev-parse", "main")
    done = assay(coast, "ingest", "--draft-only", "--json", "raw/tides.md")
    run = json.loads(done.out)["runs"][0]
    assert (done.code, run["result"], run["status"], run["verdict"]) == (0, "draft", "pending", None)
    assert git(coast, "rev-parse", "main") == tip
    assert assay(coast, "run", "finish", run["run_id"]).code == 0


def test_unverified_is_recorded_as_unverified(assay: Assay, coast: Path) -> None:
    done = assay(coast, "ingest", "--no-verify", "--json", "raw/tides.md")
    run = json.loads(done.out)["runs"][0]
    assert (done.code, run["result"], run["verdict"]["verifier"]) == (0, "landed", "none")


def test_a_dry_run_says_what_it_would_write_and_writes_nothing(
    assay: Assay, coast: Path, tmp_path: Path, state: Callable[[Path], str], git: Git
) -> None:
    before, objects = state(coast), git(coast, "count-objects", "-v")
    (tmp_path / "moon.md").write_text("# The Moon\n\nThe Moon turns round the Earth in 27.3 days.\n")
    done = assay(coast, "ingest", "--dry-run", "raw/tides.md", str(tmp_path / "moon.md"))
    assert done.code == 0
    assert f"  + wiki/topics/morrow.md\n      {QUOTE}\n" in done.out
    assert "would add raw/moon.md to the sources first\nwould write  raw/moon.md: 1 new pages" in done.out
    printed = json.loads(assay(coast, "ingest", "--dry-run", "--json", "raw/tides.md").out)
    claim = next(one for one in printed["runs"][0]["operations"] if one["path"] == "wiki/topics/morrow.md")["claims"][0]
    assert TIDES[claim["start"] : claim["end"]] == claim["text"] == QUOTE
    assert state(coast) == before
    assert git(coast, "count-objects", "-v") == objects


# A model writes


@pytest.mark.parametrize(
    ("mode", "told"), [("off", "ASSAY_LLM=off forbids it"), ("", "ANTHROPIC_API_KEY holds no key")]
)
def test_a_model_that_cannot_be_asked_begins_no_run(
    assay: Assay,
    asked: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    refused: Callable[..., None],
    mode: str,
    told: str,
) -> None:
    folder = asked()
    monkeypatch.setenv("ASSAY_LLM", mode)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    refused(assay(folder, "ingest", "--preset", "claude", "raw/tides.md"), 3, told)
    assert runs(assay, folder) == []


@pytest.mark.slow
def test_a_model_that_fails_midway_leaves_what_it_wrote_and_what_it_spent(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], git: Git
) -> None:
    told += [writes(), error(529)]
    folder = asked()
    done = assay(folder, "ingest", "--preset", "claude", "--json", "raw/tides.md")
    printed = json.loads(done.out)["runs"][0]
    run = runs(assay, folder)[0]
    assert (done.code, printed["result"], run["status"]) == (3, "no_verdict", "pending")
    assert "# Morrow" in git(folder, "show", f"run/{run['run_id']}:wiki/morrow.md")
    assert run["used"]["output_tokens"] > 0
    assert assay(folder, "run", "finish", run["run_id"]).code == 0


def test_a_budget_that_runs_out_abandons_the_run_and_keeps_its_head(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], git: Git
) -> None:
    told += [writes(), DONE]
    folder = asked("[llm.budgets.ingest]\ninput_tokens = 3000\n")
    tip = git(folder, "rev-parse", "main")
    done = assay(folder, "ingest", "--preset", "claude", "raw/tides.md")
    run = runs(assay, folder)[0]
    assert (done.code, run["status"]) == (3, "abandoned"), done
    assert "is abandoned, its content is kept: the writer's budget has no room" in done.err
    assert "# Morrow" in git(folder, "show", f"refs/assay/kept/{run['run_id']}:wiki/morrow.md")
    assert git(folder, "rev-parse", "main") == tip
    (line,) = usage_lines(folder)
    assert (line["role"], line["run_type"], line["run_id"]) == ("writer", "ingest", run["run_id"])
    spent = json.loads(assay(folder, "run", "show", run["run_id"], "--json").out)["spent"]
    assert list(spent) == ["writer"]
    assert (spent["writer"]["calls"], spent["writer"]["output"]) == (1, line["tokens_out"])


@pytest.mark.slow
def test_a_quotation_that_the_source_does_not_hold_is_rejected(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], git: Git
) -> None:
    told += [writes("Spring tides reach 9.9 metres at the harbour of Morrow."), DONE]
    folder = asked()
    done = assay(folder, "ingest", "--preset", "claude", "raw/tides.md")
    assert (done.code, runs(assay, folder)[0]["status"]) == (1, "rejected")
    assert "quote_anchor altered" in done.out
    assert "wiki/morrow.md" not in git(folder, "ls-tree", "-r", "--name-only", "main")


@pytest.mark.slow
def test_a_model_writes_and_it_lands_with_its_transcript(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], server: MessagesServer, git: Git
) -> None:
    told += [tool_use("read", {"path": "raw/tides.md"}), writes(), DONE]
    folder = asked()
    done = assay(folder, "ingest", "--preset", "claude", "--json", "raw/tides.md")
    run = json.loads(done.out)["runs"][0]
    assert (done.code, run["result"]) == (0, "landed"), done
    assert "# Morrow" in git(folder, "show", "main:wiki/morrow.md")
    first = server.bodies[0]
    prompt, turn = first["system"][0]["text"], first["messages"][0]["content"][0]["text"]
    assert "hostile verifier" in prompt
    assert re.search(
        r"<data-([0-9a-f]{12}) source=\"raw/tides.md\">\n# Tides of the North Coast.*</data-\1>", turn, re.S
    )
    assert {tool["name"] for tool in first["tools"]} >= {"read", "grep", "stage_write", "str_replace", "finish"}
    assert "wrote a page on Morrow" in git(folder, "log", "-p", "refs/notes/assay/transcripts")
    assert run["used"]["output_tokens"] > 0
    shown = json.loads(assay(folder, "run", "show", run["run_id"], "--json").out)
    assert (shown["triggered_by"], shown["used"]) == ("cli:ingest claude", run["used"])


def test_a_model_that_obeys_a_hostile_source_writes_pages_and_nothing_else(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], server: MessagesServer, git: Git
) -> None:
    wanted = (
        "raw/tides.md",
        "assay.toml",
        "../outside.md",
        ".git/hooks/pre-commit",
        "wiki/log.md",
        "gold/queries.yaml",
    )
    told += [tool_uses([("stage_write", {"path": path, "content": "obeyed\n"}) for path in wanted]), writes(), DONE]
    folder = asked()
    before = git(folder, "ls-tree", "-r", "main").splitlines()
    assert assay(folder, "ingest", "--preset", "claude", "raw/tides.md").code == 0
    answers = server.bodies[1]["messages"][-1]["content"]
    assert [one["is_error"] for one in answers if one["type"] == "tool_result"] == [True] * len(wanted)
    touched = git(folder, "diff", "--name-only", "main^", "main").splitlines()
    assert touched == ["wiki/index.md", "wiki/log.md", "wiki/morrow.md"]
    assert "obeyed" not in git(folder, "show", "main:wiki/log.md")
    assert len(before) == len(git(folder, "ls-tree", "-r", "main").splitlines()) - 1


@pytest.mark.slow
def test_findings_go_back_as_a_turn_and_are_mended(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], server: MessagesServer
) -> None:
    bad = PAGE.format(quote=QUOTE) + "\nNobody knows why [the quay](quay.md) is short.\n"
    told += [
        tool_uses([("stage_write", {"path": "wiki/morrow.md", "content": bad})]),
        tool_use("stage_write", {"path": "wiki/index.md", "content": INDEX}),
        DONE,
        tool_use("stage_write", {"path": "wiki/morrow.md", "content": PAGE.format(quote=QUOTE)}),
        tool_use("finish", {"summary": "took it back"}),
    ]
    folder = asked()
    done = assay(folder, "ingest", "--preset", "claude", "raw/tides.md")
    assert done.code == 0, done
    turn = server.bodies[3]["messages"][-1]["content"][-1]["text"]
    findings = [json.loads(line) for line in turn.splitlines() if line.startswith("{")]
    assert {"links/broken", "uncited/uncited"} <= {one["check"] for one in findings}
    assert all(one["path"] == "wiki/morrow.md" and one["line"] and one["message"] for one in findings)


def test_who_is_sent_back_too_often_is_rejected(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], server: MessagesServer
) -> None:
    for number in range(6):
        page = PAGE.format(quote=QUOTE) + f"\nNobody knows why, for the {number}. time.\n"
        told += [tool_use("stage_write", {"path": "wiki/morrow.md", "content": page})]
        told += [tool_use("stage_write", {"path": "wiki/index.md", "content": INDEX})] * (not number)
        told += [DONE]
    folder = asked()
    done = assay(folder, "ingest", "--preset", "claude", "raw/tides.md")
    assert done.code == 1
    assert runs(assay, folder)[0]["status"] == "rejected"
    assert "still to be revised after 3 loops" in assay(folder, "run", "show", runs(assay, folder)[0]["run_id"]).out
    said = [body["messages"][-1]["content"][-1].get("text", "") for body in server.bodies]
    assert sum("The verifier sends this back" in text for text in said) == 3
    assert len(server.requests) == len(usage_lines(folder)) == 3 + 3 * 2


@pytest.mark.slow
def test_a_recorded_ingest_is_replayed_without_a_request(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], server: MessagesServer, git: Git, tmp_path: Path
) -> None:
    told += [tool_use("read", {"path": "raw/tides.md"}), writes(), DONE]
    folder = asked()
    again = tmp_path / "again"
    shutil.copytree(folder, again)
    with pytest.MonkeyPatch.context() as env:
        env.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "recordings"))
        env.setenv("ASSAY_LLM", "record")
        assert assay(folder, "ingest", "--preset", "claude", "raw/tides.md").code == 0
        env.setenv("ASSAY_LLM", "replay")
        assert assay(again, "ingest", "--preset", "claude", "raw/tides.md").code == 0
    assert len(server.requests) == 3
    pages = ("rev-parse", "main:wiki/morrow.md", "main:wiki/index.md")
    assert git(again, *pages) == git(folder, *pages)


def test_a_model_that_writes_nothing_lands_nothing(
    assay: Assay, asked: Callable[..., Path], told: list[Answer]
) -> None:
    told += [text("The wiki says all of it.")]
    done = assay(asked(), "ingest", "--preset", "claude", "raw/tides.md")
    assert (done.code, done.out) == (0, "nothing new  raw/tides.md: the writer found nothing to write\n")


def test_a_long_source_is_read_by_parts_and_not_cut(
    assay: Assay, asked: Callable[..., Path], told: list[Answer], server: MessagesServer
) -> None:
    told += [writes(), DONE]
    folder = asked(context_tokens=2000)
    (folder / "raw/long.md").write_text(
        TIDES + "\n".join(f"## Part {n}\n\nThe tide turned {n} times.\n" for n in range(150))
    )
    assert assay(folder, "raw", "add", "raw/long.md").code == 0
    assay(folder, "ingest", "--preset", "claude", "raw/long.md")
    turn = server.bodies[0]["messages"][0]["content"][0]["text"]
    assert "read all of it, part by part, with the read tool on raw/long.md" in turn
    assert "Part 149" in turn
    assert "turned 149 times" not in turn


def test_a_dry_run_shows_the_question_and_its_price_and_asks_nothing(
    assay: Assay, asked: Callable[..., Path], server: MessagesServer, state: Callable[[Path], str]
) -> None:
    folder = asked()
    before = state(folder)
    done = assay(folder, "ingest", "--preset", "claude", "--dry-run", "raw/tides.md")
    assert done.code == 0
    assert done.out.startswith("would ask claude-sonnet-5-5 about raw/tides.md\n")
    assert re.search(
        r"about 12 requests, [\d,]+ tokens read, 14,400 written, \$0\.\d+, if nothing of it is cached", done.out
    )
    assert QUOTE in done.out
    printed = json.loads(assay(folder, "ingest", "--preset", "claude", "--dry-run", "--json", "raw/tides.md").out)
    assert printed["runs"][0]["estimate"]["usd"] > 0
    assert server.requests == []
    assert state(folder) == before
