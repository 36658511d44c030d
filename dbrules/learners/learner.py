"""The template of every learner: from ``data`` to a model."""

from __future__ import annotations

import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from dbrules.data.binning.per_column import bins_of, check_bins
from dbrules.data.binning.spec import Bins
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.diagnostics import Diagnostics
from dbrules.engine.connect import connect
from dbrules.errors import (
    DbrulesWarning,
    InvalidData,
    InvalidSetting,
    UnknownSetting,
    near,
)
from dbrules.falling import Falling
from dbrules.language.column import Column
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.learners.seen import Seen
from dbrules.metrics import by_class
from dbrules.model import Model
from dbrules.posterior import Posterior
from dbrules.statistics.classes import ClassCounts, class_counts
from dbrules.statistics.dataset import Dataset, open_dataset
from dbrules.training import Training

BinsSetting = Any


@dataclass(frozen=True)
class Learned:
    """What a learner hands back: the list or set, how good it is, and what the user should know.

    ``proved``: whether the search showed that no list is better, None where it does not try;
    ``nodes``: what it looked at. ``falling``: what makes the list a falling one (its outcomes
    are then those of :meth:`dbrules.falling.Falling.outcomes`), None for any other list and for
    a target of one class. ``average``: what answers where it is not the list. ``posterior`` and
    ``diagnostics``: what a Bayesian learner knows of other lists, and how its chains ran.
    ``seen``: what training saw of the columns, of which the model keeps those used. ``notes`` go
    into the report, ``warnings`` are also shown at once.
    """

    rules: RuleList | RuleSet
    objective: float | None = None
    lower_bound: float | None = None
    proved: bool | None = None
    nodes: int | None = None
    falling: Falling | None = None
    average: RuleAverage | None = None
    posterior: Posterior | None = None
    diagnostics: Diagnostics | None = None
    seen: Seen = field(default_factory=Seen)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def seen_of_used(self) -> Seen:
        """What training saw of the columns that a rule reads, of any list that answers."""
        averaged = () if self.average is None else self.average.used
        return self.seen.of((*self.rules.used, *averaged))


@dataclass(frozen=True)
class Learner(ABC):
    """Holds settings only; :meth:`fit` returns a model and keeps nothing.

    ``bins``: how ordered columns are cut, one form for all of them or a dict by feature (``"*"``
    for the rest), see :class:`dbrules.Bins`. ``trim``: blanks around text do not count, in
    training and when scoring. ``seed``: of every random draw.
    """

    name: ClassVar[str]

    bins: BinsSetting = None
    trim: bool = False
    seed: int = field(default=0)

    def __new__(cls, *args: Any, **settings: Any) -> Learner:
        """Refuse a setting that does not exist, naming the nearest one."""
        known = [f.name for f in fields(cls)]
        for name in settings:
            if name not in known:
                raise UnknownSetting(
                    f"{cls.__name__} has no setting {name!r}{near(name, known)}; "
                    f"it has {', '.join(known)}"
                )
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise InvalidSetting(f"seed {self.seed!r} is not a whole number: give one")
        if not isinstance(self.trim, bool):
            raise InvalidSetting(f"trim {self.trim!r} is not a boolean: give True or False")
        for spec in self.bins.values() if isinstance(self.bins, Mapping) else (self.bins,):
            if spec is not None:
                Bins.parse(spec)

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        settings = {f.name: getattr(self, f.name) for f in fields(self)}
        bins = settings["bins"]
        if isinstance(bins, Mapping):
            settings["bins"] = {name: Bins.parse(spec).to_setting() for name, spec in bins.items()}
        elif bins is not None:
            settings["bins"] = Bins.parse(bins).to_setting()
        return settings

    def fit(
        self,
        data: object,
        target: str,
        *,
        connection: Any = None,
        positive: object | None = None,
        features: Iterable[str] | None = None,
        exclude: Iterable[str] | str = (),
        weight: str | None = None,
    ) -> Model:
        """Learn a model of ``target`` from ``data``.

        ``data`` is a table name, a SELECT, a file path, a pandas, Arrow or Polars frame, or a
        DuckDB relation; ``connection`` a DuckDB connection or the path of a database. Without
        ``features`` every column but ``exclude``, target and ``weight`` is one. Rows without a
        target are left out and counted. Raises a :class:`dbrules.errors.DbrulesError` that names
        what, where and the remedy.
        """
        started = time.perf_counter()
        origin = source(data)
        with connect(origin, connection) as engine:
            columns = engine.columns(origin)
            roles = assign_roles(columns, target, features=features, exclude=exclude, weight=weight)
            if not roles.features:
                raise InvalidData(
                    f"no column is left to learn {target!r} from: give features "
                    "of a number, text, boolean or date type"
                )
            check_bins(self.bins, columns)
            roles = replace(roles, features=tuple(self._trimmed(c) for c in roles.features))
            with open_dataset(engine, origin, roles) as dataset:
                dataset, classes = class_counts(dataset, self._target_bins(roles.target), positive)
                learned = self._learn(dataset, classes)
        if len(classes.target.classes) == 1:
            message = (
                f"target {target!r} has one class, {classes.target.classes[0]!r}: "
                "the list has only a default"
            )
            learned = replace(learned, warnings=(message,))
        for message in learned.warnings:
            warnings.warn(message, DbrulesWarning, stacklevel=2)
        seen = learned.seen_of_used
        training = Training(
            rows=int(classes.rows.sum()),
            excluded_rows=classes.excluded_rows,
            seconds=time.perf_counter() - started,
            seed=self.seed,
            objective=learned.objective,
            lower_bound=learned.lower_bound,
            proved=learned.proved,
            nodes=learned.nodes,
            sql_statements=len(engine.journal),
            missing=seen.missing,
            notes=(*roles.notes, *learned.warnings, *learned.notes),
            class_counts=by_class(classes.target, classes.weights.tolist())
            if isinstance(learned.rules, RuleSet)
            else {},
            levels=seen.levels,
        )
        return Model(
            learned.rules, self.name, self.settings(), training, engine.journal, learned.falling,
            learned.average, learned.posterior, learned.diagnostics,
        )  # fmt: skip

    @abstractmethod
    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        """Learn from counts of the data set."""

    def _default_bins(self) -> Bins:
        return Bins("mdlp")

    def _bins_for(self, column: Column) -> Bins:
        """Return how a feature is cut: its own setting, the setting for all, the default."""
        return bins_of(self.bins, column) or self._default_bins()

    def _target_bins(self, column: Column) -> Bins | None:
        if isinstance(self.bins, Mapping) and column.name in self.bins:
            return Bins.parse(self.bins[column.name])
        return None

    def _trimmed(self, column: Column) -> Column:
        return replace(column, trim=self.trim and column.type.kind == "text")
