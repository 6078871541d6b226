"""What the lessons and the table say: messages, card names and rule titles in one language, as one seat hears them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cardlib.cards import Card, Hand, Seat, Side
from cardlib.deal import Event, Refusal
from cardlib.errors import BadInput
from cardlib.options import Value, Variant
from cardlib.text import messages, rule_book, summary

#: The names of the other seats clockwise, from the learner's left neighbour on (message ids `word NAME`).
NAMES = {4: ("West", "North", "East")}
OTHERS = ("Aki", "Ben", "Chie", "Dan", "Emi", "Finn", "Gen")


class Voice:
    """Speaks of a variant in a language to the reader at seat `me`."""

    def __init__(self, lang: str, variant: Variant, me: int = 0) -> None:
        self.lang = lang
        self.variant = variant
        self.me = me
        self._messages = messages(lang)
        self._book = rule_book(variant.game.id, lang)
        names = NAMES.get(variant.players, OTHERS)
        others = [self.say(f"word {name}") for name in (reversed(names) if self.anticlockwise else names)]
        away = [self.say("reader name"), *others]
        #: The name of each seat.
        self.names = [away[(seat - me) % variant.players] for seat in range(variant.players)]
        #: The same with a capital, to stand alone.
        self.labels = [name[:1].upper() + name[1:] for name in self.names]

    @property
    def anticlockwise(self) -> bool:
        """The next seat is the right neighbour."""
        return bool(self.variant.options.anticlockwise)

    def say(self, id: str, **facts: Any) -> str:
        """The sentence of a message id with its facts; the game's own (``ID GAME``), where there is one."""
        own = f"{id} {self.variant.game.id}"
        id = own if self._messages.has(own) else id
        return self._messages.say(id, names=getattr(self, "names", None), me=self.me, **facts)

    def knows(self, id: str) -> bool:
        return self._messages.has(id)

    def value(self, option: str, value: Value) -> str:
        """The label of a value of an option."""
        return self._messages.value(option, value, self.variant.players)

    def summary(self) -> str:
        """The variant in one sentence."""
        return summary(self.variant, self.lang)

    # -- parts of a scene, as the browser contract has them

    def face(self, card: int, **more: Any) -> dict[str, Any]:
        """A card with its spoken name, and what is written on it to help."""
        written = {"badge": badge} if (badge := self.badge(card)) else {}
        return {"card": str(Card(card)), "name": self.say("card", card=Card(card)), **written, **more}

    def badge(self, card: int) -> str:
        """What is written on a card to help."""
        return self.variant.game.deal.badge(Card(card))

    def written(self, faces: Iterable[Mapping[str, Any]]) -> str:
        """Faces in writing: ♠Q ♦10; of a card that lies face down its number."""
        shown = self._messages.fact
        return " ".join(face["n"] if face.get("back") else shown(Card.parse(face["card"])) for face in faces)

    def faces(self, cards: Iterable[int]) -> list[dict[str, Any]]:
        return [self.face(card) for card in cards]

    def listed(self, items: Iterable[str]) -> str:
        """Some things in a row, as the language writes them."""
        return self._messages.fact(list(items))

    def by_side(self, numbers: Iterable[int]) -> str:
        """A number for each side, in words."""
        pairs = zip(self.sides, numbers, strict=True)
        return self.listed([self.say("given by side", side=side, number=number) for side, number in pairs])

    def side(self, number: int) -> str:
        """What a side is called where its name stands alone."""
        name = self._messages.fact(self.sides[number], names=self.names, me=self.me)
        return name[:1].upper() + name[1:]

    @property
    def sides(self) -> Sequence[Seat | Side]:
        """The sides as facts, by number."""
        return self.variant.game.side_names(self.variant.players)

    def rule(self, id: str) -> dict[str, str]:
        """A reference to a rule: its id and title."""
        return {"id": id, "title": self._book.rule(id, self.variant).title}

    def rule_text(self, id: str) -> dict[str, str]:
        rule = self._book.rule(id, self.variant)
        return {"id": id, "title": rule.title, "html": rule.html, "source": rule.source}

    def sentences(self, id: str) -> tuple[str, ...]:
        return self._book.rule(id, self.variant).sentences

    def joined(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other."""
        return ("" if self.lang == "ja" else " ").join(sentences)

    def note(self, tone: str, id: str, rule: str = "", **facts: Any) -> dict[str, Any]:
        """A sentence in a box: tone good, warn, note or bad, with the rule behind it.  A rule may have a version of its
        own (``ID RULE``)."""
        id = f"{id} {rule}" if rule and self.knows(f"{id} {rule}") else id
        said: dict[str, Any] = {"tone": tone, "text": self.say(id, **facts)}
        return said | ({"rule": rule, "title": self.rule(rule)["title"]} if rule else {})

    def refusal(self, refusal: Refusal) -> dict[str, Any]:
        """Why a move is refused."""
        return self.note("warn", f"refusal {refusal.rule}", refusal.rule, **refusal.facts)

    def bad(self, error: ValueError) -> dict[str, Any]:
        """What is wrong with an input."""
        if isinstance(error, BadInput) and self.knows(f"bad {error.code}"):
            return self.note("bad", f"bad {error.code}", **plain(error.facts))
        return {"tone": "bad", "text": self.say("ui error", text=str(error))}

    def event(self, event: Event) -> str:
        """What an event tells; the sentence for those who do not see its cards, where these are hidden."""
        return self.say(f"event {event.kind} {event.rule}".strip(), **event.facts)

    def points(self, number: int) -> str:
        """A number of points with its sign."""
        return f"−{-number}" if number < 0 else str(number)

    def lines(self, lines: Iterable[Any]) -> list[dict[str, Any]]:
        """Score lines, each with its rule and its cards."""
        return [
            {
                "who": self.side(line.side),
                "label": self.say(f"score {line.rule}", **line.facts),
                "cards": self.faces(Hand(line.cards)),
                "points": self.points(line.points),
                "rule": self.rule(line.rule),
            }
            for line in lines
        ]


def plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts of bad input as a message can show them."""
    return {k: v if isinstance(v, int | str | Card | Hand | Seat) else str(v) for k, v in facts.items()}
