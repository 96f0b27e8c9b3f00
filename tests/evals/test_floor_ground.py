from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.config import parse
from gitops.errors import UsageError
from gitops.evals.floor_ground import MAIN, begin, policy
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.workspace import find

POLICY = """
[llm]
writer = "offline"
[llm.presets."my \\"own\\" model"]
model = "some-model"
base_url = "http://127.0.0.1:1"
effort = "low"
[llm.prices."some-model"]
input = 0.25
output = 1
cache_write = 0.3
cache_read = 0.025
as_of = "2026-11-22"
[llm.budgets.ingest]
usd = 1.5
"""


def test_a_preset_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no preset 'gone'"):
        parse(policy(parse(b""), "gone", ("offline",)))


def test_the_policy_has_models_prices_and_budgets_of_who_asks_and_nothing_else() -> None:
    asking = parse(f'[workspace]\nraw = "sources"\n{POLICY}'.encode())
    made = parse(policy(asking, 'my "own" model', ("offline", "claude")))
    assert made.llm.writer == 'my "own" model'
    assert made.llm.model_copy(update={"writer": "offline"}) == asking.llm
    assert made.workspace.raw == "raw"
    assert made.verify.judge == ("offline", "claude")
    assert made.eval.on_ingest is False


def test_whatever_a_preset_is_called_the_policy_can_be_read() -> None:
    name = "big 😀 \\u007f \\t \\\\ é"
    asking = parse(f'[llm.presets."{name}"]\nmodel = "m 😀"\n'.encode())
    [called] = asking.llm.presets.keys() - parse(b"").llm.presets.keys()
    assert "\x7f" in called
    assert parse(policy(asking, called, ("offline",))).llm == asking.llm.model_copy(update={"writer": called})


def test_the_ground_is_an_empty_wiki_in_a_repository_of_its_own(
    make_repository: Callable[..., Path], tmp_path: Path, git: Callable[..., str]
) -> None:
    asking = Context(open_repository(make_repository({"assay.toml": ""})))
    folder = tmp_path / "ground"
    folder.mkdir()
    made = begin(asking, folder, parse(b""), "offline", ("offline",))
    assert find(made.repository, MAIN).name == "floor"
    assert git(folder, "ls-tree", "-r", "--name-only", "main").split() == [
        *("assay.toml", "wiki/index.md", "wiki/log.md")
    ]
    assert made.clock is asking.clock
