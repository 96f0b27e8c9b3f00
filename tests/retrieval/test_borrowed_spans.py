from __future__ import annotations

from gitops.retrieval.borrowed_spans import Borrowed, with_spans
from gitops.retrieval.model import Expected, GoldenQuery, Hit, Result, Results, Span


def run(*hits: Hit, query_id: str = "q") -> Results:
    return Results("run", {query_id: Result(query_id, hits)})


def hit(chunk_id: str, *spans: Span, doc_id: str = "a.md") -> Hit:
    return Hit(1, chunk_id, doc_id, spans)


def golden(*chunks: Expected) -> list[GoldenQuery]:
    return [GoldenQuery("q", "what?", chunks=chunks)]


X = golden(Expected("x"))


def of(queries: list[GoldenQuery], a: Results, b: Results) -> Borrowed:
    """The same golden queries on both sides."""
    told = with_spans((queries, queries), (a, b))
    assert list(told.a) == list(told.b)
    return told


def test_nothing_is_taken_where_no_hit_bears_the_id() -> None:
    told = of(X, run(hit("y", (0, 5))), run())
    assert (list(told.a), told.taken, told.lacking) == (X, 0, 1)


def test_nothing_is_taken_from_a_hit_without_spans() -> None:
    assert of(X, run(hit("x")), run()).lacking == 1


def test_nothing_is_taken_from_a_run_that_contradicts_itself() -> None:
    both = Results("run", {"q": Result("q", (hit("x", (0, 5)),)), "r": Result("r", (hit("x", (0, 6)),))})
    told = of(X, both, run())
    assert (told.taken, told.is_ambiguous) == (0, False)


def test_nothing_is_taken_where_the_runs_contradict_each_other() -> None:
    told = of(golden(Expected("x"), Expected("y")), run(hit("x", (0, 5)), hit("y", (7, 9))), run(hit("x", (0, 6))))
    assert (told.taken, told.lacking, told.is_ambiguous) == (0, 2, True)


def test_what_both_say_is_taken_even_where_they_contradict_each_other_elsewhere() -> None:
    first, second = run(hit("x", (0, 5)), hit("y", (7, 9))), run(hit("x", (0, 5)), hit("y", (7, 8)))
    told = of(golden(Expected("x"), Expected("y")), first, second)
    [query] = told.a
    assert query.chunks == (Expected("x", "a.md", ((0, 5),)), Expected("y"))
    assert (told.taken, told.lacking, told.is_ambiguous) == (1, 1, True)


def test_either_run_may_tell_the_spans() -> None:
    for first, second in ((run(hit("x", (0, 5), (8, 9))), run()), (run(), run(hit("x", (0, 5), (8, 9))))):
        told = of(X, first, second)
        assert told.a[0].chunks == (Expected("x", "a.md", ((0, 5), (8, 9))),)
        assert (told.taken, told.lacking, told.is_ambiguous) == (1, 0, False)


def test_another_querys_hit_tells_them_too() -> None:
    assert of(X, run(hit("x", (0, 5)), query_id="another"), run()).taken == 1


def test_what_the_golden_file_says_stays() -> None:
    said = golden(Expected("x", "b.md", ((1, 2),)), Expected("y", "b.md"))
    told = of(said, run(hit("x", (0, 5)), hit("y", (3, 4))), run())
    assert told.a[0].chunks == (Expected("x", "b.md", ((1, 2),)), Expected("y", "b.md", ((3, 4),)))


def test_a_golden_file_that_a_store_filled_in_on_one_side_tells_the_other() -> None:
    filled = golden(Expected("x", "a.md", ((0, 5),)))
    for pair in ((filled, X), (X, filled)):
        told = with_spans(pair, (run(), run()))
        assert (list(told.a), list(told.b), told.taken, told.lacking) == (filled, filled, 1, 0)


def test_a_chunk_that_a_quotation_names_is_each_runs_own() -> None:
    first = golden(Expected("x1", "a.md", ((0, 5),), "said"))
    second = golden(Expected("x2", "a.md", ((2, 9),), "said"))
    told = with_spans((first, second), (run(hit("x2", (0, 1))), run(hit("x1", (3, 4)))))
    assert (list(told.a), list(told.b), told.taken, told.is_ambiguous) == (first, second, 0, False)
