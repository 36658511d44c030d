"""A door between search and data: what is left by the rules of a list, asked rule by rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from dbrules.search.antecedents import Antecedent


class Uncovered(Protocol):
    """Rows that no rule of a list covers.

    ``batch``: about how many rules are best offered at once.
    """

    @property
    def batch(self) -> int:
        """Rules to offer at once."""

    def taking(
        self, antecedents: Sequence[Antecedent], labels: Sequence[int]
    ) -> tuple[list[int], Uncovered]:
        """Take every rule, in order, that is right of a row which none taken before covers.

        Return the places of those taken, and the rows that they leave.
        """
