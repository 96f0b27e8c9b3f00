"""Signatures verified, one or many at once; what held is remembered by the digest of all that it hangs on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gitops.canonical import digest, sha256
from gitops.git import signing
from gitops.git.signing import Checker, Invalid, Trusted
from gitops.runs.context import Context
from gitops.verify import statement
from gitops.verify.statement import Opened

_KEPT = ("signer", "1")


@dataclass(frozen=True, slots=True)
class Job:
    """A signature to be verified."""

    data: bytes
    signature: bytes
    trusted: Trusted
    at: int

    @property
    def key(self) -> str:
        """The digest of all that the answer hangs on."""
        parts = [self.data, self.signature, self.trusted.allowed, *self.trusted.revoked]
        return digest([*map(sha256, parts), self.at])

    def verified(self, checker: Checker) -> str | None:
        """Who signed; None where it does not hold."""
        try:
            return checker.verify(self.data, self.signature, self.trusted, self.at)
        except Invalid:
            return None


def jobs(opened: Opened, trusted: Trusted, at: int) -> Iterator[Job]:
    """The signatures of an envelope, to be held against who may sign."""
    data = statement.pae(opened.payload)
    return (Job(data, signature, trusted, at) for _, signature in opened.signatures)


def signer(context: Context, opened: Opened, trusted: Trusted, at: int) -> str:
    """The first signer of an envelope whose signature holds at a moment. Invalid where none does."""
    refused: Invalid | None = None
    with context.caching() as cache:
        for job in jobs(opened, trusted, at):
            if (kept := cache.get(*_KEPT, job.key)) is not None:
                return kept.decode()
            try:
                who = signing.verify(job.data, job.signature, trusted, at)
            except Invalid as error:
                refused = refused or error
                continue
            cache.put(*_KEPT, job.key, who.encode())
            return who
    raise refused or Invalid("the envelope bears no signature")


def warm(context: Context, asked: Iterable[Job]) -> None:
    """Verify many signatures, as many at a time as there are cores, so that `signer` finds those that hold known.

    They are verified while the next ones are still being asked for.
    """
    from concurrent.futures import ThreadPoolExecutor

    with context.caching() as cache, signing.checking() as checker, ThreadPoolExecutor(os.cpu_count()) as pool:
        left = (job for job in asked if cache.get(*_KEPT, job.key) is None)
        found = [(job.key, pool.submit(job.verified, checker)) for job in left]
        for key, result in found:
            if (who := result.result()) is not None:
                cache.put(*_KEPT, key, who.encode())
