"""A workspace with a suite of a small program, whose answers hang on a prompt and on a table of the policy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

POLICY = '[workspace]\nname = "wiki"\n'
AGENT = """\
read -r known < "$ASSAY_ROOT/prompts/answer.md"
word=word${ASSAY_CASE#case-}
case " $known " in *" $word "*) said=$word ;; *) said='?' ;; esac
case "$ASSAY_CONFIG" in *'"wrong_repeats":['*"$ASSAY_SEED"*) said='?' ;; esac
printf '{"output": "%s", "tokens": %d}' "$said" ${#known}
"""


def cases(number: int) -> list[dict[str, Any]]:
    """Cases that pass where the prompt holds their word."""
    return [
        {
            "case_id": f"case-{at:02d}",
            "description": f"Says word{at:02d}.",
            "input": {"goal": f"say word{at:02d}"},
            "expected": {"mode": "exact", "value": f"word{at:02d}"},
            "difficulty": "easy",
            "source": "synthetic",
        }
        for at in range(number)
    ]


def suite(number: int = 4, **fields: Any) -> dict[str, Any]:
    """A suite of so many cases that depends on the prompts and on one preset."""
    return {
        "suite_id": "words",
        "name": "Words",
        "target": "sayer",
        "version": "1.0.0",
        "runs": {"kind": "command", "words": ["sh", "{root}/agent.sh"]},
        "depends_on": {"prompts": ["prompts/*"], "presets": ["claude"]},
        "cases": cases(number),
        **fields,
    }


def prompt(words: int) -> str:
    """A prompt under which the first so many cases pass."""
    return " ".join(f"word{at:02d}" for at in range(words)) + "\n"


def files(number: int = 4, policy: str = POLICY, **fields: Any) -> Mapping[str, str]:
    """The workspace as it is committed first: all cases pass."""
    return {
        "assay.toml": policy,
        "wiki/index.md": "# Index\n",
        "agent.sh": AGENT,
        "prompts/answer.md": prompt(number),
        "gold/suites/words/suite.json": json.dumps(suite(number, **fields)),
    }
