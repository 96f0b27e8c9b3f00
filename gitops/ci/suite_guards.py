"""What a check gives and asks while it runs a change's own code: nothing that costs something, and no secret."""

from __future__ import annotations

import os
from dataclasses import replace

from gitops import assembly
from gitops.ci.suite_answers import How
from gitops.config import FREE_JUDGES
from gitops.errors import CannotRun
from gitops.llm.opening import SWITCH
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.suites.loading import Loaded
from gitops.suites.model import HttpTarget, PromptTarget
from gitops.suites.opening import Prompting
from gitops.suites.target import Place, Target

TELL = "--benchmarks says that it may, where you know that code"
_ASK = "git assay benchmark run {0} where the key is; or have CI replay what was recorded, by " + SWITCH + "=replay"


def demand_harmless(loaded: Loaded, how: How) -> None:
    """CannotRun where the change's own code would be handed a variable of this environment, and nobody said it may."""
    runs = loaded.suite.runs
    headers = runs.headers_from.values() if isinstance(runs, HttpTarget) else ()
    handed = [name for name in dict.fromkeys((*loaded.suite.limits.env, *headers)) if name in os.environ]
    if handed and not how.is_told:
        raise CannotRun(f"the change's own code would be handed {', '.join(handed)} of this environment", TELL)


def judged_freely(workspace: Workspace, how: How) -> Workspace:
    """The workspace with those judges alone that cost nothing, unless others may be asked: the rest abstain."""
    if how.asks:
        return workspace
    free = tuple(name for name in workspace.config.verify.judge if name in FREE_JUDGES) or ("none",)
    verify = workspace.config.verify.model_copy(update={"judge": free})
    return replace(workspace, config=workspace.config.model_copy(update={"verify": verify}))


def prompting(context: Context, workspace: Workspace, commit: str, how: How) -> Prompting:
    """Who asks models for suites of prompts: nobody who costs something, unless that is wanted or replayed."""
    asked = assembly.prompted(context, workspace, commit)
    if how.asks or os.environ.get(SWITCH, "").strip() == "replay":
        return asked
    llm = workspace.config.llm

    def unasked(loaded: Loaded, place: Place, spec: PromptTarget) -> Target:
        preset = llm.preset(spec.preset or llm.writer)
        if preset.provider == "offline":
            return asked(loaded, place, spec)
        told = f"{preset.model} would have to be asked, and a check asks no model that costs something"
        raise CannotRun(told, _ASK.format(loaded.suite.suite_id))

    return unasked
