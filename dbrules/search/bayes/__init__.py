"""Posteriors over rule lists: densities, random walks and bounded search over counts."""
