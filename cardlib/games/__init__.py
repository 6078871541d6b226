"""The games.  Importing this package makes them known by their ids."""

from cardlib.games import ambition, hearts, primer, quint, quodlibet, scopone, solo_whist, spady

#: The games in the order in which one learns them.
ORDER = ("primer", "hearts", "quint", "spady", "quodlibet", "solo-whist", "ambition", "scopone")

__all__ = ["ORDER", "ambition", "hearts", "primer", "quint", "quodlibet", "scopone", "solo_whist", "spady"]
