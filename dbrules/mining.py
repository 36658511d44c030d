"""``dbrules.mine``: frequent antecedents of a table, counted in the database."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from dbrules.data.binning.per_column import bins_of, check_bins
from dbrules.data.roles import assign_features, assign_roles
from dbrules.data.source import Source, source
from dbrules.data.thresholds import Thresholds
from dbrules.engine.connect import connect
from dbrules.engine.engine import Engine
from dbrules.errors import DbrulesWarning, InvalidData, InvalidSetting, near
from dbrules.language.column import Column
from dbrules.language.rule import Target
from dbrules.learners.codings import code_features
from dbrules.mined_patterns import MinedPatterns
from dbrules.search.antecedents import MAX_ANTECEDENTS, Antecedents, Progress, mine_antecedents
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts, class_counts
from dbrules.statistics.dataset import Dataset, open_dataset
from dbrules.statistics.door import MAX_PATTERNS, check_where, open_statistics
from dbrules.statistics.unlabelled import open_unlabelled

_MISSING = ("level", "drop")
#: The share of the rows that is asked for where no minimum is given.
_MIN_SUPPORT = 0.1


def mine(
    data: object,
    target: str | None = None,
    *,
    connection: Any = None,
    positive: object | None = None,
    features: Iterable[str] | None = None,
    exclude: Iterable[str] | str = (),
    weight: str | None = None,
    bins: Any = None,
    min_support: float | None = None,
    min_support_positive: float | None = None,
    min_support_negative: float | None = None,
    max_conditions: int | None = 2,
    max_antecedents: int = MAX_ANTECEDENTS,
    missing: str = "level",
    statistics: str = "auto",
    max_patterns: int = MAX_PATTERNS,
    progress: Callable[[Progress], None] | None = None,
) -> MinedPatterns:
    """Return the frequent antecedents of ``data``: conjunctions of conditions that many rows meet.

    ``data``, ``connection``, ``features``, ``exclude`` and ``weight`` are those of a fit. Without
    ``target`` all rows count alike. An antecedent has at most one condition a column and
    ``max_conditions`` in all (None: any number). It is frequent where it holds of at least
    ``min_support`` of the weight (0.1 where no minimum is given), and of at least
    ``min_support_positive`` of the positive class or ``min_support_negative`` of the others;
    shares are inclusive.

    Conditions on text and booleans are ``=``, on ordered columns thresholds ``x < c`` and
    ``x >= c``, at cuts found by MDLP, a tree and quantiles, and intervals between them; or the
    disjoint intervals that ``bins`` says. ``missing="level"`` adds IS NULL, ``"drop"`` does not.
    ``statistics``: counts in ``memory``, from distinct coded rows that are fetched once, or by
    the ``database``, from which only counts come; ``auto`` is memory up to ``max_patterns``.

    No length is begun of which more than ``max_antecedents`` could have to be counted, shorter
    ones included: a warning and ``cut`` say so then, and all shorter ones are there. ``progress``
    is called with a :class:`~dbrules.search.antecedents.Progress` now and then. Raises a
    :class:`dbrules.errors.DbrulesError` that names what, where and the remedy.

    >>> rows = "SELECT i < 8 AS young, i % 2 = 0 AS even, i < 6 AS y FROM range(10) AS r(i)"
    >>> print(mine(rows, target="y", min_support=0.5))
    -- 3 antecedents in 10 rows: min_support 0.5
    n_false  n_true  support  confidence    lift  antecedent
          2       6   0.8000      0.7500  1.2500  young = TRUE
          2       3   0.5000      0.6000  1.0000  even = FALSE
          2       3   0.5000      0.6000  1.0000  even = TRUE
    """
    asked = MinSupport(min_support, min_support_positive, min_support_negative)
    _check(target, positive, asked)
    _check_limits(max_conditions, max_antecedents)
    check_where(statistics, max_patterns)
    if missing not in _MISSING:
        raise InvalidSetting(
            f"missing {missing!r} is not known{near(str(missing), _MISSING)}: use level or drop"
        )
    origin = source(data)
    with connect(origin, connection) as engine:
        columns = engine.columns(origin)
        check_bins(bins, columns)
        with _opened(
            engine, origin, columns, target, positive, bins,
            features=features, exclude=exclude, weight=weight,
        ) as (rows, classes, notes):  # fmt: skip
            support = _support(asked, classes.target)
            coded = code_features(
                rows, classes, support, lambda column: bins_of(bins, column) or Thresholds(),
                missing_level=missing == "level", constants=True,
            )  # fmt: skip
            with open_statistics(rows, coded.codings, classes, statistics, max_patterns) as counts:
                found = mine_antecedents(
                    counts, [coding.members for coding in coded.codings], support,
                    max_conditions=max_conditions, max_antecedents=max_antecedents,
                    progress=progress,
                )  # fmt: skip
                totals, unit = counts.totals, counts.patterns.unit
        if found.cut is not None:
            warnings.warn(_cut_message(found), DbrulesWarning, stacklevel=2)
        return MinedPatterns(
            antecedents=found,
            codings=coded.codings,
            target=None if target is None else classes.target,
            totals=totals,
            unit=unit,
            support=support,
            rows=int(classes.rows.sum()),
            excluded_rows=classes.excluded_rows,
            notes=(*notes, *coded.notes),
            journal=engine.journal,
        )


@contextmanager
def _opened(
    engine: Engine, origin: Source, columns: Sequence[Column], target: str | None,
    positive: object | None, bins: Any, **roles: Any,
) -> Iterator[tuple[Dataset, ClassCounts, tuple[str, ...]]]:  # fmt: skip
    """Yield the rows, their classes, and notes on columns that are not used."""
    if target is None:
        weight, features, notes = assign_features(columns, **roles)
        _refuse_none(features)
        with open_unlabelled(engine, origin, weight, features) as (rows, one_class):
            yield rows, one_class, notes
        return
    assigned = assign_roles(columns, target, **roles)
    _refuse_none(assigned.features)
    own = assigned.target.name in bins if isinstance(bins, Mapping) else False
    with open_dataset(engine, origin, assigned) as dataset:
        cut = bins_of(bins, assigned.target) if own else None
        rows, classes = class_counts(dataset, cut, positive)
        yield rows, classes, assigned.notes


def _support(asked: MinSupport, target: Target) -> MinSupport:
    """Return what was asked for, of the positive class; a tenth of all where it is nothing."""
    if asked.positive is None and asked.negative is None:
        return asked if asked.overall is not None else MinSupport(overall=_MIN_SUPPORT)
    if target.positive is None:
        raise InvalidSetting(
            "min_support_positive and min_support_negative need a positive class, and "
            f"{target.name!r} has {len(target.classes)}: give positive"
        )
    return replace(asked, positive_class=target.index(target.positive))


def _check(target: str | None, positive: object | None, asked: MinSupport) -> None:
    if target is not None:
        return
    if positive is not None:
        raise InvalidSetting(f"positive {positive!r} needs a target: give one")
    if asked.positive is not None or asked.negative is not None:
        raise InvalidSetting(
            "min_support_positive and min_support_negative need a target: give one, "
            "or min_support for all rows"
        )


def _check_limits(max_conditions: object, max_antecedents: object) -> None:
    for name, value in (("max_conditions", max_conditions), ("max_antecedents", max_antecedents)):
        if value is None and name == "max_conditions":
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InvalidSetting(f"{name} {value!r} is not a whole number of at least 1: give one")


def _refuse_none(features: tuple[Column, ...]) -> None:
    if not features:
        raise InvalidData(
            "no column is left to mine: give features of a number, text, boolean or date type"
        )


def _cut_message(found: Antecedents) -> str:
    longest = len(found.levels)
    rest = f", or give max_conditions {longest}" if longest else ""
    return (
        f"mining was cut after {len(found)} antecedents of up to {longest} conditions "
        f"({found.cut}): raise the minimum support or the limit{rest}"
    )
