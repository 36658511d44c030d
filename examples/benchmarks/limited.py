"""An object in a process of its own, whose calls may take so many seconds and no more."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any


class TooSlow(Exception):
    """A call had not ended at its limit; the process is gone."""


class Failed(Exception):
    """What the object raised, in one line."""


def serve(pipe: Connection, make: Callable[..., Any], given: tuple[Any, ...]) -> None:
    """Make the object, then answer calls until the pipe is closed."""
    thing: Any = None
    try:
        thing = make(*given)
        pipe.send((True, None))
        while True:
            name, arguments = pipe.recv()
            pipe.send((True, getattr(thing, name)(*arguments)))
    except EOFError:
        return
    except Exception as error:
        pipe.send((False, traceback.format_exception_only(error)[-1].strip()))


class Limited:
    """``make(*given)`` in a fresh process; TooSlow and Failed end it.

    A learner that runs in C, C++ or Java cannot be interrupted from Python, its process can.
    """

    def __init__(self, make: Callable[..., Any], *given: Any, seconds: float | None = None) -> None:
        fresh = multiprocessing.get_context("spawn")
        self.pipe, theirs = fresh.Pipe()
        self.process = fresh.Process(target=serve, args=(theirs, make, given), daemon=True)
        self.process.start()
        theirs.close()
        self.answer(seconds)

    def call(self, name: str, *arguments: Any, seconds: float | None = None) -> Any:
        """Return what the method ``name`` returns, at most ``seconds`` later."""
        self.pipe.send((name, arguments))
        return self.answer(seconds)

    def answer(self, seconds: float | None) -> Any:
        """Return the next value from the process, at most ``seconds`` later."""
        if not self.pipe.poll(seconds):
            self.end()
            raise TooSlow(f"more than {seconds:.0f} s")
        try:
            good, value = self.pipe.recv()
        except EOFError:
            self.end()
            raise Failed("its process ended") from None
        if not good:
            self.end()
            raise Failed(value)
        return value

    def end(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.join()
        self.pipe.close()

    def __enter__(self) -> Limited:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
