"""Speed and memory of a page in real Chromium: run ``python tests/bench/bench_pages.py`` on a quiet machine.

Prints, from a server started for the purpose:
- page open to the first usable card of the lesson, cold and warm browser cache (seconds; aim 1.5 warm)
- click to repaint at the table of free play, without a bot's turn (undo, a hint) and with three bots' turns (a card),
  median and 95th percentile (milliseconds; aim p95 at most 15 and 50)
- memory of the page's kernel (PSS, MB; aim at most 50)
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import psutil
from playwright.sync_api import Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
CARD = "[data-kind=step] [data-card]:visible"
TABLE = "[data-place=free]"

#: Click what `selector` names and wait until the table has been painted again; resolves to milliseconds.
CLICK = """async ([root, selector]) => {
  const table = document.querySelector(root);
  const target = [...table.querySelectorAll(selector)].find((node) => node.offsetParent !== null && !node.disabled);
  if (!target) return -1;
  const version = table.dataset.v;
  const start = performance.now();
  target.click();
  while (document.querySelector(root).dataset.v === version) {
    if (performance.now() - start > 500) return -2;
    await new Promise((resolve) => {
      const watch = new MutationObserver(() => { watch.disconnect(); resolve(); });
      watch.observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-v"] });
      setTimeout(resolve, 100);
    });
  }
  return performance.now() - start;
}"""


def percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(part * (len(ordered) - 1)))]


def told(name: str, values: list[float]) -> None:
    good = [value for value in values if value > 0]
    print(f"{name}: median {statistics.median(good):.1f} ms, p95 {percentile(good, 0.95):.1f} ms ({len(good)} clicks)")


def opened(page: Page, url: str) -> float:
    start = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector(CARD)
    return time.perf_counter() - start


def clicks(page: Page) -> tuple[list[float], list[float]]:
    """Milliseconds of clicks without a bot's turn, and of cards after which three bots move."""
    hand = page.locator(f"{TABLE} [data-zone=hand] [data-card]")
    for place in range(3):
        hand.nth(place).click()
    page.locator(f"{TABLE} [data-do=give]").click()
    page.wait_for_timeout(500)
    quiet: list[float] = []
    bots: list[float] = []
    while hand.count() > 1 and len(bots) < 60:
        if page.evaluate(CLICK, [TABLE, "[data-do=next]"]) > 0:
            continue
        for card in hand.evaluate_all("cards => cards.map((it) => it.dataset.card)"):
            selector = f"[data-zone=hand] [data-card='{card}']"
            taken = page.evaluate(CLICK, [TABLE, selector])
            if taken > 0:  # else the rules refuse it, and the page says so by itself
                quiet.append(page.evaluate(CLICK, [TABLE, "[data-do=undo]"]))
                quiet.append(page.evaluate(CLICK, [TABLE, "[data-do=hint]"]))
                bots += [taken, page.evaluate(CLICK, [TABLE, selector])]
                break
    return quiet, bots


def memory(server: subprocess.Popen[str]) -> float:
    """PSS of the page's kernel in MB."""
    kernels = [child for child in psutil.Process(server.pid).children() if "ipykernel" in " ".join(child.cmdline())]
    rollup = Path(f"/proc/{kernels[0].pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    command = [sys.executable, "-m", "cardlib.app.main", "serve", "--port", "8899"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
        address = re.search(r"http://\S+", next(line for line in server.stdout or () if "http://" in line))
        assert address
        url = address[0].rstrip("/") + "/hearts?lang=en&seed=17"
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            times = []
            for _ in range(6):
                page = context.new_page()
                times.append(opened(page, url))
                time.sleep(0.5)
                page.close(run_before_unload=True)
            print(f"page open to first card: cold {times[0]:.2f} s, warm {statistics.median(times[1:]):.2f} s")
            page = context.new_page()
            opened(page, url)
            time.sleep(1)
            quiet, bots = clicks(page)
            told("click to repaint, no bot", quiet)
            told("click to repaint, three bots", bots)
            print(f"memory of the kernel: {memory(server):.1f} MB PSS")
            page.close(run_before_unload=True)
        finally:
            browser.close()
            server.terminate()


if __name__ == "__main__":
    main()
