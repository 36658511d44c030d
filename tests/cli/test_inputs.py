from __future__ import annotations

import gzip
import os
import tempfile

import duckdb
import pytest

from dbrules.cli.inputs import opened


@pytest.fixture
def spool(tmp_path, monkeypatch):
    """The folder of temporary files, empty at first."""
    folder = tmp_path / "spool"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def as_parquet(houses):
    path = houses.with_suffix(".parquet")
    duckdb.read_csv(str(houses)).write_parquet(str(path))
    return path.read_bytes()


def as_json(houses, lines):
    rows = duckdb.read_csv(str(houses)).query("h", "SELECT to_json(h) FROM h").fetchall()
    texts = [row[0] for row in rows]
    return "\n".join(texts) if lines else f" [{','.join(texts)}]"


@pytest.mark.parametrize("form", ["csv", "csv.gz", "bom", "json", "jsonl", "parquet"])
def test_data_on_stdin_is_recognised(run, houses, spool, form):
    data = {
        "csv": houses.read_bytes,
        "csv.gz": lambda: gzip.compress(houses.read_bytes()),
        "bom": lambda: b"\xef\xbb\xbf" + houses.read_bytes(),
        "json": lambda: as_json(houses, lines=False),
        "jsonl": lambda: as_json(houses, lines=True),
        "parquet": lambda: as_parquet(houses),
    }[form]()
    ran = run("fit", "-", "--target", "value", stdin=data)
    assert ran.out == run("fit", houses, "--target", "value").out
    assert list(spool.iterdir()) == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM houses",
        "from houses",
        "  -- all of it\n/* really */ WITH h AS (FROM houses) SELECT * FROM h;\n",
        "(SELECT * FROM houses)",
        "FROM houses -- é\n;",
    ],
)
def test_a_query_on_stdin(run, database, query):
    ran = run("fit", "-", "--target", "value", "--db", database, stdin=query)
    assert ran.out == run("fit", "houses", "--target", "value", "--db", database).out


@pytest.mark.parametrize("header", ["from,to,y", "select,b,y", "values;b;y", "withal,b,y"])
def test_a_header_of_sql_words_is_data(run, header):
    separator = header[-2]
    rows = [f"{i}{separator}{i}{separator}{'pq'[i > 3]}" for i in range(8)]
    ran = run("fit", "-", "--target", "y", stdin="\n".join([header, *rows]))
    assert ran.code == 0
    assert ran.out.startswith("-- frl: 8 rows")


@pytest.mark.parametrize(
    ("stdin", "error"),
    [
        (b"", "stdin is empty"),
        (b" \n", "stdin is empty"),
        (b"SELECT 1; SELECT 2", "more than one statement"),
        (b"SELECT '\xff'", "not UTF-8"),
        (b"a,b\n1,2\n", "target 'y'"),
        (b"PAR1 and no more", "stdin"),
        (b"{", "stdin"),
        (b"\x1f\x8bnot gzip", "stdin"),
    ],
)
def test_stdin_that_cannot_be_read(run, spool, stdin, error):
    ran = run("fit", "-", "--target", "y", stdin=stdin)
    assert ran.code == 2
    assert error in ran.err
    assert str(spool) not in ran.err
    assert list(spool.iterdir()) == []


@pytest.mark.parametrize("form", ["table", "select", "file"])
def test_every_text_form_is_a_source(run, houses, database, form):
    source = {
        "table": ("houses", "--db", database),
        "select": ("SELECT * FROM houses", "--db", database),
        "file": (houses, "--db", database),
    }[form]
    ran = run("fit", *source, "--target", "value")
    assert ran.out == run("fit", houses, "--target", "value").out


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (("houses",), "add --db PATH"),
        (("none.csv",), "none.csv"),
        (("house", "--db", "town.duckdb"), "house"),
        (("houses", "--db", "none.duckdb"), "'none.duckdb' does not exist"),
        (("houses", "--db", "houses.csv"), "give it as SOURCE"),
        (("houses", "--db", "noise.duckdb"), "'noise.duckdb' cannot be opened"),
        (("houses.txt",), "no ending that says its format"),
        (("SELECT * FROM", "--db", "town.duckdb"), "mend the SELECT"),
        (("DROP TABLE houses", "--db", "town.duckdb"), "not a SELECT"),
    ],
)
def test_a_source_that_cannot_be_read(run, database, monkeypatch, source, error):
    monkeypatch.chdir(database.parent)
    (database.parent / "houses.txt").write_text("a,b\n", encoding="utf-8")
    (database.parent / "noise.duckdb").write_bytes(b"noise" * 2000)
    ran = run("fit", *source, "--target", "value")
    assert ran.code == 2
    assert error in ran.err


def test_a_read_only_database_is_enough_and_stays_as_it_was(run, database, model):
    before = database.read_bytes()
    database.chmod(0o444)
    for command in (("fit", "houses", "--target", "value"), ("predict", model, "FROM houses"),
                    ("evaluate", model, "houses"), ("verify", model, "houses")):  # fmt: skip
        assert run(*command, "--db", database).code == 0
    assert database.read_bytes() == before
    assert [p.name for p in database.parent.iterdir() if p.name.startswith("town")] == [
        "town.duckdb"
    ]


def test_a_name_in_a_query_is_never_a_variable_of_the_program(run):
    ran = run("fit", "SELECT * FROM arguments", "--target", "y")
    assert ran.code == 2
    assert "Table with name arguments does not exist" in ran.err


def test_the_connection_is_closed(database):
    with opened("houses", str(database)) as (_, connection):
        connection.execute("SELECT 1")
    with pytest.raises(duckdb.ConnectionException):
        connection.execute("SELECT 1")
    os.rename(database, database.with_name("moved.duckdb"))


def test_model_on_stdin(run, houses, model):
    text = model.read_text(encoding="utf-8")
    assert run("show", "-", stdin=text).out == run("show", model).out
    assert run("predict", "-", houses, stdin=text).out == run("predict", model, houses).out


@pytest.mark.parametrize(
    ("stdin", "error"),
    [
        (b"", "not whole JSON"),
        (b"\xff", "not whole JSON"),
        (b"[" * 100_000, "not whole JSON"),
        (b"{}", "not a dbrules model"),
        (b'{"dbrules": 2}', "upgrade dbrules"),
    ],
)
def test_a_model_on_stdin_that_is_none(run, stdin, error):
    ran = run("show", "-", stdin=stdin)
    assert ran.code == 2
    assert error in ran.err


@pytest.mark.parametrize("verb", ["predict", "evaluate", "verify"])
def test_stdin_is_read_once(run, verb):
    ran = run(verb, "-", "-")
    assert ran.code == 2
    assert "both -" in ran.err
