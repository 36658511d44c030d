"""Discretisation: ordered columns cut into intervals from value x class counts."""

from dbrules.data.binning.spec import Bins, assign, find_cuts

__all__ = ["Bins", "assign", "find_cuts"]
