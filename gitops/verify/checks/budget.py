"""What the run spent stays within what its type may spend (`[llm.budgets.TYPE]`).

An adopted branch declares nothing, so the check does not apply to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, RunAt


def examine(at: RunAt) -> Iterator[Draft]:
    """Each amount that was exceeded."""
    if at.run.used is None:
        return
    for name, bound in at.run.budget.items():
        used = at.run.used.get(name, 0)
        if bound and used > bound:
            message = f"the run used {used:g} {name} of {bound:g}"
            yield Draft(
                "exceeded", message, name, repair=f"raise [llm.budgets.{at.run.run_type}] {name}, or split the run"
            )


CHECK = Check(scope="run", version=1, results={"exceeded": Level.ERROR}, run=examine)
