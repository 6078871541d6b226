"""The page's conversation with a browser: links, stored data, settings, hostile messages."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlib.deal import GAMES
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.play.bots import simple
from tests.ui.opened import PLAYED, opened, part_of, tell

# -- links


@pytest.mark.parametrize(
    ("search", "culprit"),
    [
        ("?seed=minus", "minus"),
        ("?seed=-1", "-1"),
        ("?v=moon_mode:both", "both"),
        ("?v=nosuch:1", "nosuch"),
        ("?v=players:9", "9"),
        ("?v=pass_cycle:left,players:nine", "nine"),
        ("?lang=fr", "fr"),
        ("?step=hearts.no.such", "hearts.no.such"),
    ],
)
def test_a_bad_link_says_what_is_wrong_and_falls_back(search, culprit):
    for lang in ("en", "ja"):
        page = opened("hearts", search, settings={"lang": lang})
        assert culprit in page.notice["text"], page.notice
        assert page.lang == lang
        assert not page.variant.changed()


@pytest.mark.parametrize("game", PLAYED)
def test_a_page_opens_by_every_rule(game):
    """Every value of every option, also where an exercise of the lesson cannot be put under it."""
    page, sheet = opened(game), Variant.of(GAMES[game])
    for option in sheet.options.declared():
        for value in (option.metadata["numbers"] or ())[:1] or option.metadata["values"]:
            try:
                variant = sheet.with_value(option.name, value)
            except BadInput:  # it excludes another option, or is for other numbers of players
                continue
            tell(page, do="hello", search=f"?seed=3&v={variant.code}", stored=None, settings=None)
            assert not page.notice and page.variant == variant, variant
            assert not [part.state["error"] for part in (page, *page.parts) if part.state["error"]], variant


def test_a_link_carries_everything():
    page = opened("hearts", "?lang=ja&v=moon_mode:others,players:5&seed=17&step=hearts.lead.broken")
    assert page.notice is None
    assert (page.lang, page.variant.code, page.seed) == ("ja", "players:5,moon_mode:others", 17)
    assert page.state["goto"] == "hearts.lead.broken"
    again = opened("hearts", page.state["link"])
    assert again.state["link"] == page.state["link"]
    assert part_of(again, "free").session.deal.record() == part_of(page, "free").session.deal.record()


def test_a_preset_in_a_link():
    assert opened("hearts", "?v=omnibus").variant.options.bonus_card == "TD"


# -- language and settings


def test_the_language_changes_everywhere_and_the_position_stays():
    page = opened("hearts", "?lang=en&seed=3")
    step = part_of(page, "hearts.follow.suit")
    tell(step, do="check", answer=["QS"])
    before = {part: part.state for part in page.parts}
    tell(page, do="set", name="lang", value="ja")
    for part in page.parts:
        assert part.state["lang"] == "ja"
        assert part.state["title"] != before[part]["title"]
    assert [card["mark"] for card in step.state["hand"]] == [card["mark"] for card in before[step]["hand"]]
    assert "フォロー" in step.state["says"][0]["text"] or "リード" in step.state["says"][0]["text"]


def test_settings_are_checked():
    page = opened("hearts", settings={"lang": "ja", "colours": "4", "size": "XL", "pace": True, "more": 1})
    assert page.settings == {"lang": "ja", "colours": 2, "size": "M", "pace": "wait", "badges": "on"}
    tell(page, do="set", name="colours", value=4)
    assert page.settings["colours"] == 4
    tell(page, do="set", name="size", value="XL")
    assert page.settings["size"] == "M" and page.notice["tone"] == "bad"


# -- resume


def play_on(free, moves):
    """Let the simple player move for the learner."""
    for _ in range(moves):
        session = free.session
        if session.deal.over or session.waiting:
            tell(free, do="next")
        else:
            tell(free, do="play", move=str(simple(session.deal.view(session.me)).move))


@pytest.mark.parametrize("moves", [0, 1, 5, 17, 40, 75])
def test_a_reload_comes_back_to_the_same_deal(moves):
    page = opened("hearts", "?lang=en&seed=5&v=players:3")
    free = part_of(page, "free")
    play_on(free, moves)
    tell(page, do="at", step="hearts.lead.broken")
    kept = json.loads(json.dumps(page.state["save"]))
    again = opened("hearts", "?lang=en&seed=5&v=players:3", stored=kept)
    resumed = part_of(again, "free").session
    assert resumed.deal.record() == free.session.deal.record()
    assert resumed.match.context == free.session.match.context
    assert again.state["goto"] == "hearts.lead.broken"
    assert again.notice is None


def test_another_link_begins_another_deal_and_keeps_what_is_solved():
    page = opened("hearts", "?seed=5")
    step = part_of(page, "hearts.follow.suit")
    tell(step, do="check", answer=step.task.solution())
    again = opened("hearts", "?seed=6", stored=page.state["save"])
    assert part_of(again, "free").session.match.seed == 6
    assert again.solved == ["hearts.follow.suit"]


def test_moves_that_do_not_fit_begin_the_deal_again_and_say_so():
    page = opened("hearts", "?seed=5&lang=en")
    kept = page.state["save"]
    kept["free"]["moves"] = ["give 2C 3C 4C", "AS"]
    again = opened("hearts", "?seed=5&lang=en", stored=kept)
    free = part_of(again, "free")
    assert free.session.own_moves == []
    assert "begins anew" in free.state["says"][0]["text"]


def test_a_stored_seat_that_is_not_the_learner_s_begins_anew():
    kept = opened("hearts", "?seed=5&lang=en").state["save"]
    kept["free"]["seat"] = 2
    again = opened("hearts", "?seed=5&lang=en", stored=kept)
    assert again.notice["tone"] == "bad"
    assert part_of(again, "free").session.me == 0


def test_nothing_is_stored_before_the_browser_has_said_hello():
    from cardlib.ui.page import Page

    assert Page("hearts").state["save"] == {}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3)
)


@given(st.dictionaries(st.sampled_from(["version", "solved", "step", "free", "guided", "link"]), json_values))
@settings(max_examples=60, deadline=None)
def test_stored_rubbish_is_left_out(stored):
    PAGE.notice = None
    tell(PAGE, do="hello", search="?seed=1", stored=stored | {"version": 1}, settings=None)
    assert PAGE.state["error"] == ""
    assert not part_of(PAGE, "free").session.deal.over


@given(
    st.dictionaries(
        st.sampled_from(["v", "seed", "seat", "history", "moves"]),
        json_values | st.sampled_from(["", "players:5", "17", ["2C"], [[1, 2, 3, 4]], [None]]),
    )
)
@settings(max_examples=60, deadline=None)
def test_a_stored_game_that_is_rubbish_is_left_out(stored):
    tell(PAGE, do="hello", search="?seed=1", stored={"version": 1, "free": stored, "link": "?seed=1"}, settings=None)
    assert PAGE.state["error"] == ""
    assert part_of(PAGE, "free").session.deal is not None


PAGE = opened("hearts")

# -- messages that no button sends


@given(
    st.sampled_from(
        ["play", "trial", "check", "try", "give", "set", "preset", "new", "at", "next", "undo", "draw", "x", 3]
    ),
    st.dictionaries(st.sampled_from(["move", "answer", "card", "name", "value", "id", "seed", "step"]), json_values),
)
@settings(max_examples=200, deadline=None)
def test_a_message_that_no_button_sends_is_answered_and_breaks_nothing(do, rest):
    for part in (PAGE, *PAGE.parts):
        tell(part, **{"do": do, **rest})
        assert part.state["error"] == ""


def test_no_message_at_all_is_answered():
    for message in (None, 3, [], "play", {"do": None}, {"do": "__init__"}, {"do": "_receive"}):
        part = part_of(opened("hearts"), "free")
        part._receive(part, message, [])
        assert part.state["says"][-1]["tone"] == "bad"


def test_a_defect_of_ours_becomes_an_error_line(monkeypatch, capsys):
    part = part_of(opened("hearts"), "free")
    monkeypatch.setattr(part, "do_why", lambda message: 1 / 0)
    state = tell(part, do="why")
    assert "ZeroDivisionError" in state["error"]
    assert "ZeroDivisionError" in capsys.readouterr().err


# -- the options


def test_options_change_the_text_the_game_and_the_lesson():
    page = opened("hearts", "?lang=en")
    panel = part_of(page, "options")
    tell(panel, do="set", name="moon_mode", value="others")
    assert [change["rule"]["id"] for change in panel.state["changes"]] == ["hearts.score.moon-mode"]
    assert "moon" in panel.state["text"]
    tell(panel, do="use")
    assert page.variant.options.moon_mode == "others"
    moon = part_of(page, "hearts.score.moon")
    assert moon.task.solution() == {"0": "26", "1": "0", "2": "26", "3": "26"}
    assert part_of(page, "free").session.variant.options.moon_mode == "others"
    assert "moon_mode:others" in page.state["link"]


def test_what_excludes_what_is_said_and_the_old_variant_stays():
    page = opened("hearts", "?lang=en")
    panel = part_of(page, "options")
    tell(panel, do="set", name="pass_count", value="4")
    assert "3 players" in panel.state["say"]["text"] or "three" in panel.state["say"]["text"].lower()
    assert not panel.draft.changed()
    tell(panel, do="set", name="end_score", value="0")
    assert panel.draft.options.end_score == 100 and panel.state["say"]["tone"] == "bad"


def test_another_number_of_players_drops_the_cycle_that_does_not_fit():
    panel = part_of(opened("hearts"), "options")
    tell(panel, do="preset", id="windows")
    tell(panel, do="set", name="players", value="5")
    assert panel.draft.players == 5
    assert panel.draft.options.changed() == {"no_penalty_first_trick": True, "moon_mode": "others"}


def test_every_preset_and_option_can_be_chosen():
    panel = part_of(opened("hearts"), "options")
    for players in range(3, 9):
        tell(panel, do="reset")
        tell(panel, do="set", name="players", value=str(players))
        for group in panel.state["groups"][1:]:
            for option in group["options"]:
                for value in option["values"]:
                    if value.get("disabled"):
                        assert value["why"]
                        continue
                    tell(panel, do="set", name=option["name"], value=value["value"])
                    assert panel.state["say"] is None, (option["name"], value, panel.state["say"])
                    tell(panel, do="reset")
                    tell(panel, do="set", name="players", value=str(players))


# -- a whole match


@pytest.mark.parametrize(
    "code",
    ["", "players:3,end_score:30", "players:8,end_score:20", "annul_only_hearts:true,end_score:40,moon_mode:choice"],
)
def test_a_match_is_played_to_its_end(code):
    page = opened("hearts", f"?seed=21&v={code}&lang=ja")
    free = part_of(page, "free")
    for _ in range(2000):
        if free.session.over:
            break
        play_on(free, 1)
    assert free.session.over
    assert free.state["table"]["phase"] == "over"
    assert free.state["says"], "the end of the match is explained"
    assert len(free.state["sheet"]["rows"]) == len(free.session.match.history) + 1


def test_a_refused_card_says_why_and_nothing_changes():
    page = opened("hearts", "?seed=5&lang=en")
    free = part_of(page, "free")
    play_on(free, 3)
    session = free.session
    while session.waiting or not any(card["refused"] for card in free.state["table"]["hand"]):
        play_on(free, 1)
    refused = next(card for card in free.state["table"]["hand"] if card["refused"])
    before = session.deal.record()
    state = tell(free, do="play", move=refused["card"])
    assert state["says"][0] == refused["refusal"]
    assert session.deal.record() == before
