"""What docs/benchmark-cases.md shows of files is taken by the code that reads them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from gitops.suites.datasets import read
from gitops.suites.grading import faults
from gitops.suites.model import BenchmarkCase, BenchmarkSuite
from gitops.suites.reading import model_of

PAGE = Path(__file__).parents[2] / "docs/benchmark-cases.md"


def test_its_suites_case_and_log_can_be_read() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    suite, case, verifier, log = blocks
    for told in (suite, verifier):
        model_of(BenchmarkSuite, json.loads(told), "docs")
    assert faults(model_of(BenchmarkCase, json.loads(case), "docs")) == []
    assert len(read(log.encode(), "docs").sessions) == 2


def test_it_tells_every_field_of_a_suite() -> None:
    text = PAGE.read_text("utf-8")
    missing = [name for name in BenchmarkSuite.model_fields if f"`{name}`" not in text and f'"{name}"' not in text]
    assert missing == []
