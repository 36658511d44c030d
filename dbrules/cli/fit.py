"""``dbrules fit``: learn a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dbrules.cli import options
from dbrules.cli.inputs import opened
from dbrules.cli.output import check_output, print_json
from dbrules.errors import InvalidSetting, UnknownSetting, near

if TYPE_CHECKING:
    from dbrules.data.binning.spec import Bins
    from dbrules.learners.learner import Learner

#: Tried in this order where --learner is not given.
_FOR_TWO_CLASSES = ("frl", "one_r")
_FOR_MORE_CLASSES = ("ripper", "one_r")

EXAMPLES = """\
dbrules fit bank.parquet --target y --positive yes --set positive_weight=7 -o bank.json
dbrules fit "SELECT * FROM bank WHERE age > 18" --db bank.duckdb --target y --learner one_r
"""


def fit(
    source: options.Source,
    target: Annotated[str, typer.Option(metavar="COLUMN", help="Column to predict.")],
    positive: Annotated[
        str | None,
        typer.Option(metavar="LABEL", help="Positive class; without it the later of two."),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How to learn: frl, a falling rule list, or frl_bayes, one with its posterior, "
            "where the target has two classes; ripper, covering, brl (a Bayesian rule list), rules "
            "(class association rules) or one_r for any number of classes. Where none is given: "
            "frl for two classes, ripper for more.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Setting of the learner, may repeat: a number, true, false, null, text, "
            "a comma list or JSON. bins.FEATURE=18,30,60 or bins.FEATURE=quantile:4 cuts one "
            "feature, bins=width:5 all others.",
        ),
    ] = None,
    db: options.Database = None,
    features: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="Columns to learn from; all where not given. May repeat; a name with a comma "
            "stands in double quotes: --features 'a,\"b, c\"'.",
        ),
    ] = None,
    exclude: options.Exclude = None,
    weight: options.Weight = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of all random draws; 0 if not given.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Model file to write.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the model as JSON instead of text.")
    ] = False,
) -> None:
    """Learn a rule list, or set, from SOURCE and print it."""
    from dbrules.learners.registry import LEARNERS

    real = None if output is None else check_output(output)
    chosen = options.settings(set_ or ())
    if seed is not None and "seed" in chosen:
        raise InvalidSetting("seed is given twice, as --seed and by --set: give it once")
    if seed is not None:
        chosen["seed"] = seed
    if learner is not None and learner not in LEARNERS:
        raise UnknownSetting(
            f"--learner {learner!r} does not exist{near(learner, LEARNERS)}: "
            f"use {', '.join(LEARNERS)}"
        )
    roles = options.roles(positive, weight, features, exclude)
    with opened(source, db) as (data, connection):
        if learner is None:
            cut = target_bins(chosen.get("bins"), target)
            learner = default_learner(LEARNERS, data, target, connection, weight, cut)
        refuse_foreign(LEARNERS, learner, chosen)
        model = LEARNERS[learner](**chosen).fit(data, target, connection=connection, **roles)
    if real is not None:
        model.save(real)
    if json:
        print_json(model.to_json())
    else:
        print(model)


def refuse_foreign(
    learners: Mapping[str, type[Learner]], learner: str, settings: Iterable[str]
) -> None:
    """Raise UnknownSetting for a setting that only other learners have, and name one of them."""
    known = {name: {field.name for field in fields(kind)} for name, kind in learners.items()}
    for setting in settings:
        others = [name for name, own in known.items() if setting in own]
        if others and learner not in others:
            raise UnknownSetting(
                f"--set {setting}: learner {learner} has no such setting: "
                f"leave it out, or give --learner {' or '.join(others)}"
            )


def default_learner(
    learners: Mapping[str, type[Learner]],
    data: str,
    target: str,
    connection: Any,
    weight: str | None = None,
    bins: Bins | None = None,
) -> str:
    """Return the name of the learner to use where the user names none.

    The classes are counted only where the choice depends on how many there are; ``bins`` cut the
    target.
    """
    two, more = (
        next(name for name in order if name in learners)
        for order in (_FOR_TWO_CLASSES, _FOR_MORE_CLASSES)
    )
    if two == more:
        return two
    return two if _count_classes(data, target, connection, weight, bins) <= 2 else more


def target_bins(setting: object, target: str) -> Bins | None:
    """Return how the setting ``bins`` cuts the target, None where it does not speak of it."""
    from dbrules.data.binning.spec import Bins

    if isinstance(setting, Mapping) and target in setting:
        return Bins.parse(setting[target])
    return None


def _count_classes(
    data: str, target: str, connection: Any, weight: str | None, bins: Bins | None
) -> int:
    from dbrules.data.roles import assign_roles
    from dbrules.data.source import source
    from dbrules.engine.connect import connect
    from dbrules.statistics.classes import class_counts
    from dbrules.statistics.dataset import open_dataset

    origin = source(data)
    with connect(origin, connection) as engine:
        roles = assign_roles(engine.columns(origin), target, features=(), weight=weight)
        with open_dataset(engine, origin, roles) as dataset:
            return len(class_counts(dataset, bins, None)[1].target.classes)
