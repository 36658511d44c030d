"""A fitted model: rules, where they came from, and what can be done with them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from typing import TYPE_CHECKING, Any

from dbrules import model_json
from dbrules.diagnostics import Diagnostics
from dbrules.engine.journal import Journal
from dbrules.errors import InvalidModel, InvalidSetting
from dbrules.falling import Falling
from dbrules.language.answers import Answers, Rules
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.language.simplify import simplify
from dbrules.model_text import model_text
from dbrules.posterior import Posterior
from dbrules.training import Trained, Training

if TYPE_CHECKING:
    import pandas

    from dbrules.evaluation import Evaluation
    from dbrules.verify import Verification


@dataclass(frozen=True)
class Model(Trained):
    """Rules with the name and settings of their learner, ready to score, explain and deploy.

    A list written by hand needs nothing else: ``Model(parse_rule_list(text))``, nor does a rule
    set, which can have none of ``falling``, ``average`` and ``posterior`` (InvalidModel).
    ``journal`` lists the statements of the fit; it is not saved. ``falling`` is set for a falling
    list, which is then printed as one; InvalidModel where its risk rises. ``average`` is set
    where rows are answered by an average of lists over the target and features of ``rules``, which
    then are the list that is read: its rule numbers and conditions stand beside the averaged
    answers.
    ``posterior``: what a Bayesian learner knows of other lists, and how sure it is of this one;
    ``diagnostics``: how its chains ran, not saved.
    """

    rules: Rules
    learner: str = "by hand"
    settings: dict[str, Any] = field(default_factory=dict)
    training: Training = field(default_factory=lambda: Training(rows=0))
    journal: Journal = field(default_factory=Journal, compare=False)
    falling: Falling | None = None
    average: RuleAverage | None = None
    posterior: Posterior | None = None
    diagnostics: Diagnostics | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.falling is not None:
            self.falling.refuse_rising(self.rule_list)
        if self.average is not None:
            self.average.showing(self.rule_list)  # InvalidModel where it does not belong to them
            object.__setattr__(self, "average", replace_fields(self.average, shown=None))
        if self.posterior is not None:
            self.posterior.refuse_misfit(self.rule_list)

    # -- views ------------------------------------------------------------------------------

    @property
    def answers(self) -> Answers:
        """What answers rows: the average, with the rule numbers of ``rules``, or ``rules``."""
        return self.rules if self.average is None else self.average.showing(self.rule_list)

    @property
    def rule_list(self) -> RuleList:
        """The rules as a list; InvalidModel where they are a set, which has no order of its own."""
        if not isinstance(self.rules, RuleList):
            raise InvalidModel(
                f"a rule set of {len(self.rules.rules)} rules is no rule list: a falling list, an "
                "average and a posterior need a list"
            )
        return self.rules

    def __str__(self) -> str:
        return model_text(self)

    def simplify(self) -> Model:
        """Return the model with conditions merged and without rules that can never answer.

        Printing a model names them; no row gets another answer.
        """
        rules = simplify(self.rules).rules
        kept = len(rules.rules) == len(self.rules.rules)
        return replace_fields(self, rules=rules, posterior=self.posterior if kept else None)

    def to_frame(self) -> pandas.DataFrame:
        """Return one row per rule, the default last: rule, antecedent, label, counts, shares.

        ``n_<class>`` are weights captured, ``p_<class>`` probabilities. A falling list also has
        ``risk`` (the falling probability of the positive class), ``empirical`` (its share of what
        the rule captured) with ``lower`` and ``upper`` of the 95 % Wilson interval, NaN where
        nothing is captured, and ``above_threshold``. With a posterior they are the ends of the
        95 % credible interval, of the risk or, where the list is no falling one, of the label.
        A rule set that was learned has the measures of ``antecedent => label``: ``support`` (the
        share of all rows with antecedent and label), ``antecedent_support`` (with the antecedent;
        an evaluation's ``support``), ``confidence``, ``lift``, ``leverage``, ``conviction``,
        ``chi_square`` and its p-value, ``chi_square_p``
        (:class:`~dbrules.search.association.measures.RuleTables`); a default that no row gets
        has NaN.
        """
        from dbrules.rule_frame import rule_frame

        return rule_frame(self)

    def to_json(self) -> dict[str, Any]:
        """Return the model as plain JSON values, format version 1."""
        return model_json.model_to_json(self)

    @classmethod
    def from_json(cls, document: Any, where: str = "the document") -> Model:
        """Return the model of a JSON document; InvalidModel says what is wrong with it."""
        return cls(**model_json.model_fields(document, where))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as JSON; the file is whole or not there."""
        model_json.write_document(path, self.to_json())

    # -- SQL --------------------------------------------------------------------------------

    def to_sql(
        self,
        over: str | None = None,
        *,
        dialect: str = "duckdb",
        form: str | None = None,
        name: str | None = None,
        probabilities: bool = False,
        reasons: bool = False,
        columns: Sequence[str] | None = None,
    ) -> str:
        """Return the model as SQL text.

        ``form``: ``case`` (the label as an expression; default without ``over``), ``select``
        (default with it), ``view``, ``table`` (both called ``name``) or ``dbt``. ``over`` is a
        table name or a SELECT. ``probabilities`` adds one column per class, ``reasons`` the text
        of the rule that answered. ``columns``: those of ``over``, where they are known.

        >>> from dbrules.language.parse import parse_rule_list
        >>> rules = parse_rule_list("IF age >= 60 THEN yes ELSE no")
        >>> print(Model(rules).to_sql())
        CASE WHEN "age" >= 60 THEN 'yes' ELSE 'no' END
        """
        from dbrules import scoring

        return scoring.to_sql(
            self.answers, over, dialect=dialect, form=form, name=name,
            probabilities=probabilities, reasons=reasons, columns=columns,
        )  # fmt: skip

    def create_view(
        self, connection: Any, name: str, over: str, *, replace: bool = False,
        probabilities: bool = False, reasons: bool = False,
    ) -> None:  # fmt: skip
        """Create a view of ``over`` with the answers beside its columns."""
        from dbrules import scoring

        scoring.create(self.answers, connection, "view", name, over, replace=replace,
                       probabilities=probabilities, reasons=reasons)  # fmt: skip

    def create_table(
        self, connection: Any, name: str, over: str, *, replace: bool = False,
        probabilities: bool = False, reasons: bool = False,
    ) -> None:  # fmt: skip
        """Create a table of ``over`` with the answers beside its columns."""
        from dbrules import scoring

        scoring.create(self.answers, connection, "table", name, over, replace=replace,
                       probabilities=probabilities, reasons=reasons)  # fmt: skip

    # -- rows -------------------------------------------------------------------------------

    def predict(
        self, data: object, *, connection: Any = None, probabilities: bool = False,
        reasons: bool = False, on_unseen: str = "default",
    ) -> Any:  # fmt: skip
        """Return a lazy DuckDB relation: the columns of ``data`` and the model's answers.

        Adds ``predicted_<target>``, ``predicted_<target>_probability`` (of the predicted label)
        and ``rule`` (1, 2, …; the default has the last number). ``on_unseen="error"`` refuses
        data with levels that training did not see.
        """
        from dbrules import scoring
        from dbrules.check import refuse_unseen

        if on_unseen not in ("default", "error"):
            raise InvalidSetting(f"on_unseen {on_unseen!r} is not known: give default or error")
        if on_unseen == "error":
            refuse_unseen(self.answers, self.training, data, connection)
        return scoring.predict(self.answers, data, connection, probabilities=probabilities,
                               reasons=reasons)  # fmt: skip

    def check(self, data: object, *, connection: Any = None) -> tuple[str, ...]:
        """Return notes on data to score: missing values and levels unseen in training."""
        from dbrules.check import check

        return check(self.answers, self.training, data, connection)

    def recount(self, data: object, *, connection: Any = None, weight: str | None = None) -> Model:
        """Return the model with counts and probabilities of the same rules on ``data``.

        For rules that were written or edited by hand; labels stay as they are. A rule of a set
        has the counts of all rows it covers, the default of those that none covers. The
        probabilities of a falling list are made falling again. InvalidSetting for an average of
        lists, whose probabilities and weights belong together.
        """
        from dbrules.recount import recount, refuse_average

        refuse_average(self.average)
        rules, training = recount(self.rules, data, connection, weight, self.falling)
        return replace_fields(self, rules=rules, training=training, posterior=None)

    def evaluate(
        self, data: object, *, connection: Any = None, weight: str | None = None
    ) -> Evaluation:
        """Return metrics on ``data``, which needs the target and the used columns."""
        from dbrules.evaluate import evaluate

        return evaluate(self.answers, self.training, data, connection, weight)

    def verify(self, data: object, *, connection: Any = None) -> Verification:
        """Prove row by row that the engine's answers are those of the rules."""
        from dbrules.verify import verify

        return verify(self.answers, data, connection)


def load(path: str | os.PathLike[str]) -> Model:
    """Return the model that :meth:`Model.save` wrote; InvalidModel says what is wrong."""
    return Model.from_json(model_json.read_document(path), f"model file {os.fspath(path)!r}")
