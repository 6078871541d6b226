"""Cards, deals, views and scores draw themselves in a notebook, once this module is imported.

`Card`, `Hand`, `Deal` (all hands open, as its record has them), `View` (as one seat sees it), `Refusal` and `Match`
draw themselves; `story` and `sheet` draw what happened and what it scored.  Each picture is HTML with SVG faces beside
a text twin that says the same; `language` sets the language of both.

>>> from cardlib.cards import Hand
>>> picture(Hand.parse("2C QS 10h"))
♠Q ♥10 ♣2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from IPython.core.getipython import get_ipython

from cardlib.cards import JOKER, Card, Drawn, Hand, Seat, painters
from cardlib.deal import Deal, Event, Refusal, View
from cardlib.match import Match
from cardlib.text import Messages, messages

_spoken: list[Messages] = [messages("en")]


def language(lang: str) -> None:
    """Draw in this language from now on: ``"en"`` or ``"ja"``."""
    _spoken[0] = messages(lang)


def say(id: str, **facts: Any) -> str:
    """A sentence in the language of the pictures."""
    return _spoken[0].say(id, **facts)


class Picture(Drawn):
    """Something drawn, with its text twin."""

    def __init__(self, text: str, html: str) -> None:
        self.text = text
        self.html = f'<div class="cards-drawn" lang="{_spoken[0].lang}"><style>{STYLE}</style>{html}</div>'

    def __repr__(self) -> str:
        return self.text

    def bundle(self) -> dict[str, str]:
        """The picture by MIME type."""
        return {"text/plain": self.text, "text/html": self.html}


Draw = Callable[[Any], Picture]
_draws: dict[type, Draw] = {Picture: lambda same: same}
painters[Picture] = Picture.bundle


def draws(kind: type) -> Callable[[Draw], Draw]:
    """Register the function that draws the objects of a type."""

    def register(draw: Draw) -> Draw:
        _draws[kind] = draw
        painters[kind] = lambda thing: draw(thing).bundle()
        shell = get_ipython()  # type: ignore[no-untyped-call]
        if shell and not issubclass(kind, Drawn):
            shell.display_formatter.mimebundle_formatter.for_type(kind, painters[kind])
        return draw

    return register


def picture(thing: object) -> Picture:
    """The picture of anything that has one."""
    draw = next((_draws[kind] for kind in type(thing).__mro__ if kind in _draws), None)
    if draw is None:
        raise TypeError(f"no picture of a {type(thing).__name__}")
    return draw(thing)


# ------------------------------------------------------------------------------------------------------------- cards

WIDTH, HEIGHT = 36, 52
SUIT_PATHS = (
    "M16 2c2.600 5.200 12 9.200 12 16.400 0 4-2.900 6.600-6.200 6.600-1.900 0-3.400-.8-4.400-2.100.3 3 1.600 5.100 4.100 7.100h-11c2.500-2 "
    "3.800-4.100 4.100-7.100-1 1.300-2.500 2.100-4.400 2.100C6.900 25 4 22.400 4 18.400 4 11.200 13.400 7.200 16 2z",
    "M16 29C13 24.300 2.500 19 2.500 11.100 2.500 6.900 5.600 4 9.300 4c2.900 0 5.400 1.700 6.700 4.600C17.300 5.700 19.800 4 22.700 4c3.700 0 "
    "6.800 2.900 6.800 7.100C29.500 19 19 24.300 16 29z",
    "M16 1.500C18.700 6.500 22.700 11.800 27 16c-4.300 4.200-8.300 9.500-11 14.500C13.300 25.500 9.300 20.200 5 16 9.300 11.800 13.300 6.500 16 1.500z",
    "M16 2.500a6.300 6.300 0 0 1 5.100 10 6.400 6.400 0 1 1-3.700 11c.4 2.700 1.600 4.700 4.100 6.500h-11c2.500-1.800 3.700-3.800 4.100-6.500a6.400 6.400 "
    "0 1 1-3.700-11 6.300 6.300 0 0 1 5.100-10z",
)
#: Diagonals across a refused card.
HATCH = "".join(
    f"M{max(0, k - HEIGHT)} {min(k, HEIGHT)}L{min(k, WIDTH)} {max(0, k - WIDTH)}" for k in range(10, WIDTH + HEIGHT - 6, 9)
)
#: Faces are white by day and by night; all else takes the colour of its surroundings.
STYLE = """
.cards-drawn{line-height:1.5}.cards-drawn *{box-sizing:border-box}
.cards-drawn svg{max-width:100%;height:auto;vertical-align:middle}
.cards-drawn rect{fill:#fff;stroke:#aab4bb}.cards-drawn .back{fill:#8fb0a0;stroke:#55776a}
.cards-drawn .win rect{stroke:#14181c;stroke-width:3}.cards-drawn .hatch{stroke:#d8dee2;stroke-width:2.500}
.cards-drawn text{font:700 17px system-ui,sans-serif}
.cards-drawn g{fill:#14181c}.cards-drawn .red{fill:#c2185b}.cards-drawn .no{fill:#55606b}.cards-drawn .no.red{fill:#a04a6c}
.cards-drawn p{margin:0 0 .6em}.cards-drawn small{display:block;opacity:.8}
.cards-drawn .table{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:center}
.cards-drawn .seats{display:grid;grid-template-columns:max-content auto;gap:.4rem 1rem;align-items:center}
.cards-drawn .seats>:nth-child(odd){border-left:4px solid #0000;padding-left:.5rem}
.cards-drawn .seats>.turn{border-color:#1f9d80}
.cards-drawn .felt{background:#2f8f6a26;border:1px solid #2f8f6a66;border-radius:14px;padding:.6rem 1rem}
.cards-drawn .trick{display:flex;gap:.9rem}.cards-drawn figure{margin:.4rem 0 0;text-align:center;min-height:7.500rem}
.cards-drawn .warn{background:#d977061f;border-left:5px solid #c2620a;border-radius:10px;padding:.5em 1em;margin:.6em 0 0}
.cards-drawn code{font-size:.8em;border:1px solid;border-radius:6px;padding:0 .45em;white-space:nowrap;background:none;color:inherit}
.cards-drawn ul{margin:0;padding:0;list-style:none}
.cards-drawn table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:0 0 .6em}
.cards-drawn td,.cards-drawn th{padding:.2em .8em;text-align:left;background:none}
.cards-drawn .n{text-align:right}.cards-drawn tr{background:none}.cards-drawn .sum>*{border-top:1px solid;font-weight:700}
"""


class Face(NamedTuple):
    """A card as it lies: its face or (None) its back, a mark (`win` or `no`), and what the pointer is told."""

    card: Card | None
    mark: str = ""
    title: str = ""

    @property
    def name(self) -> str:
        """In words."""
        name = say("card", card=self.card) if self.card is not None else say("ui hidden")
        marks = {"win": "ui winning", "no": "ui refused"}
        return f"{name} ({say(marks[self.mark])})" if self.mark else name

    def svg(self, x: int) -> str:
        """Drawn at a place of its row."""
        place, card = f'transform="translate({x})"', self.card
        box = f'<rect rx="6" width="{WIDTH}" height="{HEIGHT}"'
        if card is None:
            return f'{box} class="back" {place}/>'
        title = f"<title>{escape(self.title)}</title>" if self.title else ""
        hatch = f'<path class="hatch" d="{HATCH}"/>' if self.mark == "no" else ""
        colour = "red" if card.suit in (1, 2) and card != JOKER else "black"
        rank = str(card) if card == JOKER else str(card)[0].replace("T", "10")
        suit = f'<path transform="translate(11 26)scale(.7)" d="{SUIT_PATHS[card.suit]}"/>' if card != JOKER else ""
        return f'<g class="{colour} {self.mark}" {place}>{title}{box}/>{hatch}<text x="4" y="19">{rank}</text>{suit}</g>'


def row(faces: Sequence[Face], scale: float = 1) -> str:
    """Cards in a row, a little apart where the suit changes; backs lie on top of each other."""
    if not faces:
        return "–"
    x, drawn, before = 0, "", faces[0]
    for face in faces:
        x += 6 if face.card and before.card and face.card.suit != before.card.suit else 0
        drawn += face.svg(x)
        x += 12 if face.card is None else WIDTH + 3
        before = face
    wide = x + (WIDTH - 12 if before.card is None else -3) + 4
    words = say("ui cards left", count=len(faces)) if before.card is None else ", ".join(face.name for face in faces)
    size = f'width="{wide * scale:g}" height="{(HEIGHT + 4) * scale:g}" viewBox="-2 -2 {wide} {HEIGHT + 4}"'
    return f'<svg role="img" aria-label="{escape(words)}" {size}>{drawn}</svg>'


def short(cards: Iterable[Card]) -> str:
    """♠Q ♥10"""
    return " ".join(map(_spoken[0].fact, cards)) or "–"


@draws(Card)
def _card(card: Card) -> Picture:
    return Picture(short([card]), row([Face(card)], 1.4))


@draws(Hand)
def _hand(hand: Hand) -> Picture:
    return Picture(short(hand), row([Face(card) for card in hand], 1.2))


# ------------------------------------------------------------------------------------------------------------- table


def _name(seat: int, me: int | None = None) -> str:
    """What a seat is called where its name stands alone."""
    name = _spoken[0].fact(Seat(seat), me=me)
    return name[:1].upper() + name[1:]


def _said(sentence: str, rule: str, kind: str = "p") -> str:
    """A sentence with the rule behind it."""
    return f"<{kind}>{escape(sentence)}" + (f" <code>{escape(rule)}</code>" if rule else "") + f"</{kind[:2].strip()}>"


def _because(refusal: Refusal) -> str:
    return say(f"refusal {refusal.rule}", **refusal.facts)


@draws(Refusal)
def _refusal(refusal: Refusal) -> Picture:
    text = _because(refusal)
    return Picture(f"{text} [{refusal.rule}]", _said(text, refusal.rule, 'p class="warn"'))


@draws(Deal)
def _deal(deal: Deal) -> Picture:
    hands = [[Face(card) for card in Hand(hand)] for hand in deal.hands]
    return _table(deal.view(deal.turn or 0), hands, list(range(deal.players)), None)


@draws(View)
def _view(view: View) -> Picture:
    me, hands = view.seat, [[Face(None)] * count for count in view.counts]
    asked = view.hand if view.turn == me and view.phase == "play" else ()
    refusals = {card: why for card in asked if (why := view.refusal(str(card)))}
    hands[me] = [Face(c, "no", _because(refusals[c])) if c in refusals else Face(c) for c in view.hand]
    seats = [(me + away) % view.players for away in range(1, view.players + 1)]
    by_rule = {why.rule: why for why in reversed(refusals.values())}
    return _table(view, hands, seats, me, [_refusal(why) for why in reversed(by_rule.values())])


def _table(
    view: View, hands: list[list[Face]], seats: list[int], me: int | None, reasons: Sequence[Picture] = ()
) -> Picture:
    """Hands by seat, the trick, and the reasons of refused cards (the first one of each rule)."""
    lines, rows, scores = [f"{view.variant} · {_stage(view)}"], "", view.scores()
    for seat in seats:
        turn, count = seat == view.turn, len(hands[seat])
        tags = [say("ui turn")] * turn + [say("ui dealer")] * (seat == view.dealer)
        tags += [say("sheet points", count=scores[seat])] if len(scores) == view.players else []
        cards = [face.card for face in hands[seat] if face.card is not None]
        text = short(cards) if len(cards) == count else say("ui cards left", count=count)
        lines.append(f"{'▸' if turn else ' '} {_name(seat, me)}: {text} ({', '.join(tags)})")
        who = f'<div{" class=turn" * turn}><b>{escape(_name(seat, me))}</b><small>{", ".join(tags)}</small></div>'
        rows += f"{who}<div>{row(hands[seat])}</div>"
    title, trick = _trick(view)
    felt, told = "", []
    for seat, card, wins in trick:
        mark = say("ui winning") if wins else ""
        told.append(f"{_name(seat, me)} {short([card])}" + (f" ({mark})" if wins else ""))
        caption = f"<figcaption>{escape(_name(seat, me))}<small>{mark}</small></figcaption>"
        felt += f"<figure>{row([Face(card, 'win' if wins else '')], 1.4)}{caption}</figure>"
    if trick:
        lines.append(f"{title}: {', '.join(told)}")
        felt = f'<div class="felt"><b>{title}</b><div class="trick">{felt}</div></div>'
    head = f"<p><b>{escape(str(view.variant))}</b> · {escape(_stage(view))}</p>"
    notes = "".join(reason.html for reason in reasons)
    html = f'{head}<div class="table"><div class="seats">{rows}</div>{felt}</div>{notes}'
    return Picture("\n".join([*lines, *map(str, reasons)]), html)


def _stage(view: View) -> str:
    """Which deal, and how far it is."""
    number = getattr(view.match, "deal", 0) + 1
    if view.phase == "play":
        return say("prompt head", deal=number, trick=getattr(view, "number", 1))
    return f"{say('prompt head deal', deal=number)} · {say(f'phase {view.phase}')}"


def _trick(view: Any) -> tuple[str, list[tuple[int, Card, bool]]]:
    """The trick as it lies, or the one before it: who played what, and whether it wins."""
    trick, best = getattr(view, "trick", ()), getattr(view, "best", None)
    if trick:
        return say("ui trick"), [((view.leader + i) % view.players, card, card == best) for i, card in enumerate(trick)]
    last: list[tuple[int, Card, bool]] = []
    won = next((event for event in reversed(view.events) if event.kind == "TrickWon"), None)
    for event in view.events:
        if won and event.kind == "Played" and event.facts["card"] in won.facts["cards"]:
            last.append((event.facts["seat"], event.facts["card"], event.facts["card"] == won.facts["card"]))
    return say("ui last trick"), last if won and len(last) == len(won.facts["cards"]) else []


# ------------------------------------------------------------------------------------------------- stories and scores


def story(what: Deal | View | Iterable[Event]) -> Picture:
    """What happened, in sentences: of a deal, of a view as its seat may tell it, or of some events."""
    me = what.seat if isinstance(what, View) else None
    events = what.events if isinstance(what, Deal | View) else what
    told = list(_sentences(events, me))
    text = "\n".join(f"{sentence} [{rule}]" if rule else sentence for sentence, rule in told)
    return Picture(text, f"<ul>{''.join(_said(*line, 'li') for line in told)}</ul>")


def _sentences(events: Iterable[Event], me: int | None) -> Iterator[tuple[str, str]]:
    """Each event with its rule; the score is for `sheet` to tell."""
    for event in events:
        if event.kind != "Scored":
            id = f"event {event.kind} {event.rule}".strip()
            yield _spoken[0].say(id, me=me, **event.facts), event.rule


def sheet(what: Deal | View | Match) -> Picture:
    """The score: the lines of a deal, each with its rule and cards; of a match its deals and totals."""
    if isinstance(what, Match):
        return _match(what)
    me = what.seat if isinstance(what, View) else None
    rows: list[list[str]] = []
    for line in what.score_lines():
        cards = short(Hand(line.cards)) if line.cards else ""
        rows.append([_name(line.side, me), say(f"score {line.rule}", **line.facts), cards, _signed(line.points), line.rule])
    title = say("sheet this deal" if what.over else "sheet so far")
    total = [say("sheet total"), "", "", ", ".join(map(_signed, what.scores())), ""]
    return _tabled(title, [*rows, total], numbers=(3,), sums=True)


@draws(Match)
def _match(match: Match) -> Picture:
    rows = [["", *map(_name, match.sides)]]
    for number, counted in enumerate(match.history, 1):
        scores = ["–"] * len(match.sides) if counted.void else [_signed(score) for score in counted.scores]
        rows.append([say("sheet deal", deal=number), *scores])
    rows.append([say("sheet total"), *map(_signed, match.context.totals)])
    ends = [say(f"event {e.kind} {e.rule}", **e.facts) for e in (match.history[-1].settled.events if match.history else ())]
    return _tabled(f"{say('sheet title')} · {match.variant}", rows, range(1, len(rows[0])), True, " ".join(ends))


def _signed(number: int) -> str:
    return _spoken[0].fact(number)


def _tabled(title: str, rows: list[list[str]], numbers: Iterable[int], sums: bool, end: str = "") -> Picture:
    """Rows as a table, and as text in columns."""
    wide = [max(_cells(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines, html = [title], ""
    for number, cells in enumerate(rows):
        pads = [" " * (wide[i] - _cells(cell)) for i, cell in enumerate(cells)]
        padded = [pad + cell if i in numbers else cell + pad for i, (cell, pad) in enumerate(zip(cells, pads, strict=True))]
        lines.append("  ".join(padded).rstrip())
        inside = "".join(f"<td{' class=n' * (i in numbers)}>{escape(cell)}</td>" for i, cell in enumerate(cells))
        html += f"<tr{' class=sum' * (sums and number == len(rows) - 1)}>{inside}</tr>"
    closing = f"<p>{escape(end)}</p>" if end else ""
    return Picture("\n".join([*lines, end]).rstrip(), f"<p><b>{escape(title)}</b></p><table>{html}</table>{closing}")


def _cells(text: str) -> int:
    """How many columns a text takes in a terminal; a Japanese letter takes two."""
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text)
