from __future__ import annotations

from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.wiki import dialects
from gitops.wiki.blocks import Body
from gitops.wiki.outline import NOTHING, Outline
from gitops.wiki.positions import Lines


def test_an_unknown_id_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no citation dialect 'cannonical'") as caught:
        dialects.named(("cannonical",))
    assert caught.value.hint == "did you mean 'canonical'?"


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="twice"):
        dialects.named(("canonical", "canonical"))


def test_two_modules_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "canonical.py").write_text("")
    monkeypatch.setattr(dialects, "__path__", [*dialects.__path__, str(tmp_path)])
    with pytest.raises(RuntimeError, match="two dialects are called canonical"):
        dialects.ids.__wrapped__()


def test_every_module_of_the_package_is_a_dialect() -> None:
    page = Outline("", {}, Body((), (), ()).blocks, (), Lines(""))
    for dialect in dialects.named(dialects.ids()):
        assert dialect.read(page) == NOTHING
        assert callable(dialect.define)


def test_the_canonical_footnote_is_there() -> None:
    assert "canonical" in dialects.ids()
