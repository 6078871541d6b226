"""What the tests share: a running server, and pages in a real browser that fail on any error or foreign request."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def pytest_configure() -> None:
    """Compile messages that are newer than their catalogue, as a fresh install would."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for po in (ROOT / "cardlib" / "text").glob("*/*.po"):
        mo = po.with_suffix(".mo")
        if not mo.exists() or mo.stat().st_mtime < po.stat().st_mtime:
            with po.open("rb") as source, mo.open("wb") as target:
                write_mo(target, read_po(source, locale=po.parent.name, abort_invalid=True))


# ---- the server


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(*options: str, cwd: Path | None = None) -> Iterator[str]:
    """Run ``cardlib serve`` while the block lasts; yields its address, without a slash at the end."""
    command = [sys.executable, "-m", "cardlib.app.main", "serve", *options]
    if "--port" not in options:
        command += ["--port", str(free_port())]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        for line in process.stdout:
            if match := re.search(r"cardlib is at (\S+)/$", line):
                yield match[1]
                break
        else:
            pytest.fail(f"the server did not start: {process.wait()}")
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the real notebooks, started in a folder that has nothing to do with them."""
    with serving(cwd=tmp_path_factory.mktemp("anywhere")) as address:
        yield address


# ---- the browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium (or the one named by CARDLIB_CHROMIUM)."""
    path = os.environ.get("CARDLIB_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        if os.environ.get("CARDLIB_BROWSER") == "required":
            pytest.fail("no Chromium, and CARDLIB_BROWSER=required")
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: Any, server: str) -> Iterator[Callable[..., Any]]:
    """Opens pages, each in a fresh context: ``new_page(viewport=…, locale="ja-JP", color_scheme="dark")``.

    Relative addresses go to `server` (``page.goto("/hearts")``). At the end of the test, a request to another host, an
    error on the console or an uncaught exception on any page is a failure; ``ignore`` is a pattern of expected ones.

    The pages forbid `eval`, so `page.wait_for_function` does not work on them: wait for locators.
    """
    pages: list[Any] = []
    problems: list[str] = []

    def open_page(*, ignore: str = "", base_url: str = server, **options: Any) -> Any:
        context = browser.new_context(base_url=base_url, **{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(20_000)
        page = context.new_page()
        host = urlsplit(base_url).netloc

        def complain(text: str) -> None:
            if not ignore or not re.search(ignore, text):
                problems.append(text)

        def request(request: Any) -> None:
            address = urlsplit(request.url)
            if address.scheme not in ("data", "blob") and address.netloc != host:
                complain(f"request to another host: {request.url}")

        page.on("request", request)
        page.on("websocket", lambda socket: urlsplit(socket.url).netloc == host or complain(f"socket: {socket.url}"))
        page.on("console", lambda said: said.type == "error" and complain(f"console: {said.text}"))
        page.on("pageerror", lambda error: complain(f"uncaught: {error}"))
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        if not page.is_closed():
            page.close(run_before_unload=True)
        page.context.close()
    assert not problems, "\n".join(problems)


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """One page, 1280 × 800, English, light; see `new_page`."""
    return new_page()


@pytest.fixture
def axe() -> Callable[..., list[str]]:
    """Finds what keeps people out: ``axe(page)`` gives axe-core's violations as readable lines; `within` is the part of
    the page that is looked at."""
    source = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")

    def run(page: Any, *, without: tuple[str, ...] = (), within: str | None = None) -> list[str]:
        page.evaluate(source)
        rules = {name: {"enabled": False} for name in without}
        found = page.evaluate("([where, rules]) => axe.run(where ?? document, {rules})", [within, rules])
        return [
            f"{violation['id']}: {node['html'][:160]} ({node['failureSummary']})"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]

    return run
