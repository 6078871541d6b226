"""Our own pages in a real browser: the gallery, the notes, and the frame around a lesson."""

import json
import re
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from cardlib.app import preload
from cardlib.app.gallery import entries
from cardlib.text import messages
from tests.conftest import serving

pytestmark = pytest.mark.browser

SIZES = [(1280, 800), (360, 740), (320, 640)]
STEPS = [step.id for entry in entries("en") if entry.id == "hearts" for step in entry.steps]

EN, JA = messages("en").say, messages("ja").say

Opener = Callable[..., Any]


def remember(page: Any, **stored: Any) -> None:
    """Fill the browser's storage before the page opens, as a lesson would have done."""
    lines = [f"localStorage.setItem({key!r}, {json.dumps(json.dumps(value))});" for key, value in stored.items()]
    page.add_init_script("if (!localStorage.length) { " + " ".join(lines) + " }")


def visitors(server: str) -> int:
    with urllib.request.urlopen(f"{server}/healthz") as answer:
        return int(json.load(answer)["visitors"])


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_gallery_is_open_to_all(new_page: Opener, axe: Any, lang: str, scheme: str, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    remember(page, **{"cardlib/1/hearts": {"solved": STEPS[:3], "step": STEPS[3]}})
    page.goto(f"/?lang={lang}")
    expect(page.locator("#continue")).to_be_visible()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    small = "elements => elements.map(e => e.getBoundingClientRect()).filter(r => r.width < 44 || r.height < 44).length"
    assert page.locator("a:visible:not(.site)").evaluate_all(small) == 0


def test_language_can_be_changed_on_the_spot_and_stays(page: Any) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(EN("ui gallery title"), use_inner_text=True)
    page.get_by_role("link", name="日本語").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(JA("ui gallery title"), use_inner_text=True)
    expect(page).to_have_title(JA("ui site"))
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert page.url.endswith("?lang=ja")
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(JA("ui gallery title"), use_inner_text=True)


def test_link_decides_over_what_was_chosen_before(page: Any) -> None:
    remember(page, **{"cardlib/1/settings": {"lang": "ja", "size": "L"}})
    page.goto("/?lang=en")
    assert page.evaluate("document.documentElement.lang") == "en"
    assert json.loads(page.evaluate("localStorage['cardlib/1/settings']")) == {"lang": "en", "size": "L"}


def shown(page: Any) -> list[str]:
    """The games that show."""
    found: list[str] = page.locator("[data-game]:visible").evaluate_all("tiles => tiles.map(tile => tile.dataset.game)")
    return found


def test_the_filters_by_keyboard_and_in_the_address(page: Any, axe: Any) -> None:
    page.goto("/?lang=en")
    everything = shown(page)
    count = page.locator("#count")
    expect(count).to_contain_text(EN("ui filter shown", n=len(everything), total=len(everything)))
    players = page.get_by_role("group", name=EN("ui filter players"))
    players.get_by_role("link", name="any").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(players.get_by_role("link", name="3")).to_have_attribute("aria-current", "true")
    expect(players.get_by_role("link", name="3")).to_be_focused()
    assert shown(page) == ["hearts", "spady", "ambition"]
    expect(count).to_contain_text(EN("ui filter shown", n=3, total=len(everything)))
    kinds = page.get_by_role("group", name=EN("ui filter kind"))
    kinds.get_by_role("link", name=EN("ui kind partners"), exact=True).press("Enter")
    assert shown(page) == ["spady"]
    assert page.url.endswith("/?lang=en&players=3&kind=partners")
    assert axe(page) == []
    page.get_by_role("link", name="日本語").click()
    assert shown(page) == ["spady"]
    assert page.url.endswith("/?lang=ja&players=3&kind=partners")
    expect(count).to_contain_text(JA("ui filter shown", n=1, total=len(everything)))
    page.reload()
    assert shown(page) == ["spady"]
    page.go_back()
    page.go_back()
    assert shown(page) == everything


def test_nothing_found_and_the_way_back(page: Any, axe: Any) -> None:
    page.goto("/?lang=en&players=6&kind=auction")
    assert shown(page) == []
    assert page.url.endswith("/?lang=en&players=5-8&kind=auction")
    expect(page.locator("#none")).to_contain_text(EN("ui filter none"))
    assert axe(page) == []
    page.get_by_role("link", name=EN("ui filter reset")).press("Enter")
    assert "hearts" in shown(page)
    assert page.url.endswith("/?lang=en")
    expect(page.locator("#none")).to_be_hidden()
    expect(page.locator(".chip:focus")).to_have_attribute("aria-current", "true")


def test_a_bad_filter_is_said_until_another_is_chosen(page: Any) -> None:
    page.goto("/?lang=en&kind=poker")
    expect(page.locator("#bad")).to_contain_text(EN("ui filter bad"))
    assert "hearts" in shown(page)
    page.get_by_role("link", name=EN("ui kind avoid"), exact=True).click()
    expect(page.locator("#bad")).to_have_count(0)
    assert "quint" not in shown(page)


def test_filters_work_without_a_script(new_page: Opener) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/?lang=en")
    page.get_by_role("link", name=EN("ui kind partners"), exact=True).click()
    assert "hearts" not in shown(page) and "spady" in shown(page)


def test_progress_and_the_way_back(page: Any) -> None:
    remember(page, **{"cardlib/1/hearts": {"solved": [*STEPS[:9], "no.such.step"], "step": STEPS[9]}})
    page.goto("/")
    tile = page.locator("[data-game=hearts]")
    expect(tile).to_contain_text(EN("ui gallery some", n="9", total=len(STEPS)))
    expect(tile).to_contain_text(EN("ui go-on"))
    box = page.locator("#continue")
    expect(box).to_contain_text(EN("ui gallery at", game="Hearts", n="10"))
    expect(box).to_have_attribute("href", f"/hearts?step={STEPS[9]}")


def test_all_solved(page: Any) -> None:
    remember(page, **{"cardlib/1/hearts": {"solved": STEPS, "step": STEPS[-1]}})
    page.goto("/")
    expect(page.locator("[data-game=hearts]")).to_contain_text(EN("ui gallery all", total=len(STEPS)))
    expect(page.locator("[data-game=hearts]")).to_contain_text(EN("ui again"))
    expect(page.locator("#continue")).to_be_hidden()


@pytest.mark.parametrize(
    "nonsense", ["[", "null", "3", '"x"', "[1]", '{"solved": 5, "step": {"a": 1}}', '{"solved": [[]]}']
)
def test_nonsense_in_the_storage(page: Any, nonsense: str) -> None:
    page.add_init_script(
        f"localStorage['cardlib/1/hearts'] = localStorage['cardlib/1/settings'] = {json.dumps(nonsense)}"
    )
    page.goto("/")
    expect(page.locator("[data-game=hearts]")).to_contain_text(EN("ui gallery new", total=len(STEPS)))
    expect(page.locator("#continue")).to_be_hidden()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_missing_page(new_page: Opener, axe: Any, lang: str) -> None:
    page = new_page(ignore="404")
    page.goto(f"/nosuch?lang={lang}")
    assert axe(page) == []
    page.get_by_role("link", name=messages(lang).say("ui home")).click()
    expect(page.locator("[data-game=hearts]")).to_be_visible()


def test_lesson_opens_and_its_kernel_ends_with_it(page: Any, server: str) -> None:
    page.goto("/")
    page.locator("[data-game=hearts]").click()
    expect(page.locator("#app-splash")).to_be_visible()
    expect(page.locator("#app-splash")).to_be_hidden()
    expect(page.get_by_role("main")).to_have_count(1)
    assert visitors(server) == 1
    page.goto("/")
    expect(page.locator("[data-game=hearts]")).to_be_visible()
    deadline = time.monotonic() + 10
    while visitors(server):
        assert time.monotonic() < deadline, "the kernel is left over"
        time.sleep(0.1)


def test_back_button_opens_the_lesson_afresh(page: Any) -> None:
    page.goto("/hearts")
    expect(page.locator("#app-splash")).to_be_hidden()
    page.goto("/")
    page.go_back()
    expect(page.locator("#app-splash")).to_be_hidden()
    expect(page.locator("#app-lost")).to_be_hidden()
    expect(page.locator("[data-kind=step]").first).to_be_visible()


def test_skip_link_leads_to_the_first_step(page: Any) -> None:
    page.goto("/hearts")
    expect(page.locator("#app-splash")).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.locator(".app-skip")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('[data-kind]')?.dataset.kind") == "step"


def test_lost_kernel_is_said_and_the_way_back_works(new_page: Opener, server: str) -> None:
    page = new_page(ignore="404")
    page.goto("/hearts?lang=ja")
    expect(page.locator("#app-splash")).to_be_hidden()
    page.evaluate("""async () => {
        const kernel = JSON.parse(document.getElementById("jupyter-config-data").textContent).kernelId;
        const form = new FormData();
        form.append("_xsrf", document.cookie.match(/_xsrf=([^;]*)/)[1]);
        await fetch(`/voila/api/shutdown/${kernel}`, { method: "POST", body: form });
        dispatchEvent(new Event("visibilitychange"));
    }""")
    lost = page.get_by_role("alert").filter(has_text=JA("ui lost gone"))
    expect(lost).to_be_visible()
    lost.get_by_role("button").click()
    expect(page.locator("#app-splash")).to_be_hidden()
    expect(page.locator("#app-lost")).to_be_hidden()
    expect(page.locator("[data-kind=step]").first).to_be_visible()


def test_what_is_said_while_a_lesson_opens_and_when_it_fails(new_page: Opener, axe: Any, small: str) -> None:
    page = new_page(base_url=small)
    page.goto("/broken?lang=ja", wait_until="commit")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_hidden()
    assert axe(page) == []
    expect(page.get_by_role("link", name=JA("ui home"))).to_have_attribute("href", "/")
    slow = new_page(base_url=small)
    slow.goto("/slow?lang=en", wait_until="commit")
    expect(slow.get_by_role("status")).to_contain_text(EN("ui loading"))
    expect(slow.get_by_role("progressbar")).to_be_visible()
    expect(slow.get_by_role("heading", level=1)).to_be_visible()


def test_full_house_is_said(new_page: Opener, axe: Any) -> None:
    with serving("--max-visitors", "1") as address:
        guest = new_page(base_url=address)
        guest.goto("/hearts")
        expect(guest.locator("#app-splash")).to_be_hidden()
        page = new_page(base_url=address, ignore="503")
        page.goto("/hearts?lang=en")
        expect(page.locator("[data-note=full]")).to_be_visible()
        assert axe(page) == []
        guest.close()


def test_scripts_asked_for_beforehand_are_those_that_a_lesson_loads(new_page: Opener) -> None:
    """A new version of Voila may cut its front end differently: then `preload.SEEN` is to be made anew."""
    page = new_page()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rsplit("/", 1)[1].split("?")[0]))
    page.on("websocket", lambda _: loaded.append("the socket"))
    page.goto("/hearts")
    expect(page.locator("#app-splash")).to_be_hidden()
    chunks = {name for name in loaded[: loaded.index("the socket")] if re.fullmatch(r"\d+\.voila\.js", name)}
    assert chunks == set(preload.SEEN)
