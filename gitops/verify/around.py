"""What every judge that stands around another says of itself: what the other is."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.usage import Usage
from gitops.verify.judge import ClaimVote, Judge


@dataclass
class Around:
    """The identity, the gate and the spending of the judge inside; how it is asked is for those who stand around it."""

    judge: Judge

    @property
    def id(self) -> str:
        """The judge's."""
        return self.judge.id

    @property
    def version(self) -> str:
        """The judge's."""
        return self.judge.version

    @property
    def digest(self) -> str:
        """The judge's."""
        return self.judge.digest

    @property
    def is_free(self) -> bool:
        """The judge's."""
        return self.judge.is_free

    @property
    def used(self) -> Usage:
        """The judge's."""
        return self.judge.used

    def gate(self, vote: ClaimVote) -> float | None:
        """The judge's."""
        return self.judge.gate(vote)
