"""What tells who somebody is goes out of texts, by the library itself and by our own patterns; all else stays."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.errors import CannotRun
from gitops.git.repository import open_repository
from gitops.suites import scrubbing
from gitops.suites.private_text import named, spans
from gitops.suites.scrubbing import Scrubber

pytest.importorskip("scrubadub")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Mail jane.doe@example.com today.", "Mail {{EMAIL-1}} today."),
        ("Call +44 20 7946 0958 now.", "Call {{PHONE-1}} now."),
        ("Call (415) 555-2671 now.", "Call {{PHONE-1}} now."),
        ("Call 020 7946 0958 now.", "Call {{PHONE-1}} now."),
        ("See https://example.com/users/jane and go.", "See {{URL-1}} and go."),
        ("See [her](https://example.com/users/jane).", "See [her]({{URL-1}})."),
        ("Ask @janedoe first.", "Ask {{ACCOUNT-1}} first."),
        ("Her number is 536-90-4399.", "Her number is {{NUMBER-1}}."),
        ("She has AB123456C.", "She has {{NUMBER-1}}."),
        ("London SW1A 2AA is it.", "London {{POSTCODE-1}} is it."),
        ("Pay with 4111 1111 1111 1111 here.", "Pay with {{CREDIT_CARD-1}} here."),
        ("To GB82 WEST 1234 5698 7654 32 please.", "To {{IBAN-1}} please."),
        ("key sk-ant-api03-abcdefghijklmnopqrst it is", "key {{KEY-1}} it is"),
        ("push by ghp_abcdefghijklmnopqrstuvwxyz0123456789", "push by {{KEY-1}}"),
        ("AKIAIOSFODNN7EXAMPLE was used", "{{KEY-1}} was used"),
        ('{"api_key": "abcd-1234"}', '{"api_key": "{{KEY-1}}"}'),
        ("password = hunter2", "password = {{KEY-1}}"),
        ("Authorization: Bearer abcdefghijklmnop", "Authorization: Bearer {{KEY-1}}"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_1 is a token", "{{KEY-1}} is a token"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n", "{{KEY-1}}\n"),
        ("postgres://jane:secret@db/x", "postgres://{{KEY-1}}db/x"),
        ("cd /home/jane/notes", "cd /home/{{USER-1}}/notes"),
        ("cd /Users/jane", "cd /Users/{{USER-1}}"),
        (r"in C:\Users\jane\notes", r"in C:\Users\{{USER-1}}\notes"),
        ("username: jane", "username: {{USER-1}}"),
        ("from 203.0.113.7 it came", "from {{ADDRESS-1}} it came"),
        ("from 2001:db8::17 it came", "from {{ADDRESS-1}} it came"),
    ],
)
def test_what_goes(text: str, clean: str) -> None:
    assert Scrubber().text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "Solvent consumption declined by two fifths in 2019, as Smith (2020) wrote on p. 12-14.",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "At 12:30:45 version 1.2.3 of 2024-01-02 came out.",
        "127.0.0.1 and ::1 are everybody's.",
        "4111 1111 1111 1112 is no card, GB82 WEST 1234 5698 7654 33 no account.",
        "The token is short.",
        'raw/report.md, "declined by two fifths" @20',
    ],
)
def test_what_stays(text: str) -> None:
    assert Scrubber().text(text) == text


def test_names_that_are_told_go_and_parts_of_words_stay() -> None:
    scrubber = Scrubber(["Jane Doe", "Ada", "", "Jane"])
    text = "JANE  doe and Ada met Jane; Adam and ada did not, nor Janet."
    assert scrubber.text(text) == "{{PERSON-1}} and {{PERSON-2}} met {{PERSON-3}}; Adam and ada did not, nor Janet."
    assert scrubber.removed == {"PERSON": 3}


def test_nobody_told_is_no_pattern_that_fits_everything() -> None:
    assert named([]) is None
    assert named([""]) is None


def test_one_text_has_one_replacement_throughout_a_value() -> None:
    scrubber = Scrubber()
    value = {"to": "a@x.org and b@x.org", "a@x.org": ["A@x.org", 1, None, True], "deep": {"c": "b@x.org"}}
    assert scrubber.value(value) == {
        "to": "{{EMAIL-1}} and {{EMAIL-2}}",
        "{{EMAIL-1}}": ["{{EMAIL-1}}", 1, None, True],
        "deep": {"c": "{{EMAIL-2}}"},
    }
    assert scrubber.value("b@x.org") == "{{EMAIL-1}}"
    assert scrubber.removed == {"EMAIL": 6}


PARTS = [
    "jane@example.org",
    "+44 20 7946 0958",
    "/home/jane/",
    "sk-ant-api03-abcdefghijkl",
    "https://x.org/a",
    "Ada",
]
PRIVATE = st.lists(st.sampled_from([*PARTS, " and ", ". ", "\n", "word", '"', "(", ")"]), max_size=12).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(PRIVATE)
def test_what_was_scrubbed_holds_nothing_more_of_it(text: str) -> None:
    clean = Scrubber(["Ada"]).text(text)
    assert not any(part in clean for part in PARTS)
    assert Scrubber(["Ada"]).text(clean) == clean
    assert "word" in clean or "word" not in text


@given(st.text(max_size=60))
def test_stretches_lie_within_the_text(text: str) -> None:
    assert all(0 <= one.start < one.end <= len(text) for one in spans(text))


def test_long_texts_take_no_longer_than_they_must() -> None:
    for text in ("a" * 100_000, "1 " * 50_000, "://" * 30_000, "eyJ" * 30_000, ":" * 100_000, "/home/" * 20_000):
        assert list(spans(text)) is not None


def test_persons_are_all_who_wrote_or_committed_here(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository({"a": "x"})
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "y", "--author", "Jo Doe <jo@example.org>")
    for program in ("renovate[bot] <1+renovate[bot]@users.noreply.github.com>", "GitHub <noreply@github.com>"):
        git(repository, "commit", "--quiet", "--allow-empty", "--message", "z", "--author", program)
    assert scrubbing.persons(open_repository(repository)) == ["Ada Writer", "Jo Doe"]


def test_what_a_case_is_made_of_stays_whoever_is_called_like_it() -> None:
    value = {"input": {"goal": "ask goal", "context": [{"path": "a", "goal keeper": "x"}]}, "expected": {"all": ["b"]}}
    clean = Scrubber(["goal", "input", "all", "path"]).value(value)
    assert clean["expected"] == {"all": ["b"]}
    assert clean["input"]["goal"] == "ask {{PERSON-1}}"
    assert clean["input"]["context"] == [{"path": "a", "{{PERSON-1}} keeper": "x"}]


def test_numbers_are_scrubbed_like_texts_and_counts_stay() -> None:
    value = {"card": 4111111111111111, "phone": 2025550123, "at": 1767225600, "n": 12345, "yes": True, "share": 0.5}
    clean = {**value, "card": "{{CREDIT_CARD-1}}", "phone": "{{PHONE-1}}"}
    assert Scrubber().value(value) == clean


def test_without_the_library_nothing_is_scrubbed_and_the_mend_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scrubadub.detectors", None)
    scrubbing.detectors.cache_clear()
    with pytest.raises(CannotRun, match="scrubadub, which finds personal data, is not installed") as raised:
        Scrubber()
    assert raised.value.hint == "pip install 'git-assay[scrub]'"
    scrubbing.detectors.cache_clear()
