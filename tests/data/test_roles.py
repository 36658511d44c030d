"""Which column plays which part."""

from __future__ import annotations

import pytest

from dbrules.data.roles import assign_roles, find_column, find_weight
from dbrules.errors import ColumnTypeError, InvalidSetting, UnknownColumn
from dbrules.language.column import Column, ColumnType

COLUMNS = [
    Column(name, ColumnType(kind))
    for name, kind in [("Age", "INTEGER"), ("city", "VARCHAR"), ("CITY", "VARCHAR"),
                       ("tags", "VARCHAR[]"), ("w", "DOUBLE"), ("y", "VARCHAR")]
]  # fmt: skip


def names(roles):
    return [column.name for column in roles.features]


def test_without_features_all_others_are():
    roles = assign_roles(COLUMNS, "y")
    assert names(roles) == ["Age", "city", "CITY", "w"]
    assert roles.notes == ("tags: type VARCHAR[] not supported, not used",)
    assert roles.weight is None


def test_weight_and_excluded_are_no_features():
    roles = assign_roles(COLUMNS, "y", weight="w", exclude=["city", "tags"])
    assert names(roles) == ["Age", "CITY"]
    assert roles.notes == ()
    assert names(assign_roles(COLUMNS, "y", exclude="w")) == ["Age", "city", "CITY"]


def test_features_keep_the_users_order_and_are_taken_once():
    assert names(assign_roles(COLUMNS, "y", features=["w", "Age", "w"])) == ["w", "Age"]
    assert names(assign_roles(COLUMNS, "y", features="Age")) == ["Age"]
    assert names(assign_roles(COLUMNS, "y", features=["w", "Age"], exclude=["w"])) == ["Age"]


def test_names_match_without_regard_to_case_where_that_is_clear():
    assert find_column(COLUMNS, "age", "target").name == "Age"
    assert find_column(COLUMNS, "CITY", "target").name == "CITY"
    with pytest.raises(UnknownColumn):
        find_column(COLUMNS, "City", "target")
    assert names(assign_roles(COLUMNS, "Y", features=["AGE", "age"])) == ["Age"]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        ({"target": "yy"}, UnknownColumn, r"target 'yy'.*did you mean 'y'"),
        ({"target": "tags"}, ColumnTypeError, r"'tags'.*VARCHAR\[\]"),
        ({"target": "y", "weight": "city"}, ColumnTypeError, "'city'.*VARCHAR"),
        ({"target": "w", "weight": "w"}, InvalidSetting, "'w'"),
        ({"target": "w", "weight": "W"}, InvalidSetting, "'w'"),
        ({"target": "y", "features": ["y"]}, InvalidSetting, "'y'"),
        ({"target": "y", "features": ["w"], "weight": "w"}, InvalidSetting, "'w'"),
        ({"target": "y", "exclude": ["zzz"]}, UnknownColumn, "exclude 'zzz'"),
        ({"target": 3}, UnknownColumn, "target 3"),
    ],
)
def test_refused(call, error, text):
    with pytest.raises(error, match=text):
        assign_roles(COLUMNS, **call)


def test_weight():
    assert find_weight(COLUMNS, None) is None
    assert find_weight(COLUMNS, "Age").name == "Age"
