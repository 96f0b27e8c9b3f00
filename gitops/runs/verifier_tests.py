"""What a test of the verifier is called where it is recorded: its kind, its metrics over all kinds, its controls."""

from __future__ import annotations

KIND = "verifier_test"
"""The kind of its measurements."""
CAUGHT, REFUSED = "caught", "wrongly_refused"
"""The share of planted errors that were caught, and of sound claims that were refused; besides, one for each kind."""
CONTROL = "untouched"
"""The kind of a trial in which nothing was planted. Of each trial its sample has the kind as its tag."""
