"""The games.  Importing this package makes them known by their ids."""

from cardlib.games import hearts

__all__ = ["hearts"]
