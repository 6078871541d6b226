"""Pictures in notebooks: each has a text twin, hides what a seat may not know, and needs nothing from elsewhere."""

import re
from html.parser import HTMLParser

import pytest

import cardlib
from cardlib.cards import JOKER, Card, Hand, cards_of, painters
from cardlib.play.bots import simple
from cardlib.text import TextError, messages
from cardlib.ui import draw

SHOWN = re.compile(r"[♠♥♦♣](?:10|[2-9AKQJ])")
VOID = {"rect", "path"}


@pytest.fixture(autouse=True)
def english():
    draw.language("en")
    yield
    draw.language("en")


def bundle(thing):
    """What a notebook gets to show of an object."""
    return next(painters[kind] for kind in type(thing).__mro__ if kind in painters)(thing)


def dealt(seed=17, moves=0, variant="hearts"):
    """A deal after some moves of simple bots."""
    deal = cardlib.deal(variant, seed=seed)
    for _ in range(moves):
        deal.play(simple(deal.view(deal.turn)).move)
    return deal


def contracted(contract, moves=6, seed=3):
    """A deal of Quodlibet under a contract of its third round."""
    match = {"round": 3} | ({"remaining": ["snack"]} if contract == "snack" else {})
    deal = cardlib.deal("quodlibet", seed=seed, match=match)
    deal.play(f"contract {contract}")
    for _ in range(moves):
        deal.play(simple(deal.view(deal.turn)).move)
    return deal


def match_played(variant="hearts(end_score=20)"):
    match = cardlib.Match(cardlib.variant(variant), seed=17)
    while not match.over:
        deal = match.deal()
        while not deal.over:
            deal.play(simple(deal.view(deal.turn)).move)
        match.add(deal)
    return match


THINGS = {
    "card": lambda: Card.parse("QS"),
    "joker": lambda: JOKER,
    "hand": lambda: Hand.parse("QS TH 2C"),
    "no card": lambda: Hand(0),
    "refusal": lambda: dealt(moves=4).refusal("AH"),
    "deal": lambda: dealt(),
    "deal in play": lambda: dealt(moves=14),
    "finished deal": lambda: dealt(moves=56),
    "annulled or not": lambda: dealt(variant="hearts(players=3,leftover=pickup-first-trick)", moves=6),
    "view": lambda: dealt(moves=14).view(1),
    "view on turn": lambda: dealt(moves=9).view(dealt(moves=9).turn),
    "new match": lambda: cardlib.Match(cardlib.variant("hearts"), seed=17),
    "match": match_played,
    "story": lambda: draw.story(dealt(moves=30)),
    "story of a view": lambda: draw.story(dealt(moves=30).view(2)),
    "sheet": lambda: draw.sheet(dealt(moves=56)),
    "sheet of a view": lambda: draw.sheet(dealt(moves=30).view(2)),
    "cards on the table": lambda: dealt(variant="scopone", moves=6),
    "cards to capture": lambda: dealt(variant="scopone", moves=6).view(2),
    "unknown hand": lambda: contracted("open-trousers").view(2),
    "rows and piles": lambda: contracted("snack").view(1),
    "counted piles": lambda: draw.sheet(dealt(variant="scopone", moves=36)),
}


class Elements(HTMLParser):
    """The elements of a picture; they must be closed in the order in which they were opened."""

    def __init__(self, html):
        super().__init__()
        self.open, self.found, self.titles = [], [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in VOID
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "title":
            self.titles.append(data)

    def of(self, tag, kind=""):
        """The attributes of all elements of a kind."""
        found = [attrs for name, attrs in self.found if name == tag]
        return [attrs for attrs in found if kind in (attrs.get("class") or "").split()] if kind else found


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", THINGS)
def test_every_picture_is_whole_small_and_still(name, lang):
    draw.language(lang)
    thing = THINGS[name]()
    made = bundle(thing)
    assert made == bundle(thing) == bundle(THINGS[name]())
    assert set(made) == {"text/plain", "text/html"}
    assert made["text/plain"]
    assert " at 0x" not in made["text/plain"] + made["text/html"]
    elements = Elements(made["text/html"])
    assert ("div", {"class": "cards-drawn", "lang": lang}) in elements.found
    assert not {"script", "img", "link", "iframe", "a"} & {tag for tag, _ in elements.found}
    assert not re.search(r"https?:|url\(|@import|javascript:|\bon\w+=", made["text/html"])
    for svg in elements.of("svg"):
        assert svg["role"] == "img"
        assert svg["aria-label"]
    assert len(made["text/html"]) < 20_000


@pytest.mark.parametrize("players", range(3, 9))
def test_every_table_has_its_seats(players):
    deal = dealt(variant=f"hearts(players={players})", moves=players + 2)
    for thing in (deal, deal.view(players - 1)):
        made = bundle(thing)
        assert len(Elements(made["text/html"]).of("div", "seat")) == players
        assert made["text/plain"].count("▸") == 1


def test_cards_are_named_in_words_in_the_language_of_the_reader():
    hand = Hand.parse("QS TH")
    assert Elements(bundle(hand)["text/html"]).of("svg")[0]["aria-label"] == "Queen of spades, 10 of hearts"
    draw.language("ja")
    assert Elements(bundle(hand)["text/html"]).of("svg")[0]["aria-label"] == "スペードのクイーン、ハートの10"
    assert bundle(hand)["text/plain"] == "♠Q ♥10"


def test_an_unknown_language_changes_nothing():
    with pytest.raises(TextError, match="fr"):
        draw.language("fr")
    assert draw.speaking().lang == "en"


@pytest.mark.parametrize("seed", range(12))
def test_a_view_shows_no_card_that_its_seat_may_not_know(seed):
    deal = dealt(seed, moves=seed * 5)
    seen = Hand.of({event.facts["card"] for event in deal.events if event.kind == "Played"})
    for seat in range(deal.players):
        view = deal.view(seat)
        told = [event.facts.get("cards", ()) for event in view.events if event.kind in ("Gave", "Received")]
        known = int(seen) | int(view.hand)
        for cards in told:
            known |= Hand.of(cards)
        names = set(draw.short(cards_of(known)).split())
        for thing in (view, draw.story(view), draw.sheet(view)):
            made = bundle(thing)
            assert set(SHOWN.findall(made["text/plain"] + made["text/html"])) <= names
        drawn = len(view.hand) + len(deal.trick or deal.last_trick)
        assert len(Elements(bundle(view)["text/html"]).of("g")) == drawn


def test_hands_that_lie_open_are_drawn_and_ones_own_is_not():
    deal = contracted("open-trousers")
    text = bundle(deal.view(2))["text/plain"].split("Trick:")[0]
    assert {str(card) for card in Hand(deal.hands[2])}.isdisjoint(cards_in(text))
    others = Hand(sum(deal.hands[seat] for seat in (0, 1, 3)))
    assert cards_in(text) == {str(card) for card in others}
    assert "You: 6 cards" in text or "You: 7 cards" in text


def test_rows_and_piles_are_drawn():
    view = contracted("snack").view(1)
    text = bundle(view)["text/plain"]
    laid = {str(card) for row in view.rows for card in row}
    assert laid and laid == cards_in(re.search("Rows: .*", text)[0])
    assert text.split("Piles: ")[1].split("\n")[0].count("cards") == sum(count == 3 for count in view.piles)


def cards_in(text):
    """The cards that a text names."""
    codes = dict(zip("♠♥♦♣", "SHDC", strict=True))
    return {found[1:].replace("10", "T") + codes[found[0]] for found in SHOWN.findall(text)}


def test_refused_cards_are_hatched_and_say_why():
    deal = cardlib.deal("hearts", seed=17, match={"deal": 3})
    deal.play("2C")
    view = deal.view(deal.turn)
    refusals = [why for card in view.hand if (why := view.refusal(str(card)))]
    made = bundle(view)
    elements = Elements(made["text/html"])
    assert 0 < len(refusals) < len(view.hand)
    assert len(elements.of("g", "no")) == len(elements.of("path", "hatch")) == len(refusals)
    sentences = [messages("en").say(f"refusal {why.rule}", **why.facts) for why in refusals]
    assert elements.titles == sentences
    assert sentences[0] in made["text/plain"]
    assert refusals[0].rule in made["text/plain"]


def test_only_the_seat_on_turn_is_refused_anything():
    deal = dealt(moves=5)
    for seat in set(range(4)) - {deal.turn}:
        assert not Elements(bundle(deal.view(seat))["text/html"]).of("g", "no")
    assert not Elements(bundle(dealt().view(0))["text/html"]).of("g", "no")


def test_the_card_that_wins_so_far_is_marked():
    deal = dealt(moves=6)
    marked = Elements(bundle(deal)["text/html"]).of("g", "win")
    assert len(marked) == 1
    best = messages("en").fact(deal.view(0).best)
    assert f"{best} (winning)" in bundle(deal)["text/plain"]


def test_after_a_trick_it_is_still_there():
    deal = dealt(moves=8)
    last = bundle(deal)["text/plain"].splitlines()[-1]
    assert last.startswith("Last trick: ")
    assert set(SHOWN.findall(last)) == set(draw.short(deal.last_trick).split())


def test_a_position_whose_first_plays_are_not_told_draws_no_last_trick():
    hands, position = ["9C", "QS AH", "KC 5D", "AC TD"], {"leader": 0, "trick": "2D", "trick_number": 4}
    deal = cardlib.load({"game": "hearts", "hands": hands, "position": position})
    for move in ("QS", "5D", "TD"):
        deal.play(move)
    assert "trick:" not in bundle(deal)["text/plain"].lower()


def test_a_story_names_its_rules():
    deal = cardlib.deal("hearts", seed=17, match={"deal": 3})
    events = [event for card in ("2C", "JC", "TC", "8C") for event in deal.play(card)]
    told = str(draw.story(events)).splitlines()
    assert told[0] == "Seat 2 plays ♣2. Seat 3 plays ♣J. Seat 0 plays ♣10. Seat 1 plays ♣8."
    assert told[1].endswith("[hearts.trick.winner]")


def test_a_sheet_adds_up():
    deal = dealt(moves=56)
    lines = str(draw.sheet(deal)).splitlines()[1:]
    assert [line.split()[-1] for line in lines[:-1]] == [line.rule for line in deal.score_lines()]
    assert lines[-1].endswith(", ".join(map(str, deal.scores())))


def test_a_match_shows_deals_and_totals():
    match = match_played()
    lines = str(bundle(match)["text/plain"]).splitlines()
    totals = next(line for line in lines if line.strip().startswith("total"))
    assert totals.replace("−", "-").split()[1:] == [str(total) for total in match.context.totals]
    assert sum(line.strip().startswith("deal ") for line in lines) == len(match.history)


def test_text_columns_line_up_in_japanese():
    draw.language("ja")
    lines = bundle(match_played())["text/plain"].splitlines()
    wide = {draw._wide(line) for line in lines[1:] if line.startswith("  ")}
    assert len(wide) == 1
