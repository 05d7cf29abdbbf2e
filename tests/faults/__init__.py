"""Faults to plant, and a program that says which of them the tests notice: ``python -m tests.faults``."""

from . import data, judging, learning, models, program
from .fault import Fault

FAULTS: list[Fault] = [*learning.FAULTS, *models.FAULTS, *data.FAULTS, *judging.FAULTS, *program.FAULTS]
