"""The games.  Importing this package makes them known by their ids."""

from cardlib.games import ambition, hearts, quint, spady

__all__ = ["ambition", "hearts", "quint", "spady"]
