"""What tests of statistics share: a data set with its classes, open."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.statistics.classes import class_counts
from dbrules.statistics.dataset import open_dataset

HERE = str(Path(__file__).parent)
if HERE not in sys.path:  # for modules beside these tests
    sys.path.insert(0, HERE)


@pytest.fixture
def opened(con):
    """Open data of ``con``: a context that gives the data set and its class counts."""

    @contextmanager
    def open_it(data, target="y", *, bins=None, **roles):
        origin = source(data)
        with connect(origin, con) as engine:
            assigned = assign_roles(engine.columns(origin), target, **roles)
            with open_dataset(engine, origin, assigned) as dataset:
                yield class_counts(dataset, bins, None)

    return open_it
