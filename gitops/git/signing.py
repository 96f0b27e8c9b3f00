"""Signatures by SSH keys, made and verified by `ssh-keygen -Y` in a namespace that commits and mails are not signed in.

A key comes from git's configuration, as for commits. Who may sign comes from the caller: a file of allowed signers,
as git's own `gpg.ssh.allowedSignersFile`, and one of revoked keys. Times are UTC, whatever the machine's zone.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.errors import CannotRun

if TYPE_CHECKING:
    from gitops.git.repository import Repository

NAMESPACE = "git-assay-verdict"
KEYS = ("assay.signingkey", "user.signingkey")
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_PUBLIC = re.compile(r"(?:ssh-|ecdsa-|sk-)\S+ [A-Za-z0-9+/=]+")
_MAKE = "ssh-keygen -t ed25519 -f ~/.ssh/assay && git config assay.signingkey ~/.ssh/assay.pub"
_WHY = re.compile(r"key has expired|key is not yet valid|key is not permitted for use in signature namespace")


class Invalid(Exception):
    """A signature does not hold; the message says why."""


@dataclass(frozen=True, slots=True)
class Trusted:
    """Who may sign: the text of an allowed signers file, and revoked keys (public keys, or a KRL)."""

    allowed: bytes
    revoked: tuple[bytes, ...] = ()


def configured_key(repository: Repository) -> str | None:
    """The key that git's configuration names: `assay.signingkey`, else `user.signingkey` if that is an SSH key."""
    own = repository.git_config(KEYS[0])
    if own:
        return own
    shared = repository.git_config(KEYS[1])
    is_ssh = shared and (_literal(shared) or repository.git_config("gpg.format") == "ssh")
    return shared if is_ssh else None


def sign(key: str, data: bytes) -> bytes:
    """The signature of some bytes: by a private key's file, or by the agent that holds a public key's other half.

    `key` is a file's path, or a public key as such, as git takes it (`ssh-ed25519 …`, `key::ssh-ed25519 …`).
    CannotRun, with the commands that make a key, where it cannot sign.
    """
    with _folder() as folder:
        path, agent = Path(key).expanduser(), list[str]()
        if (literal := _literal(key)) is not None:
            path, agent = folder / "key.pub", ["-U"]
            path.write_text(f"{literal}\n")
        done = _keygen("sign", "-n", NAMESPACE, "-f", os.fspath(path), *agent, data=data)
    if done.returncode:
        raise CannotRun(f"the key {_told(key)} cannot sign: {_last(done)}", f"ssh-add, or a new key: {_MAKE}")
    return _unarmoured(done.stdout.decode("ascii", "replace"))


def demand_key(repository: Repository) -> str:
    """The configured key. CannotRun, with the commands that make one, where there is none."""
    key = configured_key(repository)
    if key is None:
        raise CannotRun("the policy asks for signed verdicts, and no signing key is configured", _MAKE)
    return key


def verify(data: bytes, signature: bytes, trusted: Trusted, at: int) -> str:
    """The principal whose key signed the bytes and was allowed to at a moment (seconds since 1970). Else Invalid."""
    with _folder() as folder:
        allowed, signed = folder / "allowed_signers", folder / "signature"
        allowed.write_bytes(trusted.allowed)
        signed.write_text(_armoured(signature))
        how = ("-n", NAMESPACE, "-s", os.fspath(signed))
        within = ("-f", os.fspath(allowed), f"-Overify-time={_moment(at)}")
        who = _principal(trusted.allowed, signature)
        if who is None or _keygen("verify", *how, *within, "-I", who, data=data).returncode:
            who = _searched(data, how, within)
        for number, keys in enumerate(trusted.revoked):
            revoked = folder / f"revoked-{number}"
            revoked.write_bytes(keys)
            done = _keygen("verify", *how, *within, "-I", who, "-r", os.fspath(revoked), data=data)
            if done.returncode:
                raise Invalid(f"the key {fingerprint(signature)} of {who} is revoked")
    return who


def fingerprint(signature: bytes) -> str:
    """The key that a signature says it was made by, as `ssh-keygen -l` has it. Invalid where it is no signature."""
    return f"SHA256:{base64.b64encode(hashlib.sha256(_key(signature)).digest()).decode().rstrip('=')}"


def _searched(data: bytes, how: tuple[str, ...], within: tuple[str, ...]) -> str:
    """The principal as ssh-keygen itself finds it: slower, for patterns and certificates, and to say why not."""
    told = _keygen("check-novalidate", *how, data=data)
    if told.returncode:
        raise Invalid(_why(told) or _last(told))
    found = _keygen("find-principals", *how[2:], *within, data=b"")
    if found.returncode:
        signature = _unarmoured(Path(how[3]).read_text())
        raise Invalid(_why(found) or f"the key {fingerprint(signature)} is none of the allowed signers'")
    who = found.stdout.decode("utf-8", "replace").split("\n")[0].strip()
    done = _keygen("verify", *how, *within, "-I", who, data=data)
    if done.returncode:
        raise Invalid(f"{who}: {_why(done) or _last(done)}")
    return who


def _principal(allowed: bytes, signature: bytes) -> str | None:
    """The one principal that the key's line names, where it is that simple; None where ssh-keygen has to look."""
    key = base64.b64encode(_key(signature))
    lines = [line.split() for line in allowed.splitlines() if not line.lstrip().startswith(b"#")]
    mine = {words[0] for words in lines if key in words}
    plain = mine.pop().decode("utf-8", "replace") if len(mine) == 1 else ""
    return plain if plain and not set(plain) & set('*?!,"') else None


def _key(signature: bytes) -> bytes:
    """The public key in an SSHSIG blob: magic, version, then the key as a counted string."""
    length = int.from_bytes(signature[10:14], "big")
    if signature[:6] != b"SSHSIG" or len(signature) < 14 + length:
        raise Invalid("it is no SSH signature")
    return signature[14 : 14 + length]


def _armoured(signature: bytes) -> str:
    text = base64.b64encode(signature).decode()
    lines = (text[start : start + 70] for start in range(0, len(text), 70))
    return "\n".join([_BEGIN, *lines, _END, ""])


def _unarmoured(text: str) -> bytes:
    inside = text.partition(_BEGIN)[2].partition(_END)[0]
    return base64.b64decode("".join(inside.split()))


def _keygen(what: str, *words: str, data: bytes) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    try:
        return subprocess.run(["ssh-keygen", "-Y", what, *words], input=data, capture_output=True, env=env, check=False)
    except OSError as error:
        raise CannotRun(f"ssh-keygen cannot be run: {error}", "install OpenSSH 8.9 or later") from error


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        yield Path(folder)


def _moment(at: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(at, UTC):%Y%m%d%H%M%S}"


def _literal(key: str) -> str | None:
    text = key.removeprefix("key::")
    return text if _PUBLIC.match(text) else None


def _told(key: str) -> str:
    return key if _literal(key) is None else f"{key.split()[0]} …"


def _why(done: subprocess.CompletedProcess[bytes]) -> str:
    """What ssh-keygen says of the key's limits or of the namespace, without the place in a file of ours."""
    said = done.stderr.decode("utf-8", "replace")
    if "namespace does not match" in said:
        return f"it was made in another namespace than {NAMESPACE}"
    line = next((line for line in said.splitlines() if _WHY.search(line)), "")
    return line.partition(": ")[2] if line else ""


def _last(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"ssh-keygen ended with {done.returncode}"
