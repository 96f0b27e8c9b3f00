"""Opens the Messages of a preset: the network, recordings, or nothing at all, as ASSAY_LLM says."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitops.config import Llm
from gitops.errors import CannotRun, UsageError
from gitops.llm import endpoints
from gitops.llm.client import Client, Send, Source
from gitops.llm.ledger import Ledger
from gitops.llm.recordings import Recording, Replay
from gitops.llm.sdk import Live

SWITCH = "ASSAY_LLM"
RECORDINGS = "ASSAY_LLM_RECORDINGS"
MODES = ("live", "record", "replay", "off")


class Off:
    """No answers: nothing may be asked."""

    replays = False

    def prepared(self, request: Mapping[str, Any], digest: str) -> Send:
        """CannotRun, always."""
        told = f"{request['model']} would have to be asked, and {SWITCH}=off forbids it"
        raise CannotRun(told, f"unset {SWITCH}, or use the offline judge or preset")

    def keep(self, request: Mapping[str, Any], digest: str, answer: Mapping[str, Any]) -> None:
        """Nothing is ever answered."""


def open_messages(llm: Llm, preset: str, ledger: Ledger) -> Client:
    """The Messages of a preset, paid from a ledger. Nothing is asked, read or imported yet.

    UsageError for a preset that is unknown, has no model, or has a `base_url` that only the repository vouches for,
    and for another ASSAY_LLM than live, record, replay or off.
    """
    found = llm.preset(preset)
    if found.provider == "offline":
        raise UsageError(f"preset '{preset}' has no model to ask", "choose one whose provider is 'anthropic'")
    return Client(llm, preset, ledger, _source(llm, preset, ledger))


def demand(llm: Llm, preset: str) -> None:
    """CannotRun where this preset could not be asked now: no key, or ASSAY_LLM=off. Asked before a run is begun."""
    found, mode = llm.preset(preset), _mode()
    if mode == "off":
        Off().prepared({"model": found.model}, "")
    elif mode != "replay":
        endpoints.base_url(preset, found, os.environ)
        endpoints.key(preset, found, os.environ)


def is_replaying() -> bool:
    """Whether answers come from recordings alone: then nothing takes its own time."""
    return _mode() == "replay"


def is_recorded() -> bool:
    """Whether answers are recorded or replayed: then nothing may hang on how long they took, or both would differ."""
    return _mode() in ("record", "replay")


def _mode() -> str:
    mode = os.environ.get(SWITCH, "").strip() or "live"
    if mode not in MODES:
        raise UsageError(f"{SWITCH}={mode}: there is no such mode", f"known: {', '.join(MODES)}")
    return mode


def _source(llm: Llm, preset: str, ledger: Ledger) -> Source:
    mode = _mode()
    if mode == "off":
        return Off()
    folder = Path(os.environ.get(RECORDINGS, "") or ledger.folder / "recordings")
    if mode == "replay":
        return Replay(folder)
    live = Live(preset, llm.preset(preset))
    return Recording(live, folder, ledger.now) if mode == "record" else live
