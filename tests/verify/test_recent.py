from __future__ import annotations

from gitops.verify.recent import Recent


def test_what_was_asked_for_longest_ago_is_forgotten_first() -> None:
    held: Recent[str, int] = Recent(2)
    held.keep("a", 1)
    held.keep("b", 2)
    assert held.recall("a") == 1
    held.keep("c", 3)
    assert dict(held) == {"a": 1, "c": 3}
    assert held.recall("b") is None


def test_weights_count_and_the_last_stays_however_heavy() -> None:
    held: Recent[str, str] = Recent(10)
    held.keep("a", "x", 6)
    held.keep("b", "y", 4)
    held.keep("c", "z", 50)
    assert dict(held) == {"c": "z"}


def test_a_value_kept_again_weighs_once() -> None:
    held: Recent[str, str] = Recent(10)
    for _ in range(5):
        held.keep("a", "x", 6)
    held.keep("b", "y", 4)
    assert dict(held) == {"a": "x", "b": "y"}


def test_after_clearing_there_is_room_again() -> None:
    held: Recent[str, str] = Recent(10)
    held.keep("a", "x", 10)
    held.clear()
    held.keep("b", "y", 5)
    held.keep("c", "z", 5)
    assert dict(held) == {"b": "y", "c": "z"}
