"""Playing tricks: who may play what, who wins, who leads next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, ClassVar

from cardlib.cards import (
    ALL,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKER,
    PACK,
    SEATS,
    SPADES,
    SUIT_MASKS,
    Card,
    Hand,
    Seat,
    Side,
    Suit,
    cards_of,
)
from cardlib.deal import PLAYS, Deal, Event, Move, Phase, Refusal, ScoreLine, Settled, View, played
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.reading import card_set, cards, disjoint, mapping, numbers, one_card, strings, truth, whole, written
from cardlib.rules import Chain, Obligation, Rule, ScoreRule, Scoring, Table, WinnerClass, deciding, refusing, union
from cardlib.seeds import Random


class _Plays(dict[int, tuple[Move, ...]]):
    """The plays of the cards of one suit, kept by their mask."""

    def __missing__(self, mask: int) -> tuple[Move, ...]:
        plays = self[mask] = tuple(PLAYS[card] for card in cards_of(mask))
        return plays


_PLAYS = _Plays()
_CLUBS_JOKER = CLUBS | JOKER.mask


def _several(mask: int) -> tuple[Move, ...]:
    """The plays of cards of several suits."""
    return _PLAYS[mask & SPADES] + _PLAYS[mask & HEARTS] + _PLAYS[mask & DIAMONDS] + _PLAYS[mask & _CLUBS_JOKER]


#: The suit that a card sets when it is the first of a trick, as a mask: the joker sets none.
LED = {card: ALL if card == JOKER else card.suit.mask for card in (*cards_of(PACK), JOKER)}


def leading_card(trick: Sequence[Card]) -> Card:
    """The card whose suit is the suit led: the first one that has a suit (the joker, if there is no other card)."""
    return trick[0] if trick[0] != JOKER or len(trick) == 1 else trick[1]


class Tricks(Phase):
    """Each seat in turn plays a card to the trick; the winner leads to the next one.

    `note(t, card)` notes on the table what a game asks of the cards of a trick besides which they are (the order in
    which they came), before each card; written like a rule function.
    """

    def __init__(
        self,
        obligations: Iterable[Obligation],
        winners: Iterable[WinnerClass],
        note: Callable[[Any, Any], None] | None = None,
    ) -> None:
        self.name = "play"
        self.verbs = frozenset({"play"})
        self.chain = Chain(obligations)
        self.follow_masks = self.chain.masks[False]
        self.winners = tuple(winners)
        self.note = note

    def bind(self, deal: TrickDeal) -> None:
        """Fetch the obligations of the coming plays: whether one leads, or the trick is another, has changed."""
        deal.bound = self.chain.masks[deal.table.leading][deal.table.number == 1]

    def choice(self, deal: TrickDeal) -> int:
        """The legal cards as a mask: `rules.choices`, for one table only."""
        t = deal.table
        choice: int
        t.hand = choice = deal.hands[deal.turn]  # type: ignore[index]  # in a phase somebody is on turn
        for mask in deal.bound:
            choice = choice & mask(t) or choice
        deal.choice = choice
        return choice

    def legal(self, deal: TrickDeal) -> Sequence[Move]:
        choice = deal.choice or self.choice(deal)
        return _PLAYS.get(choice) or _several(choice)  # who follows has one suit to choose from

    def refusal(self, deal: TrickDeal, move: Move) -> Refusal | None:
        choice = deal.choice or self.choice(deal)
        if choice & move.mask:
            return None
        t, card = deal.table, move.cards[0]
        if not t.hand & move.mask:
            return Refusal(deal.not_in_hand, {"card": card})
        dropped_by = refusing(self.chain.obligations[t.leading][t.number == 1], t, card)
        assert dropped_by  # a card of the hand that is not legal was dropped by somebody
        facts = {"card": card, "do": Hand(choice)}
        if t.trumps:
            facts["trump"] = Suit(SUIT_MASKS.index(t.trumps))
        if not t.leading:
            lead = leading_card(deal.trick)
            facts |= {"lead": lead, "led": lead.suit, "best": self.best(deal)}
        return Refusal(dropped_by.rule, facts)

    def best(self, deal: TrickDeal) -> Card:
        """The card that wins the trick as it lies."""
        return Card(deciding(self.winners, deal.table)[0])

    def push(self, deal: TrickDeal, move: Move) -> None:
        t, trick, card = deal.table, deal.trick, move.cards[0]
        seat: int = deal.turn  # type: ignore[assignment]
        if deal.special:
            self._prepare(deal, move)
        deal.hands[seat] ^= move.mask
        trick.append(card)
        t.trick |= move.mask
        deal.choice = 0
        if t.leading:
            t.leading, t.led = False, LED[card]
            deal.bound = self.follow_masks[t.number == 1]
        if deal.logging:
            deal.events.append(played(seat, card))
        if len(trick) < deal.players:
            deal.turn = (seat + 1) % deal.players
        else:
            self._take(deal)

    def _prepare(self, deal: TrickDeal, move: Move) -> None:
        """What only some games have: notes on the cards of a trick, a joker that was led, a partner who plays next."""
        t, trick = deal.table, deal.trick
        if self.note:
            t.player = deal.turn
            self.note(t, move.mask)
        if trick and t.led == ALL:  # so far only the joker
            t.led = LED[move.cards[0]]
        if trick and deal.paired:
            t.partner = trick[-1].mask

    def _take(self, deal: TrickDeal) -> None:
        t, trick = deal.table, deal.trick
        taken: int = t.trick
        best, why = deciding(self.winners, t)
        place = trick.index(best)  # type: ignore[arg-type]  # a card is equal to its number
        winner = (deal.leader + place) % deal.players
        deal.taken[winner] |= taken
        if deal.paired:
            t.taken[winner % len(t.taken)] |= taken
        deal.last_trick, deal.last_leader, deal.winner = trick, deal.leader, winner
        if deal.logging:
            card, led = trick[place], leading_card(trick).suit
            facts = {"seat": SEATS[winner], "card": card, "led": led, "cards": Hand(taken), "number": t.number}
            facts |= deal.won_facts(card)
            deal.events.append(Event("TrickWon", why, facts))
        deal.trick, t.trick, t.partner, t.number = [], 0, 0, t.number + 1
        deal.trick_taken(winner, taken)


def deal_out(cards: Sequence[Card], players: int, eldest: int, packet: int = 1) -> list[str]:
    """The hands by seat, as a record writes them: packets of so many cards, dealt in turn from eldest hand; what is not
    enough for a round of them is dealt one card at a time."""
    hands, a_round = [0] * players, players * packet
    singly = len(cards) - len(cards) % a_round
    for i, card in enumerate(cards):
        turn = i // packet if i < singly else i
        hands[(eldest + turn) % players] |= card.mask
    return [written(hand) for hand in hands]


#: The score of a deal that does not count.
NOTHING = Scoring(())


def scored(
    scoring: Scoring, t: Table, sides: Sequence[Seat | Side], rules: Iterable[ScoreRule] | None = None
) -> list[ScoreLine]:
    """The score lines of a table, side by side."""
    lines = []
    scoring.find(t)
    for rule in scoring.rules if rules is None else rules:
        points = rule.points(t)
        for side, shown in enumerate(rule.shown(t) if rule.shown else points):
            if shown:
                value = rule.value(t)[side] if rule.value else None
                lines.append(ScoreLine(sides[side], points[side], rule.rule, t.taken[side] & rule.cards, value))
    lines.sort(key=itemgetter(0))
    return lines


class TrickDeal(Deal):
    """A deal whose heart is tricks.

    Besides what every deal has: `trick` (cards on the table in order), `leader`, `taken` (masks by seat), `table` (the
    rules' view, with the number of the trick and the cards taken by side), `left_over` (the cards that nobody was
    dealt, as long as they lie face down), and of the last complete trick `last_trick`, `last_leader`, `winner`.  A game
    says in `tricks` the phase with its chain, in `scoring` what counts, in `start` what comes before the first lead, in
    `trick_taken` what follows a trick and in `played_out` what follows the last one.
    """

    position_keys: ClassVar[frozenset[str]] = frozenset({"leader", "trick", "trick_number", "last_trick", "taken"})
    __slots__ = (
        "_final_lines", "bound", "choice", "ends_here", "last_leader", "last_trick", "leader", "left_over", "pack",
        "paired", "put_down", "scored", "scoring", "special", "table", "taken", "told", "trick", "tricks",
        "winner",
    )  # fmt: skip
    #: The rule that a card must come from the own hand.
    not_in_hand: ClassVar[str]
    tricks: Tricks
    scoring: Scoring
    pack: int
    new_table: ClassVar[type[Table]] = Table
    #: What has been taken are whole tricks, nothing else.
    whole_tricks: ClassVar[bool] = False
    #: The key of a record for the cards that nobody was dealt.
    left_over_key: ClassVar[str] = "left_over"

    # -- the cards

    @classmethod
    def hand_size(cls, variant: Variant) -> int:
        """How many cards each seat is dealt."""
        return cls.pack_of(variant).bit_count() // variant.players

    @classmethod
    def shuffled(cls, variant: Variant, seed: int, dealer: int) -> dict[str, Any]:
        """The cards are dealt one at a time from eldest hand; the last ones are left over."""
        players = variant.players
        cards = Random(seed, "cards").shuffled(list(cards_of(cls.pack_of(variant))))
        count = players * cls.hand_size(variant)
        dealt: dict[str, Any] = {"hands": deal_out(cards[:count], players, dealer + 1)}
        return dealt | {cls.left_over_key: written(Hand.of(cards[count:]))} if len(cards) > count else dealt

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.pack = self.pack_of(self.variant)
        self.trick: list[Card] = []
        self.leader = self.eldest
        self.taken = [0] * self.players
        sides = self.game.sides(self.players)
        #: Partners play together: the cards taken count by side.
        self.paired = sides < self.players
        #: A play takes more than laying down a card.
        self.special = self.paired or bool(self.tricks.note) or bool(self.pack & JOKER.mask)
        taken = [0] * sides if self.paired else self.taken
        self.table = self.new_table(taken=taken, winners=self.tricks.winners)
        #: Of the cards taken those that lie face down, known only to the seat that put them there.
        self.put_down = [0] * self.players
        #: The legal cards, once asked for; 0 when something has changed.
        self.choice = 0
        self.bound: tuple[Rule, ...] = ()
        self.last_trick: list[Card] = []
        self.last_leader = 0
        self.winner: int | None = None
        #: Whether the excerpt ends with this trick although cards are left, or just stops (None: as the hands say).
        self.ends_here: bool | None = None
        #: The lines that were scored at once, trick by trick.
        self.scored: list[ScoreLine] = []
        #: The lines that were told with a trick, by its number.
        self.told: dict[int, list[ScoreLine]] = {}
        self._final_lines: list[ScoreLine] | None = None
        hands = strings("hands", dealt.get("hands"), self.players)
        self.hands = [card_set("hands", hand, self.pack) for hand in hands]
        self.dealt = {**dealt, "hands": [written(hand) for hand in self.hands]}
        self.left_over = self._read_left_over(dealt)
        if "position" in dealt:
            self.dealt["position"] = self.place(mapping("position", dealt["position"], self.position_keys))
        else:
            self.check_whole()

    def _read_left_over(self, dealt: Mapping[str, Any]) -> int:
        """The cards that nobody was dealt: all of them, in a position perhaps fewer."""
        key, size = self.left_over_key, self.left_over_size
        left = card_set(key, dealt.get(key, ""), self.pack)
        if left.bit_count() > size or (left.bit_count() < size and "position" not in dealt):
            raise BadInput("kitty", f"{key} must hold {size} cards", key=key, count=size)
        if key in dealt:
            self.dealt[key] = written(left)
        return left

    @property
    def left_over_size(self) -> int:
        """How many cards nobody is dealt."""
        return self.pack.bit_count() - self.players * self.hand_size(self.variant)

    def check_whole(self) -> None:
        """Check the cards of a whole deal."""
        size = self.hand_size(self.variant)
        disjoint(hands=self.hands, **{self.left_over_key: [self.left_over]})
        if any(hand.bit_count() != size for hand in self.hands):
            raise BadInput("hands", f"hands must hold {size} cards each", key="hands", count=size)

    def turned(self, given: object, held: bool) -> Card:
        """The card shown at the deal (the key `turnup` of a record); `held`, the dealer must still have it."""
        card = one_card("turnup", given, self.pack)
        if held and not self.hands[self.dealer] & card.mask:
            raise BadInput("turnup", f"turnup: {card} is not in the dealer's hand", key="turnup")
        return card

    def copy(self) -> Any:
        twin = super().copy()
        twin.table.taken = self.table.taken.copy() if self.paired else twin.taken
        return twin

    def by_side(self, masks: Sequence[int]) -> list[int]:
        """Masks by seat, put together by side."""
        sides = self.game.sides(self.players)
        return [union(masks[side::sides]) for side in range(sides)]

    # -- positions

    def place(self, position: Mapping[str, Any]) -> dict[str, Any]:
        """Take the shared keys of a position and return it as it is written; `BadInput` names the key."""
        t = self.table
        winners = numbers("trick_winners", position.get("trick_winners", ()), None, range(self.players))
        self.winner = winners[-1] if winners else None
        leader = self.first_leader() if self.winner is None else self.winner
        self.leader = whole("leader", position.get("leader", leader), winners[-1:] or range(self.players))
        self.trick = list(cards("trick", position.get("trick", ""), self.pack))
        if len(self.trick) >= self.players:
            raise BadInput("trick-full", f"the trick holds {len(self.trick)} cards, at most {self.players - 1}")
        t.trick = int(Hand.of(self.trick))
        taken = strings("taken", position.get("taken", [""] * self.players), self.players)
        self.taken[:] = [card_set("taken", some, self.pack) for some in taken]
        t.taken[:] = self.by_side(self.taken)
        disjoint(hands=self.hands, taken=self.taken, trick=[t.trick], **{self.left_over_key: [self.left_over]})
        self._check_sizes()
        if self.whole_tricks and any(some.bit_count() % self.players for some in self.taken):
            raise BadInput("taken", f"taken must hold whole tricks of {self.players} cards", count=self.players)
        count = sum(map(int.bit_count, self.taken))
        default = max(2, count // self.players + 1) if count else 1
        if "trick_winners" in position:
            default = len(winners) + 1
        allowed = [default] if "trick_winners" in position else range(1, 100)
        t.number = whole("trick_number", position.get("trick_number", default), allowed)
        if "last_trick" in position:
            self.ends_here = truth("last_trick", position["last_trick"])
        if self.trick:
            t.leading, t.led = False, LED[leading_card(self.trick)]
            if t.taken is not self.taken and len(self.trick) > 1:
                t.partner = self.trick[-2].mask
        as_written = {"trick": " ".join(map(str, self.trick)), "taken": [written(some) for some in self.taken]}
        return {key: as_written.get(key, value) for key, value in position.items()}

    def first_leader(self) -> int | None:
        """Who leads in a position that does not say so; None where it must."""
        return self.eldest

    def _check_sizes(self) -> None:
        """All hands of one size, one card fewer for those who have played to the trick."""
        sizes = [hand.bit_count() for hand in self.hands]
        for i in range(len(self.trick)):
            sizes[(self.leader + i) % self.players] += 1
        if len(set(sizes)) != 1 or not sizes[0]:
            raise BadInput("sizes", "hands of unequal size, allowing for the cards in the trick", key="hands")

    # -- the flow

    def begin(self) -> None:
        if "position" not in self.dealt:
            self.start()
        elif self.trick:
            self.go_on()
        else:
            self.lead(self.leader)

    def start(self) -> None:
        """A whole deal begins."""
        self.first_lead()

    def first_lead(self) -> None:
        """Whoever holds the card that opens the play leads, or eldest hand."""
        card = self.table.opening(self.options, union(self.hands))
        self.lead(next((seat for seat, hand in enumerate(self.hands) if hand & card), self.eldest))

    def lead(self, seat: int) -> None:
        """`seat` leads to the next trick."""
        t = self.table
        self.leader = self.turn = seat
        self.choice = 0
        t.leading, t.led = True, ALL
        self.phase = self.tricks
        self.tricks.bind(self)

    def go_on(self) -> None:
        """The next seat follows to the trick of a position."""
        self.turn = (self.leader + len(self.trick)) % self.players
        self.phase = self.tricks
        self.tricks.bind(self)

    def won_facts(self, best: Card) -> dict[str, Any]:
        """What the game's sentence on a trick names besides."""
        return {}

    @classmethod
    def features(cls, trick: Sequence[Card]) -> tuple[bool, ...]:
        """What makes it hard to say who wins a trick, where it is more than suits and ranks."""
        return ()

    @property
    def trump(self) -> Suit:
        """The trump suit, where there is one."""
        return Suit(SUIT_MASKS.index(self.table.trumps))

    @property
    def last(self) -> bool:
        """The trick that was just taken is the last one."""
        return bool(self.ends_here) or not any(self.hands)

    def trick_taken(self, winner: int, taken: int) -> None:
        """What follows a trick."""
        self.next_trick(winner)

    def next_trick(self, winner: int) -> None:
        """The winner of a trick leads to the next one, if there is one."""
        if any(self.hands) and not self.ends_here:
            self.lead(winner)
        elif self.ends_here is False:
            self.stop()
        else:
            self.played_out(winner)

    def played_out(self, winner: int) -> None:
        """What follows the last trick: the score."""
        self.finish()

    def stop(self) -> None:
        """No more moves."""
        self.turn = None
        self.phase = None

    def finish(self) -> None:
        """The deal is over and scored."""
        self.stop()
        self.finished = self.table.ended = True
        if self.logging:
            self._tell(self.untold_lines())
            self.events += self.settled.events

    def take_left_over(self, winner: int, rule: str) -> int:
        """The left-over cards go to the winner of a trick, before all eyes."""
        cards, self.left_over = self.left_over, 0
        self.taken[winner] |= cards
        side = self.side_of(winner)
        if self.paired:
            self.table.taken[side] |= cards
        facts = {"seat": Seat(winner), "side": side, "count": cards.bit_count(), "cards": Hand(cards)}
        self.log("Kitty", rule, facts)
        return cards

    def annul(self) -> None:
        """The deal does not count: nothing is scored, and the same dealer deals again."""
        self.scoring, self.finished = NOTHING, True
        self.stop()

    def settle(self) -> Settled:
        return Settled(self.match, None, ()) if self.scoring is NOTHING else super().settle()

    def untold_lines(self) -> list[ScoreLine]:
        """What the end of the deal has to tell of the score: what was not told trick by trick."""
        told = {line.rule for lines in self.told.values() for line in lines}
        return [line for line in self._lines(self.table) if line.rule not in told]

    def tell_trick(self, lines: list[ScoreLine]) -> None:
        """Score what the trick just taken brings; or only tell it, if the table knows it, too."""
        self.told[self.table.number - 1] = lines
        if self.scoring.at_once:
            self.enter(lines)
        elif self.logging:
            self._tell(lines)

    def score_at_once(self, cards: int, side: int) -> None:
        """Score what these cards bring to a side as soon as it has taken them."""
        self.enter(self.lines_of(cards, side))

    def enter(self, lines: Sequence[ScoreLine]) -> None:
        """Score these lines at once."""
        self.scored += lines
        if self.logging:
            self._tell(lines)

    def _tell(self, lines: Iterable[ScoreLine]) -> None:
        self.events += [Event("Scored", line.rule, line.facts) for line in lines]

    # -- the score

    def score_lines(self) -> list[ScoreLine]:
        if not self.finished:
            return self._all_lines(self.table)
        if self._final_lines is None:
            self._final_lines = self._all_lines(self.table)
        return self._final_lines.copy()

    def _all_lines(self, t: Table) -> list[ScoreLine]:
        """What was scored at once and what the table scores, side by side."""
        return sorted(self.scored + self._lines(t), key=itemgetter(0))

    def _lines(self, t: Table, rules: Iterable[ScoreRule] | None = None) -> list[ScoreLine]:
        """The lines of a table, side by side."""
        return scored(self.scoring, t, self.game.side_names(self.players), rules)

    def lines_of(self, cards: int, side: int) -> list[ScoreLine]:
        """The score lines that these cards alone make for a side while the deal goes on."""
        t = self.table.copy()
        t.ended = False
        t.taken = [cards if taker == side else 0 for taker in range(len(t.taken))]
        return self._lines(t, self.scoring.at_once or None)

    def trick_lines(self, event: Event) -> list[ScoreLine]:
        """The score lines that one trick (a TrickWon) has brought, to whomever."""
        told = self.told.get(event.facts["number"])
        return self.lines_of(event.facts["cards"], self.side(event.facts["seat"])) if told is None else told

    def receiver(self, seat: int) -> int:
        """Who gets the points of the tricks of `seat`."""
        return seat

    @property
    def at_stake(self) -> int | None:
        """What the current trick brings by its number alone; None where the number does not matter."""
        return None

    @property
    def lowest(self) -> int:
        """The lowest cards of the current trick, else of the last one, where it matters which they are."""
        return 0

    @property
    def stage(self) -> int:
        return self.table.number

    def seen_taken(self, seat: int) -> list[int]:
        """The cards taken, by seat, as far as `seat` has seen them."""
        if self.table.ended:
            return self.taken.copy()
        hidden = [0 if taker == seat else cards for taker, cards in enumerate(self.put_down)]
        return [taken & (ALL ^ cards) for taken, cards in zip(self.taken, hidden, strict=True)]

    def seen_table(self, seat: int) -> Any:
        """The rules' view of the table with the hand of `seat`, without what is hidden from it."""
        t = self.table.copy()
        t.hand = self.own_hand(seat)
        t.taken = self.by_side(self.seen_taken(seat))
        return t

    def seen_lines(self, seat: int) -> list[ScoreLine]:
        return self._all_lines(self.seen_table(seat))

    def view(self, seat: int) -> TrickView:
        return TrickView(self, seat)


class TrickView(View):
    """What a seat sees of a deal with tricks: also the trick, and the cards taken that have been seen."""

    _deal: TrickDeal

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the current trick, from the leader."""
        return tuple(self._deal.trick)

    @property
    def leader(self) -> int:
        return self._deal.leader

    @property
    def number(self) -> int:
        """The number of the current trick, from 1."""
        return self._deal.table.number

    @property
    def led(self) -> Suit | None:
        """The suit led; none as long as nothing but the joker lies there."""
        lead = leading_card(self._deal.trick) if self._deal.trick else JOKER
        return None if lead == JOKER else lead.suit

    @property
    def best(self) -> Card | None:
        """The card that wins the trick as it lies."""
        return self._deal.tricks.best(self._deal) if self._deal.trick else None

    @property
    def taken(self) -> list[Hand]:
        """The cards each seat has taken, as far as this seat has seen them."""
        return [Hand(mask) for mask in self._deal.seen_taken(self.seat)]

    @property
    def table(self) -> Any:
        """The rules' view of the table with this seat's own hand, for preferences; without what is hidden."""
        return self._deal.seen_table(self.seat)
