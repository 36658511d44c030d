"""What a model keeps of a posterior over rule lists: lists, antecedents, credible intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dbrules.errors import InvalidModel
from dbrules.language.column import Column
from dbrules.language.condition import Condition
from dbrules.language.rule_list import RuleList
from dbrules.language.write import Interval, format_conditions
from dbrules.posterior_json import posterior_parts, posterior_to_json

if TYPE_CHECKING:
    import pandas

Antecedent = tuple[Condition, ...]


@dataclass(frozen=True)
class PosteriorList:
    """One list of the posterior: its antecedents in order, and its share of the draws.

    >>> str(PosteriorList(((Condition("age", ">=", 60),), (Condition("job", "=", "a"),)), 0.5))
    "IF age >= 60, ELSE IF job = 'a', ELSE"
    """

    antecedents: tuple[Antecedent, ...]
    probability: float

    def __str__(self) -> str:
        texts = [f"IF {format_conditions(antecedent)}" for antecedent in self.antecedents]
        return ", ELSE ".join([*texts, ""]).rstrip() or "ELSE"

    def is_of(self, rules: RuleList) -> bool:
        """Say whether ``rules`` have these antecedents, whatever the order within one."""
        own = [frozenset(antecedent) for antecedent in self.antecedents]
        return own == [frozenset(rule.conditions) for rule in rules.rules]


@dataclass(frozen=True)
class Posterior:
    """A posterior over rule lists as the draws of Markov chains found it.

    ``draws``: those of all ``chains`` together, without the warm-up. ``r_hat`` (infinite where
    chains are stuck at different values) and ``effective_sample_size`` are the worst of the traces
    of :class:`~dbrules.diagnostics.Diagnostics`; ``log_posterior`` is that of the list shown. None
    where there is no such number.

    ``intervals``: 95 % credible intervals of class probabilities, (rules + 1, classes, 2), for
    the list shown, its default last. ``lists``: the most probable ones, and ``inclusion``:
    antecedents with the probability that a list has them; both in falling order of probability,
    which is a share of the draws, and perhaps not all of them. Values of conditions are of their
    columns' types, as in a rule list. InvalidModel where the numbers cannot be.
    """

    draws: int
    chains: int
    r_hat: float | None
    effective_sample_size: float | None
    log_posterior: float | None
    intervals: tuple[tuple[Interval, ...], ...]
    lists: tuple[PosteriorList, ...]
    inclusion: tuple[tuple[Antecedent, float], ...]

    def __post_init__(self) -> None:
        ends = (end for row in self.intervals for end in row)
        listed = [each.probability for each in self.lists]
        right = {
            "draws": self.draws >= 0,
            "chains": self.chains >= 1,
            "r_hat": self.r_hat is None or self.r_hat >= 0,
            "effective_sample_size": self.effective_sample_size is None
            or 0 < self.effective_sample_size < math.inf,
            "log_posterior": self.log_posterior is None or math.isfinite(self.log_posterior),
            "intervals": all(0 <= lower <= upper <= 1 for lower, upper in ends),
            "lists": _are_falling(listed) and math.fsum(listed) <= 1 + 1e-9,
            "inclusion": _are_falling([probability for _, probability in self.inclusion]),
        }
        wrong = [name for name, holds in right.items() if not holds]
        if wrong:
            raise InvalidModel(
                f"posterior.{wrong[0]}: not numbers that a posterior can have, or not in falling "
                "order of probability; correct them or fit again"
            )

    def probability_of(self, rules: RuleList) -> float | None:
        """Return the probability of the list ``rules``; None where it is not among ``lists``."""
        return next((each.probability for each in self.lists if each.is_of(rules)), None)

    def refuse_misfit(self, rules: RuleList, where: str = "the model") -> None:
        """Raise InvalidModel where ``intervals`` are not one for each rule and class."""
        rows, classes = len(rules.outcomes), len(rules.target.classes)
        if [len(row) for row in self.intervals] != [classes] * rows:
            raise InvalidModel(
                f"{where}: posterior.intervals: there must be {rows}, one for each rule and the "
                f"default, of {classes} classes each; fit again or leave out posterior"
            )

    # -- frames -----------------------------------------------------------------------------

    def lists_frame(self) -> pandas.DataFrame:
        """Return one row a list, the most probable first: probability, length, list (as text)."""
        import pandas

        records = [(each.probability, len(each.antecedents), str(each)) for each in self.lists]
        return pandas.DataFrame(records, columns=["probability", "length", "list"])

    def inclusion_frame(self) -> pandas.DataFrame:
        """Return how probable it is that a list has an antecedent: antecedent, probability."""
        import pandas

        records = [(format_conditions(antecedent), p) for antecedent, p in self.inclusion]
        return pandas.DataFrame(records, columns=["antecedent", "probability"])

    def intervals_frame(self, rules: RuleList) -> pandas.DataFrame:
        """Return one row per rule of the list shown and class, the default last.

        Columns: rule, antecedent, class, probability (that of the rule), and lower and upper end
        of its 95 % credible interval. InvalidModel where ``rules`` are not those of the list.
        """
        import pandas

        self.refuse_misfit(rules)
        texts = [*(format_conditions(rule.conditions) for rule in rules.rules), "ELSE"]
        records = [
            (number, text, label, probability, *interval)
            for number, (text, outcome, row) in enumerate(
                zip(texts, rules.outcomes, self.intervals, strict=True), start=1
            )
            for label, probability, interval in zip(
                rules.target.classes, outcome.probability, row, strict=True
            )
        ]
        names = ["rule", "antecedent", "class", "probability", "lower", "upper"]
        return pandas.DataFrame(records, columns=names)

    # -- JSON -------------------------------------------------------------------------------

    def to_json(self, features: Iterable[Column]) -> dict[str, Any]:
        """Return plain JSON values; ``features`` are those of the rule list."""
        return posterior_to_json(self, features)

    @classmethod
    def from_json(
        cls, document: Any, where: str, features: Iterable[Column],
    ) -> Posterior | None:  # fmt: skip
        """Return what :meth:`to_json` wrote, None for None; InvalidModel says what is wrong."""
        if document is None:
            return None
        try:
            parts = posterior_parts(document, features)
            parts["lists"] = tuple(PosteriorList(*each) for each in parts["lists"])
            return cls(**parts)
        except InvalidModel as error:
            raise InvalidModel(f"{where}: {error}") from None


def _are_falling(probabilities: Sequence[float]) -> bool:
    """Say whether all are probabilities and none is above the one before."""
    return all(after <= before for before, after in pairwise([1.0, *probabilities, 0.0]))
