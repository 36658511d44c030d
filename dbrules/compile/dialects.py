"""What differs between SQL dialects and matters to a rule: one explicit row per dialect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from dbrules.errors import InvalidSetting, near
from dbrules.language.column import Kind

#: How a float column is asked for NaN: a function; ``finite`` by being neither finite nor
#: infinite (DuckDB 2.0 decides isnan by Parquet statistics, which leave NaN out, and gets it
#: wrong); a comparison with a NaN value (engines in which NaN equals itself); Oracle's constant;
#: or not at all (the engine holds no NaN).
NanTest = Literal["function", "finite", "equality", "constant", "none"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The traits of one dialect that the compiler asks for.

    ``text`` says how exact text equality is written: ``exact`` where ``=`` compares every
    character, ``binary`` where both case and trailing blanks count only after a cast to BINARY,
    ``loose`` where nothing portable forces it (``note`` then goes into the SQL as a comment).
    ``types`` overrides the type name of a cast; an empty name leaves the bare text literal.
    ``branches`` is the longest flat CASE that is written.
    """

    name: str
    nan: NanTest = "function"
    infinity: str = "Infinity"  # empty where the engine holds no infinity
    text: Literal["exact", "binary", "loose"] = "exact"
    note: str = ""
    types: Mapping[Kind, str] = field(default_factory=dict)
    utc_offset: bool = True  # a timestamp literal may carry +00:00
    boolean_values: bool = True  # TRUE and FALSE may stand as values
    exponent_is_double: bool = True  # 0.5e0 is a double, not an exact numeric
    national_text: bool = False  # text beyond ASCII needs N'…'
    uuid: bool = True  # the dialect has a UUID type
    bare_star: bool = True  # SELECT *, more … is allowed
    replace_view: bool = True
    replace_table: bool = True
    branches: int = 1000


_CASE_OR_BLANKS = (
    "text equality may ignore case or trailing blanks under this database's collation; "
    "rules mean exact equality"
)
_EMPTY_IS_NULL = "this database stores the empty text as NULL, so no rule on '' can hold there"

_MICROSECONDS: Mapping[Kind, str] = {"timestamp": "DATETIME(6)", "timestamptz": "DATETIME(6)"}


def _postgres(name: str) -> Dialect:
    return Dialect(name, nan="equality", exponent_is_double=False, replace_table=False)


def _trino(name: str) -> Dialect:
    return Dialect(name, replace_table=False)


def _spark(name: str, *, nan: NanTest = "function", replace_table: bool = False) -> Dialect:
    return Dialect(name, nan=nan, types={"time": ""}, replace_table=replace_table, branches=500)


_DIALECTS: Final[tuple[Dialect, ...]] = (
    Dialect(""),
    _trino("athena"),
    Dialect("bigquery", branches=500),
    Dialect(
        "clickhouse",
        branches=500,
        types={
            "date": "Date32",
            "timestamp": "DateTime64(6)",
            "timestamptz": "DateTime64(6, 'UTC')",
            "time": "",
        },
        utc_offset=False,
    ),
    _spark("databricks", replace_table=True),
    Dialect("dax", nan="none", text="loose", note=_CASE_OR_BLANKS),
    Dialect("doris", types=_MICROSECONDS, utc_offset=False, replace_table=False),
    Dialect(
        "dremio", types={"timestamptz": "TIMESTAMP"}, utc_offset=False, replace_table=False
    ),
    Dialect("drill", nan="equality"),
    Dialect("druid", replace_table=False),
    Dialect("duckdb", nan="finite", branches=10_000),
    _trino("dune"),
    Dialect(
        "exasol", nan="none", infinity="", exponent_is_double=False, bare_star=False,
        text="loose", note=_EMPTY_IS_NULL,
    ),
    Dialect(
        "fabric", nan="none", infinity="", boolean_values=False, national_text=True,
        text="loose", note=_CASE_OR_BLANKS, replace_table=False,
    ),
    _spark("hive", nan="equality"),
    _postgres("materialize"),
    Dialect(
        "mysql", nan="none", infinity="", text="binary", types=_MICROSECONDS, utc_offset=False,
        replace_table=False,
    ),
    Dialect(
        "oracle", nan="constant", exponent_is_double=False, bare_star=False, text="loose",
        note=_EMPTY_IS_NULL, types={"time": ""}, replace_table=False,
    ),
    _postgres("postgres"),
    _trino("presto"),
    Dialect("prql"),
    _postgres("redshift"),
    _postgres("risingwave"),
    Dialect(
        "singlestore", nan="none", infinity="", text="binary", types=_MICROSECONDS,
        utc_offset=False, uuid=False, replace_table=False,
    ),
    Dialect("snowflake", nan="equality", infinity="inf"),
    Dialect("solr", nan="none"),
    _spark("spark"),
    _spark("spark2"),
    Dialect(
        "sqlite", nan="none", infinity="", replace_view=False, replace_table=False,
        # dates are kept as text; its functions would drop the fraction of a second
        types={"date": "", "time": "", "timestamp": "", "timestamptz": ""}, utc_offset=False,
    ),
    Dialect("starrocks", nan="none", types=_MICROSECONDS, utc_offset=False, replace_table=False),
    Dialect("tableau", nan="none"),
    Dialect("teradata", nan="none", infinity="", text="loose", note=_CASE_OR_BLANKS,
            bare_star=False, replace_table=False),
    _trino("trino"),
    Dialect(
        "tsql", nan="none", infinity="", boolean_values=False, national_text=True,
        text="loose", note=_CASE_OR_BLANKS, replace_table=False,
    ),
)  # fmt: skip

DIALECTS: Final[Mapping[str, Dialect]] = {dialect.name: dialect for dialect in _DIALECTS}

#: Databases without a sqlglot dialect of their own, by the one that serves them.
ALIASES: Final[Mapping[str, str]] = {
    "datafusion": "postgres",
    "mariadb": "mysql",
    "mssql": "tsql",
    "polars": "postgres",
    "postgresql": "postgres",
    "sqlserver": "tsql",
}


def dialect_named(name: str) -> Dialect:
    """Return the traits of a dialect; InvalidSetting names the near match of an unknown one.

    >>> dialect_named("MariaDB").name
    'mysql'
    >>> dialect_named("snowflak")
    Traceback (most recent call last):
    dbrules.errors.InvalidSetting: unknown SQL dialect 'snowflak' (did you mean 'snowflake'?)
    """
    key = name.strip().lower()
    key = ALIASES.get(key, key)
    if key in DIALECTS:
        return DIALECTS[key]
    known = set(SqlglotDialect.classes)
    if key in known:  # newer than this table: the plain traits
        return Dialect(key)
    hint = near(name, (known | set(ALIASES)) - {""}) or f"; use one of {sorted(known - {''})}"
    raise InvalidSetting(f"unknown SQL dialect {name!r}{hint}")


def traits_of(dialect: str | Dialect) -> Dialect:
    """Return the traits of a dialect that is given by them or by its name."""
    return dialect if isinstance(dialect, Dialect) else dialect_named(dialect)
