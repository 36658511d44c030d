"""What a verb writes: JSON on stdout, files that are whole or not there."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dbrules.errors import InvalidSetting


def print_json(document: Any) -> None:
    """Print plain values as JSON; NaN and infinities, which JSON lacks, as null."""
    print(json.dumps(_finite(document), indent=2, ensure_ascii=False, allow_nan=False))


def check_output(path: str) -> str:
    """Return the real path of an output file; InvalidSetting where none can be written there.

    Asked before the work starts, so that a long fit does not end in a wrong path.
    """
    if path == "-":
        raise InvalidSetting("output '-' is no file: leave -o out to print")
    real = os.path.realpath(path)
    folder = os.path.dirname(real)
    if os.path.exists(real) and not os.path.isfile(real):
        raise InvalidSetting(f"output {path!r} is not a plain file: give the path of a file")
    if not os.path.isdir(folder):
        raise InvalidSetting(f"output {path!r}: folder {folder!r} does not exist: make it first")
    if not os.access(folder, os.W_OK):
        raise InvalidSetting(
            f"output {path!r}: folder {folder!r} cannot be written: choose another"
        )
    return real


@contextmanager
def whole_file(path: str) -> Iterator[str]:
    """Yield a path in a temporary folder beside ``path``; move it there when all went well."""
    real = check_output(path)
    folder, name = os.path.split(real)
    with tempfile.TemporaryDirectory(prefix=".dbrules-", dir=folder) as temporary:
        written = os.path.join(temporary, name)
        yield written
        os.replace(written, real)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
