"""Where work is done: in this process, in local processes, or on a Dask cluster; one interface for all."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from vgsynth.contract.problems import InputError


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class SerialExecutor(Executor):
    """Does each piece of work at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run now; the future is done on return."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def open_executor(jobs: int, dask: str | None = None) -> Iterator[Executor]:
    """An executor with ``jobs`` workers, or one on the Dask scheduler at the address ``dask``.

    Dask workers must see the same folders under the same paths. Raises InputError where Dask is not
    installed or does not answer.
    """
    if dask is not None:
        with _dask_executor(dask) as executor:
            yield executor
        return
    if jobs == 1:
        yield SerialExecutor()
        return
    # Spawned, not forked: a fork would copy threads' locks that numerical libraries hold.
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_quiet)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _quiet() -> None:
    """Workers leave Ctrl-C to the process that started them."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _dask_executor(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError.at("--dask", "Dask is not installed", "pip install 'vgbench[dask]'") from error
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError.at("--dask", f"no scheduler answers at {address!r}", "check the address") from error
    with client:
        yield client.get_executor(pure=False)
