"""Signatures by real keys, made and verified by the ssh-keygen that is here."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git import signing
from gitops.git.repository import open_repository
from gitops.git.signing import NAMESPACE, Invalid, Trusted

DATA = b"what is signed\n"
NOW = 1_704_164_645


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("keys")
    kinds = {"ada": ("ed25519",), "eve": ("ed25519",), "ecdsa": ("ecdsa",), "rsa": ("rsa", "-b", "2048")}
    for name, kind in kinds.items():
        command = ["ssh-keygen", "-q", "-t", *kind, "-N", "", "-C", name, "-f", str(folder / name)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return {name: folder / name for name in kinds}


def public(key: Path) -> str:
    return " ".join(key.with_suffix(".pub").read_text().split()[:2])


def allowed(*lines: str) -> Trusted:
    return Trusted("".join(f"{line}\n" for line in lines).encode())


@pytest.mark.parametrize("kind", ["ada", "ecdsa", "rsa"])
def test_what_a_key_signs_is_verified_by_its_line(keys: dict[str, Path], kind: str) -> None:
    signature = signing.sign(str(keys[kind]), DATA)
    line = f'ada@example.org namespaces="{NAMESPACE}" {public(keys[kind])} a comment'
    assert signing.verify(DATA, signature, allowed("# signers", line), NOW) == "ada@example.org"
    with pytest.raises(Invalid, match="incorrect signature"):
        signing.verify(DATA + b"x", signature, allowed(line), NOW)


def test_the_fingerprint_is_ssh_keygen_s_own(keys: dict[str, Path]) -> None:
    said = subprocess.run(["ssh-keygen", "-l", "-f", keys["ada"]], capture_output=True, text=True, check=True).stdout
    assert signing.fingerprint(signing.sign(str(keys["ada"]), DATA)) == said.split()[1]


@pytest.mark.parametrize("who", ["*@example.org", "bob@example.org,ada@example.org", '"ada@example.org"'])
def test_a_line_may_name_patterns_and_several(keys: dict[str, Path], who: str) -> None:
    signature = signing.sign(str(keys["ada"]), DATA)
    assert signing.verify(DATA, signature, allowed(f"{who} {public(keys['ada'])}"), NOW)


def test_a_certificate_authority_may_be_named(keys: dict[str, Path], tmp_path: Path) -> None:
    certified = tmp_path / "eve"
    certified.write_bytes(keys["eve"].read_bytes())
    certified.chmod(0o600)
    certified.with_suffix(".pub").write_bytes(keys["eve"].with_suffix(".pub").read_bytes())
    authority = ["ssh-keygen", "-q", "-s", str(keys["ada"]), "-I", "eve", "-n", "eve@example.org"]
    subprocess.run([*authority, str(certified.with_suffix(".pub"))], check=True)
    signature = signing.sign(str(tmp_path / "eve-cert.pub"), DATA)
    trusted = allowed(f"*@example.org cert-authority {public(keys['ada'])}")
    assert signing.verify(DATA, signature, trusted, NOW) == "eve@example.org"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ('valid-before="20240101Z"', "key has expired"),
        ('valid-after="20240201Z"', "key is not yet valid"),
        ('namespaces="git,file"', f'not permitted for use in signature namespace "{NAMESPACE}"'),
    ],
)
def test_a_line_s_limits_are_told(keys: dict[str, Path], options: str, why: str) -> None:
    signature = signing.sign(str(keys["ada"]), DATA)
    with pytest.raises(Invalid, match=why):
        signing.verify(DATA, signature, allowed(f"ada@example.org {options} {public(keys['ada'])}"), NOW)


def test_an_unknown_key_and_no_signers_at_all(keys: dict[str, Path]) -> None:
    signature = signing.sign(str(keys["eve"]), DATA)
    for trusted in (allowed(f"ada@example.org {public(keys['ada'])}"), allowed()):
        with pytest.raises(Invalid, match=r"the key SHA256:\S+ is none of the allowed signers'"):
            signing.verify(DATA, signature, trusted, NOW)


def test_a_revoked_key_in_either_form(keys: dict[str, Path], tmp_path: Path) -> None:
    signature = signing.sign(str(keys["ada"]), DATA)
    line = f"ada@example.org {public(keys['ada'])}\n".encode()
    krl = tmp_path / "krl"
    subprocess.run(["ssh-keygen", "-q", "-k", "-f", krl, keys["ada"].with_suffix(".pub")], check=True)
    other = f"{public(keys['eve'])}\n".encode()
    for revoked in (f"# stolen\n{public(keys['ada'])}\n".encode(), krl.read_bytes()):
        with pytest.raises(Invalid, match=r"of ada@example\.org is revoked"):
            signing.verify(DATA, signature, Trusted(line, (other, revoked)), NOW)
    assert signing.verify(DATA, signature, Trusted(line, (other, b"")), NOW) == "ada@example.org"


@pytest.mark.parametrize("signature", [b"", b"SSHSIG", b"SSHSIG\0\0\0\1\xff\xff\xff\xff", b"PGPSIG" + b"\0" * 80])
def test_what_is_no_signature(keys: dict[str, Path], signature: bytes) -> None:
    with pytest.raises(Invalid, match="no SSH signature"):
        signing.verify(DATA, signature, allowed(f"ada@example.org {public(keys['ada'])}"), NOW)


def test_a_key_that_cannot_sign_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="cannot sign") as error:
        signing.sign(str(tmp_path / "nowhere"), DATA)
    assert "ssh-keygen -t ed25519" in error.value.hint


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({}, None),
        ({"user.signingkey": "0xDEADBEEF"}, None),
        ({"user.signingkey": "~/.ssh/id.pub"}, None),
        ({"user.signingkey": "~/.ssh/id.pub", "gpg.format": "ssh"}, "~/.ssh/id.pub"),
        ({"user.signingkey": "key::ssh-ed25519 AAAA"}, "key::ssh-ed25519 AAAA"),
        ({"user.signingkey": "ssh-ed25519 AAAA", "assay.signingkey": "/k"}, "/k"),
    ],
)
def test_which_key_is_meant(
    make_repository: Callable[..., Path], git: Callable[..., str], settings: dict[str, str], found: str | None
) -> None:
    folder = make_repository()
    for key, value in settings.items():
        git(folder, "config", key, value)
    assert signing.configured_key(open_repository(folder)) == found


@pytest.fixture
def counted_keygen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """An ssh-keygen that notes what it was asked for before it does it."""
    real, folder = str(shutil.which("ssh-keygen")), tmp_path / "counted"
    folder.mkdir()
    (folder / "ssh-keygen").write_text(f'#!/bin/sh\necho "$2" >> {folder}/asked\nexec {real} "$@"\n')
    (folder / "ssh-keygen").chmod(0o755)
    (folder / "asked").touch()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return lambda: (folder / "asked").read_text().split()


def test_a_signature_that_holds_costs_one_process_also_where_keys_are_revoked(
    keys: dict[str, Path], counted_keygen: Callable[[], list[str]]
) -> None:
    signature = signing.sign(str(keys["ada"]), DATA)
    line = f'ada@example.org namespaces="{NAMESPACE}" {public(keys["ada"])}\n'.encode()
    revoked = (f"{public(keys['eve'])}\n".encode(), public(keys["rsa"]).encode())
    assert signing.verify(DATA, signature, Trusted(line, revoked), NOW) == "ada@example.org"
    assert counted_keygen() == ["sign", "verify"]
    with pytest.raises(Invalid, match="is revoked"):
        signing.verify(DATA, signature, Trusted(line, (*revoked, public(keys["ada"]).encode())), NOW)


def test_a_list_of_keys_and_one_that_ssh_keygen_made_both_revoke(keys: dict[str, Path], tmp_path: Path) -> None:
    command = ["ssh-keygen", "-q", "-k", "-f", str(tmp_path / "krl"), str(keys["eve"].with_suffix(".pub"))]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    lists = (public(keys["ecdsa"]).encode(), (tmp_path / "krl").read_bytes())
    lines = [f'{name}@example.org namespaces="{NAMESPACE}" {public(keys[name])}' for name in ("ada", "eve", "ecdsa")]
    trusted = Trusted("\n".join(lines).encode(), lists)
    assert signing.verify(DATA, signing.sign(str(keys["ada"]), DATA), trusted, NOW) == "ada@example.org"
    for name in ("eve", "ecdsa"):
        with pytest.raises(Invalid, match=f"of {name}@example.org is revoked"):
            signing.verify(DATA, signing.sign(str(keys[name]), DATA), trusted, NOW)


def test_several_threads_verify_with_the_same_files(keys: dict[str, Path]) -> None:
    lines = {name: f'{name}@example.org namespaces="{NAMESPACE}" {public(keys[name])}' for name in ("ada", "eve")}
    asked = [(name, bytes([number]), other) for number in range(8) for name in lines for other in lines]

    def verified(each: tuple[str, bytes, str]) -> str:
        name, data, allowed_name = each
        signature = signing.sign(str(keys[name]), data)
        try:
            return checker.verify(data, signature, allowed(lines[allowed_name]), NOW)
        except Invalid as error:
            return str(error)

    with signing.checking() as checker, ThreadPoolExecutor(4) as pool:
        for (name, _, allowed_name), who in zip(asked, pool.map(verified, asked), strict=True):
            assert (who == f"{name}@example.org") is (name == allowed_name)
            assert who.endswith("none of the allowed signers'") is (name != allowed_name)


def test_a_stranger_s_signature_costs_no_process(keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    signature = signing.sign(str(keys["eve"]), DATA)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(signing.Invalid, match="is none of the allowed signers'"):
        signing.verify(DATA, signature, allowed(f"ada@example.org {public(keys['ada'])}"), NOW)


def test_a_list_of_revoked_keys_that_makes_no_sense_is_told_and_no_key_counts(keys: dict[str, Path]) -> None:
    signature = signing.sign(str(keys["ada"]), DATA)
    trusted = Trusted(f"ada@example.org {public(keys['ada'])}\n".encode(), (b"the one that Ada lost\n",))
    with pytest.raises(signing.Invalid, match="the list of revoked keys cannot be read, so no key counts"):
        signing.verify(DATA, signature, trusted, NOW)


@pytest.mark.parametrize("ending", ["\r\n", " a comment\n", "\n# nothing\n\n"])
def test_lines_may_end_as_editors_end_them(keys: dict[str, Path], ending: str) -> None:
    signature = signing.sign(str(keys["ada"]), DATA)
    text = f"ada@example.org {public(keys['ada'])}{ending}"
    assert signing.verify(DATA, signature, Trusted(text.encode()), NOW) == "ada@example.org"
