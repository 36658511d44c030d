"""Engines that run statements, and the statements themselves."""
