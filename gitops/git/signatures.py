"""Signatures by SSH keys, verified by `ssh-keygen -Y` in a namespace that commits and mails are not signed in.

Who may sign comes from the caller: a file of allowed signers, as git's own `gpg.ssh.allowedSignersFile`, and one of
revoked keys. Times are UTC, whatever the machine's zone.
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
from threading import Lock, get_ident
from typing import NamedTuple

from gitops.errors import CannotRun
from gitops.git import allowed_signers

NAMESPACE = "git-assay-verdict"
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_KRL = b"SSHKRL\n\0"
_WHY = re.compile(r"key has expired|key is not yet valid|key is not permitted for use in signature namespace")


class Invalid(Exception):
    """A signature does not hold; the message says why."""


@dataclass(frozen=True, slots=True)
class Trusted:
    """Who may sign: the text of an allowed signers file, and revoked keys (public keys, or a KRL)."""

    allowed: bytes
    revoked: tuple[bytes, ...] = ()


def verify(data: bytes, signature: bytes, trusted: Trusted, at: int) -> str:
    """The principal whose key signed the bytes and was allowed to at a moment (seconds since 1970). Else Invalid."""
    with checking() as checker:
        return checker.verify(data, signature, trusted, at)


@contextmanager
def checking() -> Iterator[Checker]:
    """Verifies any number of signatures, by one process each where all is well; several threads may share it."""
    with scratch() as folder:
        yield Checker(folder)


class Checker:
    """Verifies signatures. The files of keys that ssh-keygen reads are written once."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock, self._env = folder, Lock(), _environment()
        self._files: dict[Trusted, _Files] = {}

    def verify(self, data: bytes, signature: bytes, trusted: Trusted, at: int) -> str:
        """As `verify`."""
        key, files = _key(signature), self._written(trusted)
        if allowed_signers.is_stranger(trusted.allowed, key):  # no process for what anybody can make thousands of
            raise Invalid(_stranger(signature))
        signed = f"{self._folder}/{get_ident()}"  # a file of its own for each thread
        _write(signed, _armoured(signature).encode())
        how = ("-n", NAMESPACE, "-s", signed)
        within = ("-f", os.fspath(files.allowed), f"-Overify-time={_moment(at)}")
        who = allowed_signers.principal(trusted.allowed, key)
        if who is not None and self._holds(data, *how, *within, "-I", who, revoking=files.revoking):
            return who
        return _explained(data, signature, how, within, files)

    def _holds(self, data: bytes, *words: str, revoking: tuple[tuple[str, ...], ...]) -> bool:
        """Whether ssh-keygen says yes. What it says besides is not listened to: waiting for it costs."""
        path, null = f"{self._folder}/{get_ident()}.data", subprocess.DEVNULL
        _write(path, data)
        for each in revoking:
            with open(path, "rb", buffering=0) as asked, _started():
                command = ["ssh-keygen", "-Y", "verify", *words, *each]
                if subprocess.run(
                    command, stdin=asked, stdout=null, stderr=null, env=self._env, check=False
                ).returncode:
                    return False
        return True

    def _written(self, trusted: Trusted) -> _Files:
        with self._lock:
            if (known := self._files.get(trusted)) is None:
                number = len(self._files)
                allowed = self._folder / f"allowed-{number}"
                allowed.write_bytes(trusted.allowed)
                revoking = [self._revoking(f"revoked-{number}-{n}", keys) for n, keys in enumerate(_lists(trusted))]
                known = self._files[trusted] = _Files(allowed, tuple(revoking) or ((),))
            return known

    def _revoking(self, name: str, keys: bytes) -> tuple[str, ...]:
        path = self._folder / name
        path.write_bytes(keys)
        return "-r", os.fspath(path)


class _Files(NamedTuple):
    allowed: Path
    revoking: tuple[tuple[str, ...], ...]
    """The options that name revoked keys, for a process each; one of none where nothing is revoked."""


def _lists(trusted: Trusted) -> Iterator[bytes]:
    """Revoked keys as ssh-keygen takes them, a list at a time: all that are text as one, every KRL by itself."""
    texts = [keys for keys in trusted.revoked if not keys.startswith(_KRL)]
    if texts:
        yield b"\n".join(texts)
    yield from (keys for keys in trusted.revoked if keys.startswith(_KRL))


def _write(path: str, data: bytes) -> None:
    with open(path, "wb", buffering=0) as file:
        file.write(data)


def _explained(data: bytes, signature: bytes, how: tuple[str, ...], within: tuple[str, ...], files: _Files) -> str:
    """The principal as ssh-keygen itself finds it: slower, for patterns and certificates, and to say why not."""
    who = _searched(data, signature, how, within)
    for revoking in files.revoking:
        if keygen("verify", *how, *within, "-I", who, *revoking, data=data).returncode:
            raise Invalid(_revoked(signature, who, revoking))
    return who


def _revoked(signature: bytes, who: str, revoking: tuple[str, ...]) -> str:
    """What a list of revoked keys did: name the key, or make no sense to ssh-keygen, which then trusts no key."""
    key, keys = _key(signature), Path(revoking[-1]).read_bytes()
    if keys.startswith(_KRL) or allowed_signers.is_certificate(key) or allowed_signers.is_named(keys, key):
        return f"the key {fingerprint(signature)} of {who} is revoked"
    return (
        "the list of revoked keys cannot be read, so no key counts: one public key a line, or what ssh-keygen -k makes"
    )


def _stranger(signature: bytes) -> str:
    return f"the key {fingerprint(signature)} is none of the allowed signers'"


def fingerprint(signature: bytes) -> str:
    """The key that a signature says it was made by, as `ssh-keygen -l` has it. Invalid where it is no signature."""
    return f"SHA256:{base64.b64encode(hashlib.sha256(_key(signature)).digest()).decode().rstrip('=')}"


def _searched(data: bytes, signature: bytes, how: tuple[str, ...], within: tuple[str, ...]) -> str:
    told = keygen("check-novalidate", *how, data=data)
    if told.returncode:
        raise Invalid(_why(told) or last_line(told))
    found = keygen("find-principals", *how[2:], *within, data=b"")
    if found.returncode:
        raise Invalid(_why(found) or _stranger(signature))
    who = found.stdout.decode("utf-8", "replace").split("\n")[0].strip()
    done = keygen("verify", *how, *within, "-I", who, data=data)
    if done.returncode:
        raise Invalid(f"{who}: {_why(done) or last_line(done)}")
    return who


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


def unarmoured(text: str) -> bytes:
    """The signature's own bytes, out of what ssh-keygen prints."""
    inside = text.partition(_BEGIN)[2].partition(_END)[0]
    return base64.b64decode("".join(inside.split()))


def keygen(what: str, *words: str, data: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run `ssh-keygen -Y` on some bytes, and keep what it says."""
    with _started():
        command = ["ssh-keygen", "-Y", what, *words]
        done = subprocess.run(command, input=data, capture_output=True, env=_environment(), check=False)
    if done.returncode < 0:  # which says nothing of the signature, and is not to be remembered of it
        raise CannotRun(f"ssh-keygen was ended by signal {-done.returncode}", "run the same command again")
    return done


@contextmanager
def _started() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CannotRun(f"ssh-keygen cannot be run: {error}", "install OpenSSH 8.9 or later") from error


def _environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C", "TZ": "UTC"}


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for what ssh-keygen reads."""
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        yield Path(folder)


def _moment(at: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(at, UTC):%Y%m%d%H%M%S}"


def _why(done: subprocess.CompletedProcess[bytes]) -> str:
    """What ssh-keygen says of the key's limits or of the namespace, without the place in a file of ours."""
    said = done.stderr.decode("utf-8", "replace")
    if "namespace does not match" in said:
        return f"it was made in another namespace than {NAMESPACE}"
    line = next((line for line in said.splitlines() if _WHY.search(line)), "")
    return line.partition(": ")[2] if line else ""


def last_line(done: subprocess.CompletedProcess[bytes]) -> str:
    """What ssh-keygen said last, on a failure."""
    lines = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"ssh-keygen ended with {done.returncode}"
