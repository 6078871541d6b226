"""Phases that several games share: passing cards and playing tricks."""
