"""The ``dbrules`` command: its verbs, exit codes and one-line errors.

Only typer is imported here and by the verbs' files; a verb imports what it needs when it runs,
so that ``--help`` answers at once.
"""

from __future__ import annotations

import io
import logging
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from types import FrameType
from typing import Annotated, Any

import typer

from dbrules import __version__
from dbrules.cli import evaluate, fit, mine, predict, show, sql, verify
from dbrules.errors import DbrulesError, DbrulesWarning

WRONG_INPUT = 2
#: typer brings its own click, of one or another name: its classes are reached through typer.
_ClickError: Any = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="dbrules",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for _verb, _examples in (
    (fit.fit, fit.EXAMPLES),
    (show.show, show.EXAMPLES),
    (sql.sql, sql.EXAMPLES),
    (predict.predict, predict.EXAMPLES),
    (evaluate.evaluate, evaluate.EXAMPLES),
    (verify.verify, verify.EXAMPLES),
    (mine.mine, mine.EXAMPLES),
):
    app.command(epilog=f"\b\nExamples:\n{_examples}")(_verb)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"dbrules {__version__}")
        raise typer.Exit


@app.callback(epilog=f"\b\nExamples:\n{fit.EXAMPLES}{sql.EXAMPLES}")
def _dbrules(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Learn rule lists where the data lives, and deploy them as SQL.

    Exit code 0: fine. 1: the answer is no (verify). 2: wrong input, said in one line on stderr.
    """


def main() -> None:
    """Run the command of ``sys.argv`` and exit with its code."""
    stopped: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    # a stream that the caller closed is empty
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    sys.stdout = sys.stdout or io.TextIOWrapper(io.BytesIO())
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    if sys.stderr is not None and sys.stderr.isatty():
        _show_progress()
    sys.exit(run(sys.argv[1:], stopped))


def _show_progress() -> None:
    """Tell whoever waits at a terminal how far a long search is."""
    logger = logging.getLogger("dbrules.search")
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def run(arguments: Sequence[str], stopped: Sequence[int] = ()) -> int:
    """Run one command; return its exit code.

    ``stopped`` holds the signals that came, whatever error the interrupted work made of them.
    """
    code = WRONG_INPUT
    with warnings.catch_warnings():
        warnings.simplefilter("always", DbrulesWarning)
        warnings.showwarning = _show_warning
        try:
            code = _invoke(arguments)
            sys.stdout.flush()
        except BrokenPipeError:
            # whoever read stdout has seen enough; Python must not flush into it again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            code = 1 if code == 1 else 0
        except KeyboardInterrupt:
            return _interrupted(stopped)
        except Exception as error:
            if stopped:
                return _interrupted(stopped)
            if os.environ.get("DBRULES_TRACEBACK"):
                raise
            _say(_explained(error))
            return WRONG_INPUT
    return code


def _invoke(arguments: Sequence[str]) -> int:
    # not command.main(), which has exits of its own for a broken pipe and an interrupt
    command = typer.main.get_command(app)
    try:
        with command.make_context("dbrules", list(arguments)) as context:
            command.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    return 0


def _explained(error: Exception) -> str:
    if isinstance(error, DbrulesError):
        return str(error)
    if isinstance(error, _ClickError):
        return _usage(error)
    if isinstance(error, OSError):
        where = f"{error.filename!r}: " if error.filename is not None else ""
        return f"{where}{error.strerror or error}; check path, rights and free space"
    return (
        f"unexpected {type(error).__name__}: {error}; "
        "please report it, DBRULES_TRACEBACK=1 shows where"
    )


def _usage(error: Any) -> str:
    """Return a usage error as one line that ends in where the right usage stands."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "dbrules"
    return f"{error.format_message().rstrip('.')}; see {command} --help"


def _interrupted(stopped: Sequence[int]) -> int:
    _say("interrupted")
    return 128 + (stopped[0] if stopped else signal.SIGINT)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _say(f"warning: {message}")


def _say(message: str) -> None:
    line = " ".join(part.strip() for part in message.splitlines() if part.strip())
    print(f"dbrules: {line}", file=sys.stderr)
