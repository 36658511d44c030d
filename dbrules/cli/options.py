"""Options that several verbs share, and text that becomes lists and values."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from dbrules.errors import InvalidSetting, UnknownSetting, near

Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="Model file that fit wrote, or - for stdin.")
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="Rows: a table of --db, a SELECT, a file (.parquet .csv .json, also .gz), "
        "or - for a SELECT or data on stdin.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option("--db", metavar="PATH", help="DuckDB database to read; it is never written to."),
]
Weight = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Column that says how much a row counts.")
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(metavar="A,B", help="Columns to leave out, written like --features."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Probabilities = Annotated[
    bool, typer.Option("--probabilities", help="Add a column with the probability of each class.")
]
Reasons = Annotated[bool, typer.Option("--reasons", help="Add the text of the rule that answered.")]

_NUMBER = re.compile(r"[+-]?(\d+|(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?)")
_WORDS = {"true": True, "false": False, "null": None}


def choice(option: str, value: str, choices: Sequence[str]) -> str:
    """Return ``value``; InvalidSetting names the near match of one that is not a choice."""
    if value not in choices:
        raise InvalidSetting(
            f"{option} {value!r} is not known{near(value, choices)}: use {', '.join(choices)}"
        )
    return value


def roles(
    positive: str | None, weight: str | None, features: list[str] | None, exclude: list[str] | None
) -> dict[str, Any]:
    """Return what is said of columns, as ``fit`` and ``mine`` take it."""
    chosen: dict[str, Any] = {"positive": positive, "weight": weight}
    if features is not None:
        chosen["features"] = names("--features", features)
    chosen["exclude"] = names("--exclude", exclude or ())
    return chosen


def names(option: str, texts: Iterable[str]) -> list[str]:
    r"""Return the column names of comma lists; a name with a comma stands in double quotes.

    >>> names("--exclude", ['a,"b, c"', "d"])
    ['a', 'b, c', 'd']
    """
    found: list[str] = []
    for text in texts:
        found += _fields(option, text)
    if "" in found:
        raise InvalidSetting(f"{option} {','.join(texts)!r} has an empty name: leave it out")
    return found


def settings(texts: Iterable[str]) -> dict[str, Any]:
    """Return the settings of ``--set name=value`` texts.

    A value is a number, true, false, null, JSON, a comma list, or else text.
    ``bins.<feature>=…`` cuts one feature: all after ``bins.`` is its name.

    >>> settings(["ties=chi2", "max_levels=9", "bins=width:5", "bins.age=18,30"])
    {'ties': 'chi2', 'max_levels': 9, 'bins': {'*': 'width:5', 'age': [18, 30]}}
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InvalidSetting(f"--set {text!r} is not name=value: write --set ties=chi2")
        if name in found:
            raise InvalidSetting(f"--set {name} is given twice: give it once")
        setting, dot, _ = name.partition(".")
        if dot and setting != "bins":
            raise UnknownSetting(
                f"--set {name}: only bins is set by feature{near(setting, ['bins'])}: "
                "write --set bins.age=18,30,60, or JSON for another setting, "
                f"""--set '{setting}={{"{name.partition(".")[2]}": …}}'"""
            )
        found[name] = _bins(value) if setting == "bins" else _value(name, value)
    features = {n[len("bins.") :]: found.pop(n) for n in list(found) if n.startswith("bins.")}
    if features:
        common = found.get("bins")
        if isinstance(common, dict) and not {"method", "cuts", "k", "closed"} & set(common):
            features = common | features
        elif common is not None:
            features = {"*": common} | features
        found["bins"] = features
    return found


def _value(name: str, text: str) -> Any:
    text = text.strip()
    scalar = _scalar(text)
    if scalar != text or not isinstance(scalar, str):
        return scalar
    if text[:1] in ("[", "{", '"'):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            if text[0] != '"':
                raise InvalidSetting(
                    f"--set {name}: {text!r} is not whole JSON: mend it or quote it for the shell"
                ) from None
    if "," in text:
        return [_scalar(part.strip()) for part in _fields(f"--set {name}", text)]
    return text


def _bins(text: str) -> Any:
    """Return a binning: a lone value that cannot be a method's name is the one cut."""
    value = _value("bins", text)
    lone = isinstance(value, (int, float)) and not isinstance(value, bool)
    if lone or (isinstance(value, str) and value and not value[0].isalpha()):
        return [value]
    return value


def _scalar(text: str) -> Any:
    if text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > 400:
        return text
    return int(text) if match[2] is None else float(text)


def _fields(option: str, text: str) -> list[str]:
    if not text:
        return []
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise InvalidSetting(
            f"{option} {text!r} is not a comma list: {error}; double quotes hold a name with commas"
        ) from None
    return [field for row in rows for field in row]
