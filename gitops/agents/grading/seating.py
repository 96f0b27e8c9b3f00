"""Which judges hold outputs to criteria: those of the policy, `[verify] judge`, in its order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gitops.agents.grading.judge import Claude
from gitops.agents.seating import refuse_unknown
from gitops.errors import UsageError
from gitops.llm.ledger import Ledger
from gitops.runs.context import Context
from gitops.runs.keeping import Kept
from gitops.runs.seating import NOBODY
from gitops.runs.workspace import Workspace
from gitops.verify import judges
from gitops.verify.criteria import Bench, CriteriaJudge
from gitops.verify.criteria_offline import Statements

PURPOSE = "benchmark"
"""What scores are kept for: they serve no landing, and the votes of landings do not serve them (`PROTOCOL.md` 8)."""


def seated(context: Context, workspace: Workspace, *, preset: str = "", run_id: str = "", fresh: bool = False) -> Bench:
    """The judges of a workspace's policy; with a preset, its model alone.

    They are paid from the verifier's share of `[llm.budgets.benchmark]`. `fresh` asks anew what was answered before.
    UsageError for a judge or a preset that there is not, and for a preset without a model.
    """
    llm = workspace.config.llm
    named = [name for name in dict.fromkeys(workspace.config.verify.judge) if name != NOBODY]
    refuse_unknown(named)

    def model(name: str) -> Claude:
        if not llm.preset(name).model:
            told = f"criteria take a model to judge, and preset '{name}' has none"
            raise UsageError(told, "choose a preset whose provider is 'anthropic', or [verify] judge = \"offline\"")
        budget = llm.budgets.verifier_of(PURPOSE)
        ledger = Ledger(context.folder, context.clock, workspace.name, PURPOSE, "judge", run_id, budget)
        return Claude(llm, name, ledger, keeping)

    @contextmanager
    def keeping() -> Iterator[Kept | None]:
        with context.caching() as cache:
            yield Kept(cache, PURPOSE, fresh)

    if preset:
        return Bench((model(preset),))
    found: list[CriteriaJudge] = [Statements(judges.find(name)) for name in named if name in judges.names()]
    if len(found) < len(named):
        found.append(model(llm.verifier))
    return Bench(tuple(found))
