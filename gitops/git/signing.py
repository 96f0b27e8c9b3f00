"""Signatures by SSH keys, made by `ssh-keygen -Y sign` with the key that git's configuration names, as for commits."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.errors import CannotRun
from gitops.git.signatures import NAMESPACE as NAMESPACE
from gitops.git.signatures import Checker as Checker
from gitops.git.signatures import Invalid as Invalid
from gitops.git.signatures import Trusted as Trusted
from gitops.git.signatures import checking as checking
from gitops.git.signatures import fingerprint as fingerprint
from gitops.git.signatures import keygen, last_line, scratch, unarmoured
from gitops.git.signatures import verify as verify

if TYPE_CHECKING:
    from gitops.git.repository import Repository

KEYS = ("assay.signingkey", "user.signingkey")
_PUBLIC = re.compile(r"(?:ssh-|ecdsa-|sk-)\S+ [A-Za-z0-9+/=]+")
_MAKE = "ssh-keygen -t ed25519 -f ~/.ssh/assay && git config assay.signingkey ~/.ssh/assay.pub"


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
    with scratch() as folder:
        path, agent = Path(key).expanduser(), list[str]()
        if (literal := _literal(key)) is not None:
            path, agent = folder / "key.pub", ["-U"]
            path.write_text(f"{literal}\n")
        done = keygen("sign", "-n", NAMESPACE, "-f", os.fspath(path), *agent, data=data)
    if done.returncode:
        raise CannotRun(f"the key {_told(key)} cannot sign: {last_line(done)}", f"ssh-add, or a new key: {_MAKE}")
    return unarmoured(done.stdout.decode("ascii", "replace"))


def demand_key(repository: Repository) -> str:
    """The configured key. CannotRun, with the commands that make one, where there is none."""
    key = configured_key(repository)
    if key is None:
        raise CannotRun("the policy asks for signed verdicts, and no signing key is configured", _MAKE)
    return key


def _literal(key: str) -> str | None:
    text = key.removeprefix("key::")
    return text if _PUBLIC.match(text) else None


def _told(key: str) -> str:
    return key if _literal(key) is None else f"{key.split()[0]} …"
