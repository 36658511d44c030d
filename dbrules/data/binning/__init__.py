"""Discretisation: ordered columns cut into intervals from value x class counts."""

from dbrules.data.binning.find import assign, find_cuts
from dbrules.data.binning.spec import Bins

__all__ = ["Bins", "assign", "find_cuts"]
