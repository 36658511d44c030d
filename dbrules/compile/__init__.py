"""Compilation of rule lists to SQL."""
