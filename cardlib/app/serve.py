"""``cardlib serve``: Voila's own application, cut down to what visitors need and made safe to leave open to them.

What is different from stock Voila, and why:

- A visitor can open a lesson and talk to its widgets, nothing else: the handlers are an allow list, without file tree,
  contents, files, logins or template choice. (Voila itself drops every message that would run code.)
- The page sets the xsrf cookie, so that the kernel really ends with its page; kernels that nobody uses are put away,
  connected or not, and so is one whose page never connected.
- A cap on visitors, checked before a process starts, and a time limit on opening a page. A cell that fails or hangs
  ends in a page that says so, and its kernel ends.
- No answer waits in Nagle's buffer, answers are compressed, and all scripts carry a version in their path, so that a
  browser asks for them once.
- Every page is our own, in both languages, asks no other host for anything, and has a Content-Security-Policy.
"""

import asyncio
import errno
import hashlib
import logging
import os
import secrets
import shutil
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_core.utils import run_sync
from jupyter_server.auth.identity import IdentityProvider, User
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from jupyter_server.utils import url_path_join
from nbconvert.preprocessors.clearoutput import ClearOutputPreprocessor
from tornado.ioloop import IOLoop
from tornado.iostream import StreamClosedError
from tornado.web import GZipContentEncoding, HTTPError, RequestHandler, StaticFileHandler, authenticated
from traitlets.config import Config
from voila.app import Voila
from voila.execute import VoilaExecutor
from voila.notebook_renderer import NotebookRenderer
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.static_file_handler import MultiStaticFileHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler
from voila.utils import get_page_config

from cardlib import __version__
from cardlib.app import pages
from cardlib.app.folders import notebooks_dir
from cardlib.app.gallery import lessons
from cardlib.app.preload import scripts

PORTS_TRIED = 20
RETRY_AFTER = 30
CONNECT_SECONDS = 60
# The template writes this mark where what has come so far should go to the browser.
SEND = "<!--send-->"
# What marks the output of a cell that is a widget.
WIDGET = "application/vnd.jupyter.widget-view+json"

CSP = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' blob: 'nonce-{nonce}'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    ]
)


@dataclass(frozen=True)
class Settings:
    """What can be chosen on the command line."""

    port: int = 8866
    ip: str = "127.0.0.1"
    base_url: str = "/"
    max_visitors: int = 100
    idle_minutes: int = 20
    render_seconds: int = 60
    notebooks: Path | None = None
    open_browser: bool = False
    verbose: bool = False


def serve(settings: Settings) -> int:
    """Run the server until it is stopped."""
    folder = (settings.notebooks or notebooks_dir()).resolve()
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}")
    if not lessons(folder):
        raise ValueError(f"there is no notebook in {folder}")
    pages.gallery("en", "", "/", folder)  # what cannot be read is said now, not to the first visitor
    level = logging.INFO if settings.verbose else logging.ERROR
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=level)
    app = CardServer(config=_config(settings, folder))
    app.chosen = settings
    app.folder = folder
    app.initialize([])
    app.start()
    return 0


def _config(settings: Settings, folder: Path) -> Config:
    c = Config()
    base = "/" + settings.base_url.strip("/")
    c.CardServer.ip = settings.ip
    c.CardServer.port = settings.port
    c.CardServer.base_url = base if base.endswith("/") else base + "/"
    c.CardServer.root_dir = str(folder)
    c.CardServer.open_browser = settings.open_browser
    c.CardServer.config_file_paths = []
    c.CardServer.identity_provider_class = Everybody
    c.CardServer.log_level = logging.INFO if settings.verbose else logging.ERROR
    c.VoilaConfiguration.allow_template_override = "NO"
    c.VoilaConfiguration.allow_theme_override = "NO"
    c.VoilaConfiguration.file_allowlist = []
    c.VoilaConfiguration.show_tracebacks = False
    c.VoilaConfiguration.preheat_kernel = False
    c.VoilaConfiguration.kernel_spec_manager_class = OwnPython
    c.VoilaConfiguration.multi_kernel_manager_class = Kernels
    c.VoilaConfiguration.extension_allowlist = [
        "@jupyter-widgets/jupyterlab-manager",
        "@voila-dashboards/widgets-manager8",
        "anywidget",
    ]
    c.AsyncMappingKernelManager.cull_idle_timeout = 60 * settings.idle_minutes
    c.AsyncMappingKernelManager.cull_interval = 30
    c.AsyncMappingKernelManager.cull_connected = True
    c.AsyncMappingKernelManager.buffer_offline_messages = False
    if os.name == "posix":
        c.KernelManager.transport = "ipc"  # sockets that only this user can open
    return c


class OwnPython(KernelSpecManager):
    """One kernel only: this very Python. What else is installed on the machine cannot get in its way."""

    NAME = "python3"

    def find_kernel_specs(self) -> dict[str, str]:
        return {self.NAME: ""}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        if kernel_name != self.NAME:
            raise NoSuchKernel(kernel_name)
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--HistoryManager.enabled=False"]
        return KernelSpec(argv=argv, language="python", display_name="Python", name=self.NAME)

    def get_all_specs(self) -> dict[str, Any]:
        return {self.NAME: {"resource_dir": "", "spec": self.get_kernel_spec(self.NAME).to_dict()}}


class Kernels(AsyncMappingKernelManager):
    """Jupyter's kernels; one that is only about to start has no last activity yet and is not asked for it."""

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        server: Any = self.parent
        if all(page.kernel_id != kernel_id for page in server.opening):
            await super().cull_kernel_if_idle(kernel_id)


class Everybody(IdentityProvider):
    """Visitors need no name, no login and no cookie."""

    VISITOR = User("visitor")

    def get_user(self, handler: RequestHandler) -> User:
        return self.VISITOR


class Page(JupyterHandler):
    """What all our pages share: language, policy, and error pages of our own."""

    @cached_property
    def nonce(self) -> str:
        """The word that makes this page's own inline scripts known to the browser."""
        return secrets.token_urlsafe(16)

    @property
    def content_security_policy(self) -> str:
        return CSP.format(nonce=self.nonce)

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Referrer-Policy", "same-origin")
        self.set_header("Cache-Control", "no-store")

    @property
    def app(self) -> "CardServer":
        app: CardServer = self.settings["cardlib"]
        return app

    @property
    def lang(self) -> str:
        asked = self.get_query_arguments("lang")
        return pages.choose_lang(asked[0] if asked else "", self.request.headers.get("Accept-Language", ""))

    def note(self, status: int, kind: str, *, refresh: int = 0) -> None:
        """Answer with a short page that says what is the matter."""
        self.set_status(status)
        self.finish(pages.note(kind, self.lang, self.nonce, self.base_url, refresh=refresh))

    def write_error(self, status_code: int, **_: Any) -> None:
        self.note(status_code, "missing" if status_code == 404 else "failed")


class GalleryPage(Page):
    """All games, at ``/``. It starts no kernel."""

    @authenticated
    async def get(self) -> None:
        wishes = {name: self.get_query_argument(name, "") for name in ("players", "kind")}
        self.finish(pages.gallery(self.lang, self.nonce, self.base_url, self.app.folder, **wishes))

    head = get


class MissingPage(Page):
    """Every address that nobody else answers."""

    async def prepare(self, **options: Any) -> None:
        await super().prepare(**options)
        raise HTTPError(404)


class HealthPage(RequestHandler):
    """Is the server well, and how many visitors has it?"""

    def get(self) -> None:
        app: CardServer = self.settings["cardlib"]
        limit = app.chosen.max_visitors
        self.set_header("Cache-Control", "no-store")
        self.finish({"status": "ok", "version": __version__, "visitors": app.visitors(), "max_visitors": limit})

    head = get


class LessonPage(Page):
    """A notebook as a page, at ``/NAME``. Its kernel is started for this visitor and ends with the page."""

    @authenticated
    async def get(self, name: str) -> None:
        known = {path.stem: path for path in lessons(self.app.folder)}
        if name not in known:
            raise HTTPError(404)
        if self.app.is_full():
            self.set_header("Retry-After", str(RETRY_AFTER))
            self.note(503, "full", refresh=RETRY_AFTER)
            return
        _ = self.xsrf_token  # reading it sets the cookie that the page's good-bye needs
        renderer = LessonRenderer(self, known[name])
        self.app.opening.add(renderer)
        try:
            async with asyncio.timeout(self.app.chosen.render_seconds):
                await self.send(renderer)
        except Exception as problem:  # whatever it was: the reader is told, and the kernel must end
            await self.app.end_kernel(renderer.kernel_id)
            self.give_up(name, problem)
        else:
            self.app.expect_page(renderer.kernel_id)
        finally:
            self.app.opening.discard(renderer)

    async def send(self, renderer: "LessonRenderer") -> None:
        """Write the page as it comes into being, so that the reader sees at once that it opens."""
        await renderer.initialize()
        async for piece in renderer.pieces():
            self.write(piece)
            await self.flush()
        await self.finish()

    def give_up(self, name: str, problem: Exception) -> None:
        """Say that the page did not open: on a page of its own, or on the half of it that is already out."""
        if isinstance(problem, StreamClosedError):
            return  # the reader has gone
        self.log.error("%s did not open: %s", name, str(problem) or type(problem).__name__)
        if self._headers_written:
            self.finish(f'<script nonce="{self.nonce}">cardlib_failed()</script>')
        else:
            self.clear()
            self.note(500, "failed")


class LessonRenderer(NotebookRenderer):
    """Voila's renderer, but a failing cell is an error, and the kernel starts when the head of the page is out."""

    def __init__(self, page: LessonPage, notebook: Path):
        app = page.app
        own = app.voila_configuration
        config = get_page_config(base_url=page.base_url, settings=page.settings, log=app.log, voila_configuration=own)
        config.update(
            fullStaticUrl=url_path_join(page.base_url, app.assets, "static"),
            fullLabextensionsUrl=url_path_join(page.base_url, app.assets, "labextensions"),
            fullMathjaxUrl=url_path_join(page.base_url, "cardlib/static/no-math.js"),
        )
        super().__init__(
            request_handler=page,
            voila_configuration=own,
            traitlet_config=app.config,
            notebook_path=notebook.name,
            template_paths=app.template_paths,
            config_manager=page.config_manager,
            contents_manager=page.contents_manager,
            base_url=page.base_url,
            kernel_spec_manager=page.kernel_spec_manager,
            page_config=config,
        )
        self.page = page
        # Chosen here: the page can name its kernel before it runs, and a start that is broken off can be cleaned up.
        self.kernel_id = str(uuid4())
        self.page_config.update(baseUrl=page.base_url, kernelId=self.kernel_id)

    async def pieces(self) -> AsyncIterator[str]:
        """The page, cut where the template says that something is worth sending."""
        page = self.page
        self.resources["cardlib"] = {
            **pages.shell(page.lang, page.nonce, page.base_url),
            "title": pages.lesson_title(self.notebook, Path(self.notebook_path).stem, page.lang),
            "preload": page.app.preload,
            "send": SEND,
        }
        waiting = ""
        async for piece, _ in self.generate_content_generator():
            waiting += piece
            if SEND in waiting:
                ready, waiting = waiting.rsplit(SEND, 1)
                yield ready.replace(SEND, "")
        yield waiting

    async def _jinja_kernel_start(self, nb: Any, kernel_id: Any, kernel_future: Any) -> str:
        manager = self.page.kernel_manager
        await manager.start_kernel(kernel_id=self.kernel_id, kernel_name=OwnPython.NAME, cwd=str(self.page.app.folder))
        kernel = manager.get_kernel(self.kernel_id)
        self.executor = VoilaExecutor(nb, km=kernel, config=self.traitlet_config, show_tracebacks=False)
        self.executor.kc = await self.executor.async_start_new_kernel_client()
        self.kernel_started = True
        return self.kernel_id

    async def _jinja_cell_generator(self, nb: Any, kernel_id: Any) -> AsyncIterator[Any]:
        nb, _ = ClearOutputPreprocessor().preprocess(nb, {})
        for index, cell in enumerate(nb.cells):
            yield without_twins(await self.executor.execute_cell(cell, None, index, store_history=False))
        await self._cleanup_resources()


def without_twins(cell: Any) -> Any:
    """A cell whose widgets leave their text twins out: those are for print, and hold the answers of all exercises."""
    for output in cell.get("outputs", ()):
        if WIDGET in output.get("data", ()):
            output.data.pop("text/plain", None)
    return cell


class KernelSocket(VoilaKernelWebsocketHandler):
    """The line between a page and its kernel, without the 40 ms that small messages wait in Nagle's buffer."""

    async def open(self, kernel_id: str) -> None:
        self.set_nodelay(True)
        await super().open(kernel_id)


class Assets(MultiStaticFileHandler):
    """Voila's scripts below a path that names their version, so a browser need not ask again."""

    def get_cache_time(self, path: str, modified: Any, mime_type: str) -> int:
        return 365 * 24 * 3600


class GoodBye(VoilaShutdownKernelHandler):
    """The page's last message. It may come twice, or after the kernel has gone: all the same."""

    @authenticated
    async def post(self, kernel_id: str) -> None:
        await self.settings["cardlib"].end_kernel(kernel_id)
        self.set_status(204)
        self.finish()


class CardServer(Voila):
    """The application: Voila with the handlers above."""

    name = "cardlib"
    chosen = Settings()
    folder = Path()

    def initialize(self, argv: list[str] | None = None) -> None:
        super().initialize(argv)
        self.opening: set[LessonRenderer] = set()
        self.assets = f"cardlib/assets-{_versions()}"

    def setup_template_dirs(self) -> None:
        super().setup_template_dirs()
        self.template_paths.insert(0, str(pages.TEMPLATES / "voila"))

    def init_settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = super().init_settings()
        headers = {"Content-Security-Policy": CSP.format(nonce=secrets.token_urlsafe(16))}
        return {**settings, "cardlib": self, "default_handler_class": MissingPage, "headers": headers}

    def init_handlers(self) -> list[Any]:
        """An allow list; what Voila would add besides is left out."""
        self.app.transforms.append(GZipContentEncoding)
        kernel = r"(?P<kernel_id>\w+-\w+-\w+-\w+-\w+)"
        handlers: list[tuple[str, Any, dict[str, Any]]] = [
            ("", GalleryPage, {}),
            ("healthz", HealthPage, {}),
            (r"([\w-]+)", LessonPage, {}),
            (r"cardlib/static/(.*)", StaticFileHandler, {"path": str(pages.STATIC)}),
            (rf"{self.assets}/static/(.*)", Assets, {"paths": self.static_paths}),
            (rf"{self.assets}/labextensions/(.*)", Assets, {"paths": self.labextensions_path}),
            (rf"api/kernels/{kernel}", KernelHandler, {}),
            (rf"api/kernels/{kernel}/channels", KernelSocket, {}),
            (rf"voila/api/shutdown/{kernel}", GoodBye, {}),
        ]
        return [(self.base_url + path, handler, options) for path, handler, options in handlers]

    @cached_property
    def preload(self) -> list[str]:
        """The addresses of the scripts that every lesson loads."""
        return [f"{self.base_url}{self.assets}/{path}" for path in scripts(self.static_paths, self.labextensions_path)]

    # ---- visitors and their kernels

    def visitors(self) -> int:
        """How many pages are open, those among them whose kernel is only about to start."""
        kernels = self.kernel_manager
        return len(kernels.list_kernel_ids()) + sum(page.kernel_id not in kernels for page in self.opening)

    def is_full(self) -> bool:
        return 0 < self.chosen.max_visitors <= self.visitors()

    async def end_kernel(self, kernel_id: str) -> None:
        if kernel_id not in self.kernel_manager:
            return
        try:
            await self.kernel_manager.shutdown_kernel(kernel_id, now=True)
        except Exception as problem:  # it may be ending at this very moment
            self.log.warning("kernel %s: %r", kernel_id, problem)

    def expect_page(self, kernel_id: str) -> None:
        """A page that never connects (a robot's, say) does not keep its kernel."""

        async def look() -> None:
            if kernel_id in self.kernel_manager and not self.kernel_manager.kernel_model(kernel_id)["connections"]:
                await self.end_kernel(kernel_id)

        IOLoop.current().call_later(CONNECT_SECONDS, look)

    # ---- listening

    def listen(self) -> None:
        self.port = self._free_port()
        address = f"http://{_shown_host(self.ip)}:{self.port}{self.base_url}"
        print(f"cardlib is at {address}", flush=True)
        if self.ip in ("", "0.0.0.0", "::"):
            print(f"from other machines: http://{_own_address()}:{self.port}{self.base_url}", flush=True)
        if self.open_browser:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        self.ioloop = IOLoop.current()
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            print("cardlib has stopped", flush=True)
        finally:
            self.stop()

    def stop(self) -> None:
        """End the kernels, then remove the folder of their sockets."""
        run_sync(self.kernel_manager.shutdown_all)(now=True)
        shutil.rmtree(self.connection_dir, ignore_errors=True)

    def _free_port(self) -> int:
        """Listen on the port asked for, or on the next free one."""
        wanted: int = self.port
        for port in range(wanted, min(wanted + PORTS_TRIED, 65536)):
            try:
                self.app.listen(port, self.ip)
            except OSError as problem:
                if problem.errno != errno.EADDRINUSE:
                    raise ValueError(f"cannot listen on {self.ip} port {port}: {problem.strerror}") from problem
                print(f"port {port} is taken by another program", flush=True)
            else:
                return port
        raise ValueError(f"no free port from {wanted} to {wanted + PORTS_TRIED - 1}: choose another with --port")


def _versions() -> str:
    """A short word that changes when the scripts of the page may have changed."""
    names = ("voila", "anywidget", "ipywidgets", "jupyterlab_widgets")
    return hashlib.sha256(" ".join(version(name) for name in names).encode()).hexdigest()[:12]


def _shown_host(ip: str) -> str:
    if ip in ("", "0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{ip}]" if ":" in ip else ip


def _own_address() -> str:
    """This machine's address in its network. Connecting a datagram socket sends nothing."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()
