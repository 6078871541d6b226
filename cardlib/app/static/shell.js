// Around a lesson: the progress bar while it opens, and what to say when its kernel is lost.
// This runs before Voila's own scripts; voila_process, voila_finish and themeLoaded are the names that those know.
(() => {
  const base = document.currentScript.dataset.base;
  const splash = document.getElementById("app-splash");
  const bar = document.getElementById("app-progress");
  const lost = document.getElementById("app-lost");
  const POLL = 20_000; // between two questions whether the kernel still lives
  const PATIENCE = 30_000; // from the last cell to the first widget
  let kernel = "";
  let finished = false;
  let leaving = false;

  // ---- opening

  const advance = (share) => { bar.value = Math.max(bar.value, share); };
  const fail = () => {
    if (!splash.hidden) splash.classList.add("app-failed");
  };
  // Voila's scripts begin their work at the end of loading. On a page that failed they would look for a kernel in vain.
  addEventListener("load", (event) => {
    if (splash.classList.contains("app-failed")) event.stopImmediatePropagation();
  }, true);
  const open = () => {
    if (splash.hidden || splash.classList.contains("app-failed")) return;
    advance(1);
    splash.hidden = true;
  };

  window.voila_heartbeat = () => {};
  window.voila_process = (cell, cells) => advance(0.05 + (0.5 * cell) / cells);
  window.cardlib_failed = fail;
  let patience = 0;
  window.voila_finish = () => {
    finished = true;
    if (document.querySelector('script[type="application/vnd.voila.cell-output+json"]') === null) open();
    if (!patience) patience = setTimeout(open, PATIENCE);
  };

  // The first widget that shows itself opens the page; until then every script that arrives moves the bar.
  const watch = new MutationObserver(() => {
    if (!document.querySelector("#lesson [data-kind]:not(.cl-hidden)")) return;
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(open));
  });
  watch.observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ["class"] });
  addEventListener("load", (event) => {
    if (event.target instanceof HTMLScriptElement && finished) advance(bar.value + (0.97 - bar.value) * 0.03);
  }, true);
  addEventListener("error", (event) => {
    if (event.target instanceof HTMLScriptElement) fail();
  }, true);
  addEventListener("DOMContentLoaded", () => {
    if (!finished) fail();
    const config = document.getElementById("jupyter-config-data");
    kernel = config ? JSON.parse(config.textContent).kernelId : "";
    if (kernel) setInterval(ask, POLL);
  });

  // ---- the skip link goes to the first step, past the bar of the page

  document.querySelector(".app-skip").addEventListener("click", (event) => {
    const step = document.querySelector("#lesson [data-kind]:not([data-kind='page'])");
    if (!step) return;
    event.preventDefault();
    step.tabIndex = -1;
    step.focus();
    step.scrollIntoView();
  });

  // ---- a lost kernel

  const say = (why) => {
    if (leaving || !lost.hidden) return;
    lost.dataset.why = why;
    lost.hidden = false;
  };
  lost.querySelector("button").addEventListener("click", () => location.reload());

  // A kernel that was put away closes no socket, so the page asks. (Asking is no activity: it keeps nothing alive.)
  let silent = 0;
  async function ask() {
    if (document.hidden) return;
    try {
      const answer = await fetch(`${base}api/kernels/${kernel}`);
      silent = 0;
      if (answer.status === 404) say("gone");
      else if (lost.dataset.why === "server") lost.hidden = true;
    } catch {
      if (++silent > 1) say("server");
    }
  }
  addEventListener("visibilitychange", () => { if (kernel) ask(); });

  // A kernel that died is started again, empty: the page would look alive and be dead.
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...args) {
      super(...args);
      if (!String(args[0]).includes("/api/kernels/")) return;
      this.addEventListener("message", ({ data }) => {
        const head = typeof data === "string" ? data.slice(0, 4096) : new TextDecoder().decode(data.slice(0, 4096));
        if (/"execution_state": ?"(dead|autorestarting|restarting)"/.test(head)) say("dead");
      });
      this.addEventListener("close", () => setTimeout(() => { if (!leaving && kernel) ask(); }, 1500));
    }
  };

  // ---- leaving: the kernel ends with its page

  addEventListener("pagehide", () => {
    leaving = true;
    const token = document.cookie.match(/(?:^|; )_xsrf=([^;]*)/)?.[1];
    if (!kernel || !token) return;
    const form = new FormData();
    form.append("_xsrf", token);
    navigator.sendBeacon(`${base}voila/api/shutdown/${kernel}`, form);
  });
  // The back button may bring the page as it was, but its kernel is gone.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
