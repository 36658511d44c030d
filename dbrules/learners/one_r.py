"""OneR (Holte 1993): the one feature whose values predict best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dbrules.data.binning import Bins, assign, find_cuts
from dbrules.data.literals import interval_conditions, level_condition, missing_condition
from dbrules.data.ordinal import to_ordinal
from dbrules.errors import InvalidData, InvalidSetting
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule
from dbrules.language.rule_list import RuleList
from dbrules.learners.learner import Learned, Learner
from dbrules.statistics.chi_square import chi_square
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import ValueCounts, check_unchanged, value_counts
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.holdout import hold_out, split_counts

#: From this many rows on, a text column with less than two rows a level is an identifier (P11).
_IDENTIFIER_ROWS = 10


@dataclass(frozen=True)
class Crosstab:
    """A feature as groups × classes: its literals, their weights and rows; majority classes.

    ``group`` gives the place of each distinct value among the literals, -1 for none.
    """

    counts: ValueCounts
    conditions: tuple[Condition, ...]
    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    group: NDArray[np.int64]
    has_missing: bool


@dataclass(frozen=True)
class OneR(Learner):
    """One rule per value of one feature; each predicts its most frequent class.

    ``bins``: ``"mdlp"`` by default, ``"one_r"`` (Holte's own) where ``min_bucket`` is given;
    see :class:`dbrules.Bins` for the forms. ``min_bucket``: rows of the majority class that an
    interval of Holte's binning needs (6 in the paper). ``ties``: between equally good features
    ``"first"`` takes the first column, ``"chi2"`` the smallest p-value. ``missing``: ``"level"``
    makes a rule of NULL and NaN, ``"drop"`` leaves them to the default. ``validation``: share of
    the rows held out to choose the feature; its rules are then learned from all rows.
    ``max_levels``: features with more levels are left out.

    Holte (1993), Very simple classification rules perform well on most commonly used datasets,
    section 2 and appendix A.

    >>> import pandas
    >>> houses = pandas.DataFrame({"size": ["small", "big", "big", "small"],
    ...                            "value": ["low", "high", "high", "low"]})
    >>> model = OneR().fit(houses, target="value")
    >>> [rule.label for rule in model.rules.rules]
    ['high', 'low']
    """

    name: ClassVar[str] = "one_r"

    ties: str = "first"
    missing: str = "level"
    validation: float | None = None
    max_levels: int | None = None
    min_bucket: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _one_of("ties", self.ties, ("first", "chi2"))
        _one_of("missing", self.missing, ("level", "drop"))
        share = self.validation
        if share is not None and (
            isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share < 1
        ):
            raise InvalidSetting(f"validation {share!r} is not a share: give 0 < validation < 1")
        for setting in ("max_levels", "min_bucket"):
            value = getattr(self, setting)
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, int) or value < 1
            ):
                raise InvalidSetting(f"{setting} {value!r} is not a count: give 1 or more")

    def _default_bins(self) -> Bins:
        if self.min_bucket is None:
            return Bins("mdlp")
        return Bins("one_r", min_bucket=self.min_bucket)

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        if len(classes.target.classes) == 1:
            return self._default_only(dataset, classes, ())
        candidates: list[tuple[float, Crosstab]] = []
        notes: list[str] = []
        warnings: list[str] = []
        for column, errors, table in self._candidates(dataset, classes, notes, warnings):
            if isinstance(table, str):
                notes.append(f"{column.name}: {table}")
            else:
                candidates.append((errors, table))
        if not candidates:
            if warnings and not notes:
                raise InvalidData(f"{warnings[0]}; no feature is left: give one with values")
            blocked = f"no rule found: {'; '.join(notes)}"
            return self._default_only(dataset, classes, (blocked, *warnings))
        best, also = self._choose(candidates)
        if also:
            notes.append(f"equally good as {best.counts.column.name}: {', '.join(also)}")
        if self.validation:
            best_column = best.counts.column
            counts = value_counts(dataset, best_column, classes)
            again = self._crosstab(counts, classes)
            best = best if isinstance(again, str) else again
            notes.append(
                f"{best_column.name} chosen on {self.validation:g} of the rows held out; "
                "its rules are learned from all rows"
            )
        return self._list(dataset, classes, best, tuple(notes), tuple(warnings))

    # -- candidates ------------------------------------------------------------------------

    def _candidates(
        self, dataset: Dataset, classes: ClassCounts, notes: list[str], warnings: list[str]
    ) -> Any:
        """Yield column, errors and crosstab (or the reason against it) per feature."""
        if self.validation is None:
            for column in dataset.roles.features:
                counts = value_counts(dataset, column, classes)
                check_unchanged(counts, classes.rows)
                if not len(counts.values):
                    warnings.append(f"{column.name}: all values missing, not used")
                    continue
                table = self._crosstab(counts, classes)
                errors = 0.0 if isinstance(table, str) else _errors(table, counts, classes)
                yield column, errors, table
            return
        with hold_out(dataset, classes, self.validation, self.seed) as split:
            for column, stored in zip(dataset.roles.features, split.roles.features, strict=True):
                part = split_counts(split, stored, classes, column)
                if not len(part.training.values):
                    warnings.append(f"{column.name}: all values missing, not used")
                    continue
                table = self._crosstab(part.training, classes)
                errors = 0.0 if isinstance(table, str) else _errors(table, part.held_out, classes)
                yield column, errors, table

    def _crosstab(self, counts: ValueCounts, classes: ClassCounts) -> Crosstab | str:
        """Return the crosstab of one feature, or why it is not used."""
        column = counts.column
        levels = len(counts.values)
        has_missing = bool(counts.missing_weights.sum()) and self.missing == "level"
        if column.type.is_ordered:
            bins = self._bins_for(column)
            cuts = find_cuts(bins, counts.values, counts.weights, column.type)
            conditions = interval_conditions(column.name, cuts, bins.closed)
            ordinals = [to_ordinal(cut, column.type) for cut in cuts]
            group = assign(counts.values, ordinals, bins.closed)
            kind = "bin"
        else:
            rows = int(counts.rows.sum())
            if rows >= _IDENTIFIER_ROWS and 2 * levels > rows:
                return f"{levels} levels in {rows} rows, not used"
            conditions = tuple(
                level_condition(column.name, value) for value in counts.values.tolist()
            )
            group = np.arange(levels)
            kind = "level"
        if self.max_levels is not None and len(conditions) > self.max_levels:
            return f"{len(conditions)} {kind}s, more than max_levels {self.max_levels}, not used"
        if len(conditions) + has_missing < 2:
            return f"one {kind} only, nothing to tell apart"
        k = len(classes.weights)
        weights = np.zeros((len(conditions), k))
        rows_table = np.zeros((len(conditions), k), dtype=np.int64)
        np.add.at(weights, group, counts.weights)
        np.add.at(rows_table, group, counts.rows)
        if has_missing:
            conditions = (*conditions, missing_condition(column.name))
            weights = np.vstack([weights, counts.missing_weights])
            rows_table = np.vstack([rows_table, counts.missing_rows])
        return Crosstab(counts, conditions, weights, rows_table, group, has_missing)

    def _choose(self, candidates: list[tuple[float, Crosstab]]) -> tuple[Crosstab, list[str]]:
        fewest = min(errors for errors, _ in candidates)
        tied = [table for errors, table in candidates if errors == fewest]
        best = tied[0]
        if self.ties == "chi2":
            best = min(tied, key=lambda table: chi_square(table.weights).log_p)
        return best, [t.counts.column.name for t in tied if t is not best]

    # -- results ---------------------------------------------------------------------------

    def _list(
        self, dataset: Dataset, classes: ClassCounts, table: Crosstab,
        notes: tuple[str, ...], warnings: tuple[str, ...],
    ) -> Learned:  # fmt: skip
        weighted = dataset.roles.weight is not None
        majority = _majority(table.weights, classes)
        rules = tuple(
            Rule((condition,), _outcome(classes, label, weights, rows, weighted=weighted))
            for condition, label, weights, rows in zip(
                table.conditions, majority, table.weights, table.rows, strict=True
            )
            if weights.sum() > 0  # own cuts may leave a bin empty: the default answers there
        )
        left = classes.weights - table.weights.sum(axis=0)
        left_rows = classes.rows - table.rows.sum(axis=0)
        default = _default(classes, left, left_rows, weighted=weighted)
        right = table.weights[np.arange(len(majority)), majority].sum() + left[classes.majority]
        total = classes.weights.sum()
        return Learned(
            RuleList(classes.target, dataset.roles.features, rules, default),
            objective=float(total - right) / float(total),
            notes=notes,
            warnings=warnings,
        )

    def _default_only(
        self, dataset: Dataset, classes: ClassCounts, messages: tuple[str, ...]
    ) -> Learned:
        weighted = dataset.roles.weight is not None
        default = _default(classes, classes.weights, classes.rows, weighted=weighted)
        wrong = 1 - float(classes.weights.max()) / float(classes.weights.sum())
        return Learned(
            RuleList(classes.target, dataset.roles.features, (), default),
            objective=wrong,
            warnings=messages,
        )


def _errors(table: Crosstab, counts: ValueCounts, classes: ClassCounts) -> float:
    """Return the weight that the feature's rules get wrong on ``counts``.

    Values that the training part lacks, and missing ones without a rule, get the default.
    """
    label = _majority(table.weights, classes)
    label[table.weights.sum(axis=1) == 0] = classes.majority
    right = counts.weights[np.arange(len(counts.values)), label[table.group]].sum()
    missing = label[-1] if table.has_missing else classes.majority
    right += counts.missing_weights[missing]
    return float(counts.weights.sum() + counts.missing_weights.sum() - right)


def _majority(weights: NDArray[np.float64], classes: ClassCounts) -> NDArray[np.int64]:
    """Return the most frequent class per row; ties by larger total, then smaller label (P5)."""
    order = np.lexsort((np.arange(len(classes.weights)), -classes.weights))
    return np.asarray(order[np.argmax(weights[:, order], axis=1)], dtype=np.int64)


def _outcome(
    classes: ClassCounts, label: int, weights: NDArray[np.float64], rows: NDArray[np.int64],
    *, weighted: bool,
) -> Outcome:  # fmt: skip
    total = math.fsum(weights)
    return Outcome(
        classes.target.classes[label],
        tuple(float(weight) / total for weight in weights),
        tuple(_count(weight) for weight in weights),
        int(rows.sum()) if weighted else None,
    )


def _default(
    classes: ClassCounts, left: NDArray[np.float64], rows: NDArray[np.int64], *, weighted: bool
) -> Outcome:
    """Return the default: the overall majority at its overall share, and what falls to it."""
    total = math.fsum(classes.weights)
    return Outcome(
        classes.target.classes[classes.majority],
        tuple(float(weight) / total for weight in classes.weights),
        tuple(_count(weight) for weight in left),
        int(rows.sum()) if weighted else None,
    )


def _count(weight: float) -> int | float:
    rounded = round(float(weight), 12)
    return int(rounded) if rounded == int(rounded) else rounded


def _one_of(setting: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidSetting(f"{setting} {value!r} is not known: give one of {', '.join(allowed)}")
