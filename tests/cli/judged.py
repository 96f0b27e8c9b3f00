"""A wiki of mills whose policy asks a model on loopback, a page with a claim for each mill, and scripted votes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.messages_server import Answer, MessagesServer, structured

PROJECT = Path(__file__).parents[2]
PAGE = "wiki/mills.md"
CACHE = Path(".git", "assay", "cache.sqlite3")
VERDICTS = "refs/notes/assay/verdicts"


def source(mill: int) -> str:
    """What a mill's source says."""
    return f"# Mill {mill:02}\n\nMill {mill:02} ground {mill + 10} tons of rye in 1901.\n"


def claim(mill: int) -> str:
    """What the page says of a mill."""
    return f"Mill {mill:02} ground {mill + 10} tons of rye."


def page(mills: Iterable[int]) -> str:
    """A page with a cited claim for each mill, each from its own source."""
    mills = list(mills)
    claims = "".join(f"{claim(mill)}[^{mill + 1}]\n\n" for mill in mills)
    quotes = ((mill, f"Mill {mill:02} ground {mill + 10} tons of rye in 1901.") for mill in mills)
    return f"# Mills\n\n{claims}" + "".join(f'[^{n + 1}]: raw/mill-{n:02}.md, "{quote}"\n' for n, quote in quotes)


def files(policy: str, mills: int) -> dict[str, str]:
    """A wiki with the sources of so many mills and no page about them."""
    return {
        "assay.toml": f'[workspace]\nname = "mills"\n{policy}',
        "wiki/index.md": "# Index\n\nPages of this wiki.\n\n- [Mills](mills.md)\n",
        "wiki/log.md": "# Log\n",
        **{f"raw/mill-{mill:02}.md": source(mill) for mill in range(mills)},
    }


def claims_of(body: Mapping[str, Any]) -> dict[int, str]:
    """The claims that a request asks about, by number."""
    text = body["messages"][0]["content"][-1]["text"]
    return {int(number): words for number, words in re.findall(r"^(\d+) (?:\[[^\]]*\] )?(.*)$", text, re.MULTILINE)}


def mills_of(server: MessagesServer, since: int = 0) -> list[str]:
    """The mills that were asked about, one for each claim of each request, in order of their names."""
    claims = (words for body in server.bodies[since:] for words in claims_of(body).values())
    return sorted(words[:7] for words in claims)


def row(number: int, vote: str = "supports", confidence: float = 0.9) -> dict[str, Any]:
    """One vote as a model writes it."""
    return {"id": number, "reason": "So it is.", "unsupported": [], "vote": vote, "confidence": confidence}


def votes(
    otherwise: str = "supports", by_words: Mapping[str, str] | None = None, confidence: float = 0.9
) -> Callable[[dict[str, Any], int], Answer]:
    """A model that votes on every claim: by words that stand in it, else as said."""

    def script(body: dict[str, Any], number: int) -> Answer:
        of = {at: next((v for w, v in (by_words or {}).items() if w in said), otherwise) for at, said in _asked(body)}
        return structured({"votes": [row(at, vote, confidence) for at, vote in of.items()]})

    return script


def _asked(body: Mapping[str, Any]) -> Iterable[tuple[int, str]]:
    return claims_of(body).items()


@dataclass
class Mills:
    """The wiki in a repository, driven through the command line."""

    folder: Path
    assay: Callable[..., Any]

    def run(self, *mills: int, pages: Mapping[str, str] | None = None) -> str:
        """A run with the page about some mills (or the pages given) staged; its id."""
        started = self.assay(self.folder, "run", "start")
        assert started.code == 0, started.err
        return self.write(started.out.strip(), pages or {PAGE: page(mills)})

    def write(self, run: str, pages: Mapping[str, str]) -> str:
        """Stage pages in a run; its id."""
        for path, text in pages.items():
            written = self.assay(self.folder, "run", "write", run, path, stdin=text.encode())
            assert written.code == 0, written.err
        return run

    def finish(self, run: str, *words: str) -> Any:
        """`run finish`, in this process."""
        return self.assay(self.folder, "run", "finish", run, *words)

    def show(self, run: str) -> dict[str, Any]:
        """How a run stands."""
        shown: dict[str, Any] = json.loads(self.assay(self.folder, "run", "show", run, "--json").out)
        return shown

    def started(self, *words: str) -> subprocess.Popen[str]:
        """A command as a process of its own, under way."""
        command = [sys.executable, "-m", "gitops", *words]
        env = {**os.environ, "PYTHONPATH": os.fspath(PROJECT)}
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Where the tests themselves run in the background, SIGINT is ignored, and children inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def forget(self) -> None:
        """Delete the cache, as anybody may."""
        for left in self.folder.glob(f"{CACHE}*"):
            left.unlink()

    def git(self, *words: str) -> str:
        """What git prints."""
        done = subprocess.run(["git", *words], cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def log(self) -> list[dict[str, Any]]:
        """The usage log."""
        logs = sorted((self.folder / ".git" / "assay").glob("llm-usage-*.jsonl"))
        return [json.loads(line) for log in logs for line in log.read_text().splitlines()]

    def judgements(self, commit: str = "HEAD") -> list[dict[str, Any]]:
        """The votes in the note of a commit's verdict."""
        lines = self.git("notes", f"--ref={VERDICTS}", "show", commit).splitlines()
        return [record for record in map(json.loads, lines) if record["kind"] == "judgement"]


def maker(assay: Callable[..., Any], make_repository: Callable[..., Path]) -> Callable[..., Mills]:
    """mills(server, judge='"claude"', count=3, policy="", extra={}, name="mills", **preset) -> Mills.

    `policy` are further keys of `[verify]`, then other tables; `preset` are keys of the verifier's preset.
    """

    def make(server: MessagesServer, judge: str = '"claude"', **how: Any) -> Mills:
        named = {key: how.pop(key, usual) for key, usual in _USUAL.items()}
        policy = f"[verify]\njudge = {judge}\n{named['policy']}\n{server.toml('verifier', **how)}"
        made = {**files(policy, named["count"]), **named["extra"]}
        return Mills(make_repository(made, name=named["name"]), assay)

    return make


_USUAL: Mapping[str, Any] = {"count": 3, "policy": "", "extra": {}, "name": "mills"}
