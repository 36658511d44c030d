"""How many rows of each class the rules of a set cover, alone and together: one statement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.compile.hit import hit_mask
from dbrules.cover import Cover
from dbrules.data.roles import find_weight
from dbrules.data.source import Source
from dbrules.engine.engine import Engine
from dbrules.engine.result import Result
from dbrules.engine.statement import load
from dbrules.language.column import Column
from dbrules.language.rebind import rebind
from dbrules.language.rule_set import RuleSet
from dbrules.score_counts import ScoreCounts, encoded_label, tally, target_column
from dbrules.statistics.dataset import refuse_bad_weights, unit_weight, with_weight
from dbrules.statistics.kept_cells import BITS


def count_cover(
    rule_set: RuleSet, origin: Source, engine: Engine, columns: Sequence[Column], weight: str | None
) -> ScoreCounts:
    """Ask one statement how often the same rules cover a row, by class; the set answers for each.

    InvalidData where no row has a target. ``columns`` are those of ``origin``.
    """
    rule_set = rebind(rule_set, columns)
    target = rule_set.target
    column = target_column(target, columns)
    weights = find_weight(columns, weight)
    masks = hit_masks(rule_set, engine.dialect)
    query = exp.select(
        *(exp.alias_(mask, f"mask_{place}", copy=False) for place, mask in enumerate(masks)),
        exp.alias_(encoded_label(target, column, engine), "label"),
    ).from_(engine.relation(origin))
    name = "counts/cover_class"
    dataset = unit_weight(with_weight(query, weights))
    result = engine.run(name, load(name).bind(repeat={"mask": len(masks)}, dataset=dataset))
    if weights is not None:
        refuse_bad_weights(weights, result["bad_weights"])
    cover, place = read_cover(result, len(rule_set.rules))
    answers = [rule_set.resolve(numbers) for numbers in cover.numbers()]
    return ScoreCounts(
        np.array([answer.number - 1 for answer in answers], dtype=np.int64),
        np.array([answer.probability for answer in answers], dtype=np.float64),
        np.array([answer.place for answer in answers], dtype=np.int64),
        tally(result, place, len(answers), target, column, engine),
        cover,
    )


def hit_masks(rule_set: RuleSet, dialect: str) -> list[exp.Expr]:
    """Return which rules cover a row, as whole numbers with a bit a rule; one at least."""
    k = len(rule_set.rules)
    return [
        hit_mask(rule_set, range(start + 1, min(start + BITS, k) + 1), dialect)
        for start in range(0, max(k, 1), BITS)
    ]


def read_cover(result: Result, size: int) -> tuple[Cover, NDArray[np.intp]]:
    """Return the sets of ``size`` rules that cover rows together, and that of each result row."""
    keys = np.column_stack(
        [
            np.ma.getdata(result[f"mask_{place}"]).astype(np.int64)
            for place in range(-(-max(size, 1) // BITS))
        ]
    )
    sets, place = np.unique(keys, axis=0, return_inverse=True)
    return Cover(np.ascontiguousarray(sets), size), place.reshape(-1)
