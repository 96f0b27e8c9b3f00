"""Results of checks as the tests of the comment want them, and what a code host makes of Markdown."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from gitops.ci.result import Result
from gitops.ci.taming import JOINER

BASE, HEAD = "1a2b3c4d5e" * 4, "0f9e8d7c6b" * 4
RUN = "https://ci.example/runs/7"
CMARK = shutil.which("cmark-gfm")
needs_cmark = pytest.mark.skipif(CMARK is None, reason="no cmark-gfm here")
_EXTENSIONS = ("table", "autolink", "strikethrough", "tagfilter", "tasklist", "footnotes")
_NOT_SEEN = re.compile(f"[{JOINER}\u2068\u2069]")


def metric(name: str = "M1", **changes: Any) -> dict[str, Any]:
    """A metric that stays as it is and gates nothing."""
    same = {"unit": "share", "direction": "higher", "base": 0.96, "head": 0.96, "delta": 0.0}
    return {"metric": name, "verdict": "within noise", **same, **changes}


def finding(**changes: Any) -> dict[str, Any]:
    """An altered quotation."""
    made = {"check": "quote_anchor", "level": "error", "result": "altered", "path": "wiki/a.md", "line": 5}
    return {**made, "message": "raw/a.md says two", "mend": "write two", **changes}


def result(**changes: Any) -> Result:
    """A change that passed, and in which nothing happened."""
    made: dict[str, Any] = {
        "version": "0.7.0",
        "created_at": "2026-11-22T13:09:00Z",
        "workspace": "main",
        "base": BASE,
        "head": HEAD,
        "outcome": "passed",
        "cause": "nothing new was found",
        "decision": "commit",
        "judge": "offline",
        "baseline": {"source": "notes", "commit": BASE, "measured_at": "2026-11-20T10:00:00Z", "age_days": 2.1},
        "metrics": [metric()],
        "samples": {"paired": 47},
        "trust": "signed by ada@example.org",
        "reproduce": "git assay ci check --base main",
    }
    return Result.model_validate({**made, **changes})


def html(markdown: str) -> str:
    """What GitHub's own parser makes of it; raw HTML stays, for the host's filters take out only what is unsafe."""
    assert CMARK is not None
    arguments = [argument for each in _EXTENSIONS for argument in ("-e", each)]
    done = subprocess.run([CMARK, "--unsafe", *arguments], input=markdown.encode(), capture_output=True, check=True)
    return done.stdout.decode()


def parsed(markdown: str) -> LexborHTMLParser:
    """The same as a tree."""
    return LexborHTMLParser(html(markdown))


def words(text: str) -> str:
    """As a reader sees it: white space as one space, and not what has no width."""
    return " ".join(_NOT_SEEN.sub("", text).split())
