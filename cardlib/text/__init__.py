"""What the games say, in two languages: sentences with facts (`messages`) and rule books (`rule_book`).

The engine speaks codes and facts; only this layer speaks languages.
"""

from cardlib.text.book import Change, Rule, RuleBook, rule_book
from cardlib.text.messages import LANGS, Messages, TextError, messages, summary

__all__ = ["LANGS", "Change", "Messages", "Rule", "RuleBook", "TextError", "messages", "rule_book", "summary"]
