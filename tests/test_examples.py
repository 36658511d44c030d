"""The examples run as they stand, say what they should, and leave nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, tmp_path: Path) -> str:
    """Run an example in an empty folder and return what it prints."""
    folder, temporary = tmp_path / "here", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name)],
        cwd=folder,
        env=os.environ | {"TMPDIR": str(temporary), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert list(folder.iterdir()) == list(temporary.iterdir()) == []
    return done.stdout


def test_every_numbered_example_is_run_here() -> None:
    assert [path.name for path in sorted(EXAMPLES.glob("[0-9]*.py"))] == [
        "01_titanic.py",
        "02_flights.py",
    ]


def test_titanic(tmp_path: Path) -> None:
    output = run("01_titanic.py", tmp_path)
    # Dawson (1995): 1490 died and 711 survived; 344 women and girls, 367 men and boys did
    assert output.startswith("1490 died\n711 survived\n")
    assert re.search(r"IF sex = 'female' THEN survived +-- 1: 344 of 470", output)
    assert re.search(r"ELSE IF sex = 'male' THEN died +-- 2: 1364 of 1731", output)
    assert "weight 2201" in output
    assert f"sex   {(126 + 367) / 2201:.4f}" in output
    assert "\nverified: " in output


def test_flights(tmp_path: Path) -> None:
    output = run("02_flights.py", tmp_path)
    assert output.startswith("336776 flights\n")
    # 9430 flights have no arrival delay: they were cancelled or diverted
    assert "-- one_r: 327346 rows, 9430 left out (no target)" in output
    printed = output[output.index("== Learned from the whole year") :]
    captured = [int(n) for n in re.findall(r"-- \d+: \d+ of (\d+), probability", printed)]
    assert sum(captured) == 327346
    scored = [int(n) for n in re.findall(r"^rule \d+: +(\d+) flights", printed, flags=re.M)]
    assert scored == captured
    assert "\nverified: 336776 rows" in output
