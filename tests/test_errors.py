"""Bad input: one line that says what, where and the remedy; nothing is left half-written."""

from __future__ import annotations

import json
import re

import duckdb
import pandas
import polars
import pyarrow
import pytest

import dbrules
from dbrules import errors
from dbrules.errors import (
    ColumnTypeError,
    DbrulesError,
    EngineError,
    InvalidData,
    InvalidModel,
    InvalidQuery,
    InvalidSetting,
    UnknownClass,
    UnknownColumn,
    UnknownSetting,
    UnknownTable,
)


@pytest.fixture
def bank(con):
    con.execute(
        "CREATE TABLE bank AS SELECT i % 7 AS age, 'c' || i % 3 AS city, [1, i] AS list, "
        "CASE WHEN i % 2 = 0 THEN 'yes' ELSE 'no' END AS y, i % 3 AS w, 'ok' AS same, "
        "NULL::VARCHAR AS nothing, 'id' || i AS name FROM range(40) t(i)"
    )
    con.execute("CREATE VIEW twice AS SELECT age AS a, y FROM bank")
    return con


def fit(data, target="y", **call):
    settings = call.pop("settings", {})
    return dbrules.OneR(**settings).fit(data, target, **call)


def says(caught, *parts):
    """The message is one line that has all parts and a remedy."""
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 700, message
    for part in parts:
        assert part in message, message
    assert re.search(r"[:;(] ?\w+", message), message
    assert isinstance(caught.value, DbrulesError)


#: what is wrong: (data, target, other arguments of fit, error, what the message names)
WRONG = {
    "missing table": ("bnak", "y", {}, UnknownTable, ["bnak", "bank"]),
    "missing table in a query": ("SELECT * FROM bnak", "y", {}, UnknownTable, ["bnak", "bank"]),
    "missing schema": ("other.bank", "y", {}, UnknownTable, ["other"]),
    "missing file": ("nowhere.parquet", "y", {}, UnknownTable, ["nowhere.parquet"]),
    "missing csv": ("no/where.csv", "y", {}, UnknownTable, ["no/where.csv"]),
    "missing target": ("bank", "yy", {}, UnknownColumn, ["target 'yy'", "did you mean 'y'"]),
    "missing feature": (
        "bank", "y", {"features": ["aeg"]}, UnknownColumn, ["'aeg'", "did you mean 'age'"]),
    "missing weight": ("bank", "y", {"weight": "v"}, UnknownColumn, ["weight 'v'"]),
    "missing exclude": ("bank", "y", {"exclude": ["citi"]}, UnknownColumn, ["'citi'", "'city'"]),
    "missing column in bins": (
        "bank", "y", {"settings": {"bins": {"agee": [3]}}}, UnknownColumn, ["'agee'", "'age'"]),
    "missing column in a query": (
        "SELECT agee, y FROM bank", "y", {}, InvalidQuery, ["agee", "SELECT"]),
    "unknown positive": (
        "bank", "y", {"positive": "maybe"}, UnknownClass, ["'maybe'", "'yes'", "'no'"]),
    "empty result": ("SELECT * FROM bank WHERE age > 99", "y", {}, InvalidData, ["0 rows"]),
    "missing targets": ("bank", "nothing", {}, InvalidData, ["'nothing'", "all 40 rows"]),
    "a target that is an identifier": (
        "SELECT i::VARCHAR AS y, 1 AS x FROM range(1500) t(i)", "y", {}, InvalidData,
        ["'y'", "1500 classes"]),
    "a target of a nested type": ("bank", "list", {}, ColumnTypeError, ["'list'", "BIGINT[]"]),
    "a weight of text": ("bank", "y", {"weight": "city"}, ColumnTypeError, ["'city'", "VARCHAR"]),
    "target as weight": ("bank", "w", {"weight": "w"}, InvalidSetting, ["'w'", "weight"]),
    "target as feature": ("bank", "y", {"features": ["y"]}, InvalidSetting, ["'y'"]),
    "no feature left": ("SELECT y FROM bank", "y", {}, InvalidData, ["'y'", "feature"]),
    "no usable feature": ("SELECT list, y FROM bank", "y", {}, InvalidData, ["'y'", "feature"]),
    "features without values": (
        "SELECT nothing, y FROM bank", "y", {}, InvalidData, ["nothing", "missing"]),
    "negative weight": (
        "SELECT age, y, -1 AS w FROM bank", "y", {"weight": "w"}, InvalidData, ["'w'", "40 rows"]),
    "zero weights": ("SELECT age, y, 0 AS w FROM bank", "y", {"weight": "w"}, InvalidData,
        ["0 rows of a weight 'w' above 0"]),
    "duplicate names": ("SELECT age, city AS age, y FROM bank", "y", {}, InvalidQuery, ["'age'"]),
    "duplicate names in other case": (
        "SELECT age, city AS AGE, y FROM bank", "y", {}, InvalidQuery, ["case"]),
    "duplicate names of a join": (
        "SELECT * FROM bank a JOIN bank b ON a.age = b.age", "y", {}, InvalidQuery, ["'age'"]),
    "two statements": (
        "SELECT * FROM bank; DROP TABLE bank", "y", {}, InvalidQuery, ["more than one"]),
    "a statement that creates": ("CREATE TABLE u AS SELECT 1", "y", {}, InvalidQuery, ["CREATE"]),
    "a statement that drops": ("DROP TABLE bank", "y", {}, InvalidQuery, ["DROP"]),
    "a statement that deletes": ("DELETE FROM bank", "y", {}, InvalidQuery, ["DELETE"]),
    "a statement that sets": ("SET threads = 1", "y", {}, InvalidQuery, ["SET"]),
    "a statement that copies": ("COPY bank TO 'x.csv'", "y", {}, InvalidQuery, ["COPY"]),
    "a CTE that inserts": (
        "WITH q AS (SELECT 1) INSERT INTO bank SELECT * FROM bank", "y", {}, DbrulesError, []),
    "empty text": ("  ", "y", {}, InvalidQuery, ["empty"]),
    "only a comment": ("-- nothing", "y", {}, InvalidQuery, ["empty"]),
    "a query that does not parse": ("SELECT FROM WHERE", "y", {}, InvalidQuery, ["SELECT"]),
    "an open quote": ("SELECT 'a FROM bank", "y", {}, InvalidQuery, ["'a FROM"]),
    "data of no known type": (42, "y", {}, InvalidQuery, ["int"]),
    "a list of rows": ([{"x": 1, "y": 2}], "y", {}, InvalidQuery, ["list"]),
    "a table called like a variable": ("self", "y", {}, UnknownTable, ["self", "does not exist"]),
    "a module called like a table": ("SELECT * FROM np", "y", {}, UnknownTable, ["np"]),
    "a series": (pandas.Series([1, 2]), "y", {}, InvalidQuery, ["Series"]),
    "a connection as data": (duckdb.default_connection(), "y", {}, InvalidQuery, ["Connection"]),
    "nothing": (None, "y", {}, InvalidQuery, ["NoneType"]),
    "a query that fails midway": (
        "SELECT age, y, CASE WHEN age > 3 THEN error('boom') ELSE 1 END AS x FROM bank", "y", {},
        EngineError, ["boom"]),
    "own cuts that do not fit": (
        "bank", "y", {"settings": {"bins": {"age": ["a"]}}}, DbrulesError, ["'a'"]),
    "a target without order in bins": (
        "bank", "y", {"settings": {"bins": {"y": "quantile:4"}}}, ColumnTypeError,
        ["'y'", "VARCHAR", "bins"]),
    "a feature without order in bins": (
        "bank", "y", {"settings": {"bins": {"city": [3]}}}, ColumnTypeError,
        ["'city'", "VARCHAR", "bins"]),
    "features that are no names": ("bank", "y", {"features": 3}, InvalidSetting, ["features 3"]),
    "exclude that is no names": ("bank", "y", {"exclude": 3}, InvalidSetting, ["exclude 3"]),
}  # fmt: skip


@pytest.mark.parametrize("why", WRONG)
def test_bad_input_of_fit(bank, leftovers, why):
    data, target, call, error, parts = WRONG[why]
    before = leftovers(bank)
    with pytest.raises(error) as caught:
        fit(data, target, connection=bank, **call)
    says(caught, *parts)
    assert leftovers(bank) == before
    assert bank.execute("SELECT count(*) FROM bank").fetchall() == [(40,)]
    bank.execute("BEGIN")  # no transaction was left open
    bank.execute("ROLLBACK")


FRAMES = {
    "pandas duplicate names": (
        pandas.DataFrame([[1, 2, 3]], columns=["a", "a", "y"]), InvalidQuery, ["'a'"]),
    "pandas names in other case": (
        pandas.DataFrame([[1, 2, 3]], columns=["a", "A", "y"]), InvalidQuery, ["case"]),
    "arrow duplicate names": (
        pyarrow.table([pyarrow.array([1]), pyarrow.array([2])], names=["y", "y"]), InvalidQuery,
        ["'y'"]),
    "a frame without columns": (pandas.DataFrame(), InvalidQuery, ["no columns"]),
    "a frame without rows": (pandas.DataFrame({"x": [1.0], "y": ["a"]})[:0], InvalidData,
                             ["0 rows"]),
    "a target of mixed objects": (
        pandas.DataFrame({"x": [1, 2], "y": pandas.Series([1, "1"], dtype=object)}),
        ColumnTypeError, ["'y'", "MIXED(int, str)"]),
    "a frame of complex numbers": (
        pandas.DataFrame({"x": [1j, 2j], "y": ["a", "b"]}), DbrulesError, []),
    "a frame of objects": (
        pandas.DataFrame({"x": [object(), object()], "y": ["a", "b"]}), DbrulesError, []),
    "a polars frame of lists": (
        polars.DataFrame({"x": [[1], [2]], "y": ["a", "b"]}), InvalidData, ["'y'", "feature"]),
    "a frame without the target": (pandas.DataFrame({"x": [1, 2]}), UnknownColumn, ["'y'"]),
}  # fmt: skip


@pytest.mark.parametrize("why", FRAMES)
def test_a_bad_frame(why):
    frame, error, parts = FRAMES[why]
    with pytest.raises(error) as caught:
        fit(frame)
    says(caught, *parts)


@pytest.mark.parametrize("connection", [42, object(), ["x.duckdb"], b"x.duckdb"])
def test_a_connection_of_another_type(connection):
    with pytest.raises(InvalidQuery) as caught:
        fit("bank", connection=connection)
    says(caught, type(connection).__name__, "DuckDB")


def test_a_database_that_is_not_there_or_is_none(tmp_path):
    path = tmp_path / "no.duckdb"
    with pytest.raises(UnknownTable) as caught:
        fit("bank", connection=str(path))
    says(caught, "no.duckdb")
    assert not path.exists()
    path.write_text("this is no database, " * 1000)
    with pytest.raises(UnknownTable) as caught:
        fit("bank", connection=path)
    says(caught, "no.duckdb")


def test_a_closed_connection(bank):
    closed = duckdb.connect()
    closed.close()
    with pytest.raises(DbrulesError) as caught:
        fit("bank", connection=closed)
    says(caught, "closed")


@pytest.mark.parametrize("name", ["broken.parquet", "broken.json"])
def test_a_broken_file(tmp_path, name):
    path = tmp_path / name
    path.write_text('{"a": [1, ')
    with pytest.raises(DbrulesError) as caught:
        fit(str(path))
    says(caught, name)


@pytest.fixture
def model(bank):
    return fit("SELECT age, city, y FROM bank", connection=bank, settings={"bins": [3]})


def test_bad_input_of_scoring(bank, model, leftovers):
    before = leftovers(bank)
    for use in (model.predict, model.evaluate, model.verify, model.check):
        with pytest.raises(UnknownTable) as caught:
            use("bnak", connection=bank)
        says(caught, "bnak")
        with pytest.raises(UnknownColumn) as caught:
            use("SELECT 1 AS z, y FROM bank", connection=bank)
        says(caught, model.rules.used[0].name)
        with pytest.raises(InvalidQuery) as caught:
            use(3.5, connection=bank)
        says(caught, "float")
    with pytest.raises(UnknownColumn) as caught:
        model.evaluate("SELECT age, city FROM bank", connection=bank)
    says(caught, "'y'")
    with pytest.raises(InvalidData) as caught:
        model.evaluate("SELECT * FROM bank WHERE false", connection=bank)
    says(caught, "0 rows")
    with pytest.raises(InvalidData) as caught:
        model.evaluate("SELECT * REPLACE (NULL::VARCHAR AS y) FROM bank", connection=bank)
    says(caught, "40 rows")
    with pytest.raises(ColumnTypeError) as caught:
        model.evaluate("SELECT * REPLACE (1 AS y) FROM bank", connection=bank)
    says(caught, "'y'", "VARCHAR wanted, INTEGER found")
    with pytest.raises(ColumnTypeError) as caught:
        model.evaluate("bank", connection=bank, weight="city")
    says(caught, "'city'", "VARCHAR")
    with pytest.raises(InvalidSetting) as caught:
        model.predict("bank", connection=bank, on_unseen="ignore")
    says(caught, "'ignore'")
    assert leftovers(bank) == before


def test_bad_input_of_sql(bank, model):
    for wrong, parts in (
        ({"dialect": "duckbd"}, ["'duckbd'", "duckdb"]),
        ({"form": "veiw"}, ["'veiw'", "view"]),
        ({"form": "view"}, ["over"]),
        ({"form": "view", "over": "bank"}, ["name"]),
    ):
        with pytest.raises(InvalidSetting) as caught:
            model.to_sql(**wrong)
        says(caught, *parts)
    with pytest.raises(InvalidQuery) as caught:
        model.to_sql(over="SELECT 1; SELECT 2")
    says(caught, "statement")
    frame = pandas.DataFrame({"age": [1], "city": ["c"]})
    for use in (
        lambda: model.to_sql(over=frame),
        lambda: model.create_view(bank, "scored", over=frame),
        lambda: model.create_table(bank, "scored", over=bank.table("bank")),
    ):
        with pytest.raises(InvalidQuery) as caught:
            use()
        says(caught, "over cannot be a")


@pytest.mark.parametrize("make", ["create_view", "create_table"])
def test_what_exists_is_not_replaced_unasked(bank, model, leftovers, make):
    before = leftovers(bank)
    create = getattr(model, make)
    with pytest.raises(EngineError) as caught:
        create(bank, "bank", over="bank")
    says(caught, "'bank'", "exists", "replace=True")
    assert leftovers(bank) == before
    create(bank, "scored", over="bank")
    with pytest.raises(EngineError) as caught:
        create(bank, "scored", over="bank")
    says(caught, "'scored'", "replace=True")
    create(bank, "scored", over="bank", replace=True)
    assert bank.execute("SELECT count(*) FROM scored").fetchall() == [(40,)]


def test_a_table_that_fails_midway_is_not_left_half_written(bank, model, leftovers):
    before = leftovers(bank)
    with pytest.raises(EngineError) as caught:
        model.create_table(
            bank, "scored",
            over="SELECT *, CASE WHEN age > 3 THEN error('boom') ELSE 1 END AS x FROM bank",
        )  # fmt: skip
    says(caught, "boom")
    assert leftovers(bank) == before


def test_a_view_in_a_read_only_database(bank, model, tmp_path):
    path = str(tmp_path / "bank.duckdb")
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE bank AS SELECT 1 AS age, 'c' AS city")
    with duckdb.connect(path, read_only=True) as con, pytest.raises(EngineError) as caught:
        model.create_view(con, "scored", over="bank")
    says(caught, "read-only")


def broken(document, *path_and_value):
    *path, last, value = path_and_value
    changed = json.loads(json.dumps(document))
    place = changed
    for key in path:
        place = place[key]
    if value is KeyError:
        del place[last]
    else:
        place[last] = value
    return changed


@pytest.mark.parametrize(
    "change",
    [
        ("dbrules", 2), ("dbrules", KeyError), ("kind", "tree"), ("kind", KeyError),
        ("learner", "one_r"), ("learner", KeyError), ("learner", "name", KeyError),
        ("target", KeyError), ("target", "classes", KeyError), ("target", "classes", "yes"),
        ("target", "type", 3), ("target", "positive", "maybe"), ("features", KeyError),
        ("features", 0, "type", KeyError), ("features", 0, "name", 7), ("rules", {}),
        ("rules", 0, "if", KeyError), ("rules", 0, "if", []), ("rules", 0, "then", "maybe"),
        ("rules", 0, "if", 0, "op", "~"), ("rules", 0, "if", 0, "feature", "height"),
        ("rules", 0, "if", 0, "value", [1, 2, 3]), ("rules", 0, "if", 0, "value", None),
        ("rules", 0, "probability", "all"), ("rules", 0, "counts", {"yes": "many"}),
        ("else", KeyError), ("else", "then", KeyError), ("training", KeyError),
        ("training", []), ("training", "rows", KeyError),
        ("training", "notes", 3), ("training", "rows", "many"), ("training", "missing", 4),
    ],
    ids=lambda change: ".".join(map(str, change[:-1])) + "=" + str(change[-1])[:12],
)  # fmt: skip
def test_a_model_file_that_was_tampered_with(bank, model, tmp_path, change):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(broken(model.to_json(), *change)))
    with pytest.raises(InvalidModel) as caught:
        dbrules.load(path)
    says(caught)


@pytest.mark.parametrize(
    "text", ["", "not json", "[]", "3", '{"a": 1}', "null", "\x00", "[" * 100_000, "{}"],
    ids=["empty", "text", "list", "number", "other", "null", "zero byte", "deep", "empty object"],
)  # fmt: skip
def test_a_file_that_is_no_model(tmp_path, text):
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(InvalidModel) as caught:
        dbrules.load(path)
    says(caught, "m.json")


def test_unreadable_model_paths(tmp_path):
    with pytest.raises(InvalidModel) as caught:
        dbrules.load(tmp_path / "no.json")
    says(caught, "no.json", "does not exist")
    with pytest.raises(InvalidModel) as caught:
        dbrules.load(tmp_path)
    says(caught, "directory")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x80")
    with pytest.raises(InvalidModel) as caught:
        dbrules.load(tmp_path / "binary.json")
    says(caught, "binary.json")


def test_unwritable_output(model, tmp_path):
    with pytest.raises(InvalidModel) as caught:
        model.save(tmp_path / "no" / "m.json")
    says(caught, "m.json", "folder")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InvalidModel) as caught:
        model.save(tmp_path / "folder.json")
    says(caught, "folder.json")
    assert [path.name for path in tmp_path.rglob("*")] == ["folder.json"]


def test_an_old_file_survives_a_failing_save(model, tmp_path, monkeypatch):
    path = tmp_path / "m.json"
    model.save(path)
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space")))
    with pytest.raises(InvalidModel) as caught:
        model.save(path)
    says(caught, "No space")
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.json"]


def test_unknown_settings_and_names():
    with pytest.raises(UnknownSetting) as caught:
        dbrules.OneR(max_level=3)
    says(caught, "'max_level'", "did you mean 'max_levels'")
    with pytest.raises(InvalidSetting) as caught:
        dbrules.OneR(bins="widht:5")
    says(caught, "widht", "width")
    with pytest.raises(AttributeError, match="OneRule"):
        dbrules.OneRule  # noqa: B018


def test_every_error_is_also_a_builtin_one():
    classes = [
        item for item in vars(errors).values()
        if isinstance(item, type) and issubclass(item, DbrulesError) and item is not DbrulesError
    ]  # fmt: skip
    assert len(classes) >= 10
    for item in classes:
        assert issubclass(item, (LookupError, TypeError, ValueError, RuntimeError)), item
        assert item.__doc__


@pytest.mark.parametrize(
    "value", ["DATE 'infinity'", "DATE '20000-01-01'", "TIMESTAMP '-infinity'", "TIME '24:00:00'"]
)
def test_a_target_beyond_pythons_calendar(con, value):
    query = f"SELECT i % 2 AS x, {value} AS y FROM range(4) t(i)"
    with pytest.raises(InvalidData) as caught:
        fit(query, connection=con)
    says(caught, "'y'", "cast the target to text")
