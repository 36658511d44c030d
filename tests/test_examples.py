"""The examples run as they stand, say what they should, and leave nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, tmp_path: Path, *arguments: str) -> str:
    """Run an example in an empty folder and return what it prints."""
    folder, temporary = tmp_path / "here", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments],
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
        "03_falling.py",
        "05_simulation.py",
        "06_ripper.py",
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


def read_list(output: str) -> list[tuple[float, int, int]]:
    """Return risk, positives and negatives of each rule of a printed falling list."""
    learned = output[: output.index("\n\n")]
    found = re.findall(r"-- +\d+ +(0\.\d+) +(\d+) +(\d+) +0\.\d+–0\.\d+$", learned, flags=re.M)
    return [(float(risk), int(plus), int(minus)) for risk, plus, minus in found]


def check_falling(output: str, rows: int, weight: int, rule_cost: float) -> None:
    """Check that the list falls, that its objective is that of its counts, and is proved."""
    listed = read_list(output)
    assert sum(plus + minus for _, plus, minus in listed) == rows
    for risk, plus, minus in listed:
        assert risk == pytest.approx(plus / (plus + minus), abs=5e-5)
    assert [risk for risk, _, _ in listed] == sorted((risk for risk, _, _ in listed), reverse=True)
    errors = sum(min(weight * plus, minus) for _, plus, minus in listed)
    objective = errors / rows + rule_cost * (len(listed) - 1)
    assert re.search(rf"^-- objective {objective:.6f}, lower bound {objective:.6f}, gap .*: proved "
                     "optimal$", output, flags=re.M)  # fmt: skip
    assert f"objective {objective:.6f}: proved, no list of these conditions is better" in output


def check_uplift(output: str, rows: int, rules: int) -> None:
    """Check that the table of uplift says of held-out rows what falling risks promise."""
    judged = output[output.index("== Judged on even ") :]
    assert re.search(rf"^{rows} rows, AUROC 0\.6\d+$", judged, flags=re.M)
    lines = re.findall(r"^(\d+) +([\d.]+)% +([\d.]+)% +([\d.]+)$", judged, flags=re.M)
    assert [int(line[0]) for line in lines] == list(range(1, rules + 1))
    for _, taken, caught, uplift in lines:
        assert float(uplift) == pytest.approx(float(caught) / float(taken), rel=0.02)
    uplifts = [float(line[3]) for line in lines]
    assert uplifts == sorted(uplifts, reverse=True)
    assert lines[-1][1:] == ("100.0", "100.0", "1.00")
    assert uplifts[0] > 2


def test_falling_flights(tmp_path: Path) -> None:
    output = run("03_falling.py", tmp_path)
    assert output.startswith("== Learned from odd days\n-- frl: 167146 rows, 4410 left out")
    check_falling(output, 167146, weight=3, rule_cost=0.002)
    check_uplift(output, 327346 - 167146, len(read_list(output)))
    # the view: the first to look after are the flights of the first rule
    assert re.search(rf"^1 +{read_list(output)[0][0]} +EWR", output, flags=re.M)
    assert "\nverified: 336776 rows" in output


def test_falling_bank(tmp_path: Path, shared_data: Path) -> None:
    output = run("03_falling.py", tmp_path, str(shared_data / "bank_full.parquet"))
    assert output.startswith("== Learned from odd rows\n-- frl: 22605 rows\n")
    check_falling(output, 22605, weight=5, rule_cost=0.002)
    check_uplift(output, 45211 - 22605, len(read_list(output)))
    assert re.search(rf"^1 +{read_list(output)[0][0]} +\d+ +\w+ +success", output, flags=re.M)
    assert "\nverified: 45211 rows" in output


def test_simulation(tmp_path: Path) -> None:
    curve = tmp_path / "curve.svg"
    output = run(
        "05_simulation.py", tmp_path, "--replicates", "2", "--rows", "20000,500", "-o", str(curve)
    )
    lines = re.findall(r"^ *(\d+) +(\d\.\d{3}) +(\d\.\d{3}) *(#*)$", output, flags=re.M)
    assert [int(rows) for rows, *_ in lines] == [500, 20000]
    means = [float(mean) for _, mean, _, _ in lines]
    assert means[0] > means[1] == 0
    assert [len(bar) for *_, bar in lines] == [round(10 * mean) for mean in means]
    drawn = ElementTree.parse(curve).getroot()
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == len(lines)


def test_ripper(tmp_path: Path) -> None:
    output = run("06_ripper.py", tmp_path)
    listed, voting = output.split("== A rule set")
    # 9430 flights have no arrival delay, 2827 of them on the last days of a month
    assert "-- ripper: 215325 rows, 6603 left out (no target)" in listed
    assert "THEN '>= 15'" in listed
    assert "-- rule set, overlaps resolved by: weighted" in voting
    judged = r"accuracy (0\.\d+), AUROC (0\.\d+); always saying the most frequent: (0\.\d+)"
    for part in (listed, voting):
        found = re.search(judged, part)
        assert found is not None
        accuracy, auroc, most = map(float, found.groups())
        assert accuracy > most + 0.02
        assert auroc > 0.55
    assert len(re.findall(r"^(?:list|set) verified: ", output, re.M)) == 2
