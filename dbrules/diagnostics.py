"""How the chains of a Bayesian fit ran: traces, acceptance of moves, convergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dbrules.errors import DbrulesError, InvalidData
from dbrules.search.bayes.convergence import effective_sample_size, r_hat

if TYPE_CHECKING:
    import pandas

Trace = tuple[NDArray[np.float64], ...]


@dataclass(frozen=True)
class Moves:
    """How often one chain (numbered from 1) proposed and accepted one kind of move."""

    chain: int
    move: str
    proposed: int
    accepted: int


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """What the chains of a fit went through; it is not saved with the model.

    ``log_posterior``: one array a chain, a value an iteration; chains that a time limit cut may
    have fewer. ``warm_up``: iterations at the start of each chain that are not draws.
    ``further``: other traces by name, such as the length of the list, of the same shape.
    ``quantity`` names the first trace. ``annealing``: how the list was found that the chains began
    with, where it was. InvalidData where traces do not fit together.

    >>> found = Diagnostics([[-9, -5, -4, -5], [-7, -4, -5, -4]], 1, [Moves(1, "add", 4, 1)])
    >>> found.acceptance()
       chain move  proposed  accepted  rate
    0      1  add         4         1  0.25
    """

    log_posterior: Sequence[Any]
    warm_up: int = 0
    moves: Sequence[Moves] = ()
    quantity: str = "log posterior"
    further: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    annealing: Diagnostics | None = None

    def __post_init__(self) -> None:
        given = {self.quantity: self.log_posterior, **self.further}
        traces = {
            name: tuple(np.asarray(chain, dtype=np.float64) for chain in chains)
            for name, chains in given.items()
        }
        first = traces[self.quantity]
        if self.quantity in self.further or not first or self.warm_up < 0:
            raise InvalidData(
                "diagnostics: no chain, a warm-up below 0 or a name twice: give a trace a chain"
            )
        for name, trace in traces.items():
            if [chain.shape for chain in trace] != [(chain.size,) for chain in first]:
                raise InvalidData(
                    f"diagnostics: the chains of {name!r} do not have the lengths "
                    f"{[chain.size for chain in first]}: give one value an iteration"
                )
        object.__setattr__(self, "log_posterior", traces.pop(self.quantity))
        object.__setattr__(self, "further", traces)
        object.__setattr__(self, "moves", tuple(self.moves))

    # -- numbers ----------------------------------------------------------------------------

    def draws(self) -> dict[str, NDArray[np.float64]]:
        """Return what follows the warm-up as name: (chains, draws).

        Each chain is as long as the shortest, and empty where that ended within the warm-up.
        """
        length = min(chain.size for chain in self.log_posterior)
        return {
            name: np.stack([chain[self.warm_up : length] for chain in trace])
            for name, trace in {self.quantity: self.log_posterior, **self.further}.items()
        }

    @property
    def r_hat(self) -> float | None:
        """The largest R̂ of all traces, infinity where chains are stuck.

        None where a chain, or half of a single one, has less than two draws.
        """
        draws = self.draws().values()
        if any(trace.size == 0 or trace.shape[1] < 2 + 2 * (len(trace) == 1) for trace in draws):
            return None
        return max(r_hat(trace) for trace in draws)

    @property
    def effective_sample_size(self) -> float | None:
        """The fewest independent draws that a trace is worth; None without draws."""
        draws = self.draws().values()
        if any(trace.size == 0 for trace in draws):
            return None
        return min(effective_sample_size(trace) for trace in draws)

    # -- frames -----------------------------------------------------------------------------

    def trace(self) -> pandas.DataFrame:
        """Return one row an iteration of a chain, both numbered from 1, the warm-up included.

        Columns: chain, iteration, log_posterior, and one for each further trace by its name.
        """
        import pandas

        lengths = [chain.size for chain in self.log_posterior]
        return pandas.DataFrame(
            {
                "chain": np.repeat(np.arange(1, len(lengths) + 1), lengths),
                "iteration": np.concatenate([np.arange(1, length + 1) for length in lengths]),
                "log_posterior": np.concatenate(self.log_posterior),
            }
            | {name: np.concatenate(trace) for name, trace in self.further.items()}
        )

    def acceptance(self) -> pandas.DataFrame:
        """Return how often moves were accepted: chain, move, proposed, accepted, rate.

        The rate of a move that was never proposed is NaN.
        """
        import pandas

        columns = ["chain", "move", "proposed", "accepted"]
        frame = pandas.DataFrame(
            [(m.chain, m.move, m.proposed, m.accepted) for m in self.moves], columns=columns
        )
        proposed = frame["proposed"].astype(float)
        return frame.assign(rate=frame["accepted"].astype(float) / proposed.where(proposed > 0))

    def summary(self) -> pandas.DataFrame:
        """Return one row a trace: quantity, r_hat, effective_sample_size, draws, chains.

        ``draws`` are those of all chains together that the figures rest on, each chain as long
        as the shortest; without any the figures are NaN. See
        :mod:`dbrules.search.bayes.convergence`.
        """
        import pandas

        records = [
            {
                "quantity": name,
                "r_hat": r_hat(draws) if draws.size else np.nan,
                "effective_sample_size": effective_sample_size(draws) if draws.size else np.nan,
                "draws": draws.size,
                "chains": len(draws),
            }
            for name, draws in self.draws().items()
        ]
        return pandas.DataFrame(records)

    def to_arviz(self) -> Any:
        """Return :meth:`draws` as ArviZ's dataset, for ``arviz.summary``, ``plot_trace`` and such.

        ArviZ is optional; DbrulesError where it is not installed.
        """
        try:
            arviz = import_module("arviz")
        except ImportError:
            raise DbrulesError(
                "to_arviz needs ArviZ, which is not installed: pip install arviz"
            ) from None
        return arviz.convert_to_dataset(self.draws())
