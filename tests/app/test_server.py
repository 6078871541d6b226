"""The server as its visitors meet it, honest ones and others."""

import json
import re
import threading
import time
import urllib.error
import urllib.request
from http.client import HTTPMessage
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import psutil
import pytest
import websocket

from cardlib.text import messages
from tests.app.conftest import write_notebook
from tests.conftest import free_port, serving


class Answer(NamedTuple):
    """What came back, also when it was a refusal."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def kernel(self) -> str:
        """The kernel that the page names."""
        found = re.search(r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', self.text)
        return str(json.loads(found[1])["kernelId"]) if found else ""

    @property
    def xsrf(self) -> str:
        cookies = SimpleCookie("; ".join(self.headers.get_all("Set-Cookie", [])))
        return cookies["_xsrf"].value if "_xsrf" in cookies else ""


def get(address: str, *, method: str = "GET", data: bytes | None = None, **headers: str) -> Answer:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(address, data=data, method=method, headers=names)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return Answer(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as refusal:
        return Answer(refusal.code, refusal.headers, refusal.read())


def visitors(server: str) -> int:
    return int(json.loads(get(f"{server}/healthz").body)["visitors"])


def say_goodbye(server: str, page: Answer) -> Answer:
    """What the page sends when it is closed."""
    form = urlencode({"_xsrf": page.xsrf}).encode()
    origin = "http://" + urlsplit(server).netloc
    address = f"{server}/voila/api/shutdown/{page.kernel}"
    return get(address, method="POST", data=form, Cookie=f"_xsrf={page.xsrf}", Origin=origin)


def wait_until_empty(server: str, seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while visitors(server):
        assert time.monotonic() < end, "a kernel is left over"
        time.sleep(0.1)


# ---- pages


@pytest.mark.parametrize(("lang", "title", "text"), [("en", "Hearts", "4 players"), ("ja", "ハート", "4人")])
def test_gallery_in_both_languages(server: str, lang: str, title: str, text: str) -> None:
    answer = get(f"{server}/?lang={lang}")
    assert answer.status == 200
    assert f'<html lang="{lang}">' in answer.text
    assert title in answer.text
    assert text in answer.text
    assert visitors(server) == 0


def test_language_that_the_browser_prefers(server: str) -> None:
    assert '<html lang="ja">' in get(f"{server}/", Accept_Language="fr, ja;q=0.8, en;q=0.5").text
    assert '<html lang="en">' in get(f"{server}/", Accept_Language="fr").text
    assert '<html lang="en">' in get(f"{server}/?lang=xx%22%3E%3Cscript%3E").text


def test_health(server: str) -> None:
    answer = get(f"{server}/healthz")
    assert json.loads(answer.body) == {"status": "ok", "version": "0.1.0", "visitors": 0, "max_visitors": 100}
    assert get(f"{server}/healthz", method="HEAD").status == 200


@pytest.mark.parametrize(
    "path", ["nosuch", "no/such", "nosuch?lang=ja", "hearts/", "%3Cscript%3Ealert(1)%3C/script%3E"]
)
def test_unknown_page_in_both_languages(server: str, path: str) -> None:
    answer = get(f"{server}/{path}")
    assert answer.status == 404
    assert 'data-note="missing"' in answer.text
    assert messages("ja").say("ui home") in answer.text
    assert messages("en").say("ui home") in answer.text
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "hearts.ipynb",
        "notebooks/hearts.ipynb",
        "voila/files/hearts.ipynb",
        "voila/render/hearts.ipynb",
        "voila/tree",
        "voila/api/contents/",
        "voila/templates/lab/static/voila.js",
        "files/hearts.ipynb",
        "api/contents",
        "api/kernels",
        "api/sessions",
        "api/terminals",
        "lab",
        "login",
        "cardlib/static/../serve.py",
        "cardlib/static/..%2fserve.py",
        "cardlib/static/%2fetc/passwd",
    ],
)
def test_nothing_else_is_served(server: str, path: str) -> None:
    answer = get(f"{server}/{path}")
    assert answer.status in (403, 404)
    assert b"import" not in answer.body
    assert b"root:" not in answer.body


def test_assets_do_not_lead_out_of_their_folder(small: str) -> None:
    page = get(f"{small}/fine")
    say_goodbye(small, page)
    static = re.search(r'"fullStaticUrl": ?"([^"]+)"', page.text)
    assert static
    assert get(f"{small}{static[1]}/voila.js").headers["Cache-Control"].startswith("max-age=31536000")
    for path in ("../../../../etc/passwd", "..%2f..%2f..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd"):
        assert get(f"{small}{static[1]}/{path}").status in (403, 404)


def test_policy_lets_only_the_own_scripts_run(server: str) -> None:
    policies = [get(f"{server}/").headers["Content-Security-Policy"] for _ in range(2)]
    scripts = [re.search(r"script-src ([^;]*)", policy) for policy in policies]
    assert all(found and "unsafe" not in found[1] and "http" not in found[1] for found in scripts)
    assert policies[0] != policies[1]
    assert "default-src 'self'" in policies[0]


def test_pages_name_no_other_host(small: str, server: str) -> None:
    lesson = get(f"{small}/fine")
    say_goodbye(small, lesson)
    for page in (get(f"{server}/"), get(f"{server}/nosuch"), lesson):
        assert set(re.findall(r"https?://[^/\"' ]+", page.text)) <= {"http://www.w3.org"}


def test_answers_are_compressed(server: str) -> None:
    assert get(f"{server}/", Accept_Encoding="gzip").headers["Content-Encoding"] == "gzip"


# ---- lessons and their kernels


def test_kernel_ends_with_its_page(small: str) -> None:
    page = get(f"{small}/fine")
    assert page.status == 200
    assert "fine" in page.text
    assert visitors(small) == 1
    assert get(f"{small}/api/kernels/{page.kernel}").status == 200
    assert get(f"{small}/voila/api/shutdown/{page.kernel}", method="POST", data=b"").status == 403
    assert visitors(small) == 1
    assert say_goodbye(small, page).status == 204
    assert visitors(small) == 0
    assert say_goodbye(small, page).status == 204, "a second good-bye is no mistake"


def test_full_house(small: str) -> None:
    guests = [get(f"{small}/fine") for _ in range(2)]
    answer = get(f"{small}/fine?lang=ja")
    assert answer.status == 503
    assert answer.headers["Retry-After"] == "30"
    assert 'data-note="full"' in answer.text
    assert '<html lang="ja">' in answer.text
    assert visitors(small) == 2
    assert get(f"{small}/").status == 200, "the gallery is open all the same"
    for guest in guests:
        say_goodbye(small, guest)
    assert visitors(small) == 0


def test_no_more_than_the_limit_at_once(small: str) -> None:
    answers: list[Answer] = []
    crowd = [threading.Thread(target=lambda: answers.append(get(f"{small}/fine"))) for _ in range(6)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert sorted(answer.status for answer in answers) == [200, 200, 503, 503, 503, 503]
    for answer in answers:
        if answer.status == 200:
            say_goodbye(small, answer)
    wait_until_empty(small)


@pytest.mark.parametrize("name", ["broken", "slow"])
def test_page_that_fails_or_hangs_says_so_and_leaves_no_kernel(small: str, name: str) -> None:
    began = time.monotonic()
    answer = get(f"{small}/{name}")
    assert time.monotonic() - began < 20
    assert answer.text.rstrip().endswith("cardlib_failed()</script>")
    assert "ZeroDivisionError" not in answer.text
    assert "Traceback" not in answer.text
    wait_until_empty(small)


def test_visitor_who_leaves_while_the_page_opens_leaves_no_kernel(small: str) -> None:
    with urllib.request.urlopen(f"{small}/slow") as answer:
        answer.read(100)
    wait_until_empty(small)


def test_template_and_theme_cannot_be_chosen(small: str) -> None:
    page = get(f"{small}/fine?template=nosuch&theme=dark")
    assert page.status == 200
    assert "app-splash" in page.text
    assert say_goodbye(small, page).status == 204


def test_notebook_that_cannot_be_read(tmp_path: Path) -> None:
    write_notebook(tmp_path / "good.ipynb", ["1"])
    (tmp_path / "bad.ipynb").write_text("{}", "utf-8")
    with serving("--notebooks", str(tmp_path)) as address:
        answer = get(f"{address}/bad")
        assert answer.status == 500
        assert 'data-note="failed"' in answer.text
        assert visitors(address) == 0
        assert get(f"{address}/").status == 200


# ---- the line to the kernel


def connect(server: str, page: Answer, origin: str = "") -> websocket.WebSocket:
    address = f"ws://{urlsplit(server).netloc}/api/kernels/{page.kernel}/channels?session_id={uuid4().hex}"
    return websocket.create_connection(address, timeout=10, origin=origin or server)


def message(kind: str, content: dict[str, Any], channel: str = "shell") -> str:
    header = {"msg_id": uuid4().hex, "msg_type": kind, "session": "test", "username": "", "version": "5.3", "date": ""}
    return json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": channel})


def test_visitor_cannot_run_code(small: str, tmp_path: Path) -> None:
    page = get(f"{small}/fine")
    line = connect(small, page)
    proof = tmp_path / "proof"
    code = {"code": f"open({str(proof)!r}, 'w').close()", "silent": False, "store_history": False, "allow_stdin": False}
    for channel in ("shell", "control"):
        line.send(message("execute_request", code, channel))
    line.send(message("inspect_request", {"code": "open", "cursor_pos": 2, "detail_level": 1}))
    line.send(message("debug_request", {"type": "request", "command": "evaluate", "arguments": {}}, "control"))
    line.send(message("kernel_info_request", {}))
    kinds = []
    while "kernel_info_reply" not in kinds:
        kinds.append(json.loads(line.recv())["msg_type"])
    assert not {"execute_reply", "execute_input", "execute_result", "inspect_reply", "debug_reply"} & set(kinds)
    time.sleep(0.3)
    assert not proof.exists()
    line.close()
    say_goodbye(small, page)


def test_foreign_page_cannot_connect(small: str) -> None:
    page = get(f"{small}/fine")
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
        connect(small, page, origin="http://elsewhere.example")
    say_goodbye(small, page)


# ---- starting and stopping


def test_port_that_is_taken_is_said_and_the_next_one_used(capfd: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    with serving("--port", str(port)) as first:
        assert first.endswith(f":{port}")
        with serving("--port", str(port)) as second:
            assert second != first
            assert get(f"{second}/healthz").status == 200


def test_stopping_ends_every_kernel(tmp_path: Path) -> None:
    write_notebook(tmp_path / "fine.ipynb", ["1"])
    with serving("--notebooks", str(tmp_path)) as address:
        get(f"{address}/fine")
        port = address.rsplit(":", 1)[1]
        (started,) = [process for process in psutil.Process().children() if port in process.cmdline()]
        family = [started, *started.children(recursive=True)]
        assert len(family) >= 2, "the server and a kernel"
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not alive


def test_site_below_a_path(tmp_path: Path) -> None:
    write_notebook(tmp_path / "fine.ipynb", ["1"])
    with serving("--notebooks", str(tmp_path), "--base-url", "/cards") as address:
        assert address.endswith("/cards")
        assert 'href="/cards/fine"' in get(f"{address}/").text
        assert get(f"{address}/nosuch").status == 404
        page = get(f"{address}/fine")
        assert 'src="/cards/cardlib/' in page.text
        assert say_goodbye(address, page).status == 204
