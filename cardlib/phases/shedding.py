"""Shedding: get rid of the cards of one's hand, by laying them to rows that grow outwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cardlib.cards import ALL, SEATS, SUIT_MASKS, SUITS, Card, Hand, Seat, cards_of
from cardlib.deal import PLAYS, Move, Phase, Refusal, ScoreLine, View, banned
from cardlib.errors import BadInput, shortly
from cardlib.phases.tricks import deal_out
from cardlib.reading import card_set, disjoint, mapping, numbers, strings, suit, whole, written
from cardlib.rules import Ban, union
from cardlib.seeds import Random


class Shedding(Phase):
    """Each seat in turn lays a card of its hand, or takes a pile if none fits, or passes if no pile is left.

    There is a row for each suit: one of `openers` opens it, then it grows at both ends.  Everybody is dealt a `hand`
    of so many cards, the piles lie face down, so many cards in each (`sizes`); the openers among them go to the
    table when a pile is taken.  The deal keeps in `laid` the cards of the rows, in `piles` those of the piles (0:
    taken), and in `out` the seats without cards, in order.  At each exit those who are still in pay so much for each
    card (`payments`); the last one takes the rest of the piles first, and the deal is over.

    The bans say, verb by verb, when a move is refused; `rules` names the rule of what happens: `open` and `extend` a
    row, `take` a pile, its `openers`, to go on with the same `turn`, to `pass`, to be `out`, to be the `last`.
    """

    board = "rows"
    #: After a pile without openers: the turn is over; it goes on if a card fits; or until one fits.
    ENDS, GOES_ON, UNTIL_FITS = "one-pile", "one-pile-then-play", "until-playable"

    def __init__(
        self,
        name: str,
        openers: int,
        hand: int,
        sizes: Sequence[int],
        payments: Sequence[int],
        bans: Mapping[str, Iterable[Ban]],
        rules: Mapping[str, str],
        pickup: str = ENDS,
        single_last: bool = True,
    ) -> None:
        self.name = name
        self.openers, self.hand, self.sizes, self.payments = openers, hand, sizes, payments
        self.verbs = frozenset(bans)
        self.bans = {verb: tuple(some) for verb, some in bans.items()}
        self.rules, self.pickup, self.single_last = rules, pickup, single_last
        self.takes = tuple(Move("take", word=str(number)) for number in range(1, len(sizes) + 1))

    # -- what can be done

    def fitting(self, deal: Any) -> int:
        """The cards that fit now: those that open a row, and those next to an end of one."""
        laid: int = deal.laid
        fits: int = (self.openers | laid << 1 | laid >> 1) & deal.pack & (ALL ^ laid)
        return fits

    def takeable(self, deal: Any) -> list[int]:
        """The numbers of the piles that may be taken; perhaps single cards only after the others."""
        there = [number for number, pile in enumerate(deal.piles, 1) if pile]
        larger = [number for number in there if self.sizes[number - 1] > 1]
        return larger or there if self.single_last else there

    def legal(self, deal: Any) -> Sequence[Move]:
        plays = [PLAYS[card] for card in cards_of(deal.hands[deal.turn] & self.fitting(deal))]
        return tuple(move for move in (*plays, *self.takes, Move("pass")) if not self.refusal(deal, move))

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        return banned(self.bans[move.verb], deal, move)

    # -- what happens

    def push(self, deal: Any, move: Move) -> None:
        seat = SEATS[deal.turn]
        deal.turn = self.next_in(deal, seat)
        if move.verb == "play":
            self._lay(deal, seat, move.cards[0])
        elif move.verb == "take":
            self._take(deal, seat, int(move.word))
        else:
            deal.log("Passed", self.rules["pass"], {"seat": seat})

    def next_in(self, deal: Any, seat: int) -> int:
        """The next seat that is still in."""
        order = ((seat + step) % deal.players for step in range(1, deal.players + 1))
        found: int = next(other for other in order if other not in deal.out)
        return found

    def _lay(self, deal: Any, seat: Seat, card: Card) -> None:
        rule = self.rules["open" if card.mask & self.openers else "extend"]
        deal.hands[seat] ^= card.mask
        deal.laid |= card.mask
        deal.log("Laid", rule, {"seat": seat, "card": card, "suit": card.suit})
        if not deal.hands[seat]:
            self._leave(deal, seat)

    def _take(self, deal: Any, seat: Seat, number: int) -> None:
        pile = deal.piles[number - 1]
        openers = pile & self.openers
        deal.piles[number - 1] = 0
        deal.hands[seat] |= pile ^ openers
        deal.laid |= openers
        facts = {"seat": seat, "pile": number, "count": pile.bit_count(), "cards": Hand(pile)}
        deal.log("Took", self.rules["take"], facts, ("cards",), (seat,))
        if openers:
            facts = {"seat": seat, "cards": Hand(openers), "count": openers.bit_count()}
            deal.log("Jacks", self.rules["openers"], facts)
        elif self._goes_on(deal, seat):
            deal.turn = seat
            deal.log("Again", self.rules["turn"], {"seat": seat})

    def _goes_on(self, deal: Any, seat: int) -> bool:
        """After a pile without openers: whether it is still the same player's turn."""
        if self.pickup == self.ENDS:
            return False
        fits = deal.hands[seat] & self.fitting(deal)
        return bool(fits or (self.pickup == self.UNTIL_FITS and self.takeable(deal)))

    def _leave(self, deal: Any, seat: Seat) -> None:
        """A player is out; the others pay."""
        deal.out.append(seat)
        place = len(deal.out)
        deal.log("Out", self.rules["out"], {"seat": seat, "place": place})
        others = [other for other in SEATS[: deal.players] if other not in deal.out]
        last = len(others) == 1
        if last:
            self._take_rest(deal, *others)
        rule, payment = self.rules["last" if last else "out"], self.payments[place - 1]
        for other in others:
            count = deal.hands[other].bit_count()
            deal.enter([ScoreLine(other, payment * count, rule, 0, count)])
        if last:
            deal.finish()

    def _take_rest(self, deal: Any, seat: Seat) -> None:
        """The last player takes the piles that are left, whatever lies in them."""
        piles = [pile for pile in deal.piles if pile]
        cards = union([0, *piles])
        deal.piles[:] = [0] * len(self.sizes)
        deal.hands[seat] |= cards
        facts = {"seat": seat, "count": deal.hands[seat].bit_count(), "piles": len(piles), "cards": Hand(cards)}
        deal.log("Last", self.rules["last"], facts, ("cards",), (seat,))

    # -- the cards, records and positions

    def shuffled(self, seed: int, pack: int, players: int, eldest: int) -> dict[str, Any]:
        """The dealt cards of a seed: the hands one card at a time, then the piles."""
        cards = Random(seed, "cards").shuffled(list(cards_of(pack)))
        piles, rest = [], cards[players * self.hand :]
        for size in self.sizes:
            piles.append(written(Hand.of(rest[:size])))
            rest = rest[size:]
        return {"hands": deal_out(cards[: players * self.hand], players, eldest), "piles": piles}

    def check_whole(self, deal: Any) -> None:
        """Check the cards of a whole deal, and lay out the piles."""
        deal.piles = self._read_piles(deal.dealt.get("piles"), deal.pack)
        disjoint(hands=deal.hands, piles=deal.piles)
        if any(hand.bit_count() != self.hand for hand in deal.hands):
            raise BadInput("hands", f"hands must hold {self.hand} cards each", key="hands", count=self.hand)
        deal.dealt["piles"] = list(map(written, deal.piles))

    def _read_piles(self, value: object, pack: int, some_gone: bool = False) -> list[int]:
        """The piles of a record; of a position, where some may be gone."""
        piles = [card_set("piles", pile, pack) for pile in strings("piles", value, len(self.sizes))]
        for pile, size in zip(piles, self.sizes, strict=True):
            if pile.bit_count() not in (size, 0 if some_gone else size):
                raise BadInput("piles", f"piles must hold {', '.join(map(str, self.sizes))} cards", key="piles")
        return piles

    def place(self, deal: Any, position: Mapping[str, Any]) -> dict[str, Any]:
        """Take a position at the beginning of a turn; `BadInput` names the key, or the cards that are missing."""
        deal.laid = read_rows(position.get("rows", {}), self.openers, deal.pack)
        deal.piles = self._read_piles(position.get("piles"), deal.pack, some_gone=True)
        seen = disjoint(hands=deal.hands, piles=deal.piles, rows=[deal.laid])
        if seen != deal.pack:
            lost = Hand(deal.pack & (ALL ^ seen))
            raise BadInput("missing", f"missing in this position: {lost}", cards=lost)
        deal.out = list(numbers("out", position.get("out", ()), None, range(deal.players)))
        empty = [seat for seat, hand in enumerate(deal.hands) if not hand]
        if sorted(deal.out) != empty or len(empty) > deal.players - 2:
            text = f"out must name the seats whose hands are empty, in the order of their exits: {empty}"
            raise BadInput("out", text, key="out")
        inside = [seat for seat in range(deal.players) if seat not in empty]
        deal.turn = whole("turn", position.get("turn", self.next_in(deal, deal.dealer)), inside)
        piles, laid = list(map(written, deal.piles)), written_rows(deal.laid, self.openers, deal.pack)
        return {**position, "piles": piles, "rows": laid}


class SheddingView(View):
    """What a seat sees of such a deal: the rows, how many cards lie in each pile, and who is out."""

    _deal: Any

    @property
    def rows(self) -> list[Hand]:
        return [Hand(self._deal.laid & suit) for suit in SUIT_MASKS]

    @property
    def piles(self) -> list[int]:
        return [pile.bit_count() for pile in self._deal.piles]

    @property
    def out(self) -> list[int]:
        return list(self._deal.out)


# ------------------------------------------------------------- what the bans ask: the facts of the refusal, or None


def held(deal: Any) -> Hand:
    """The cards of the hand on turn that fit."""
    return Hand(deal.hands[deal.turn] & deal.phase.fitting(deal))


def not_held(deal: Any, move: Move) -> dict[str, Any] | None:
    """The card is in another hand."""
    return None if deal.hands[deal.turn] & move.mask else {"card": move.cards[0]}


def no_row(deal: Any, move: Move) -> dict[str, Any] | None:
    """The row of the card's suit is not open, and it does not open one."""
    card, openers = move.cards[0], deal.phase.openers
    if move.mask & openers or deal.laid & card.suit.mask:
        return None
    return {"card": card, "suit": card.suit, "jack": cards_of(openers & card.suit.mask)[0], "do": held(deal)}


def not_next(deal: Any, move: Move) -> dict[str, Any] | None:
    """The card is not next to an end of its row."""
    card, fitting = move.cards[0], deal.phase.fitting(deal)
    if move.mask & fitting:
        return None
    return {"card": card, "suit": card.suit, "next": Hand(fitting & card.suit.mask), "do": held(deal)}


def can_lay(deal: Any, move: Move) -> dict[str, Any] | None:
    """A card of the hand fits."""
    return {"move": str(move), "do": held(deal)} if held(deal) else None


def pile_gone(deal: Any, move: Move) -> dict[str, Any] | None:
    """Somebody has taken the pile."""
    return None if deal.piles[int(move.word) - 1] else {"pile": int(move.word)}


def pile_closed(deal: Any, move: Move) -> dict[str, Any] | None:
    """The pile must wait until others are gone."""
    first = deal.phase.takeable(deal)
    return None if int(move.word) in first else {"pile": int(move.word), "count": len(first)}


def can_take(deal: Any, move: Move) -> dict[str, Any] | None:
    """There is a pile to take."""
    piles = deal.phase.takeable(deal)
    return {"piles": piles} if piles else None


# ----------------------------------------------------------------------------------------- rows, as a record has them


def runs(lane: int, openers: int) -> dict[str, int]:
    """Every row that a suit can make around the card that opens it, by the ranks of its ends: ``9-Q``."""
    cards = cards_of(lane)
    around = [(low, high) for low in cards for high in cards if low.mask <= lane & openers <= high.mask]
    return {f"{str(low)[0]}-{str(high)[0]}": lane & (2 * high.mask - low.mask) for low, high in around}


def read_rows(value: object, openers: int, pack: int) -> int:
    """The cards of the rows of a record: ``{"H": "9-Q", "S": "J-J"}``."""
    laid = 0
    for letter, text in mapping("rows", value).items():
        lane = suit("rows", letter).mask & pack
        row = runs(lane, openers).get(text.upper().replace("10", "T"), 0) if isinstance(text, str) else 0
        if not row or laid & lane:
            raise BadInput("rows", f"rows: {shortly(letter)} cannot be {shortly(text)}", key="rows")
        laid |= row
    return laid


def written_rows(laid: int, openers: int, pack: int) -> dict[str, str]:
    """The rows as a record writes them."""
    lanes = [(letter, lane & pack) for letter, lane in zip(SUITS, SUIT_MASKS, strict=True) if laid & lane]
    return {
        letter: next(ends for ends, row in runs(lane, openers).items() if row == laid & lane) for letter, lane in lanes
    }
