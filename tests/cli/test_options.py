from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.cli.options import choice, names, settings
from dbrules.errors import InvalidSetting, UnknownSetting


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x=3", 3),
        ("x=-3", -3),
        ("x=+3", 3),
        ("x=.5", 0.5),
        ("x=1e-3", 0.001),
        ("x=true", True),
        ("x=False", False),
        ("x=null", None),
        ("x=chi2", "chi2"),
        ("x=", ""),
        ("x=a=b", "a=b"),
        ('x="3"', "3"),
        ("x=1,2.5,c", [1, 2.5, "c"]),
        ('x=[1, "b"]', [1, "b"]),
        ('x={"a": 1}', {"a": 1}),
        ("x=nan", "nan"),
        ("x=1_000", "1_000"),
        ("x=2024-02-29", "2024-02-29"),
    ],
)
def test_a_value_is_read_by_what_it_looks_like(text, value):
    read = settings([text])["x"]
    assert read == value
    assert type(read) is type(value)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_json_reads_back(value):
    assert settings(["x=" + json.dumps(value)]) == {"x": value}


@pytest.mark.parametrize(
    ("texts", "bins"),
    [
        (["bins=width:5"], "width:5"),
        (["bins.age=18,30,60"], {"age": [18, 30, 60]}),
        (["bins.age=18"], {"age": [18]}),
        (["bins.day=2024-02-29"], {"day": ["2024-02-29"]}),
        (["bins.day=2024-02-29,2024-03-31"], {"day": ["2024-02-29", "2024-03-31"]}),
        (["bins.income=quantile:4"], {"income": "quantile:4"}),
        (["bins.a.b c.d=one_r"], {"a.b c.d": "one_r"}),
        (["bins.age=18,30", "bins=mdlp"], {"*": "mdlp", "age": [18, 30]}),
        (['bins={"a=b": [1], "c": "mdlp"}', "bins.c=2"], {"a=b": [1], "c": [2]}),
        (['bins={"cuts": [1], "closed": "right"}', "bins.c=2"],
         {"*": {"cuts": [1], "closed": "right"}, "c": [2]}),
    ],
)  # fmt: skip
def test_bins_are_set_by_feature(texts, bins):
    assert settings(texts) == {"bins": bins}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("ties", "not name=value"),
        ("=3", "not name=value"),
        ("x=[1,", "not whole JSON"),
        ('x=a,"b', "not a comma list"),
    ],
)
def test_what_cannot_be_read_is_refused(text, error):
    with pytest.raises(InvalidSetting, match=error):
        settings([text])


def test_a_setting_is_given_once():
    with pytest.raises(InvalidSetting, match="x is given twice"):
        settings(["x=1", "x=2"])


def test_only_bins_is_set_by_feature():
    with pytest.raises(UnknownSetting, match="did you mean 'bins'"):
        settings(["bin.age=18"])


def test_names_with_commas_stand_in_quotes():
    assert names("--exclude", ['a,"b,c"', 'd, "e""f"']) == ["a", "b,c", "d", 'e"f']
    assert names("--exclude", [""]) == []
    with pytest.raises(InvalidSetting, match="empty name"):
        names("--exclude", ["a,,b"])


def test_a_choice_names_its_near_match():
    assert choice("--as", "view", ("view", "table")) == "view"
    with pytest.raises(InvalidSetting, match="did you mean 'table'"):
        choice("--as", "tabel", ("view", "table"))
