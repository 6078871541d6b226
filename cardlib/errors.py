"""Bad input: what cannot be understood at all, as opposed to a move that the rules refuse.

A refusal (`cardlib.deal.Refusal`) is an answer of the rules; `BadInput` is an answer to a broken record, link,
option, card or message.  It carries a code and facts, which pages translate, and an English text that contains the
offending word.
"""

from __future__ import annotations

import reprlib


class BadInput(ValueError):  # noqa: N818  (the name says what it is)
    """Input that names no card, move, option, record …; `code` says what kind, `facts` hold the culprit.

    >>> raise BadInput("card", "unknown card: '1C'", card="1C")
    Traceback (most recent call last):
    cardlib.errors.BadInput: unknown card: '1C'
    """

    def __init__(self, code: str, text: str, /, **facts: object) -> None:
        super().__init__(text)
        self.code = code
        self.facts = facts


_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxlist = 3, 200, 12


def shortly(value: object) -> str:
    """A value as Python writes it, cut where it is long or deep."""
    try:
        return _SHORT.repr(value)
    except ValueError:  # Python does not write out integers of thousands of digits
        return f"a huge {type(value).__name__}"


def raw(value: object) -> str:
    """A value as a sentence quotes it: a text as it stands."""
    return value if isinstance(value, str) else shortly(value)
