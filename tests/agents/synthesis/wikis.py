"""A wiki about mills in memory, before and after a week's work."""

from __future__ import annotations

from collections.abc import Mapping

from gitops.agents.synthesis.carrying import Statement, carried
from gitops.agents.synthesis.changes import Changes, changes
from gitops.verify.view import View
from gitops.wiki.snapshot import MemorySnapshot, Touched
from tests.agents.shelves import view_of

Files = Mapping[str, str]
REPORT = (
    "The Alder mill employs 40 people. It has burnt wood since 1950. Its turbine gives 12 kW.\n"
    "The mill was sold in 2019.\n"
)
NEWS = "The Alder mill now employs 60 people. Visitors may see it on Sundays.\n"
INDEX = "# Index\n\n- [Alder mill](alder.md)\n- [Turbines](turbines.md)\n"
ALDER = (
    "# Alder mill\n\nThe Alder mill employs 40 people.[^1] It has burnt wood since 1950.[^2]\n\n"
    '[^1]: raw/report.md, "employs 40 people"\n[^2]: raw/report.md, "burnt wood since 1950"\n'
)
TURBINES = (
    "# Turbines\n\nThe turbine of the [Alder mill](alder.md) gives 12 kW.[^1]\n\n"
    '[^1]: raw/report.md, "Its turbine gives 12 kW"\n'
)
BEFORE: dict[str, str] = {
    "raw/report.md": REPORT,
    "raw/news.md": NEWS,
    "wiki/index.md": INDEX,
    "wiki/log.md": "# Log\n",
    "wiki/alder.md": ALDER,
    "wiki/turbines.md": TURBINES,
}
ONTO = "wiki/synthesis/2024-01-02.md"


def snapshot(files: Files) -> MemorySnapshot:
    return MemorySnapshot({path: text.encode() for path, text in files.items()})


def between(before: Files, after: Files, policy: str = "") -> Changes:
    """What came in from one state of the wiki to another."""
    old, new = snapshot(before), snapshot(after)
    paths = sorted({path for path in {**before, **after} if before.get(path) != after.get(path)})
    touched = [Touched(path, old.blob(path), new.blob(path), old.mode(path), new.mode(path)) for path in paths]
    return changes(old, view_of(after, policy), touched, "wiki/synthesis")


def with_page(path: str, text: str, files: Files = BEFORE) -> dict[str, str]:
    return {**files, path: text}


def all_carried(files: Files, policy: str = "", onto: str = ONTO) -> list[Statement | None]:
    """Every claim of a wiki as another page may say it."""
    view = view_of(files, policy)
    return [carried(view, news, onto) for news in between({}, files, policy).news]


def view(files: Files = BEFORE, policy: str = "") -> View:
    return view_of(files, policy)
