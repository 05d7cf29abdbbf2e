"""Scorers: hypotheses that score a row and move along it."""
