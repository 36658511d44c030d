"""One way to run a command in this process, and small data to run it on."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass

import duckdb
import pytest

from dbrules.cli.main import run as run_command

HOUSES = """\
size,location,age,value
small,good,3,low
big,good,10,high
big,bad,12,low
small,bad,40,low
big,good,,high
medium,good,22,medium
"""


@dataclass(frozen=True)
class Ran:
    """What a command answered."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command; ``stdin`` is bytes or text. Every error must be one line of its own."""

    def runner(*arguments, stdin=b""):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capsys.readouterr()
        code = run_command([str(argument) for argument in arguments])
        said = capsys.readouterr()
        sys.stdin.close()
        assert all(line.startswith("dbrules: ") for line in said.err.splitlines())
        assert not said.err.startswith("dbrules: unexpected")
        if code == 2:
            assert said.out == ""
            assert len(said.err.splitlines()) == 1
        return Ran(code, said.out, said.err)

    return runner


@pytest.fixture
def houses(tmp_path):
    """A CSV file."""
    path = tmp_path / "houses.csv"
    path.write_text(HOUSES, encoding="utf-8")
    return path


@pytest.fixture
def database(tmp_path, houses):
    """A DuckDB file with the table ``houses``."""
    path = tmp_path / "town.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.read_csv(str(houses)).create("houses")
    return path


@pytest.fixture
def model(tmp_path, houses, run):
    """The file of a model of the houses' value."""
    path = tmp_path / "model.json"
    assert run("fit", houses, "--target", "value", "--learner", "one_r", "-o", path).code == 0
    return path
