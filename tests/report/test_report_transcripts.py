from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gitops.report.transcripts import told
from gitops.runs.transcripts import TranscriptRecord


def record(*turns: dict[str, Any], **fields: Any) -> TranscriptRecord:
    known: dict[str, Any] = {
        "summary": "a conversation",
        "run_id": "run-1",
        "role": "verifier",
        "at": "2024-01-02T03:04:05Z",
        "model": "claude-sonnet-5-5",
        "prompt": "Find the error.",
        "turns": turns,
        "usage": {"input_tokens": 12_345, "output_tokens": 67, "usd": 0.0321, "calls": 2},
    }
    return TranscriptRecord(**known | fields)


def said(role: str, *blocks: dict[str, Any] | str) -> dict[str, Any]:
    return {"role": role, "content": list(blocks)}


def test_what_would_steer_a_terminal_is_shown_instead_of_obeyed(on_terminal: Callable[..., str]) -> None:
    evil = "\x1b]0;owned\x07\u202evote"
    block = {"type": "tool_result", "tool_use_id": "t", "content": evil}
    printed = on_terminal(told([record(said("user", block), prompt=evil, model=evil)]), colour=False)
    assert "\x1b]" not in printed
    assert "\u202e" not in printed
    assert "␛]0;owned␇<U+202E>vote" in printed


def test_long_results_are_cut_and_it_says_so(on_terminal: Callable[..., str]) -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": "\n".join(f"line {at}" for at in range(1_500))}
    printed = on_terminal(told([record(said("user", block))]), colour=False)
    assert "line 29 " in printed
    assert "line 30" not in printed
    assert "… 1,470 more lines: --json has them" in printed


def test_blocks_of_any_kind_and_none_are_shown(on_terminal: Callable[..., str]) -> None:
    turns = (
        {"role": "user", "content": "as a text"},
        said("assistant", {"type": "redacted_thinking", "data": "x7"}, "a bare text"),
        {"role": "assistant"},
    )
    printed = on_terminal(told([record(*turns)]), colour=False)
    for words in ("as a text", '{"data":"x7","type":"redacted_thinking"}', "a bare text"):
        assert words in printed


def test_a_conversation_is_read_from_top_to_bottom(on_terminal: Callable[..., str]) -> None:
    turns = (
        said("user", {"type": "text", "text": "One claim."}),
        said(
            "assistant",
            {"type": "thinking", "thinking": "Let me look.", "signature": "s"},
            {"type": "tool_use", "id": "t", "name": "read", "input": {"path": "raw/a.md"}},
        ),
        said("user", {"type": "tool_result", "tool_use_id": "t", "content": "no such file", "is_error": True}),
        said("assistant", {"type": "text", "text": "It is missing."}),
    )
    printed = on_terminal(told([record(*turns, verdict_id="abcdef0123456789")]), colour=False)
    assert [line.rstrip() for line in printed.split("\n")] == [
        "verifier  claude-sonnet-5-5 at 2024-01-02T03:04:05Z, verdict abcdef0123: 12,345",
        "tokens read, 67 written, $0.0321",
        "system",
        "  Find the error.",
        "to the model",
        "  One claim.",
        "model",
        "  Let me look.",
        '  read {"path":"raw/a.md"}',
        "to the model",
        "  no such file",
        "model",
        "  It is missing.",
        "",
    ]
