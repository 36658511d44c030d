from __future__ import annotations

import pytest

from dbrules.errors import InvalidSetting
from dbrules.statistics.door import WHERE, check_where


@pytest.mark.parametrize("where", WHERE)
def test_every_place_is_known(where):
    check_where(where, 1)


@pytest.mark.parametrize(
    ("where", "most", "said"),
    [
        ("memry", 1, "did you mean 'memory'"),
        (None, 1, "statistics None is not known"),
        ("auto", 0, "max_patterns 0"),
        ("auto", True, "max_patterns True"),
        ("auto", 1.5, "max_patterns 1.5"),
    ],
)
def test_anything_else_is_named(where, most, said):
    with pytest.raises(InvalidSetting, match=said):
        check_where(where, most)
