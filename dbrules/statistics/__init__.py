"""Counts asked of an engine: the sufficient statistics of the learners."""
