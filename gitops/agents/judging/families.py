"""Jobs in families, so many at a time: of each family the first goes alone, and then the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

_Given = TypeVar("_Given")


def run(families: Sequence[Sequence[Callable[[], _Given]]], concurrency: int) -> list[list[_Given]]:
    """What each job gives, in the families' order.

    The first failure, by the order of the jobs among those that failed at once, is raised when those under way have
    ended: they are paid for, and are to be booked. No other is begun.
    """
    if not any(families):
        return [[] for _ in families]
    done: dict[tuple[int, int], _Given] = {}
    pool = ThreadPoolExecutor(max_workers=concurrency)
    waiting: dict[Future[_Given], tuple[int, int]] = {
        pool.submit(jobs[0]): (family, 0) for family, jobs in enumerate(families) if jobs
    }
    try:
        while waiting:
            ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in sorted(ended, key=waiting.__getitem__):
                family, at = waiting.pop(future)
                done[family, at] = future.result()
                if at == 0:
                    others = enumerate(families[family][1:], 1)
                    waiting |= {pool.submit(job): (family, other) for other, job in others}
    except KeyboardInterrupt:  # who interrupts does not want to wait for a model
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()
    return [[done[family, at] for at in range(len(jobs))] for family, jobs in enumerate(families)]
