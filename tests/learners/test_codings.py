from __future__ import annotations

import pytest

from dbrules.data.binning.spec import Bins
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.data.thresholds import Thresholds
from dbrules.engine.connect import connect
from dbrules.language.write import format_condition
from dbrules.learners.codings import code_features
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import class_counts
from dbrules.statistics.dataset import open_dataset

ROWS = """
SELECT CASE WHEN i < 12 THEN 'a' WHEN i < 19 THEN 'b' ELSE NULL END AS city, TRUE AS always,
  i AS age, CASE WHEN i % 5 = 0 THEN NULL ELSE i % 2 = 0 END AS even, i >= 10 AS y,
  CASE WHEN i < 10 THEN 0.1 ELSE 0.3 END AS w
FROM range(20) AS r(i)
"""


def coded(con, support, how=Thresholds(), weight=None, rows=ROWS, **options):  # noqa: B008
    origin = source(rows)
    with connect(origin, con) as engine:
        features = ["city", "always", "age", "even"]
        roles = assign_roles(engine.columns(origin), "y", features=features, weight=weight)
        with open_dataset(engine, origin, roles) as dataset:
            dataset, classes = class_counts(dataset, None, None)
            return code_features(dataset, classes, support, lambda _: how, **options)


def texts(codings):
    return [[format_condition(c) for c in coding.literals] for coding in codings.codings]


def test_literals_have_the_support(con):
    found = coded(con, MinSupport(overall=0.35), Bins("cuts", cuts=(7, 14)))
    assert texts(found) == [
        ["city = 'a'", "city = 'b'"], ["age < 7", "7 <= age < 14"], ["even = FALSE", "even = TRUE"]
    ]  # fmt: skip
    assert found.seen.missing == {"city": 1, "always": 0, "age": 0, "even": 4}
    assert found.notes == ("always: one level only, nothing to tell apart",)
    with_missing = coded(con, MinSupport(overall=0.2))
    assert texts(with_missing)[-1] == ["even = FALSE", "even = TRUE", "even IS NULL"]
    without = coded(con, MinSupport(overall=0.2), missing_level=False)
    assert texts(without)[-1] == ["even = FALSE", "even = TRUE"]


def test_what_is_not_used_is_named_with_the_reason(con):
    found = coded(con, MinSupport(overall=0.7), Bins("mdlp"))
    assert texts(found) == []
    assert found.notes == (
        "city: no condition has min_support 0.7, not used",
        "always: one level only, nothing to tell apart",
        "age: no condition has min_support 0.7, not used",
        "even: no condition has min_support 0.7, not used",
    )
    uncut = coded(con, MinSupport(overall=0.1), Bins("cuts", cuts=(99,)))
    assert "age: one bin only, nothing to tell apart" in uncut.notes


@pytest.mark.parametrize(("levels", "rows", "used"), [(5, 10, True), (6, 11, False), (5, 9, True)])
def test_a_text_of_less_than_two_rows_a_level_is_an_identifier(con, levels, rows, used):
    data = f"""
        SELECT 'k' || i % {levels} AS city, TRUE AS always, 1 AS age, TRUE AS even, i % 2 AS y
        FROM range({rows}) AS r(i)
    """
    found = coded(con, MinSupport(overall=0.05), rows=data)
    assert len(found.codings) == used
    assert (f"city: {levels} levels in {rows} rows, not used" in found.notes) == (not used)


def test_a_column_without_a_value_is_a_warning(con):
    rows = ROWS.replace("TRUE AS always", "NULL::DOUBLE AS always")
    found = coded(con, MinSupport(overall=0.1), rows=rows)
    assert found.warnings == ("always: all values missing, not used",)
    assert found.seen.missing["always"] == 20
    assert not [note for note in found.notes if "always" in note]


def test_a_constant_is_kept_for_those_who_want_it(con):
    found = coded(con, MinSupport(overall=0.5), Bins("cuts", cuts=(7, 14)), constants=True)
    assert texts(found) == [["city = 'a'"], ["always = TRUE"]]


@pytest.mark.parametrize(
    ("share", "there"), [(0.4, True), (0.250001, True), (0.25, True), (0.400001, False)]
)
def test_a_share_of_the_weight_is_inclusive(con, share, there):
    # city = 'a' has 10 rows of weight 0.1 and 2 of 0.3, together 1.6 of 4
    found = coded(con, MinSupport(overall=share), weight="w")
    assert any("city = 'a'" in literals for literals in texts(found)) == there
