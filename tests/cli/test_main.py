"""The command as a shell runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import duckdb
import pytest

import dbrules
from dbrules.cli import main

VERBS = ("fit", "show", "sql", "predict", "evaluate", "verify", "mine")


def shell(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "dbrules", *map(str, arguments)],
        **{"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 60} | options,
    )


def test_the_console_script_is_the_module():
    script = Path(sysconfig.get_path("scripts")) / "dbrules"
    ran = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=60)
    assert ran.stdout == f"dbrules {dbrules.__version__}\n" == shell("--version").stdout


def test_help_names_every_verb_and_loads_nothing_heavy():
    code = (
        "import sys; from dbrules.cli.main import run; code = run(['--help'])\n"
        "print(sorted({'duckdb', 'numpy', 'pandas', 'sqlglot', 'rich'} & set(sys.modules)), code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stdout.splitlines()[-1] == "[] 0"
    for verb in VERBS:
        assert f"\n  {verb} " in ran.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(run, verb):
    ran = run(verb, "--help")
    assert ran.code == 0
    assert "\n  Examples:\n" in ran.out
    assert f"\n  dbrules {verb} " in ran.out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((), "Missing command"),
        (("fitt",), "fitt"),
        (("fit",), "SOURCE"),
        (("show", "a", "b"), "b"),
        (("sql", "m", "--ovr", "t"), "--ovr"),
        (("mine",), "SOURCE"),
    ],
)
def test_a_usage_error_is_one_line(run, arguments, error):
    ran = run(*arguments)
    assert ran.code == 2
    assert error in ran.err
    assert "; see dbrules" in ran.err


def test_the_whole_way(tmp_path, houses, database):
    path = tmp_path / "model.json"
    fitted = shell(
        "fit",
        "FROM houses",
        "--db",
        database,
        "--target",
        "value",
        "--learner",
        "one_r",
        "-o",
        path,
    )
    assert (fitted.returncode, fitted.stderr) == (0, "")
    assert shell("show", path).stdout == fitted.stdout
    query = shell("sql", path, "--over", "houses").stdout
    with duckdb.connect(str(database), read_only=True) as connection:
        scored = connection.sql(query).fetchall()
    assert shell("evaluate", path, houses).returncode == 0
    assert shell("verify", path, "houses", "--db", database).returncode == 0
    out = tmp_path / "scores.parquet"
    assert shell("predict", path, "-", "-o", out, input=houses.read_text()).returncode == 0
    with duckdb.connect() as connection:
        assert connection.read_parquet(str(out)).fetchall() == scored


def test_a_pipe_from_verb_to_verb(houses):
    text = shell("fit", houses, "--target", "value", "--learner", "one_r", "--json").stdout
    json.loads(text)
    assert shell("sql", "-", input=text).stdout.startswith("CASE")


def test_a_reader_that_stops_is_no_error(model):
    with subprocess.Popen(
        [sys.executable, "-m", "dbrules", "predict", model,
         "SELECT 'big' AS size, i FROM range(300000) AS r(i)"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout.readline().startswith(b"size,i,")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_one_line(model):
    with open("/dev/full", "w", encoding="utf-8") as full:
        ran = shell("show", model, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("dbrules: No space left")


def test_closed_streams_are_empty(model):
    ran = shell("show", "-", stdin=None, preexec_fn=lambda: os.close(0))
    assert ran.returncode == 2
    assert ran.stderr.startswith("dbrules: the model on stdin")
    ran = shell("show", model, preexec_fn=lambda: os.close(1))
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_half_written(model, tmp_path, number):
    before = sorted(os.listdir(tmp_path))
    query = "SELECT 'big' AS size, i FROM range(5000000) AS r(i)"
    process = subprocess.Popen(
        [sys.executable, "-m", "dbrules", "predict", model, query, "-o", tmp_path / "scores.csv"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        while process.poll() is None and not list(tmp_path.glob(".dbrules-*/scores.csv")):
            time.sleep(0.01)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, said) == (128 + number, "dbrules: interrupted\n")
    assert sorted(os.listdir(tmp_path)) == before


def test_a_mistake_of_ours_is_one_line_too(monkeypatch, capsys, model):
    def broken(*_):
        raise ValueError("two\nlines")

    monkeypatch.setattr("dbrules.model.load", broken)
    assert main.run(["show", str(model)]) == 2
    assert capsys.readouterr().err == (
        "dbrules: unexpected ValueError: two lines; please report it, "
        "DBRULES_TRACEBACK=1 shows where\n"
    )
    monkeypatch.setenv("DBRULES_TRACEBACK", "1")
    with pytest.raises(ValueError, match="two"):
        main.run(["show", str(model)])
