from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

import numpy as np
import pytest

from dbrules.data.binning import Bins
from dbrules.errors import InvalidSetting


@pytest.mark.parametrize(
    ("spec", "bins"),
    [
        ("mdlp", Bins()),
        ("mdlp:right", Bins(closed="right")),
        ("one_r", Bins("one_r", min_bucket=6)),
        ("one_r:3", Bins("one_r", min_bucket=3)),
        ("one_r:3:right", Bins("one_r", closed="right", min_bucket=3)),
        ("width", Bins("width", k=5)),
        ("width:7", Bins("width", k=7)),
        ("width:right:7", Bins("width", k=7, closed="right")),
        ("quantile:4", Bins("quantile")),
        ("chimerge", Bins("chimerge")),
        ("chimerge:6", Bins("chimerge", k=6)),
        ("tree", Bins("tree", k=8)),
        ("tree:right:5", Bins("tree", k=5, closed="right")),
        ({"method": "tree", "min_bucket": 20}, Bins("tree", min_bucket=20)),
        ({"method": "width", "k": 3, "closed": "right"}, Bins("width", k=3, closed="right")),
        ({"cuts": [1, 2.5], "closed": "right"}, Bins("cuts", closed="right", cuts=(1, 2.5))),
        ([18, 30, 60], Bins("cuts", cuts=(18, 30, 60))),
        (np.array([1.5, 2.5]), Bins("cuts", cuts=(1.5, 2.5))),
        ((dt.date(2024, 1, 1),), Bins("cuts", cuts=(dt.date(2024, 1, 1),))),
        (Bins("width", k=2), Bins("width", k=2)),
    ],
)
def test_every_form_reads(spec, bins):
    assert Bins.parse(spec) == bins


@pytest.mark.parametrize(
    "spec",
    ["mdlp", "mdlp:right", "one_r", "one_r:3", "width:7:right", "quantile:3", "chimerge",
     "chimerge:6:right", "tree", "tree:5:right", {"method": "tree", "min_bucket": 20},
     {"method": "tree", "min_bucket": 20, "closed": "right"},
     [1, 2.5], {"cuts": [1, 2.5], "closed": "right"}],
)  # fmt: skip
def test_a_setting_is_json_that_reads_back(spec):
    bins = Bins.parse(spec)
    assert Bins.parse(json.loads(json.dumps(bins.to_setting()))) == bins


def test_typed_cuts_are_written_as_text():
    assert Bins.parse([dt.date(2024, 1, 1)]).to_setting() == ["2024-01-01"]
    assert Bins.parse([Decimal("1.50")]).to_setting() == ["1.50"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mldp", "did you mean 'mdlp'"),
        ("width:five", "'five'"),
        ("width:5:rigth", "did you mean 'right'"),
        ("width:5:6", "twice"),
        ("width:1", "k=1"),
        ("width:1000000000", "k=1000000000"),
        ("mdlp:3", "takes no k"),
        ("one_r:0", "min_bucket=0"),
        ("tree:1", "k=1"),
        ("cuts", "at least one cut"),
        ([], "at least one cut"),
        ({"methd": "mdlp"}, "did you mean 'method'"),
        ({"method": "width", "k": 2.5}, "k=2.5"),
        ({"method": "width", "k": True}, "k=True"),
        ({"method": "mdlp", "cuts": [1]}, "leave cuts out"),
        ({"cuts": "1,2"}, "give a list"),
        ({"method": 3}, "unknown method"),
        ([5, float("inf")], "not finite"),
        ([float("nan")], "not finite"),
        ([5, 5], "5 follows 5"),
        ([7, 5], "5 follows 7"),
        ([1, dt.date(2024, 1, 1)], "different kinds"),
        ([None], "no number"),
        ([True], "no number"),
        (7, "cannot read 7"),
        (None, "cannot read None"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(spec, message):
    with pytest.raises(InvalidSetting, match=message) as raised:
        Bins.parse(spec)
    assert "\n" not in str(raised.value)
