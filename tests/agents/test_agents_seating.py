"""Who judges, by name: judges that need a model beside those that need none."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitops.agents import seating
from gitops.agents.judges.claude import Claude
from gitops.config import Config
from gitops.errors import UsageError
from gitops.runs.seating import Seat
from gitops.runs.workspace import Workspace
from gitops.verify.judges.offline import Offline
from gitops.wiki.layout import Layout


def seat(tmp_path: Path, **llm: Any) -> Seat:
    config = Config.model_validate({"llm": llm})
    return Seat(Workspace(Layout(), config, ""), tmp_path, lambda: datetime(2026, 11, 22, tzinfo=UTC))


@pytest.mark.parametrize(("name", "near"), [("claud", "claude"), ("offlin", "offline"), ("", "offline")])
def test_a_judge_that_is_not_there_is_told_with_the_nearest_of_all(tmp_path: Path, name: str, near: str) -> None:
    with pytest.raises(UsageError, match="there is no judge") as told:
        seating.seat(name, seat(tmp_path))
    assert near in told.value.hint


def test_a_verifier_preset_without_a_model_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="offline"):
        seating.seat("claude", seat(tmp_path, verifier="offline"))


def test_a_judge_with_a_model_is_the_policy_s_verifier(tmp_path: Path) -> None:
    judge = seating.seat("claude", seat(tmp_path, presets={"verifier": {"model": "claude-haiku-5-5"}}))
    assert isinstance(judge, Claude)
    assert judge.version.startswith("claude-haiku-5-5/")


def test_a_judge_without_a_model_is_found_too(tmp_path: Path) -> None:
    assert isinstance(seating.seat("offline", seat(tmp_path)), Offline)


@pytest.mark.slow
def test_seating_a_judge_imports_nothing_of_a_model(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom datetime import datetime\nfrom gitops.agents import seating\n"
        "from gitops.config import Config\nfrom gitops.runs.seating import Seat\n"
        "from gitops.runs.workspace import Workspace\nfrom gitops.wiki.layout import Layout\n"
        f"made = Seat(Workspace(Layout(), Config(), ''), Path({str(tmp_path)!r}), datetime.now)\n"
        "judge = seating.seat('claude', made)\nassert judge.votes([]) == [] and judge.used.calls == 0\n"
        "print({'anthropic', 'httpx2'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("set()", "")
