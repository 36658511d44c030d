"""How many rows of each class the rules of a set cover, alone and together: one statement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlglot import exp

from dbrules.compile.vote import hit_mask
from dbrules.cover import BITS, Cover
from dbrules.data.roles import find_weight
from dbrules.data.source import Source
from dbrules.engine.engine import Engine
from dbrules.engine.statement import load
from dbrules.language.column import Column
from dbrules.language.rebind import rebind
from dbrules.language.rule_set import RuleSet
from dbrules.score_counts import ScoreCounts, encoded_label, tally, target_column
from dbrules.statistics.dataset import refuse_bad_weights, unit_weight, with_weight


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
    k = len(rule_set.rules)
    masks = [
        hit_mask(rule_set, range(start + 1, min(start + BITS, k) + 1), engine.dialect)
        for start in range(0, max(k, 1), BITS)
    ]
    query = exp.select(
        *(exp.alias_(mask, f"mask_{place}", copy=False) for place, mask in enumerate(masks)),
        exp.alias_(encoded_label(target, column, engine), "label"),
    ).from_(engine.relation(origin))
    name = "counts/cover_class"
    dataset = unit_weight(with_weight(query, weights))
    result = engine.run(name, load(name).bind(repeat={"mask": len(masks)}, dataset=dataset))
    if weights is not None:
        refuse_bad_weights(weights, result["bad_weights"])
    keys = np.column_stack(
        [np.ma.getdata(result[f"mask_{place}"]).astype(np.int64) for place in range(len(masks))]
    )
    sets, place = np.unique(keys, axis=0, return_inverse=True)
    cover = Cover(np.ascontiguousarray(sets), k)
    answers = [rule_set.resolve(numbers) for numbers in cover.numbers()]
    return ScoreCounts(
        np.array([answer.number - 1 for answer in answers], dtype=np.int64),
        np.array([answer.probability for answer in answers], dtype=np.float64),
        np.array([answer.place for answer in answers], dtype=np.int64),
        tally(result, place.reshape(-1), len(sets), target, column, engine),
        cover,
    )
