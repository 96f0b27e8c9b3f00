"""Signatures verified, one or many at once; what came of each is remembered by the digest of all that it hangs on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitops.canonical import digest, dumps, sha256
from gitops.git import signing
from gitops.git.signing import Checker, Invalid, Trusted
from gitops.runs.context import Context
from gitops.verify import statement
from gitops.verify.statement import Opened

_KEPT = ("signature", "1")


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

    def answer(self, checker: Checker) -> bytes:
        """Who signed, and why that does not hold: one of the two, as it is kept."""
        try:
            return dumps([checker.verify(self.data, self.signature, self.trusted, self.at), ""]).encode()
        except Invalid as error:
            return dumps(["", str(error)]).encode()


def jobs(opened: Opened, trusted: Trusted, at: int) -> Iterator[Job]:
    """The signatures of an envelope, to be held against who may sign."""
    data = statement.pae(opened.payload)
    return (Job(data, signature, trusted, at) for signature in dict.fromkeys(each for _, each in opened.signatures))


def signer(context: Context, opened: Opened, trusted: Trusted, at: int) -> str:
    """The first signer of an envelope whose signature holds at a moment. Invalid where none does."""
    refused = ""
    with context.caching() as cache:
        for job in jobs(opened, trusted, at):
            if (kept := cache.get(*_KEPT, job.key)) is None:
                with signing.checking() as checker:
                    kept = job.answer(checker)
                cache.put(*_KEPT, job.key, kept)
            who, why = json.loads(kept)
            if who:
                return str(who)
            refused = refused or str(why)
    raise Invalid(refused or "the envelope bears no signature")


def warm(context: Context, asked: Iterable[Sequence[Job]]) -> None:
    """Verify many signatures, as many at a time as there are cores, so that `signer` finds what came of them known.

    Of those that stand beside one record no more are verified than up to the first that holds. They are verified while
    the next ones are still being asked for.
    """
    from concurrent.futures import ThreadPoolExecutor

    with context.caching() as cache, signing.checking() as checker, ThreadPoolExecutor(os.cpu_count()) as pool:
        left = (jobs for jobs in asked if not any(cache.get(*_KEPT, job.key) for job in jobs))
        for result in [pool.submit(_up_to_the_first, jobs, checker) for jobs in left]:
            for key, answer in result.result():
                cache.put(*_KEPT, key, answer)


def _up_to_the_first(jobs: Sequence[Job], checker: Checker) -> list[tuple[str, bytes]]:
    found = []
    for job in jobs:
        found.append((job.key, job.answer(checker)))
        if json.loads(found[-1][1])[0]:
            break
    return found
