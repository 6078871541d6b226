// The gallery and the notes: the language switch, the filters, and how far the reader has come in each game.
// What is stored is the reader's own, and anybody can write anything there: only known step ids count.

const root = document.documentElement;
const settingsKey = "cardlib/1/settings";

function stored(key) {
  try {
    const value = JSON.parse(localStorage.getItem(key));
    return value && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}

function setLanguage(lang) {
  root.lang = lang;
  try {
    localStorage.setItem(settingsKey, JSON.stringify({ ...stored(settingsKey), lang }));
  } catch { /* without storage the link carries the choice */ }
  const link = new URL(location.href);
  link.searchParams.set("lang", lang);
  history.replaceState(null, "", link);
  showLanguage();
  showFilters();
}

function showLanguage() {
  for (const link of document.querySelectorAll("[data-lang]")) {
    if (link.dataset.lang === root.lang) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const heading = document.querySelector(`[data-note] h1 .app-t[lang="${root.lang}"]`);
  const site = document.querySelector(`.site .app-t[lang="${root.lang}"]`);
  document.title = (heading ?? site).textContent;
}

for (const link of document.querySelectorAll("[data-lang]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    setLanguage(link.dataset.lang);
  });
}

/** What the address asks for, by filter; the links that choose say which values there are. */
function wanted() {
  const asked = new URL(location.href).searchParams, found = {};
  for (const { dataset } of document.querySelectorAll("[data-filter]:not([data-filter=''])")) {
    if (dataset.value && dataset.value === asked.get(dataset.filter)) found[dataset.filter] = dataset.value;
  }
  return found;
}

/** The address of the gallery with these filters. */
function address(filters) {
  const link = new URL(location.href);
  link.search = "";
  link.searchParams.set("lang", root.lang);
  for (const [name, value] of Object.entries(filters)) if (value) link.searchParams.set(name, value);
  return link;
}

/** Show the games that the address asks for, how many they are, and which filters are on. */
function showFilters() {
  const count = document.getElementById("count");
  if (!count) return;
  const filters = wanted();
  let shown = 0;
  for (const item of document.querySelectorAll(".tiles > li")) {
    item.hidden = !Object.entries(filters).every(([name, value]) => item.dataset[name].split(" ").includes(value));
    shown += !item.hidden;
  }
  for (const chip of document.querySelectorAll("[data-filter]")) {
    const { filter, value } = chip.dataset;
    chip.href = address(filter ? { ...filters, [filter]: value } : {});
    if (filter && (filters[filter] ?? "") === value) chip.setAttribute("aria-current", "true");
    else chip.removeAttribute("aria-current");
  }
  for (const text of count.children) text.textContent = text.dataset.text.replace("{n}", shown);
  document.getElementById("none").hidden = shown > 0;
}

for (const chip of document.querySelectorAll("[data-filter]")) {
  chip.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", chip.href);
    document.getElementById("bad")?.remove();
    const away = chip.closest("#none");
    showFilters();
    if (away) document.querySelector(".chip[aria-current]").focus();
  });
}
addEventListener("popstate", showFilters);

/** One game's progress: the known steps that are solved, and the number of the one to go on with. */
function progress(game, ids) {
  const { solved, step } = stored(`cardlib/1/${game}`);
  const done = ids.filter((id) => Array.isArray(solved) && solved.includes(id));
  const here = ids.indexOf(step);
  const next = here >= 0 ? here : ids.findIndex((id) => !done.includes(id));
  return { done: done.length, at: Math.max(next, 0), begun: done.length > 0 || here > 0 };
}

function showProgress() {
  const source = document.getElementById("steps");
  if (!source) return;
  let last = null;
  for (const [game, { href, ids, texts }] of Object.entries(JSON.parse(source.textContent))) {
    const tile = document.querySelector(`[data-game="${CSS.escape(game)}"]`);
    const { done, at, begun } = progress(game, ids);
    const state = ids.length && done === ids.length ? "all" : begun ? "some" : "";
    if (state) tile.dataset.state = state;
    else delete tile.dataset.state;
    tile.querySelector(".pm i").style.width = ids.length ? `${(100 * done) / ids.length}%` : "0";
    for (const text of tile.querySelectorAll(".state")) {
      text.textContent = texts[text.lang][state || "new"].replace("{n}", done);
    }
    const time = Number(stored(`cardlib/1/${game}`).time) || 0;
    if (state === "some" && (!last || time > last.time)) last = { href, at, texts, time, id: ids[at] };
  }
  const box = document.getElementById("continue");
  box.hidden = !last;
  if (!last) return;
  box.href = `${box.dataset.base}${last.href}?step=${encodeURIComponent(last.id)}`;
  for (const text of box.querySelectorAll(".at")) text.textContent = last.texts[text.lang].at.replace("{n}", last.at + 1);
  for (const text of box.querySelectorAll(".what")) text.textContent = last.texts[text.lang].titles[last.at];
}

/** The server has understood what the link asks for, `players=6` say; from here on the address has our own words. */
function settleAddress() {
  const on = [...document.querySelectorAll("[data-filter][aria-current]")].map(({ dataset }) => [dataset.filter, dataset.value]);
  const asked = new URL(location.href).searchParams;
  if (asked.has("players") || asked.has("kind")) history.replaceState(null, "", address(Object.fromEntries(on)));
}

showLanguage();
settleAddress();
showFilters();
showProgress();
const wait = Number(document.querySelector("[data-refresh]")?.dataset.refresh);
if (wait) setTimeout(() => location.reload(), 1000 * wait);
// Back from a lesson, perhaps to a page that the browser had kept as it was.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  const { lang } = stored(settingsKey);
  if (lang === "en" || lang === "ja") root.lang = lang;
  showLanguage();
  showProgress();
});
