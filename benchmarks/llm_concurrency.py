"""200 claims, each with a source of its own, judged by a server that takes 300 ms, 32 at a time: 1.2 of the ideal.

The ideal is ⌈200 / 32⌉ answers one after the other. The server is a process of its own; the SDK is imported before.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import llm_tokens
from benchmarks.timing import Options, Ratio
from gitops.verify.judge import Question
from tests.messages_server import Answer, MessagesServer, slow, structured

CLAIMS, CONCURRENCY, LATENCY_S, LIMIT = 200, 32, 0.3, 1.2
_NUMBER = re.compile(r"^(\d+) ", re.MULTILINE)


def run(options: Options) -> list[Ratio]:
    """One ratio: wall time of all claims, against the latencies that cannot be spared."""
    asked = questions(options.size(CLAIMS))
    ideal = math.ceil(len(asked) / CONCURRENCY) * LATENCY_S
    with serving() as url:
        seconds = [_seconds(url, asked, options.scratch) for _ in range(options.rounds + 1)][1:]
    name, floor = f"Claude judge, {CONCURRENCY} at a time", f"{LATENCY_S * 1000:.0f} ms of latency each"
    return [Ratio(name, floor, LIMIT, len(asked), tuple(seconds), (ideal,) * len(seconds))]


def questions(count: int) -> list[Question]:
    """Claims about sources that are all different."""
    return [
        Question(
            f"Mill {number} ground {number + 40} tonnes in 1905.",
            span=f"ground {number + 40} tonnes",
            title=f"Mill {number}",
            source=f"# Mill {number}\n\nIn 1905 it ground {number + 40} tonnes of wheat.\n\nIt burnt down later.\n",
        )
        for number in range(count)
    ]


@contextmanager
def serving() -> Iterator[str]:
    """The server's address, as long as it runs."""
    command = [sys.executable, "-m", "benchmarks.llm_concurrency"]
    folder = Path(__file__).parents[1]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.stdin.close()


def _seconds(url: str, asked: list[Question], folder: Path) -> float:
    judge = llm_tokens.opened(url, folder)
    start = time.perf_counter()
    votes = judge.votes(asked)
    seconds = time.perf_counter() - start
    assert len(votes) == len(asked)
    return seconds


def _answer(body: dict[str, Any], number: int) -> Answer:
    claims = body["messages"][0]["content"][1]["text"]
    row = {"reason": "It says so.", "unsupported": [], "vote": "supports", "confidence": 0.9}
    votes = [{"id": int(found), **row} for found in _NUMBER.findall(claims)]
    return slow(LATENCY_S, structured({"votes": votes}))


if __name__ == "__main__":
    with MessagesServer(_answer) as made:
        print(made.url, flush=True)
        sys.stdin.read()
