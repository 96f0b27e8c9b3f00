from __future__ import annotations

from pathlib import Path

import pytest

from gitops.config import Preset
from gitops.errors import CannotRun, UsageError
from gitops.llm import endpoints
from gitops.llm.opening import open_messages
from tests.llm.asking import HELLO, KEY, ledger_in, llm_at, opened
from tests.messages_server import MessagesServer, text


def preset(base_url: str = "", api_key_env: str = "ANTHROPIC_API_KEY") -> Preset:
    return Preset(model="claude-opus-5-5", base_url=base_url, api_key_env=api_key_env)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example",
        "https://api.anthropic.com.evil.example",
        "http://api.anthropic.com",
        "https://api.anthropic.com:8443",
        "http://127.0.0.1.evil.example",
        "http://localhost.evil.example",
        "http://128.0.0.1",
        "http://[::ffff:808:808]",
        "http://127.1",
    ],
)
def test_an_address_that_only_the_repository_names_gets_no_key(address: str) -> None:
    with pytest.raises(UsageError, match="only the repository says so") as caught:
        endpoints.base_url("verifier", preset(address), {})
    assert "ASSAY_BASE_URL_ALLOWED=http" in caught.value.hint


@pytest.mark.parametrize(
    "address",
    [
        "https://api.anthropic.com@evil.example",
        "http://localhost\\@evil.example",
        "http://localhost#@evil.example",
        "http://localhost?@evil.example",
        "http://127.0.0.1:80:90",
        "http://evil.example\n.localhost",
        "ftp://localhost",
        "localhost:8080",
        "https://user:word@localhost",
    ],
)
def test_an_address_that_can_be_read_in_two_ways_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="not the plain address"):
        endpoints.base_url("verifier", preset(address), {"ASSAY_BASE_URL_ALLOWED": address})


@pytest.mark.parametrize(
    "allowed", ["https://evil.example.org", "http://models.example", "https://models.example:8443", "models.example"]
)
def test_another_origin_that_is_allowed_does_not_help(allowed: str) -> None:
    with pytest.raises(UsageError, match="only the repository says so"):
        endpoints.base_url("verifier", preset("https://models.example/v1"), {"ASSAY_BASE_URL_ALLOWED": allowed})


def test_an_address_of_the_environment_must_be_plain_too() -> None:
    with pytest.raises(UsageError, match="ANTHROPIC_BASE_URL"):
        endpoints.base_url("verifier", preset(), {"ANTHROPIC_BASE_URL": "gateway"})


@pytest.mark.parametrize(
    "address",
    [
        "https://api.anthropic.com",
        "https://API.Anthropic.com:443/",
        "http://127.0.0.1:8080",
        "http://127.9.9.9",
        "http://[::1]:99/x",
        "http://localhost:1",
    ],
)
def test_anthropics_own_and_this_machine_need_no_leave(address: str) -> None:
    assert endpoints.base_url("verifier", preset(address), {}) == address


@pytest.mark.parametrize("allowed", ["https://models.example", " http://other , HTTPS://Models.Example:443 "])
def test_an_origin_that_the_user_allows_is_used(allowed: str) -> None:
    address = "https://models.example/gate"
    assert endpoints.base_url("verifier", preset(address), {"ASSAY_BASE_URL_ALLOWED": allowed}) == address


def test_without_a_base_url_the_environments_or_anthropics_own_is_asked() -> None:
    gateway = {"ANTHROPIC_BASE_URL": "https://gateway.example/claude"}
    assert endpoints.base_url("verifier", preset(), gateway) == "https://gateway.example/claude"
    assert endpoints.base_url("verifier", preset(), {}) == "https://api.anthropic.com"


@pytest.mark.parametrize("value", ["", "  ", None])
def test_without_a_key_the_variable_is_named(value: str | None) -> None:
    with pytest.raises(CannotRun, match="MY_KEY holds no key") as caught:
        endpoints.key("verifier", preset(api_key_env="MY_KEY"), {} if value is None else {"MY_KEY": value})
    assert "export MY_KEY=…" in caught.value.hint


@pytest.mark.parametrize("value", ["sk-a\nsk-b", "sk-ä", "sk a"])
def test_what_no_header_can_carry_is_no_key_and_is_not_shown(value: str) -> None:
    with pytest.raises(CannotRun, match="cannot be a key") as caught:
        endpoints.key("verifier", preset(), {"ANTHROPIC_API_KEY": value})
    assert value not in caught.value.message + caught.value.hint


def test_without_a_key_nothing_is_sent_and_nothing_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another-credential")
    with MessagesServer([]) as server:
        client = opened(server, tmp_path)
        with pytest.raises(CannotRun, match="ANTHROPIC_API_KEY"):
            client.create(HELLO)
        assert server.requests == []
    assert list(tmp_path.iterdir()) == []


def test_a_hostile_address_is_refused_when_the_preset_is_opened(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only the repository says so"):
        open_messages(llm_at("https://evil.example"), "verifier", ledger_in(tmp_path))


def test_the_presets_own_key_is_sent_and_no_other_credential(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another-credential")
    monkeypatch.setenv("GATE_KEY", "gate-1")
    with MessagesServer([text("yes")]) as server:
        opened(server, tmp_path, api_key_env="GATE_KEY").create(HELLO)
        sent = server.requests[0].headers
    assert sent["authorization"] == "Bearer gate-1"
    assert "another-credential" not in str(sent)


def test_no_key_is_in_anything_that_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LLM", "record")
    with MessagesServer([text("yes")]) as server:
        opened(server, tmp_path).create(HELLO)
        assert KEY in str(server.requests[0].headers)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) == 2
    assert all(KEY.encode() not in path.read_bytes() for path in written)
