"""How chains ran, as data frames."""

from __future__ import annotations

import math
import sys
from types import ModuleType

import numpy as np
import pytest

from dbrules.diagnostics import Diagnostics, Moves
from dbrules.errors import DbrulesError, InvalidData
from dbrules.search.bayes.convergence import effective_sample_size, r_hat


@pytest.fixture
def cut():
    """Three chains, the second cut short after 60 iterations, 10 of them warm-up."""
    rng = np.random.default_rng(0)
    trace = [rng.normal(-100, 1, size=size) for size in (80, 60, 80)]
    length = [rng.integers(1, 5, size=size) for size in (80, 60, 80)]
    moves = [Moves(1, "add", 40, 10), Moves(1, "remove", 0, 0), Moves(2, "add", 30, 30)]
    return Diagnostics(trace, 10, moves, further={"length": length})


def test_the_trace_has_every_iteration_once(cut):
    frame = cut.trace()
    assert list(frame.columns) == ["chain", "iteration", "log_posterior", "length"]
    assert dict(frame.groupby("chain").size()) == {1: 80, 2: 60, 3: 80}
    for number, (chain, lengths) in enumerate(
        zip(cut.log_posterior, cut.further["length"], strict=True), start=1
    ):
        rows = frame[frame["chain"] == number]
        assert list(rows["iteration"]) == list(range(1, len(chain) + 1))
        assert list(rows["log_posterior"]) == list(chain)
        assert list(rows["length"]) == list(lengths)


def test_the_acceptance_of_moves(cut):
    frame = cut.acceptance()
    assert list(frame.columns) == ["chain", "move", "proposed", "accepted", "rate"]
    assert list(frame["move"]) == ["add", "remove", "add"]
    assert list(frame["rate"].fillna(-1)) == [0.25, -1, 1]
    none = Diagnostics([[1.0]]).acceptance()
    assert list(none.columns) == list(frame.columns)
    assert none.empty


def test_the_summary_is_of_what_all_chains_have_after_the_warm_up(cut):
    frame = cut.summary()
    expected = {
        "log posterior": np.stack([chain[10:60] for chain in cut.log_posterior]),
        "length": np.stack([chain[10:60] for chain in cut.further["length"]]),
    }
    assert list(frame["quantity"]) == list(expected)
    assert list(frame["r_hat"]) == [r_hat(draws) for draws in expected.values()]
    assert list(frame["effective_sample_size"]) == [
        effective_sample_size(draws) for draws in expected.values()
    ]
    assert set(frame["draws"]) == {150}
    assert set(frame["chains"]) == {3}
    assert cut.r_hat == frame["r_hat"][0]
    assert cut.effective_sample_size == frame["effective_sample_size"][0]
    for name, draws in cut.draws().items():
        assert (draws == expected[name]).all()


def test_chains_cut_within_the_warm_up_say_nothing():
    found = Diagnostics([[1.0, 2.0, 3.0], [1.0]], warm_up=2)
    (row,) = found.summary().to_dict("records")
    assert (row["draws"], row["chains"]) == (0, 2)
    assert math.isnan(row["r_hat"])
    assert math.isnan(row["effective_sample_size"])
    assert found.r_hat is found.effective_sample_size is None


def test_stuck_chains_show():
    stuck = Diagnostics(np.array([[3.0] * 9, [4.0] * 9]), quantity="log likelihood")
    (row,) = stuck.summary().to_dict("records")
    assert row["quantity"] == "log likelihood"
    assert row["r_hat"] == stuck.r_hat == math.inf


@pytest.mark.parametrize(
    "given",
    [
        {"log_posterior": []},
        {"log_posterior": [[1.0]], "warm_up": -1},
        {"log_posterior": [[1.0]], "further": {"log posterior": [[1.0]]}},
        {"log_posterior": [[1.0, 2.0]], "further": {"length": [[1.0]]}},
        {"log_posterior": [[1.0, 2.0]], "further": {"length": [[1, 2], [3, 4]]}},
        {"log_posterior": [[[1.0], [2.0]]]},
    ],
)
def test_what_does_not_fit_together_is_refused(given):
    with pytest.raises(InvalidData, match=r"^diagnostics: .*: "):
        Diagnostics(**given)


def test_arviz_is_asked_for_where_it_is_missing(cut, monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(DbrulesError, match="pip install arviz"):
        cut.to_arviz()


def test_what_arviz_is_given(cut, monkeypatch):
    arviz = ModuleType("arviz")
    arviz.convert_to_dataset = dict
    monkeypatch.setitem(sys.modules, "arviz", arviz)
    given = cut.to_arviz()
    assert {name: draws.shape for name, draws in given.items()} == {
        "log posterior": (3, 50), "length": (3, 50),
    }  # fmt: skip
