from __future__ import annotations

from itertools import repeat
from pathlib import Path

import pytest

from benchmarks import eval_topics, topic_wikis
from benchmarks.__main__ import registry

pytestmark = pytest.mark.slow


def test_it_is_found() -> None:
    assert registry()["eval_topics"] is eval_topics.run


def test_every_topic_is_spoken_of_and_one_of_them_on_three_pages_of_ten(tmp_path: Path) -> None:
    folder = topic_wikis.build(tmp_path / "wiki.git", 400)
    eval_topics._sampling(folder, repeat(0))()
    eval_topics._common(folder)()


def test_the_same_number_makes_the_same_page() -> None:
    assert topic_wikis._page(7, 400) == topic_wikis._page(7, 400)
    assert len({topic_wikis.title(page) for page in range(5_000)}) == 5_000
