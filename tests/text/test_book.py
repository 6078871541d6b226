"""The rule books: conditions, values, paragraphs, what changes between two variants, and broken files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardlib
from cardlib.deal import GAMES
from cardlib.text import LANGS, TextError, rule_book
from cardlib.text.book import Condition, RuleBook, sentence

HEARTS = GAMES["hearts"]
GOOD = "# Play\n\n## hearts.a.b\nTitle: A\n\nOne.\n{sun=true} Two.\n\nThree {{end_score}}.\n\nSource: here\n"


def variant(inside=""):
    return cardlib.variant(f"hearts({inside})")


def book(text):
    return RuleBook(HEARTS, "en", text)


def test_paragraphs_and_conditions():
    rule = book(GOOD).rule("hearts.a.b", variant("sun=true"))
    assert rule.sentences == ("One.", "Two.", "Three 100.")
    assert rule.html == "<p>One. Two.</p>\n<p>Three 100.</p>"
    assert (rule.title, rule.source) == ("A", "here")
    assert book(GOOD).rule("hearts.a.b", variant()).sentences == ("One.", "Three 100.")
    assert book(GOOD).groups == [("Play", ["hearts.a.b"])]


@pytest.mark.parametrize(
    ("condition", "inside", "holds"),
    [
        ("players=4", "", True),
        ("players!=4", "", False),
        ("players=6|8", "players=8", True),
        ("sun=true;players=4", "sun=true", True),
        ("sun=true;players=4", "", False),
        ("sun=true or players=4", "", True),
        ("sun=true or players=5;tie=shared", "players=5", True),
        ("pass_cycle=auto|*none*", "pass_cycle=left-right-none", True),
        ("pass_cycle=*scatter*", "", False),
        ("moon_value=52", "moon_value=52", True),
        ("no_tricks=-5|50", "no_tricks=-5", True),
        ("exact_100=to-50", "exact_100=to-50", True),
        ("end_score=50", "end_score=50", True),
    ],
)
def test_conditions(condition, inside, holds):
    assert sentence(f"{{{condition}}} Yes.", HEARTS).condition.holds(variant(inside)) is holds


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{sunny=true} Two.", "unknown option: 'sunny'"),
        ("{sun=yes} Two.", "sun is never 'yes'"),
        ("{players=9} Two.", "players is never '9'"),
        ("{sun} Two.", "no condition: 'sun'"),
        ("{sun=} Two.", "no condition: 'sun='"),
        ("{sun=true|} Two.", "no condition"),
        ("{} Two.", "no condition"),
        ("{sun=true}Two.", "no condition"),
        ("{sun=true Two.", "no condition"),
        ("Two {{points}}.", "unknown option: 'points'"),
        ("Two {sun}.", "a stray brace"),
    ],
)
def test_a_broken_sentence_is_named_with_its_line(text, problem):
    with pytest.raises(TextError, match=rf"^en/hearts\.md, line 7: {problem}"):
        book(GOOD.replace("{sun=true} Two.", text))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Title: A\n", "", "hearts.a.b has no title"),
        ("Source: here\n", "", "hearts.a.b has no source"),
        ("# Play\n", "", "line 2: a rule stands before the first group"),
        ("# Play\n", "# Play\nHello.\n", "text stands before the first rule"),
        ("Source: here\n", "Source: here\nMore.\n", "text stands after the source"),
        ("One.\n{sun=true} Two.\n\nThree {{end_score}}.\n", "", "hearts.a.b has no text"),
    ],
)
def test_a_broken_file_is_refused(old, new, problem):
    with pytest.raises(TextError, match=problem):
        book(GOOD.replace(old, new))


def test_a_rule_stands_once():
    with pytest.raises(TextError, match=r"hearts\.a\.b stands there twice"):
        book(GOOD + GOOD)


def test_markup_in_a_rule_stays_text():
    assert "<b>" not in book(GOOD.replace("One.", "<b>One</b>.")).rule("hearts.a.b", variant()).html


def test_what_comes_where_something_goes_replaces_it():
    told = "Same.\n{tie=shared} Old.\n{tie=extra-deal} New.\n{tie=extra-deal} More.\n"
    text = f"# P\n## r.a.b\nTitle: T\n\n{told}Source: s\n"
    changes = book(text).diff("r.a.b", variant(), variant("tie=extra-deal"))
    assert [(c.kind, c.old, c.new) for c in changes] == [
        ("same", "Same.", "Same."),
        ("replaced", "Old.", "New."),
        ("added", "", "More."),
    ]
    back = book(text).diff("r.a.b", variant("tie=extra-deal"), variant())
    assert [c.kind for c in back] == ["same", "replaced", "removed"]


@pytest.mark.parametrize("lang", LANGS)
def test_only_the_sentences_that_depend_on_an_option_change(lang):
    hearts = rule_book("hearts", lang)
    assert hearts.changed(variant(), variant("end_score=50")) == ["hearts.end.hundred"]
    assert hearts.changed(variant(), variant("bonus_card=TD")) == ["hearts.score.bonus-card"]
    assert hearts.changed(variant(), variant("moon_mode=others")) == ["hearts.score.moon-mode"]
    assert hearts.changed(variant(), variant("pass_cycle=left-right-across-none")) == ["hearts.pass.cycle"]
    first = hearts.changed(variant(), variant("no_penalty_first_trick=true"))
    assert first == ["hearts.follow.suit", "hearts.first-trick.no-penalty"]
    assert hearts.changed(variant(), variant("pass_cycle=left-across-right-none")) == []  # what auto means


@pytest.mark.parametrize("lang", LANGS)
def test_every_rule_reads_well_in_every_single_change(lang):
    """No sentence twice in a rule, every one ended, in all variants that are one option away from a default."""
    from cardlib.app.check_text import with_one_change

    hearts = rule_book("hearts", lang)
    for _, _, changed in with_one_change(HEARTS):
        for id in hearts.ids:
            sentences = hearts.rule(id, changed).sentences
            assert len(set(sentences)) == len(sentences)
            assert all(text[-1] in ".。" for text in sentences), sentences


def test_unknown_books():
    for game, lang in (("hearts", "fr"), ("chess", "en"), ("../en/hearts", "en")):
        with pytest.raises(TextError):
            rule_book(game, lang)
    with pytest.raises(TextError, match=r"no rule 'hearts\.no'"):
        rule_book("hearts", "en").rule("hearts.no", variant())


@given(st.text(max_size=40))
def test_any_line_is_read_or_refused_as_text(line):
    try:
        read = sentence(line, HEARTS)
    except TextError:
        return
    assert read.condition.holds(variant()) in (True, False)


tests_of_conditions = st.lists(
    st.tuples(
        st.sampled_from(["sun", "win_69", "queen_forced"]),
        st.sampled_from(["=", "!="]),
        st.sampled_from(["true", "false"]),
    ),
    min_size=1,
    max_size=4,
)


@given(st.lists(tests_of_conditions, min_size=1, max_size=3), st.booleans(), st.booleans(), st.booleans())
def test_conditions_mean_what_they_say(alternatives, sun, win, forced):
    text = " or ".join(";".join(name + sign + value for name, sign, value in tests) for tests in alternatives)
    values = {"sun": sun, "win_69": win, "queen_forced": forced}
    played = variant(",".join(f"{name}={str(value).lower()}" for name, value in values.items()))
    wanted = any(
        all((values[name] is (value == "true")) is (sign == "=") for name, sign, value in tests)
        for tests in alternatives
    )
    assert Condition.parse(text).holds(played) is wanted
