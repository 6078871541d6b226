"""Hypothesis for the engine: the same examples in every run, however slow the machine."""

from hypothesis import settings

settings.register_profile("engine", deadline=None, derandomize=True)
settings.load_profile("engine")
