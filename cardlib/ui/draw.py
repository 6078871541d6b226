"""Cards, deals, views and scores draw themselves in a notebook, once this module is imported.

`Card`, `Hand`, `Deal` (all hands open, as its record has them), `View` (as one seat sees it), `Refusal` and `Match`
draw themselves; `story` and `sheet` draw what happened and what it scored.  Each picture is HTML with SVG faces beside
a text twin that says the same; `language` sets the language of both.

>>> import cardlib
>>> deal = cardlib.deal("hearts", seed=17, match={"deal": 3})
>>> story(deal.play("2C"))
Seat 2 plays ♣2.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from IPython.core.getipython import get_ipython

from cardlib.cards import JOKER, Card, Drawn, Hand, Seat, Side, painters
from cardlib.deal import Deal, Event, Refusal, View
from cardlib.match import Match
from cardlib.phases.fishing import FishingView, by_value
from cardlib.phases.shedding import SheddingView
from cardlib.text import Messages, messages

_now = {"speaking": messages("en")}


def language(lang: str) -> None:
    """Draw in this language from now on: ``"en"`` or ``"ja"``."""
    _now["speaking"] = messages(lang)


def speaking() -> Messages:
    """The sentences of the language of the pictures."""
    return _now["speaking"]


def say(key: str, **facts: Any) -> str:
    """A sentence in the language of the pictures."""
    return speaking().say(key, **facts)


class Picture(Drawn):
    """Something drawn, with its text twin."""

    def __init__(self, text: str, html: str) -> None:
        self.text = text
        self.html = html
        self.lang = speaking().lang

    def __repr__(self) -> str:
        return self.text

    def bundle(self) -> dict[str, str]:
        """The picture by MIME type."""
        html = f'<div class="cards-drawn" lang="{self.lang}"><style>{STYLE}</style>{self.html}</div>'
        return {"text/plain": self.text, "text/html": html}


painters[Picture] = Picture.bundle
#: What stands between two sentences.
BETWEEN = {"en": " ", "ja": ""}
Draw = Callable[[Any], Picture]


def draws(kind: type) -> Callable[[Draw], Draw]:
    """Let a function draw the objects of a type."""

    def register(draw: Draw) -> Draw:
        painters[kind] = lambda thing: draw(thing).bundle()
        formatter = getattr(get_ipython(), "display_formatter", None)
        if formatter and not issubclass(kind, Drawn):
            formatter.mimebundle_formatter.for_type(kind, painters[kind])
        return draw

    return register


# ------------------------------------------------------------------------------------------------------------- cards

WIDTH, HEIGHT = 36, 52
SUIT_PATHS = (
    "M16 2c3 6 12 9 12 16 0 8-9 9-11 4 0 3 2 6 5 8H10c3-2 5-5 5-8-2 5-11 4-11-4 0-7 9-10 12-16z",
    "M16 29C13 24 2 19 2 11 2 3 13 1 16 9c3-8 14-6 14 2 0 8-11 13-14 18z",
    "M16 1q4 8 11 15-7 7-11 15Q12 23 5 16 12 9 16 1z",
    "M16 2a6 6 0 0 1 5 10 6 6 0 1 1-4 11c0 3 2 5 5 7H10c3-2 5-4 5-7a6 6 0 1 1-4-11 6 6 0 0 1 5-10z",
)
#: Diagonals across a refused card.
HATCH = "".join(
    f"M{max(0, k - HEIGHT)} {min(k, HEIGHT)}L{min(k, WIDTH)} {max(0, k - WIDTH)}" for k in range(10, WIDTH + HEIGHT, 9)
)
#: Faces are white by day and by night; all else takes the colour of its surroundings.
STYLE = """
.cards-drawn{line-height:1.5;margin:.3em 0}.cards-drawn p{margin:0 0 .6em}.cards-drawn small{display:block;opacity:.8}
.cards-drawn svg{max-width:100%;height:auto;vertical-align:middle}.cards-drawn text{font:700 17px system-ui,sans-serif}
.cards-drawn g{fill:#14181c}.cards-drawn .red{fill:#c2185b}.cards-drawn rect{fill:#fff;stroke:#aab4bb}
.cards-drawn .no{fill:#55606b}.cards-drawn .red.no{fill:#a04a6c}.cards-drawn .hatch{stroke:#d8dee2;stroke-width:2.5}
.cards-drawn .win rect{stroke:#128a6f;stroke-width:4}.cards-drawn .back{fill:#8fb0a0;stroke:#55776a}
.cards-drawn .table{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:center}
.cards-drawn .seats{display:grid;grid-template-columns:max-content auto;gap:.4rem 1rem;align-items:center}
.cards-drawn .seat{border-left:4px solid #0000;padding-left:.5rem}.cards-drawn .turn{border-color:#1f9d80}
.cards-drawn .felt{background:#2f8f6a26;border:1px solid #2f8f6a66;border-radius:14px;padding:.6rem 1rem}
.cards-drawn .trick{display:flex;flex-wrap:wrap;gap:.9rem}.cards-drawn figure{margin:.4rem 0 0;text-align:center}
.cards-drawn .warn{background:#d977061f;border-left:5px solid #c2620a;border-radius:10px;padding:.5em 1em;margin:.6em 0}
.cards-drawn .rule{font:.8em monospace;border:1px solid;border-radius:6px;padding:0 .45em;opacity:.85}
.cards-drawn table{display:block;overflow-x:auto;border-collapse:collapse;font-variant-numeric:tabular-nums}
.cards-drawn td{padding:.2em .8em;white-space:nowrap}.cards-drawn td:not(.n){text-align:left}
.cards-drawn td.n{text-align:right}.cards-drawn tr:last-child td{border-top:1px solid;font-weight:700}
@media(max-width:600px){.cards-drawn .seats{grid-template-columns:auto}}
"""


class Face(NamedTuple):
    """A card as it lies: its face or (None) its back, a mark (`win` or `no`), and what the pointer is told."""

    card: Card | None
    mark: str = ""
    title: str = ""

    @property
    def name(self) -> str:
        """In words."""
        name = say("ui hidden") if self.card is None else say("card", card=self.card)
        mark = {"win": "ui winning", "no": "ui refused"}.get(self.mark)
        return f"{name} ({say(mark)})" if mark else name

    def svg(self, x: int) -> str:
        """Drawn at a place of its row."""
        place, card = f'transform="translate({x})"', self.card
        if card is None:
            return f'<rect class="back" {place} rx="4" width="22" height="32"/>'
        box = f'<rect rx="6" width="{WIDTH}" height="{HEIGHT}"/>'
        rank, suit, colour = "JKR", "", "black"
        if card != JOKER:
            rank, colour = str(card)[0].replace("T", "10"), ("black", "red")[card.suit in (1, 2)]
            suit = f'<path transform="translate(11 26)scale(.7)" d="{SUIT_PATHS[card.suit]}"/>'
        hatch = f'<path class="hatch" d="{HATCH}"/>' if self.mark == "no" else ""
        title = f"<title>{escape(self.title)}</title>" if self.title else ""
        face = f'{title}{box}{hatch}<text x="4" y="19">{rank}</text>{suit}'
        return f'<g class="{f"{colour} {self.mark}".strip()}" {place}>{face}</g>'


def row(faces: Sequence[Face], scale: float = 1) -> str:
    """Cards in a row, a little apart where the suit changes; backs lie on top of each other."""
    if not faces:
        return "–"
    x, drawn, before = 0, "", faces[0]
    for face in faces:
        x += 6 if face.card and before.card and face.card.suit != before.card.suit else 0
        drawn += face.svg(x)
        x += 9 if face.card is None else WIDTH + 3
        before = face
    backs = before.card is None
    wide = x + 4 + (13 if backs else -3)
    words = say("ui cards left", count=len(faces)) if backs else listed(face.name for face in faces)
    high = 36 if backs else HEIGHT + 4
    size = f'width="{wide * scale:g}" height="{high * scale:g}" viewBox="-2 -2 {wide} {high}"'
    return f'<svg role="img" aria-label="{escape(words)}" {size}>{drawn}</svg>'


def listed(items: Iterable[str]) -> str:
    """Some things in a row, as the language writes them."""
    return speaking().fact(list(items))


def short(cards: Iterable[Card]) -> str:
    """Cards as text: ``♠Q ♥10``."""
    return " ".join(map(speaking().fact, cards)) or "–"


@draws(Card)
def _card(card: Card) -> Picture:
    return Picture(short([card]), row([Face(card)], 1.3))


@draws(Hand)
def _hand(hand: Hand) -> Picture:
    return Picture(short(hand), row([Face(card) for card in hand], 1.3))


# ------------------------------------------------------------------------------------------------------------- table


def _name(seat: int, me: int | None = None) -> str:
    """What a seat, or a side of partners, is called where its name stands alone."""
    name = speaking().fact(seat if isinstance(seat, Side) else Seat(seat), me=me)
    return name[:1].upper() + name[1:]


def _tag(rule: str) -> str:
    return f'<span class="rule">{escape(rule)}</span>' if rule else ""


def _because(refusal: Refusal) -> str:
    return say(f"refusal {refusal.rule}", **refusal.facts)


@draws(Refusal)
def _refusal(refusal: Refusal) -> Picture:
    text = _because(refusal)
    return Picture(f"{text} [{refusal.rule}]", f'<p class="warn">{escape(text)} {_tag(refusal.rule)}</p>')


@draws(Deal)
def _deal(deal: Deal) -> Picture:
    hands = [[Face(card) for card in Hand(hand)] for hand in deal.hands]
    return _table(deal.view(deal.turn or 0), hands, range(deal.players), None)


@draws(View)
def _view(view: View) -> Picture:
    me, hands = view.seat, [[Face(None)] * count for count in view.counts]
    asked = view.hand if view.turn == me and view.phase == "play" else ()
    refusals = {card: why for card in asked if (why := view.refusal(str(card)))}
    for seat, hand in enumerate(view.hands):
        hands[seat] = [Face(card) for card in hand] or hands[seat]
    own = [Face(card, "no", _because(refusals[card])) if card in refusals else Face(card) for card in view.hand]
    hands[me] = own or hands[me]
    seats = [(me + away) % view.players for away in range(1, view.players + 1)]
    first = {why.rule: why for why in reversed(refusals.values())}
    return _table(view, hands, seats, me, [_refusal(why) for why in reversed(first.values())])


def _table(
    view: View, hands: list[list[Face]], seats: Iterable[int], me: int | None, reasons: Sequence[Picture] = ()
) -> Picture:
    """Hands by seat, the trick, and the reasons of refused cards (the first one of each rule)."""
    head = f"{view.variant} · {_stage(view)}"
    lines, rows, scores = [head], "", dict(enumerate(view.scores()))
    for seat in seats:
        turn, held, name = seat == view.turn, hands[seat], _name(seat, me)
        tags = [say("ui turn")] * turn + [say("ui dealer")] * (seat == view.dealer)
        tags += [say("sheet points", count=scores[seat])] if scores.get(seat) else []
        cards = [face.card for face in held if face.card is not None]
        text = short(cards) if len(cards) == len(held) else say("ui cards left", count=len(held))
        lines.append(f"{'▸' if turn else ' '} {name}: {text}" + (f" ({listed(tags)})" if tags else ""))
        who = f"<b>{escape(name)}</b><small>{escape(listed(tags))}</small>"
        rows += f'<div class="seat{" turn" * turn}">{who}</div><div>{row(held)}</div>'
    title, trick = _trick(view)
    told, felt = [], ""
    for seat, card, wins in trick:
        name, mark = _name(seat, me), say("ui winning") if wins else ""
        told.append(f"{name} {short([card])}" + (f" ({mark})" if wins else ""))
        caption = f"<figcaption>{escape(name)}<small>{mark or '&nbsp;'}</small></figcaption>"
        felt += f"<figure>{row([Face(card, 'win' * wins)], 1.3)}{caption}</figure>"
    if trick:
        lines.append(f"{title}: {listed(told)}")
        felt = f'<div class="felt"><b>{title}</b><div class="trick">{felt}</div></div>'
    if isinstance(view, FishingView):
        title, lying = say("board fishing"), by_value(view.table)
        lines.append(f"{title}: {short(lying)}")
        felt = f'<div class="felt"><b>{title}</b><div>{row([Face(card) for card in lying], 1.3)}</div></div>'
    if isinstance(view, SheddingView) and (any(view.piles) or any(view.rows)):
        piles = [say("pile cards", count=count) if count else say("pile gone") for count in view.piles]
        lines += [f"{say('board rows')}: {listed(map(short, view.rows))}", f"{say('board piles')}: {listed(piles)}"]
        laid = "".join(f"<div>{row([Face(card) for card in sorted(cards)])}</div>" for cards in view.rows if cards)
        felt = f'<div class="felt"><b>{say("board rows")}</b>{laid or "–"}<small>{escape(lines[-1])}</small></div>'
    table = f'<div class="table"><div class="seats">{rows}</div>{felt}</div>'
    notes = "".join(reason.html for reason in reasons)
    return Picture("\n".join([*lines, *map(str, reasons)]), f"<p><b>{escape(head)}</b></p>{table}{notes}")


def _stage(view: View) -> str:
    """Which deal it is, and how far."""
    number, contract = getattr(view.match, "deal", 0) + 1, getattr(view, "contract", "")
    named = f" · {say(f'contract {contract}')}" if speaking().has(f"contract {contract}") else ""
    if view.phase == "play":
        return say("prompt head", deal=number, trick=getattr(view, "number", 1)) + named
    return f"{say('prompt head deal', deal=number)}{named} · {say(f'phase {view.phase}')}"


def _trick(view: Any) -> tuple[str, list[tuple[int, Card, bool]]]:
    """The trick as it lies, else the last one: who played what, and whether it wins."""
    cards: Collection[Card] = getattr(view, "trick", ())
    if cards:
        seats = [(view.leader + i) % view.players for i in range(len(cards))]
        return say("ui trick"), [(seat, card, card == view.best) for seat, card in zip(seats, cards, strict=True)]
    won = next((event.facts for event in reversed(view.events) if event.kind == "TrickWon"), {"cards": ()})
    plays = [event.facts for event in view.events if event.kind == "Played" and event.facts["card"] in won["cards"]]
    trick = [(play["seat"], play["card"], play["card"] == won["card"]) for play in plays]
    return say("ui last trick"), trick if len(trick) == len(won["cards"]) else []


# ------------------------------------------------------------------------------------------------- stories and scores


def story(what: Deal | View | Iterable[Event]) -> Picture:
    """What happened, in sentences with their rules: of a deal, of a view as its seat may tell it, or of some events."""
    told = list(_told(what.events if isinstance(what, Deal | View) else what, getattr(what, "seat", None)))
    text = "\n".join(f"{line} [{rule}]" if rule else line for line, rule in told)
    html = "".join(f"<div>{escape(line)} {_tag(rule)}</div>" for line, rule in told)
    return Picture(text, html)


def _told(events: Iterable[Event], me: int | None) -> Iterator[tuple[str, str]]:
    """Each event as a sentence, and its rule; plays in one line; the score is for `sheet` to tell."""
    told = [event for event in events if event.kind != "Scored"]
    for rule, some in groupby(told, lambda event: event.rule):
        lines = [say(f"event {event.kind} {rule}".strip(), me=me, **event.facts) for event in some]
        yield from [(line, rule) for line in lines] if rule else [(BETWEEN[speaking().lang].join(lines), "")]


def sheet(what: Deal | View) -> Picture:
    """The score of a deal, line by line: who, what for, the cards that count, points, rule."""
    me, rows = getattr(what, "seat", None), []
    for line in what.score_lines():
        cards = short(Hand(line.cards)) if line.cards else ""
        label, points = say(f"score {line.rule}", **line.facts), speaking().fact(line.points)
        rows.append([_name(line.side, me), label, cards, points, line.rule])
    total = ", ".join(map(speaking().fact, what.scores()))
    rows.append([say("sheet this deal" if what.over else "sheet so far"), "", "", total, ""])
    return _columns(say("ui lines"), rows, (3,))


@draws(Match)
def _match(match: Match) -> Picture:
    rows = [["", *map(_name, match.sides)]]
    for number, counted in enumerate(match.history, 1):
        scores = ["–"] * len(match.sides) if counted.void else map(speaking().fact, counted.scores)
        rows.append([say("sheet deal", deal=number), *scores])
    rows.append([say("sheet total"), *map(speaking().fact, match.context.data()["totals"])])
    end = story(match.history[-1].settled.events if match.history else ())
    drawn = _columns(f"{say('sheet title')} · {match.variant}", rows, range(1, len(rows[0])))
    return Picture(f"{drawn}\n{end}".strip(), drawn.html + end.html)


def _columns(title: str, rows: list[list[str]], numbers: Collection[int]) -> Picture:
    """A table, of which the last row is a sum; in text its columns stand below each other, too."""
    wide = [max(map(_wide, column)) for column in zip(*rows, strict=True)]
    lines, html = [title], ""
    for cells in rows:
        line, inside = "", ""
        for i, cell in enumerate(cells):
            pad = " " * (wide[i] - _wide(cell))
            line += "  " + (pad + cell if i in numbers else cell + pad)
            inside += f"<td{' class=n' * (i in numbers)}>{escape(cell)}</td>"
        lines.append(line.rstrip())
        html += f"<tr>{inside}</tr>"
    return Picture("\n".join(lines), f"<p><b>{escape(title)}</b></p><table>{html}</table>")


def _wide(text: str) -> int:
    """How many columns a text takes; a Japanese letter takes two."""
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text)
