/* The page of a card game in the browser: one ES module for every widget of the notebook.
 *
 * Python decides, this file draws. Each widget has one `state` (kernel to browser) and sends small messages with
 * `model.send({do, ...})`; no text of its own is in here, every word comes ready in the reader's language.
 * The page widget carries the module, the other widgets are stubs that wait for `globalThis.cardlib.ready`.
 *
 * Parts: 1 elements · 2 what all widgets share · 3 messages · 4 cards and words · 5 pieces · 6 the table · 7 step ·
 * 8 play · 9 options · 10 page · 11 mounting.
 */

/* ---- 1 elements: a description of what should be there, and the patch that makes it so ------------------------- */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "path", "circle", "g", "rect", "text"]);

/** Describe an element. `key` keeps its node through reorderings; `onclick` and the like are functions. */
function h(tag, props, ...kids) {
  const { key, ...rest } = props ?? {};
  return { tag, key, props: rest, kids: kids.flat(Infinity).filter(isDrawn) };
}

const isDrawn = (kid) => kid !== null && kid !== undefined && kid !== false && kid !== "";

function create(kid) {
  if (typeof kid !== "object") return document.createTextNode(String(kid));
  const node = SVG_TAGS.has(kid.tag) ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag);
  node.clKey = kid.key;
  node.clTag = kid.tag;
  update(node, kid);
  return node;
}

function update(node, kid) {
  if (typeof kid !== "object") {
    if (node.data !== String(kid)) node.data = String(kid);
    return;
  }
  setProps(node, kid.props);
  if (kid.props.html === undefined) patch(node, kid.kids);
}

const fits = (node, kid) =>
  typeof kid === "object" ? node.clTag === kid.tag && node.clKey === kid.key : node.nodeType === Node.TEXT_NODE;

/** Make the children of `parent` equal to `kids`; nodes that stay are never moved, so that focus stays, too. */
function patch(parent, kids) {
  const wanted = new Set(kids.map((kid) => kid.key).filter((key) => key !== undefined));
  const keyed = new Map();
  for (const child of [...parent.childNodes]) {
    if (child.clKey === undefined) continue;
    if (wanted.has(child.clKey)) keyed.set(child.clKey, child);
    else child.remove();
  }
  let here = parent.firstChild;
  for (const kid of kids) {
    let node = kid.key === undefined ? here : keyed.get(kid.key);
    if (node && !fits(node, kid)) node = undefined;
    if (node) update(node, kid);
    else node = create(kid);
    if (node === here) here = here.nextSibling;
    else parent.insertBefore(node, here);
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

function setProps(node, props) {
  const last = node.clProps ?? {};
  for (const name of Object.keys(last)) if (!(name in props)) setProp(node, name, undefined, last[name]);
  for (const [name, value] of Object.entries(props)) setProp(node, name, value, last[name]);
  node.clProps = props;
}

function setProp(node, name, value, last) {
  if (name.startsWith("on")) return setHandler(node, name.slice(2), value);
  if (name === "style") return setStyle(node, value ?? {}, last ?? {});
  if (name === "value" || name === "checked") {
    if (node[name] !== value) node[name] = value ?? (name === "value" ? "" : false);
    return;
  }
  if (value === last) return;
  if (name === "html") return setHtml(node, value ?? "");
  if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

function setHandler(node, type, handler) {
  node.clOn ??= {};
  if (!(type in node.clOn)) node.addEventListener(type, (event) => node.clOn[type]?.(event));
  node.clOn[type] = handler;
}

function setStyle(node, value, last) {
  for (const name of Object.keys(last)) if (!(name in value)) node.style.removeProperty(name);
  for (const name of Object.keys(value)) if (value[name] !== last[name]) node.style.setProperty(name, value[name]);
}

/** Text of the rule book, the only HTML there is: our own, escaped by the Markdown parser. */
function setHtml(node, html) {
  node.innerHTML = html;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (TOKEN.test(text.data)) text.replaceWith(...words(text.data).map(create));
  }
}

/* ---- 2 what all widgets of a page share ------------------------------------------------------------------------ */

const STORE = "cardlib/1/";

function hub() {
  const cardlib = (globalThis.cardlib ??= {});
  if (!cardlib.ready) cardlib.ready = new Promise((resolve) => (cardlib.resolve = resolve));
  return cardlib;
}

/** One object for every view on the page, also if the module is loaded twice. */
const shared = (hub().shared ??= {
  page: { ui: {}, names: {}, settings: {}, steps: [] },
  pageView: null,
  shown: false,
  views: new Set(),
  places: new Map(),
  rules: new Map(),
  arrivals: new Set(),
});

const say = (id, facts = {}) => fill(shared.page.ui?.[id] ?? "", facts);
const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (all, name) => facts[name] ?? all);
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function load(key) {
  try {
    return JSON.parse(localStorage.getItem(STORE + key));
  } catch {
    return null;
  }
}

function store(key, value) {
  try {
    if (value === null) localStorage.removeItem(STORE + key);
    else localStorage.setItem(STORE + key, JSON.stringify(value));
  } catch {
    /* private mode: the lesson goes on, only the memory is missing */
  }
}

/** Scroll to a step, a table or the options, and give its heading the focus. */
function goTo(id, smooth = true) {
  const place = shared.places.get(id);
  if (!place) return false;
  place.scrollIntoView({ behavior: smooth && !calm() ? "smooth" : "instant", block: "start" });
  place.querySelector("h2")?.focus({ preventScroll: true });
  return true;
}

function goToNext(from) {
  const after = [...shared.places].filter(
    ([, place]) => from.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  after.sort(([, a], [, b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  if (after.length) goTo(after[0][0]);
}

/* ---- 3 messages ------------------------------------------------------------------------------------------------ */

const PATIENCE = 2000;

/** Send without waiting for an answer. */
function tell(view, message) {
  try {
    view.model.send({ ...message, v: view.state.v ?? 0 });
  } catch {
    /* the kernel is gone: the frame of the page says so */
  }
}

/** Send and wait: one question at a time; if the answer takes long, say so. */
function ask(view, message) {
  if (view.waiting) return;
  noteWork(view);
  tell(view, message);
  view.waiting = setTimeout(() => {
    view.waiting = 0;
    view.slow = true;
    draw(view);
  }, PATIENCE);
}

function answered(view) {
  clearTimeout(view.waiting);
  view.waiting = 0;
  view.slow = false;
}

/** Who works in a step is there, wherever the page is scrolled to (the press itself may have scrolled it). */
function noteWork(view) {
  shared.worked = performance.now();
  if (view.placeId && shared.pageView) reportPlace(view.placeId);
}

/* ---- 4 cards and words ----------------------------------------------------------------------------------------- */

const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣", J: "★" };
const PATHS = {
  S: "M16 2c2.600 5.200 12 9.200 12 16.400 0 4-2.900 6.600-6.200 6.600-1.900 0-3.400-.8-4.400-2.100.3 3 1.600 5.100 4.100 7.100h-11c2.500-2 3.800-4.100 4.100-7.100-1 1.300-2.500 2.100-4.400 2.100C6.900 25 4 22.400 4 18.400 4 11.200 13.400 7.200 16 2z",
  H: "M16 29C13 24.300 2.500 19 2.500 11.100 2.500 6.900 5.600 4 9.300 4c2.900 0 5.400 1.700 6.700 4.600C17.300 5.700 19.800 4 22.700 4c3.700 0 6.800 2.900 6.800 7.100C29.500 19 19 24.300 16 29z",
  D: "M16 1.500C18.700 6.500 22.700 11.800 27 16c-4.300 4.200-8.300 9.500-11 14.500C13.300 25.500 9.300 20.200 5 16 9.300 11.800 13.300 6.500 16 1.500z",
  C: "M16 2.500a6.300 6.300 0 0 1 5.100 10 6.400 6.400 0 1 1-3.700 11c.4 2.700 1.600 4.700 4.100 6.500h-11c2.500-1.800 3.700-3.800 4.100-6.500a6.400 6.400 0 1 1-3.700-11 6.300 6.300 0 0 1 5.100-10z",
  J: "M16 1.500l4.300 9.600 10.400 1.100-7.800 7 2.200 10.300-9.100-5.300-9.100 5.300 2.200-10.300-7.800-7 10.400-1.100z",
};
const TOKEN = /([♠♥♦♣])(10|[2-9AKQJ](?![A-Za-z0-9]))?/;

/** The suit of a card; the joker, which has none, is drawn as a star. */
const suitOf = (card) => (card === "JKR" ? "J" : card[1]);

const suitShape = (suit) =>
  h("svg", { viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" }, h("path", { d: PATHS[suit] }));

/** Text with its cards drawn: `♠Q` becomes the shape and the rank, still readable as text and by name. */
function words(text) {
  const parts = [];
  const all = new RegExp(TOKEN, "g");
  let from = 0;
  for (const match of text.matchAll(all)) {
    parts.push(text.slice(from, match.index), token(SUITS[match[1]], match[2] ?? ""));
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== "");
}

function token(suit, rank) {
  const code = suit === "J" ? "JKR" : rank ? (rank === "10" ? "T" : rank) + suit : suit;
  const name = shared.page.names?.[code];
  const props = { class: `cl-token cl-${suit.toLowerCase()}`, role: name && "img", "aria-label": name };
  return h("span", props, suitShape(suit), h("span", { class: "cl-unseen" }, SIGNS[suit]), rank);
}

const sign = (card) => SIGNS[suitOf(card)] + (card === "JKR" ? "" : rankText(card));
const rankText = (card) => (card === "JKR" ? card : card[0] === "T" ? "10" : card[0]);

/** The first sentence is the answer, the rest explains it. */
function leadAndRest(text) {
  const end = text.search(/[。！？]|[.!?](?=\s)/);
  if (end < 1 || end >= text.length - 1) return words(text);
  return [h("b", {}, words(text.slice(0, end + 1))), ...words(text.slice(end + 1))];
}

/** "queen of spades, 13, not allowed" */
function nameOf(face, more) {
  const name = face.name || sign(face.card);
  const said = badgeOf(face);
  const badge = said && !name.includes(said) ? said : "";
  return [name, badge, ...more].filter(Boolean).join(", ");
}

/** What is written on a card to help; the reader may have turned that off. */
const badgeOf = (face) => (shared.page.settings?.badges === "off" ? "" : face.badge);

/** A playing card. `look` lists its states, `corner` is a sign at its upper right, `words` finish its name. */
function cardNode(face, { look = [], corner, words: more = [], button, size } = {}) {
  const looks = look.filter(Boolean).map((name) => ` cl-is-${name}`);
  if (face.back) {
    const label = [face.name || say("hidden") || "?", ...more].filter(Boolean).join(", ");
    const props = { key: face.card, class: `cl-card cl-back ${size ?? ""}${looks.join("")}`, "aria-label": label };
    if (!button) return h("span", { ...props, role: "img" });
    const number = h("b", { class: "cl-slot", "aria-hidden": "true" }, face.n ?? "");
    return h("button", { ...props, "data-card": face.card, type: "button", ...button }, number);
  }
  const props = {
    key: face.card,
    class: `cl-card cl-${suitOf(face.card).toLowerCase()} ${size ?? ""}${looks.join("")}`,
    "data-card": face.card,
    "aria-label": nameOf(face, more),
  };
  const inside = [
    h("span", { class: "cl-rank", "aria-hidden": "true" }, rankText(face.card)),
    suitShape(suitOf(face.card)),
    badgeOf(face) && size !== "cl-xs" && h("span", { class: "cl-badge", "data-sign": badgeOf(face) }),
    corner && h("span", { class: "cl-corner", "data-sign": corner }),
  ];
  return button
    ? h("button", { ...props, type: "button", ...button }, inside)
    : h("span", { ...props, role: "img" }, inside);
}

/** Small cards in a row, only to look at. */
const cardRow = (faces) =>
  h(
    "span",
    { class: "cl-cards" },
    faces.map((face) => cardNode(face, { size: "cl-xs" })),
  );

/** Cards in running text. */
const cardWords = (faces) =>
  h(
    "span",
    { class: "cl-inline" },
    faces.map((face) => [face.card === "JKR" ? token("J", "") : token(face.card[1], rankText(face.card)), " "]),
  );

/* ---- 5 pieces: sentences, rules, buttons, hands ---------------------------------------------------------------- */

const TONES = { good: "✓", warn: "!", bad: "✕", note: "i" };

function sayBox(it, key, extra) {
  if (!it || !it.text) return null;
  const tone = it.tone in TONES ? it.tone : "note";
  return h(
    "div",
    { key, class: `cl-say cl-${tone}`, "data-tone": tone },
    h("span", { class: "cl-icon", "aria-hidden": "true" }, TONES[tone]),
    h("p", {}, leadAndRest(it.text), it.rule && [" ", chip({ id: it.rule, title: it.title || it.rule })]),
    extra,
  );
}

/** A rule by its title; pressed, it opens the text of the rule.  `short`: where it stands in every line. */
function chip(rule, short = false) {
  return h(
    "button",
    {
      type: "button",
      class: `cl-chip${short ? " cl-ask-why" : ""}`,
      "data-rule": rule.id,
      title: short ? rule.title || rule.id : rule.id,
      "aria-label": short ? rule.title || rule.id : undefined,
      "aria-haspopup": "dialog",
      onclick: () => openRule(rule),
    },
    h("span", {}, short ? "?" : words(rule.title || rule.id)),
  );
}

const heading = (id, title) => (title ? h("h2", { id, tabindex: "-1" }, words(title)) : null);

const chips = (rules) => (rules?.length ? h("span", { class: "cl-chips" }, rules.map((rule) => chip(rule))) : null);

const KEYS = { undo: "u", hint: "h", why: "w", next: "n" };

function button(it, act) {
  const key = it.key ?? KEYS[it.do];
  return h(
    "button",
    {
      key: it.do,
      type: "button",
      class: `cl-button${it.primary ? " cl-primary" : ""}`,
      "data-do": it.do,
      "aria-disabled": it.disabled ? "true" : undefined,
      "aria-keyshortcuts": key?.toUpperCase(),
      onclick: () => it.disabled || act(it),
    },
    h("span", {}, words(it.label)),
    key && h("kbd", { "aria-hidden": "true" }, key.toUpperCase()),
  );
}

const buttonRow = (list, act) =>
  list?.length
    ? h(
        "div",
        { key: "buttons", class: "cl-buttons" },
        list.map((it) => button(it, act)),
      )
    : null;

/** Buttons side by side of which one is on. */
function segments(label, values, current, choose) {
  return h(
    "div",
    { class: "cl-seg", role: "group", "aria-label": label },
    values.map(([value, text, props]) =>
      h(
        "button",
        {
          key: value,
          type: "button",
          "data-value": value,
          "aria-pressed": String(value === current),
          ...props,
          onclick: () => value === current || choose(value),
        },
        text,
      ),
    ),
  );
}

/** Cards one can press: one tab stop, arrows inside. Each item: {face, look, corner, words, act, pressed, refused}. */
function cardZone(view, name, label, items) {
  const stop = roving(
    view,
    name,
    items.map((it) => it.face.card),
  );
  const nodes = items.map((it) =>
    cardNode(it.face, {
      ...it,
      button: {
        ...stop(it.face.card),
        "aria-pressed": it.pressed === undefined ? undefined : String(it.pressed),
        "aria-disabled": it.refused ? "true" : undefined,
        onclick: it.act,
      },
    }),
  );
  return zone(name, label, nodes);
}

/** What can be pressed in a zone: cards, and whatever else has the class `cl-stop`. */
const STOPS = "button:is(.cl-card, .cl-stop)";

const zone = (name, label, nodes) =>
  h(
    "div",
    {
      key: name,
      class: `cl-zone cl-${name}`,
      role: "toolbar",
      "aria-label": label,
      "data-zone": name,
      onkeydown: walkZone,
    },
    nodes,
  );

/** One tab stop for several things: the one that had the focus last. */
function roving(view, name, ids) {
  const stops = (view.local.stops ??= {});
  const current = ids.includes(stops[name]) ? stops[name] : ids[0];
  return (id) => ({
    tabindex: id === current ? "0" : "-1",
    onfocus: () => {
      if (stops[name] === id) return;
      stops[name] = id;
      draw(view);
    },
  });
}

function walkZone(event) {
  const cards = [...event.currentTarget.querySelectorAll(STOPS)];
  const here = cards.indexOf(document.activeElement);
  if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = stepInZone(cards, here, event.key);
  if (next === undefined) return;
  event.preventDefault();
  cards[next]?.focus();
}

function stepInZone(cards, here, key) {
  if (key === "ArrowRight") return Math.min(here + 1, cards.length - 1);
  if (key === "ArrowLeft") return Math.max(here - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return cards.length - 1;
  if (key === "ArrowDown" || key === "ArrowUp") return inNextRow(cards, here, key === "ArrowDown" ? 1 : -1);
  return undefined;
}

/** The card above or below, where a hand has several rows. */
function inNextRow(cards, here, way) {
  const boxes = cards.map((card) => ({ x: card.offsetLeft, y: card.offsetTop }));
  const far = boxes.filter((box) => (box.y - boxes[here].y) * way > 20);
  if (!far.length) return here;
  const row = way > 0 ? Math.min(...far.map((box) => box.y)) : Math.max(...far.map((box) => box.y));
  const inRow = boxes.map((box, index) => ({ ...box, index })).filter((box) => Math.abs(box.y - row) < 20);
  inRow.sort((a, b) => Math.abs(a.x - boxes[here].x) - Math.abs(b.x - boxes[here].x));
  return inRow[0].index;
}

const STRIP = 44;

/** Lay out a hand: side by side; then overlapping down to a strip of 44 px; then in rows. */
function layHand(zone) {
  const cards = zone.querySelectorAll(".cl-card");
  if (!cards.length || !zone.clientWidth) return;
  const card = cards[0].offsetWidth;
  const measures = [cards.length, zone.clientWidth, card].join();
  if (zone.clLaid === measures) return;
  zone.clLaid = measures;
  const room = zone.clientWidth - 12;
  const gap = card < 60 ? 4 : 8;
  const most = Math.max(1, Math.floor((room - card) / STRIP) + 1);
  const rows = Math.ceil(cards.length / most);
  const each = Math.ceil(cards.length / rows);
  const strip = each > 1 ? Math.min(card + gap, Math.floor((room - card) / (each - 1))) : card + gap;
  zone.style.setProperty("--cl-strip", `${strip}px`);
  zone.style.setProperty("--cl-pad", `${Math.max(0, (zone.clientWidth - strip * each - 1) / 2)}px`);
  zone.classList.toggle("cl-tight", strip < card);
}

/* The text of one rule, in a dialog: the place on the page stays. */

function openRule(rule) {
  const known = shared.rules.get(rule.id);
  const text = known ?? rule;
  const dialog = ruleDialog();
  const close = () => dialog.close();
  dialog.lang = shared.page.lang ?? "";
  dialog.dataset.rule = rule.id;
  patch(
    dialog,
    [
      h("h2", { id: "cl-rule-title" }, words(text.title || rule.id)),
      text.html ? h("div", { class: "cl-prose", html: text.html }) : null,
      h("p", { class: "cl-source" }, text.source && [text.source, h("br")], h("code", {}, rule.id)),
      h(
        "div",
        { class: "cl-buttons" },
        h(
          "button",
          { type: "button", class: "cl-button cl-primary", "data-do": "close", onclick: close },
          say("close") || "✕",
        ),
        document.getElementById(`rule-${rule.id}`) || shared.options
          ? h(
              "button",
              { type: "button", class: "cl-button", "data-do": "whole", onclick: () => showInBook(rule.id, close) },
              say("whole"),
            )
          : null,
      ),
    ].filter(isDrawn),
  );
  dialog.showModal();
}

function ruleDialog() {
  if (shared.dialog?.isConnected) return shared.dialog;
  const dialog = document.createElement("dialog");
  dialog.className = "cl cl-dialog";
  dialog.setAttribute("aria-labelledby", "cl-rule-title");
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return (shared.dialog = dialog);
}

function showInBook(id, close) {
  close();
  const options = shared.options;
  if (options) {
    options.local.whole = true;
    draw(options);
  }
  const place = document.getElementById(`rule-${id}`);
  place?.scrollIntoView({ behavior: calm() ? "instant" : "smooth", block: "center" });
  place?.querySelector("[tabindex]")?.focus({ preventScroll: true });
}

/* ---- 6 the table: seats, trick, hand --------------------------------------------------------------------------- */

/** The felt of a table. `acts`: {play(move), trial(move), next()}. */
function drawTable(table, view, acts, between, buttons) {
  return h(
    "div",
    { key: "felt", class: "cl-felt cl-table", "data-phase": table.phase },
    h(
      "div",
      { class: "cl-headline" },
      h("span", { class: "cl-overline" }, words(table.head ?? "")),
      kittyNode(table.kitty),
    ),
    contractLine(table.contract),
    table.phase === "over" ? quizList(table.quiz, view, acts) : arena(table, view, acts),
    h(
      "div",
      { key: "ask", class: `cl-ask${table.quiz?.skip ? " cl-empty" : ""}` },
      h("p", { class: "cl-task", role: "status" }, words(table.prompt ?? "")),
      counter(table.compose, view),
      nextButton(table, view, acts),
      boardOf(table)?.ask?.(table, view, acts),
    ),
    table.board ? trialBox(table.board, view) : null,
    table.hand?.length ? tableHand(table, view, acts) : null,
    toggleList(table.compose, view),
    orderList(table.compose, view),
    refusalBox(view),
    table.board ? null : trialBox(table.compose, view),
    between,
    h("div", { key: "foot", class: "cl-foot" }, goRow(table, view, acts), buttons),
  );
}

/** Where a seat sits: I at the bottom, the next one to my left (anticlockwise: to my right), and so round. */
function spot(index, count, anticlockwise = false) {
  const angle = Math.PI / 2 + (index * 2 * Math.PI) / count;
  return { x: Math.cos(angle) * (anticlockwise ? -1 : 1), y: Math.sin(angle) };
}

/** The same in a word, for four seats around a middle that needs the room. */
const sideOf = ({ x, y }) => (y > 0.5 ? "bottom" : y < -0.5 ? "top" : x > 0 ? "right" : "left");

/** The seats around the middle; they stand in a row where hands lie open, or where the middle needs the room. */
function arena(table, view, acts) {
  const seats = table.seats ?? [];
  const board = boardOf(table);
  if (board?.bare) return board.draw(table.board, table, view, acts);
  const open = seats.some((seat) => seat.hand);
  const round = Boolean(board?.round);
  const flat = (board && !round) || open;
  const look = `${flat ? " cl-flat" : ""}${open ? " cl-open" : ""}${board ? " cl-boarded" : ""}${round ? " cl-around" : ""}`;
  return [
    h(
      "div",
      { key: "arena", class: `cl-arena${look}`, "data-seats": seats.length },
      h("div", { class: "cl-oval", "aria-hidden": "true" }),
      h(
        "ul",
        { class: "cl-seats", role: "list", "aria-label": say("seats") },
        seats.map((seat, at) => seatNode(table, seat, at)),
      ),
      board || table.trick?.length ? null : middle(table, seats),
      round && board.draw(table.board, table, view, acts),
    ),
    round ? null : board?.draw(table.board, table, view, acts),
  ];
}

/** What this deal is about, in a few words, and what that means for the trick on the table. */
const contractLine = (contract) =>
  contract &&
  h(
    "div",
    { key: "contract", class: "cl-contract" },
    h("p", {}, h("b", {}, words(contract.name)), " ", h("span", {}, words(contract.text ?? ""))),
    contract.now && h("span", { class: "cl-tag cl-now" }, words(contract.now)),
  );

function seatNode(table, seat, index) {
  const { x, y } = spot(index, table.seats.length, table.anticlockwise);
  const play = table.board?.plays?.find((it) => it.seat === seat.seat);
  const played = table.trick?.find((card) => card.seat === seat.seat);
  const looks = [seat.me && "me", seat.turn && "turn", seat.gives_to && "gets", played?.winning && "wins"]
    .filter(Boolean)
    .map((name) => ` cl-${name}`);
  return h(
    "li",
    {
      key: seat.seat,
      class: `cl-seat${looks.join("")}`,
      "data-seat": seat.seat,
      "data-side": sideOf({ x, y }),
      style: { "--x": x.toFixed(3), "--y": y.toFixed(3) },
    },
    h(
      "div",
      { class: "cl-plate" },
      h(
        "span",
        { class: "cl-name" },
        h("b", {}, seat.name),
        seat.turn && h("span", { class: "cl-unseen" }, ` (${say("turn")})`),
      ),
      seat.dealer && table.dealer_label && h("span", { class: "cl-dealer" }, table.dealer_label),
      seat.points && h("span", { class: "cl-points" }, seat.points),
      seat.marks?.length ? h("span", { class: "cl-marks" }, seat.marks.map(signs)) : null,
      seat.so_far && h("span", { class: "cl-so-far" }, seat.so_far),
      seat.me || seat.hand ? null : backs(seat.cards),
      seat.note && h("span", { class: "cl-seat-note" }, seat.note),
    ),
    seat.hand && h("div", { class: "cl-open-hand", role: "group", "aria-label": seat.name }, cardRow(seat.hand)),
    h("div", { class: "cl-played" }, played && playedCard(played)),
    play && lastPlay(play),
  );
}

/** How many cards somebody holds: a small back for each. */
function backs(count) {
  if (!(count > 0)) return null;
  const label = say(count === 1 ? "card" : "cards", { n: count });
  return h(
    "span",
    {
      class: "cl-backs",
      role: "img",
      "aria-label": label || String(count),
      "data-count": count,
      style: { "--n": String(count) },
    },
    Array.from({ length: Math.min(count, 20) }, () => h("i", {})),
    h("span", { class: "cl-count", "aria-hidden": "true" }, String(count)),
  );
}

function playedCard(card) {
  const more = [card.led && say("led"), card.winning && (card.tag || say("winning")), card.also];
  return [
    cardNode(card, { look: [card.winning && "winning"], words: more }),
    card.led && h("span", { class: "cl-tag cl-led", "aria-hidden": "true" }, say("led")),
    card.winning && card.tag && h("span", { class: "cl-tag", "aria-hidden": "true" }, card.tag),
    card.also && h("span", { class: "cl-tag cl-also", "aria-hidden": "true" }, card.also),
  ];
}

/* What may lie in the middle in place of a trick, by the kind of `table.board`. */

/** `draw(board, table, view, acts)` draws it; a kind may also take over a press on a card of the hand
 * (`press(table, view, acts, face)`; `pressed(view, card)`: it is chosen), the row of buttons under the prompt
 * (`ask(table, view, acts)`), and what is kept when a new state comes (`adopt(view, table)`).  Where it is `round` the
 * seats stand around it, else in a row above it; where it is `bare` it tells of the seats itself. */
const BOARDS = {
  fishing: { draw: drawFishing, round: true, press: pressFishing, pressed: isPicked, ask: captureBar, adopt: adoptFishing },
  offers: { draw: drawOffers },
  rows: { draw: drawRows },
  auction: { draw: drawAuction, bare: true },
};
const boardOf = (table) => BOARDS[table?.board?.kind];

/** A thing in the middle that is a move: it is made, or says why not. */
function boardMove(item, view, acts, stop, look, kids) {
  const refused = Boolean(item.refusal) && (view.local.refused?.has(item.move) ?? false);
  return h(
    "button",
    {
      key: item.move,
      type: "button",
      class: `cl-stop ${look}${refused ? " cl-is-refused" : ""}`,
      "data-move": item.move,
      "aria-label": item.name,
      "aria-disabled": refused ? "true" : undefined,
      ...stop(item.move),
      onclick: () => (item.refusal ? refuse(view, item.refusal, item.move) : acts.play(item.move)),
    },
    kids,
  );
}

/** A choice between several things, each with a line that says what it means. */
function drawOffers(board, table, view, acts) {
  const stop = roving(
    view,
    "offers",
    board.items.map((item) => item.move),
  );
  const offer = (item) =>
    boardMove(item, view, acts, stop, `cl-offer${item.refusal ? " cl-shut" : ""}`, [
      h("b", {}, words(item.label)),
      h("span", {}, words(item.text ?? "")),
      item.note && h("small", {}, words(item.note)),
    ]);
  return zone("offers", board.label, board.items.map(offer));
}

/** Rows that grow out of their middle, a line for each suit, and piles that may be taken. */
function drawRows(board, table, view, acts) {
  const stop = roving(
    view,
    "piles",
    board.piles.map((pile) => pile.move),
  );
  const pileNode = (pile) =>
    boardMove(pile, view, acts, stop, `cl-pile${pile.count ? "" : " cl-gone"}${pile.refusal ? "" : " cl-can"}`, [
      h("span", { class: "cl-stack", "data-count": pile.count, "aria-hidden": "true" }, h("b", {}, pile.n)),
      h("small", { "aria-hidden": "true" }, pile.note),
    ]);
  return h(
    "div",
    { key: "board", class: "cl-board cl-snack" },
    h(
      "div",
      {},
      h("ul", { class: "cl-rows-board", role: "list", "aria-label": board.label }, board.rows.map(rowNode)),
      zone("piles", board.piles_label, board.piles.map(pileNode)),
    ),
    board.news?.length ? h("ul", { class: "cl-news", role: "list" }, board.news.map((it) => h("li", {}, words(it)))) : null,
  );
}

const rowNode = (row) =>
  h(
    "li",
    { key: row.suit, class: "cl-row" },
    h("span", { class: "cl-unseen" }, words(row.name)),
    h("span", { class: `cl-row-suit cl-${row.suit.toLowerCase()}`, "aria-hidden": "true" }, suitShape(row.suit)),
    row.cells.map((cell) => h("span", { class: "cl-cell", "aria-hidden": "true" }, rowCell(cell))),
  );

const rowCell = (cell) =>
  cell.state === "card"
    ? cardNode(cell, { look: [cell.new && "fresh"], size: "cl-xs" })
    : h("span", { class: `cl-gap${cell.state === "end" ? " cl-end-gap" : ""}` }, rankText(cell.card));

/** The auction: the ladder of bids, each rung a bid; beside it the turned card and who has said what. */
function drawAuction(board, table, view, acts) {
  const stop = roving(
    view,
    "ladder",
    board.rungs.map((rung) => rung.move),
  );
  const rung = (it) =>
    boardMove(it, view, acts, stop, `cl-rung cl-rung-${it.state}`, [
      h("i", { "aria-hidden": "true" }, it.n),
      h("span", { class: "cl-rung-bid" }, h("b", {}, words(it.label)), h("small", {}, words(it.text))),
      h("em", {}, words(it.worth)),
      it.tag || it.note || it.bid
        ? h("span", { class: it.tag ? "cl-tag" : it.bid ? "cl-rung-go" : "cl-rung-note" }, words(it.tag || it.note || it.bid))
        : null,
    ]);
  return h(
    "div",
    { key: "board", class: "cl-auction" },
    h(
      "div",
      { class: "cl-ladder-side" },
      h("h3", {}, board.label),
      h("p", { class: "cl-soft" }, words(board.help)),
      zone("ladder", board.label, board.rungs.map(rung)),
    ),
    h(
      "div",
      { class: "cl-talk" },
      h("div", { class: "cl-turned" }, cardNode(board.turned, {}), h("span", { class: "cl-soft" }, words(board.turned_label))),
      h("ol", { class: "cl-speakers", role: "list", "aria-label": board.speakers_label }, board.speakers.map(speakerNode)),
      board.note && h("p", { class: "cl-soft cl-if-pass" }, words(board.note)),
    ),
  );
}

const speakerNode = (it) =>
  h(
    "li",
    { class: it.turn ? "cl-turn" : "" },
    h("b", {}, it.name, it.about && h("small", {}, it.about)),
    h("span", {}, words(it.calls || "–")),
    h("em", {}, words(it.status)),
  );

/* Cards that capture others from the table. `local.hand` is the card of the hand that is to be played, `local.chosen`
 * the cards that it is to take; as long as the reader has not put them together himself (`local.own`) they are one of
 * the possible choices. */

function isPicked(view, card) {
  return view.local.hand === card;
}

function adoptFishing(view, table) {
  const sign = JSON.stringify([table.hand.map((it) => it.card), table.board.cards.map((it) => it.card)]);
  const trial = () => view.root.querySelector(".cl-trial")?.scrollIntoView({ block: "nearest" });
  if (table.board.say) requestAnimationFrame(trial);
  if (view.local.lying !== sign) Object.assign(view.local, { lying: sign, hand: null, chosen: [], own: false, tried: null });
}

/** What the chosen card of the hand can do. */
const choicesOf = (board, view) => board.moves[view.local.hand] ?? [];

/** The place of the choice that is put together now; -1: it is none. */
function choiceAt(board, view) {
  const sign = [...(view.local.chosen ?? [])].sort().join();
  return choicesOf(board, view).findIndex((it) => [...it.takes].sort().join() === sign);
}

/** A card of the hand: the first press chooses it, the second one plays it. */
function pressFishing(table, view, acts, face) {
  if (face.refusal) return refuse(view, face.refusal, face.card);
  if (isPicked(view, face.card)) return capture(table, view, acts);
  const own = view.local.own && !view.local.hand;
  Object.assign(view.local, { hand: face.card, own, tried: null });
  if (!own) view.local.chosen = choicesOf(table.board, view)[0]?.takes ?? [];
  noteWork(view);
  draw(view);
  view.root.querySelector("[data-do=capture]")?.focus({ preventScroll: true });
  view.root.querySelector(".cl-capture")?.scrollIntoView({ block: "nearest" });
}

/** A card on the table: it is put to those that are to be taken, or left out. */
function pressLying(view, card) {
  if (!view.local.own && !isChosen(view, card)) view.local.chosen = [];
  Object.assign(view.local, { own: true, tried: null });
  toggle(view, card);
}

/** Make the move as it is put together, or ask what is wrong with it. */
function capture(table, view, acts) {
  const { hand, chosen } = view.local;
  const choice = choicesOf(table.board, view)[choiceAt(table.board, view)];
  if (choice) return acts.play(choice.move);
  view.local.tried = chosen.join(" ");
  acts.trial(chosen.length ? `${hand} takes ${chosen.join(" ")}` : hand);
}

/** On to another of the possible choices. */
function walk(board, view, way) {
  const choices = choicesOf(board, view);
  const from = choiceAt(board, view);
  const next = from < 0 ? (way > 0 ? 0 : choices.length - 1) : (from + way + choices.length) % choices.length;
  Object.assign(view.local, { chosen: choices[next]?.takes ?? [], own: false, tried: null });
  noteWork(view);
  draw(view);
}

const WAYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** What the chosen card takes, and the other things that it could take. */
function captureBar(table, view, acts) {
  const { board } = table;
  const { hand, chosen = [] } = view.local;
  if (!hand) return null;
  const choices = choicesOf(board, view);
  const at = choiceAt(board, view);
  const taken = board.cards.filter((it) => chosen.includes(it.card));
  const total = taken.reduce((sum, it) => sum + it.value, 0);
  const cards = taken.map((it) => sign(it.card)).join(" + ");
  const facts = { cards, total, card: sign(hand), value: board.values[hand] };
  const text = choices[at]?.text ?? (cards ? fill(board.sum, facts) : "");
  const label = fill(cards ? board.take : board.stay, { ...facts, cards: taken.map((it) => sign(it.card)).join(" ") });
  const step = (way, name, arrow) =>
    h(
      "button",
      {
        type: "button",
        class: "cl-button cl-walk",
        "data-walk": way,
        "aria-label": name,
        onclick: () => walk(board, view, way),
      },
      arrow,
    );
  const onkeydown = (event) => {
    if (event.key === "Escape") view.root.querySelector(`[data-zone=hand] [data-card="${hand}"]`)?.focus();
    else if (WAYS[event.key] && choices.length > 1) walk(board, view, WAYS[event.key]);
    else return;
    event.preventDefault();
  };
  return h(
    "div",
    { key: "capture", class: "cl-capture", onkeydown },
    choices.length > 1 && step(-1, board.back, "‹"),
    h(
      "p",
      { role: "status" },
      choices.length > 1 && at >= 0 && h("small", {}, fill(board.walk, { n: at + 1, of: choices.length })),
      h("b", {}, words(text)),
    ),
    choices.length > 1 && step(1, board.on, "›"),
    h(
      "button",
      {
        type: "button",
        class: `cl-button cl-primary${at < 0 ? " cl-unready" : ""}`,
        "data-do": "capture",
        onclick: () => capture(table, view, acts),
      },
      h("span", {}, words(label)),
    ),
  );
}

/** The cards that lie on the table, and the piles of both sides. */
function drawFishing(board, table, view) {
  const choices = choicesOf(board, view);
  const items = board.cards.map((face) => {
    const chosen = isChosen(view, face.card);
    const within = choices.flatMap((it, at) => (it.takes.includes(face.card) ? [at + 1] : []));
    const caption = choices.length > 1 && within.length ? fill(board.caption, { n: within.join(", ") }) : "";
    return {
      face,
      caption,
      look: [chosen ? "chosen" : within.length && "fits"],
      words: [caption],
      pressed: chosen,
      act: () => pressLying(view, face.card),
    };
  });
  const lying = cardZone(view, "lying", board.label, items);
  lying.kids = lying.kids.map((node, at) =>
    h("div", { key: node.key, class: "cl-one" }, node, h("small", { "aria-hidden": "true" }, items[at].caption)),
  );
  return h(
    "div",
    { key: "board", class: "cl-board cl-board-fishing" },
    items.length ? lying : h("p", { class: "cl-soft cl-bare" }, board.empty),
    h("ul", { class: "cl-stacks", role: "list", "aria-label": board.piles_label }, board.piles.map(pileOf)),
  );
}

/** A pile face down; for each sweep a card is laid across it. */
const pileOf = (pile) =>
  h(
    "li",
    { key: pile.name },
    h(
      "span",
      { class: `cl-heap${pile.size ? "" : " cl-gone"}`, "aria-hidden": "true", style: { "--n": String(Math.min(pile.size, 12)) } },
      Array.from({ length: Math.min(pile.sweeps, 6) }, (_, at) => h("u", { style: { "--at": String(at) } })),
      pile.size ? h("i", {}) : null,
    ),
    h(
      "span",
      { class: "cl-heap-text" },
      h("b", {}, pile.name),
      h("span", {}, pile.text),
      pile.sweeps ? h("span", { class: "cl-tag" }, pile.swept) : h("span", { class: "cl-soft" }, pile.swept),
      pile.last && h("span", { class: "cl-last-capture" }, pile.last),
    ),
  );

/** What a seat has just played: the card, and what it took. */
const lastPlay = (play) =>
  h(
    "div",
    { class: "cl-last" },
    h("span", { class: "cl-unseen" }, words(play.text)),
    h(
      "span",
      { class: "cl-cards", "aria-hidden": "true" },
      cardNode(play.card, { size: "cl-xs" }),
      play.takes.length ? h("span", { class: "cl-soft" }, "←") : null,
      play.takes.map((face) => cardNode(face, { size: "cl-xs" })),
    ),
    play.tag && h("span", { class: "cl-tag" }, play.tag),
  );

/** The questions by which a deal is counted, one after the other; the piles lie open for it. */
function quizList(quiz, view, acts) {
  if (!quiz) return null;
  return h(
    "div",
    { key: "quiz", class: "cl-quiz" },
    h("h3", {}, words(quiz.title)),
    h("div", { class: "cl-open-piles" }, quiz.piles.map(openPile)),
    h("ol", { role: "list" }, quiz.items.map((item) => quizItem(quiz, item, view, acts))),
    quiz.skip && button({ do: "show", label: quiz.skip, key: "n" }, () => acts.ask({ do: "show" })),
  );
}

const openPile = (pile) =>
  h(
    "div",
    { class: "cl-open-pile", role: "group", "aria-label": pile.name },
    h("b", {}, pile.name, h("span", { class: "cl-unseen" }, ` (${pile.swept})`)),
    h(
      "span",
      { class: "cl-sweep-marks", "aria-hidden": "true", title: pile.swept },
      pile.sweeps ? h("small", {}, pile.mark) : null,
      Array.from({ length: pile.sweeps }, () => h("i", {})),
    ),
    pile.rows.map((row) => (row.length ? cardRow(row) : null)),
  );

function quizItem(quiz, item, view, acts) {
  const stop = roving(
    view,
    "quiz",
    quiz.options.map((it) => it.value),
  );
  const option = (it) =>
    h(
      "button",
      {
        key: it.value,
        type: "button",
        class: "cl-button cl-stop",
        "data-answer": it.value,
        ...stop(it.value),
        onclick: () => acts.ask({ do: "answer", id: item.id, value: it.value }),
      },
      h("span", {}, words(it.label)),
    );
  return h(
    "li",
    { key: item.id, class: "cl-question-open", "data-question": item.id },
    item.say ? null : h("p", { class: "cl-overline" }, quiz.place),
    h("p", { class: "cl-question-text" }, words(item.ask)),
    item.say ? h("div", { role: "status" }, sayBox(item.say)) : zone("quiz", item.ask, quiz.options.map(option)),
    item.shown?.length ? h("div", { class: "cl-shown" }, item.shown.map(shownCards)) : null,
  );
}

/** Cards with what each counts, and their sum. */
const shownCards = (it) =>
  h(
    "div",
    { class: "cl-shown-side" },
    h("b", {}, it.name),
    h("span", { class: "cl-shown-cards" }, it.cards.map((face) => h("span", {}, cardNode(face, {}), h("b", {}, face.points)))),
    h("b", { class: "cl-shown-total" }, it.total),
  );

/** The middle while no card lies there: where the passed cards go. */
function middle(table, seats) {
  const ways = seats.map((seat, at) => (seat.gives_to ? spot(at, seats.length, table.anticlockwise) : null)).filter(Boolean);
  const mid = table.mid ?? {};
  if (!ways.length && !mid.head && !mid.text && table.arrow !== "smoosh") return null;
  return h(
    "div",
    { class: "cl-mid" },
    mid.head && h("b", {}, words(mid.head)),
    ways.length || table.arrow === "smoosh" ? arrows(ways) : null,
    mid.text && h("span", {}, words(mid.text)),
  );
}

const ROUND_ARROW = "M78 30A30 20 0 1 1 62 14m-4-9 6 9-10 5";
const ARROW = "M0 0C12-7 26-7 42 0m-11-9L42 0 29 6";

function arrows(ways) {
  const turns = ways.map(({ x, y }) => (Math.atan2(y * 0.6, x) * 180) / Math.PI);
  const shapes = turns.length
    ? turns.map((turn) =>
        h("path", { d: ARROW, transform: turns.length > 1 ? `translate(50 45) rotate(${turn})` : arrowAt(turn) }),
      )
    : [h("path", { d: ROUND_ARROW })];
  return h(
    "svg",
    { class: "cl-arrow", viewBox: ways.length > 1 ? "0 0 100 90" : "0 0 100 68", "aria-hidden": "true" },
    shapes,
  );
}

/** One arrow is drawn through the middle, bigger. */
function arrowAt(turn) {
  return `translate(50 34) rotate(${turn}) scale(1.5) translate(-21 3)`;
}

function kittyNode(kitty) {
  if (!kitty) return null;
  return h(
    "span",
    { class: "cl-kitty" },
    kitty.cards?.length ? cardRow(kitty.cards) : backs(kitty.count),
    h("span", {}, words(kitty.label ?? "")),
  );
}

const isChosen = (view, card) => (view.local.chosen ?? []).includes(card);

function toggle(view, card) {
  const chosen = view.local.chosen ?? [];
  view.local.chosen = chosen.includes(card) ? chosen.filter((other) => other !== card) : [...chosen, card];
  view.local.touched?.add(card);
  view.local.refusal = null;
  noteWork(view);
  draw(view);
}

/** Whether the move is put together from cards of the hand. */
const composed = (table) => Boolean(table.compose) && !table.compose.toggles;

function tableHand(table, view, acts) {
  const items = table.hand.map((face) => {
    const chosen = composed(table) ? isChosen(view, face.card) : boardOf(table)?.pressed?.(view, face.card);
    const refused = Boolean(face.refusal) && !composed(table) && (table.show_legal || view.local.refused?.has(face.card));
    const may = table.board?.fits?.includes(face.card);
    const order = table.compose?.ordered && chosen ? String(view.local.chosen.indexOf(face.card) + 1) : undefined;
    return {
      face,
      look: [chosen && "chosen", refused && "refused", face.new && "new", may && "fits"],
      corner: order ?? (face.new ? "＋" : undefined),
      words: [order, face.new && say("new"), may && table.board.fits_word, refused && say("refused")],
      pressed: chosen,
      refused,
      act: () => pressCard(table, view, acts, face),
    };
  });
  return cardZone(view, "hand", say("hand"), items);
}

function pressCard(table, view, acts, face) {
  if (composed(table)) return toggle(view, face.card);
  if (table.next) return acts.next();
  if (boardOf(table)?.press) return boardOf(table).press(table, view, acts, face);
  if (face.refusal) return refuse(view, face.refusal, face.card);
  acts.play(face.card);
}

/** A refused card answers at once; its sentence came with the state. */
function refuse(view, refusal, card) {
  (view.local.refused ??= new Set()).add(card);
  view.local.refusal = refusal;
  view.local.refusals = (view.local.refusals ?? 0) + 1;
  noteWork(view);
  draw(view);
  const why = view.root.querySelector(".cl-refusal");
  why?.scrollIntoView({ behavior: calm() ? "instant" : "smooth", block: "nearest" });
}

const refusalBox = (view) =>
  h(
    "div",
    { key: "refusal", role: "alert", class: "cl-refusal" },
    sayBox(view.local.refusal, `refusal-${view.local.refusals}`),
  );

function counter(compose, view) {
  if (!compose || compose.toggles) return null;
  const have = (view.local.chosen ?? []).length;
  const look = have === compose.count ? " cl-full" : have > compose.count ? " cl-over" : "";
  return h("span", { class: `cl-counter${look}` }, `${have} / ${compose.count}`);
}

/** Where the order counts: which card goes to whom. */
function orderList(compose, view) {
  if (!compose?.ordered || !compose.labels?.length) return null;
  const chosen = view.local.chosen ?? [];
  const line = (label, at) =>
    h("li", { class: chosen[at] ? "cl-full" : "" }, label, " ", chosen[at] ? words(sign(chosen[at])) : "…");
  return h("ul", { class: "cl-order" }, compose.labels.map(line));
}

/** A move that is put together from words: what may be declared, each to be switched on or off. */
function toggleList(compose, view) {
  if (!compose?.toggles?.length) return null;
  return h(
    "div",
    { key: "toggles", class: "cl-choices cl-toggles", role: "group", "aria-label": compose.label },
    compose.toggles.map((item) => {
      const chosen = isChosen(view, item.word);
      return h(
        "button",
        {
          key: item.word,
          type: "button",
          class: `cl-choice${chosen ? " cl-is-chosen" : ""}`,
          "data-word": item.word,
          "aria-pressed": String(chosen),
          onclick: () => toggle(view, item.word),
        },
        h("span", { class: "cl-tick", "aria-hidden": "true" }, chosen ? "●" : ""),
        h("span", {}, words(item.label), item.note && h("small", {}, words(item.note))),
      );
    }),
  );
}

function goRow(table, view, acts) {
  const calls = (table.calls ?? []).map((call) => callButton(call, view, acts));
  return h("div", { class: "cl-go" }, [composeButtons(table, view, acts), calls].flat().filter(Boolean));
}

/** On to the next trick, the next deal or, after the guided deal, the next step: beside the sentence that ends this one. */
function nextButton(table, view, acts) {
  if (!table.next) return null;
  const { label, do: what = "next" } = table.next;
  const act = what === "onward" ? () => goToNext(view.root) : acts.next;
  return button({ do: what, label, primary: true, key: "n" }, act);
}

/** What is wrong with the cards put together, as long as they are these. */
function trialBox(compose, view) {
  const same = view.local.tried === (view.local.chosen ?? []).join(" ");
  return h("div", { key: "trial", role: "alert", class: "cl-trial" }, same ? sayBox(compose?.say) : null);
}

function callButton(call, view, acts) {
  const refused = Boolean(call.refusal) && (view.local.refused?.has(call.move) ?? false);
  return h(
    "button",
    {
      key: call.move,
      type: "button",
      class: `cl-button cl-call${call.refusal ? " cl-shut" : ""}${refused ? " cl-is-refused" : ""}`,
      "data-do": "call",
      "data-move": call.move,
      "aria-disabled": refused ? "true" : undefined,
      onclick: () => (call.refusal ? refuse(view, call.refusal, call.move) : acts.play(call.move)),
    },
    h("span", {}, words(call.label)),
  );
}

function composeButtons(table, view, acts) {
  const compose = table.compose;
  if (!compose) return [];
  const chosen = view.local.chosen ?? [];
  const { move, ready, label } = compose.toggles ? wordMove(compose, chosen) : cardMove(compose, chosen);
  return [
    h(
      "button",
      {
        key: "compose",
        type: "button",
        class: `cl-button cl-primary${ready ? "" : " cl-unready"}`,
        "data-do": compose.verb,
        onclick: () => {
          view.local.tried = chosen.join(" ");
          return ready ? acts.play(move) : acts.trial(move);
        },
      },
      h("span", {}, words(label)),
    ),
    compose.forward && button({ do: "forward", label: compose.forward }, () => acts.play("forward")),
  ];
}

function cardMove(compose, chosen) {
  const label = fill(compose.button ?? "", { cards: chosen.map(sign).join(" ") || "…" });
  return { move: [compose.verb, ...chosen].join(" "), ready: chosen.length === compose.count, label };
}

/** The words that are switched on, in the order in which they stand; none of them is a move, too. */
function wordMove(compose, chosen) {
  const on = compose.toggles.filter((item) => chosen.includes(item.word));
  const label = on.length ? fill(compose.button, { cards: on.map((item) => item.said).join(compose.join) }) : compose.none;
  return { move: [compose.verb, ...(on.length ? on.map((item) => item.word) : ["none"])].join(" "), ready: true, label };
}

/** What the reader had chosen or tried stays until the position is another one. */
function adoptTable(view, table) {
  const position = [
    table?.phase,
    table?.head,
    table?.hand?.map((c) => c.card),
    table?.trick?.map((c) => c.card),
    table?.compose?.verb,
  ];
  const sign = JSON.stringify(position);
  const on = (table?.compose?.toggles ?? []).filter((item) => item.on).map((item) => item.word);
  if (view.local.position !== sign) Object.assign(view.local, { position: sign, chosen: on, refused: new Set() });
  view.local.refusal = null;
  boardOf(table)?.adopt?.(view, table);
}

/* ---- 7 step ---------------------------------------------------------------------------------------------------- */

const CORNERS = { right: "✓", wrong: "✕", refused: "✕", missed: "+" };

function adoptStep(view, state) {
  for (const rule of state.prose ?? []) {
    if (shared.rules.get(rule.id)?.lang !== state.lang) shared.rules.set(rule.id, { ...rule, lang: state.lang });
  }
  const { local } = view;
  const parts = [...(state.hand ?? []), ...(state.trick ?? []), ...(state.choices ?? [])];
  const sign = JSON.stringify([
    state.id,
    state.ask,
    parts.map((it) => it.card ?? it.id),
    (state.fields ?? []).map((f) => [f.id, f.cards]),
  ]);
  const chosen = parts.filter((it) => ["chosen", "right"].includes(it.mark)).map((it) => it.card ?? it.id);
  if (sign !== local.sign) Object.assign(local, { chosen, values: {}, stops: {} });
  else if (parts.some((it) => it.mark)) local.chosen = chosen;
  local.sign = sign;
  local.touched = new Set();
  local.refusal = null;
  for (const field of state.fields ?? []) local.values[field.id] = field.value || local.values[field.id] || "";
}

function drawStep(state, view) {
  const titleId = `title-${state.id}`;
  return [
    h(
      "section",
      { class: `cl-step-grid${state.solved ? " cl-solved" : ""}`, "aria-labelledby": titleId },
      h(
        "div",
        { class: "cl-read" },
        overline(state),
        heading(titleId, state.title),
        state.intro && h("p", {}, words(state.intro)),
        (state.prose ?? []).map(ruleText),
        state.variant && h("p", { class: "cl-house" }, words(state.variant)),
        state.switch && switchBox(state.switch, view),
        sources(state.prose),
      ),
      stepFelt(state, view),
    ),
  ];
}

/** An option that can be changed on the spot, and what it makes of the answer. */
function switchBox(it, view) {
  const id = `switch-${view.id}-${it.name}`;
  return h(
    "div",
    { class: "cl-switch", "data-switch": it.name },
    h("p", { id, class: "cl-switch-label" }, words(it.label)),
    h(
      "div",
      { class: "cl-seg cl-radios", role: "radiogroup", "aria-labelledby": id },
      it.values.map((value) =>
        h(
          "label",
          { key: value.value },
          h("input", {
            type: "radio",
            name: id,
            "data-value": value.value,
            checked: Boolean(value.active),
            onchange: () => ask(view, { do: "switch", value: value.value }),
          }),
          h("span", {}, h("span", {}, words(value.label), value.answer && h("small", {}, words(value.answer)))),
        ),
      ),
    ),
    h("p", { class: "cl-soft", role: "status" }, words(it.note ?? "")),
  );
}

/** "Step 2 of 14", with a tick once it is solved. */
function overline(state) {
  return h(
    "p",
    { class: "cl-overline" },
    words(state.label ?? ""),
    state.solved && h("span", { class: "cl-done", role: "img", "aria-label": say("solved") }, "✓"),
  );
}

function ruleText(rule) {
  return h("div", { key: rule.id, class: "cl-prose", "data-rule": rule.id, html: rule.html ?? "" });
}

function sources(prose) {
  if (!prose?.length) return null;
  const parts = prose.flatMap((rule) => (rule.source ?? "").split(/; |。/)); // each part once
  const texts = [...new Set(parts.filter(Boolean))];
  return h("div", { class: "cl-source" }, chips(prose), texts.length ? h("p", {}, texts.join(" · ")) : null);
}

function stepFelt(state, view) {
  return h(
    "div",
    { class: "cl-felt cl-work" },
    h("p", { class: "cl-task" }, words(state.task ?? "")),
    state.rows?.length ? factRows(state.rows) : null,
    state.trick?.length ? [zoneLabel(state, "trick"), stepTrick(state, view)] : null,
    state.hand?.length ? [zoneLabel(state, "hand"), stepHand(state, view)] : null,
    state.choices?.length ? choiceList(state, view) : null,
    state.questions?.length ? questionList(state, view) : null,
    state.fields?.length ? fieldList(state, view) : null,
    linesTable(state.lines),
    refusalBox(view),
    feedback(state),
    linkCards(state.links),
    stepButtons(state, view),
  );
}

/** What lies here, where it is no trick, or no hand. */
const zoneLabel = (state, name) =>
  state.labels?.[name] && h("p", { key: `label-${name}`, class: "cl-zone-label", "aria-hidden": "true" }, state.labels[name]);

/** What else is known of the position: a label with a text or with cards. */
const factRows = (rows) =>
  h(
    "dl",
    { key: "rows", class: "cl-rows" },
    rows.map((row) => [
      h("dt", {}, words(row.label)),
      h("dd", {}, row.cards?.length ? cardRow(row.cards) : words(row.text ?? "")),
    ]),
  );

/** Where to go on: the games, each a link with a few words. */
const linkCards = (links) =>
  links?.length
    ? h(
        "ul",
        { key: "links", class: "cl-links", role: "list" },
        links.map((it) =>
          h(
            "li",
            { key: it.href },
            h(
              "a",
              { href: it.href },
              h("b", {}, words(it.title)),
              h("small", {}, words(it.meta ?? "")),
              h("span", {}, words(it.text ?? "")),
            ),
          ),
        ),
      )
    : null;

const feedback = (state) =>
  h(
    "div",
    { key: "says", role: "status", class: "cl-says" },
    (state.says ?? []).map((it) => sayBox(it)),
    sayBox(state.hint),
  );

/** The mark a card or choice shows now: the answer of Python, until the reader touches it again. */
function markOf(view, it) {
  const id = it.card ?? it.id;
  if (isChosen(view, id)) return it.mark === "right" && !view.local.touched?.has(id) ? "right" : "chosen";
  return view.local.touched?.has(id) || it.mark === "chosen" || it.mark === "right" ? "" : it.mark || "";
}

function stepTrick(state, view) {
  const plays = state.ask === "who" ? whoZone(state, view) : state.trick.map((card) => cardNode(card, trickLook(card)));
  if (state.ask === "who") return plays;
  return h(
    "ul",
    { class: "cl-trick", role: "list", "aria-label": state.labels?.trick ?? say("trick") },
    state.trick.map((card, at) => h("li", { key: card.card }, plays[at], captionOf(card))),
  );
}

const trickLook = (card) => ({
  look: [card.winning && "winning", card.mark],
  corner: CORNERS[card.mark],
  words: [card.who, card.led && say("led"), card.tag],
});

function captionOf(card) {
  return h(
    "span",
    { class: "cl-who", "aria-hidden": "true" },
    h("span", {}, card.led ? fill(say("led_by") || "{who}", { who: card.who }) : card.who),
    card.tag && h("span", { class: "cl-tag" }, card.tag),
  );
}

/** The cards of a trick as a question: which one wins? */
function whoZone(state, view) {
  const items = state.trick.map((card) => {
    const mark = markOf(view, card);
    return {
      face: card,
      look: [card.winning && "winning", mark],
      corner: CORNERS[mark],
      words: [card.who, card.led && say("led"), card.tag, markWord(mark)],
      pressed: isChosen(view, card.card),
      act: () => state.right || chooseOne(view, card.card),
    };
  });
  const zone = cardZone(view, "trick", say("trick"), items);
  zone.kids = zone.kids.map((node, at) =>
    h("div", { key: node.key, class: "cl-one" }, node, captionOf(state.trick[at])),
  );
  return zone;
}

function chooseOne(view, id) {
  for (const other of view.local.chosen) view.local.touched?.add(other);
  view.local.chosen = [];
  toggle(view, id);
}

const markWord = (mark) => (mark && mark !== "chosen" ? say(mark) : "");

/** The place of a chosen card where their order is asked for. */
function placeOf(state, view, card, mark) {
  return state.ordered && mark === "chosen" ? String(view.local.chosen.indexOf(card.card) + 1) : "";
}

function stepHand(state, view) {
  const label = state.labels?.hand ?? say("hand");
  const acts = { mark: toggle, give: toggle, play: (_, card) => ask(view, { do: "try", card }) };
  const act = acts[state.ask];
  if (!act) {
    const nodes = state.hand.map((card) =>
      cardNode(card, { look: [card.mark], corner: CORNERS[card.mark], words: [markWord(card.mark)] }),
    );
    return h(
      "div",
      { key: "hand", class: "cl-zone cl-hand", role: "group", "aria-label": label, "data-zone": "hand" },
      nodes,
    );
  }
  const items = state.hand.map((card) => {
    const mark = markOf(view, card);
    return {
      face: card,
      look: [mark, card.new && "new"],
      corner: CORNERS[mark] ?? (placeOf(state, view, card, mark) || (card.new ? "＋" : undefined)),
      words: [markWord(mark), card.new && say("new")],
      pressed: state.ask === "play" ? undefined : isChosen(view, card.card),
      refused: mark === "refused",
      act: () => pressStepCard(state, view, card, mark, act),
    };
  });
  return [
    cardZone(view, "hand", label, items),
    state.ask === "give" && !state.right ? counter({ count: state.count }, view) : null,
  ];
}

function pressStepCard(state, view, card, mark, act) {
  if (card.say && (mark === "refused" || state.right)) {
    return refuse(view, { tone: mark === "refused" ? "warn" : "note", text: card.say }, card.card);
  }
  if (!state.right || state.ask === "play") act(view, card.card);
}

function choiceList(state, view) {
  const choose = (id) => (state.multiple ? toggle(view, id) : chooseOne(view, id));
  return h(
    "div",
    { key: "choices", class: "cl-choices", role: "group", "aria-label": state.task },
    state.choices.map((choice) => {
      const mark = markOf(view, choice);
      return h(
        "button",
        {
          key: choice.id,
          type: "button",
          class: `cl-choice${mark ? ` cl-is-${mark}` : ""}`,
          "data-choice": choice.id,
          "aria-pressed": String(isChosen(view, choice.id)),
          onclick: () => state.right || choose(choice.id),
        },
        h("span", { class: "cl-tick", "aria-hidden": "true" }, mark === "chosen" ? "●" : (CORNERS[mark] ?? "")),
        h(
          "span",
          {},
          words(choice.label),
          choice.note && h("small", {}, words(choice.note)),
          markWord(mark) && h("span", { class: "cl-unseen" }, ` (${markWord(mark)})`),
        ),
      );
    }),
  );
}

/** Several questions: each is answered, then its answer is shown, then the next one is asked. */
const questionList = (state, view) =>
  h(
    "ol",
    { key: "questions", class: "cl-questions", role: "list" },
    state.questions.map((it) =>
      h(
        "li",
        { key: it.id, class: `cl-question${it.done ? " cl-is-right" : ""}`, "data-question": it.id },
        h("p", {}, h("b", {}, words(it.text))),
        it.done ? answerText(it) : answerZone(it, state, view),
      ),
    ),
  );

function answerZone(it, state, view) {
  const stop = roving(
    view,
    "answers",
    it.choices.map((choice) => choice.id),
  );
  const nodes = it.choices.map((choice) =>
    h(
      "button",
      {
        ...stop(choice.id),
        key: choice.id,
        type: "button",
        class: `cl-stop cl-button${choice.mark ? ` cl-is-${choice.mark}` : ""}`,
        "data-answer": choice.id,
        onclick: () => ask(view, { do: "check", answer: { ...state.given, [it.id]: choice.id } }),
      },
      words(choice.label),
      choice.mark && h("span", { class: "cl-corner", "data-sign": CORNERS[choice.mark] }),
      choice.mark && h("span", { class: "cl-unseen" }, ` (${markWord(choice.mark)})`),
    ),
  );
  return zone("answers", it.text, nodes);
}

/** The answer to a question: what was chosen, how it is counted, the cards that decide it. */
const answerText = (it) => [
  h(
    "p",
    { key: "answer", class: "cl-answer" },
    h("span", { class: "cl-answered", role: "img", "aria-label": say("right") }, "✓"),
    h("b", {}, words(it.choices.find((choice) => choice.mark === "right")?.label ?? "")),
    it.note && h("span", { class: "cl-soft" }, words(it.note)),
  ),
  it.shown?.length ? h("div", { key: "shown", class: "cl-shown" }, it.shown.map(shownCards)) : null,
];

function fieldList(state, view) {
  return h(
    "div",
    { key: "fields", class: "cl-fields" },
    state.fields.map((field) => {
      const id = `field-${state.id}-${field.id}`;
      return h(
        "div",
        { key: field.id, class: `cl-field${field.mark ? ` cl-is-${field.mark}` : ""}` },
        h("label", { for: id }, words(field.label)),
        field.cards?.length ? cardRow(field.cards) : h("span", { class: "cl-cards cl-soft" }, field.cards ? "–" : ""),
        h(
          "span",
          { class: "cl-entry" },
          h("input", {
            id,
            type: "number",
            step: "1",
            "data-field": field.id,
            autocomplete: "off",
            readonly: state.right,
            value: view.local.values[field.id] ?? "",
            "aria-describedby": field.note || field.mark ? `${id}-note` : undefined,
            "aria-invalid": field.mark === "wrong" ? "true" : undefined,
            oninput: (event) => (view.local.values[field.id] = event.target.value),
            onkeydown: (event) => event.key === "Enter" && !state.right && check(state, view),
          }),
          h("span", { class: "cl-verdict", "aria-hidden": "true" }, CORNERS[field.mark] ?? ""),
        ),
        h(
          "span",
          { class: "cl-field-note", id: `${id}-note` },
          markWord(field.mark) && h("span", { class: "cl-unseen" }, `${markWord(field.mark)} `),
          words(field.note ?? ""),
        ),
      );
    }),
  );
}

/** Score lines: what, which cards, by which rule, how many points. */
function linesTable(lines, short = false) {
  if (!lines?.length) return null;
  return h(
    "ul",
    { key: "lines", class: "cl-lines", role: "list", "aria-label": say("lines") },
    lines.map((line) =>
      h(
        "li",
        { class: line.total ? "cl-total" : "" },
        line.who && h("b", { class: "cl-line-who" }, line.who),
        h(
          "span",
          { class: "cl-line-text" },
          line.text ? h("b", {}, words(line.label ?? "")) : words(line.label ?? ""),
          " ",
          line.text && h("span", { class: "cl-soft" }, words(line.text), " "),
          line.cards?.length ? cardWords(line.cards) : null,
        ),
        h("b", { class: "cl-line-points" }, line.points ?? ""),
        line.rule ? chip(line.rule, short) : h("span", {}),
      ),
    ),
  );
}

function stepButtons(state, view) {
  const cards = (view.local.chosen ?? []).map(sign).join(" ") || "…";
  const named = state.buttons?.map((it) => ({ ...it, label: it.do === "give" ? fill(it.label, { cards }) : it.label }));
  return buttonRow(named, (it) => pressStep(state, view, it.do));
}

function pressStep(state, view, what) {
  if (what === "next") return goToNext(view.root);
  if (what === "check") return check(state, view);
  if (what === "give") return ask(view, { do: "give", move: ["give", ...view.local.chosen].join(" ") });
  if (["again", "another", "undo", "show"].includes(what)) view.local.sign = "";
  ask(view, { do: what });
}

function check(state, view) {
  const { chosen, values } = view.local;
  if (state.ask === "give") return pressStep(state, view, "give");
  const single = state.ask === "who" || (state.ask === "choose" && !state.multiple);
  const answer = state.ask === "number" ? { ...values } : single ? (chosen[0] ?? "") : [...chosen];
  ask(view, { do: "check", answer });
}

/* ---- 8 play ---------------------------------------------------------------------------------------------------- */

function adoptPlay(view, state) {
  adoptTable(view, state.table);
  clearTimeout(view.pace);
  const runs = shared.page.settings?.pace === "run" && state.table?.next && state.table.done && !state.over;
  if (runs) view.pace = setTimeout(() => ask(view, { do: "next" }), 1200);
}

function drawPlay(state, view) {
  const titleId = `title-${state.id}`;
  return [
    h(
      "section",
      { class: `cl-play-page${state.over ? " cl-ended" : ""}`, "aria-labelledby": titleId },
      state.label && overline(state),
      heading(titleId, state.title),
      state.intro && h("p", { class: "cl-intro" }, words(state.intro)),
      state.prose && h("div", { class: "cl-columns" }, state.prose.map(ruleText)),
      state.goal && h("p", { class: "cl-goal" }, words(state.goal)),
      h("div", { class: "cl-big" }, playMain(state, view), playSide(state)),
      state.over ? playEnd(state) : wideSheet(state),
    ),
  ];
}

function playMain(state, view) {
  const acts = {
    play: (move) => ask(view, { do: "play", move }),
    trial: (move) => ask(view, { do: "trial", move }),
    next: () => ask(view, { do: "next" }),
    ask: (message) => ask(view, message),
  };
  const buttons = buttonRow(state.buttons, (it) => pressPlay(view, it.do));
  const says = h(
    "div",
    { key: "says", role: "status", class: "cl-says" },
    (state.says ?? []).map((it) => sayBox(it)),
    sayBox(state.result),
  );
  return h(
    "div",
    { class: "cl-main" },
    state.table ? drawTable(state.table, view, acts, says, buttons) : [says, buttons],
    seedForm(state, view),
  );
}

function pressPlay(view, what) {
  if (what === "share") return openShare();
  ask(view, what === "new" ? { do: "new", seed: "" } : { do: what });
}

/** A deal by its number, where the page offers it. */
function seedForm(state, view) {
  if (!state.seed) return null;
  const id = `seed-${state.id}`;
  const send = (event) => {
    event.preventDefault();
    ask(view, { do: "new", seed: (view.local.seed ?? state.seed.value).trim() });
  };
  return h(
    "form",
    { key: "seed", class: "cl-seed", onsubmit: send },
    h("label", { for: id }, state.seed.label),
    h("input", {
      id,
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      value: view.local.seed ?? state.seed.value,
      oninput: (event) => (view.local.seed = event.target.value),
    }),
    h("button", { type: "submit", class: "cl-button", "data-do": "seed" }, state.seed.button),
    state.seed.fresh && button({ do: "new", label: state.seed.fresh }, () => pressPlay(view, "new")),
  );
}

const box = (key, title, ...kids) => h("div", { key, class: "cl-box" }, h("h3", {}, words(title)), kids);

function playSide(state) {
  return h(
    "div",
    { class: "cl-side" },
    !state.over && state.lines?.length ? box("lines", state.lines_title, linesTable(state.lines, true)) : null,
    h(
      "div",
      { key: "log", class: state.log?.length ? "cl-box" : "cl-empty" },
      h("h3", {}, say("log")),
      h(
        "div",
        { class: "cl-log", role: "log", "aria-label": say("log"), tabindex: "0" },
        h("ol", {}, (state.log ?? []).map(logLine)),
      ),
    ),
    (state.side ?? []).map((it, at) =>
      box(`side-${at}`, it.title, path(it.path, it.loose), it.text && h("p", {}, words(it.text)), chips(it.rules)),
    ),
    !state.over && !state.sheet?.wide && state.sheet?.rows.length ? box("sheet", say("sheet"), sheetTable(state.sheet)) : null,
  );
}

/** What comes after what (`loose`: in no order), and where we are. */
const path = (ways, loose) =>
  ways?.length
    ? h(
        loose ? "ul" : "ol",
        { class: `cl-path${loose ? " cl-loose" : ""}`, role: "list" },
        ways.map((way) => h("li", { "aria-current": way.now ? "step" : undefined }, h("span", {}, way.label))),
      )
    : null;

const logLine = (line, at) =>
  h(
    "li",
    { key: `log-${at}` },
    words(line.text),
    line.rule && [" ", chip(line.rule, true)],
  );

/** A long sheet does not fit beside the table: it stands below. */
const wideSheet = (state) =>
  state.sheet?.wide && state.sheet.rows.length
    ? h("div", { key: "under", class: "cl-end cl-under" }, box("sheet", say("sheet"), sheetTable(state.sheet)))
    : null;

function playEnd(state) {
  return h(
    "div",
    { key: "end", class: `cl-end${state.sheet?.wide ? " cl-end-wide" : ""}` },
    state.lines?.length ? box("lines", state.lines_title, linesTable(state.lines, state.sheet?.wide)) : null,
    state.payments ? box("payments", state.payments.title, payments(state.payments)) : null,
    state.sheet ? box("sheet", say("sheet"), sheetTable(state.sheet)) : null,
  );
}

const ARROWHEAD = "M-9-5 0 0-9 5Z";

/** Who pays whom: the seats as they sit, an arrow for each payment with its amount; the same in words for the ear. */
function payments({ seats, pays }) {
  const at = (seat) => {
    const { x, y } = spot(seats.findIndex((it) => it.seat === seat), seats.length);
    return { x: 160 + x * 120, y: 122 + y * 98 };
  };
  return h(
    "div",
    { class: "cl-pays" },
    h(
      "svg",
      { viewBox: "0 0 320 244", "aria-hidden": "true" },
      pays.map((pay) => payArrow(pay, at)),
      seats.map((it) => paySeat(it, at(it.seat))),
    ),
    h("ul", { class: "cl-pay-list" }, pays.map((pay) => h("li", {}, words(pay.text)))),
  );
}

function payArrow(pay, at) {
  const from = at(pay.from);
  const to = at(pay.to);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  // An arrow goes from edge to edge of plates of 76 × 44.
  const edge = Math.min(38 / Math.abs(dx || 1e-9), 22 / Math.abs(dy || 1e-9)) + 4 / Math.hypot(dx, dy);
  const along = (part) => ({ x: from.x + dx * part, y: from.y + dy * part });
  const end = along(1 - edge);
  const label = along(edge + (1 - 2 * edge) * 0.4);
  return h(
    "g",
    { class: "cl-pay" },
    h("path", { class: "cl-pay-line", d: `M${from.x} ${from.y}L${end.x} ${end.y}` }),
    h("path", { d: ARROWHEAD, transform: `translate(${end.x} ${end.y}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})` }),
    h("circle", { cx: label.x, cy: label.y, r: 13 }),
    h("text", { x: label.x, y: label.y + 5 }, String(pay.amount)),
  );
}

const paySeat = (it, { x, y }) =>
  h(
    "g",
    { class: `cl-pay-seat${it.points.startsWith("+") ? " cl-gains" : ""}` },
    h("rect", { x: x - 38, y: y - 22, width: 76, height: 44, rx: 11 }),
    h("text", { x, y: y - 3 }, it.name),
    h("text", { class: "cl-pay-points", x, y: y + 15 }, it.points),
  );

/** A number, or a number with signs beside it (a strike, say): signs for the eye, a name for the ear. */
function sheetCell(cell) {
  return typeof cell === "string" ? cell : [cell.text && h("span", {}, cell.text, " "), signs(cell)];
}

function signs({ sign, name }) {
  return [
    h("span", { class: "cl-sign", "aria-hidden": "true", title: name }, sign),
    h("span", { class: "cl-unseen" }, name),
  ];
}

function sheetTable(sheet) {
  const line = (cells, look) =>
    h(
      "tr",
      { class: look },
      cells.map((cell, at) => (at ? h("td", {}, sheetCell(cell)) : h("th", { scope: "row" }, cell))),
    );
  const group = ({ text, note }) =>
    h(
      "tr",
      { class: "cl-group" },
      h("th", { scope: "rowgroup", colspan: sheet.heads.length }, h("b", {}, text), " ", h("span", {}, note ?? "")),
    );
  const row = (it, look) => (it.text ? group(it) : line(it.cells ?? it, it.look ?? look));
  return [
    h(
      "div",
      { class: "cl-scroll", tabindex: "0", role: "group", "aria-label": say("sheet") },
      h(
        "table",
        { class: "cl-sheet" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            sheet.heads.map((head) => (head ? h("th", { scope: "col" }, head) : h("td", {}))),
          ),
        ),
        h(
          "tbody",
          {},
          sheet.rows.map((cells) => row(cells)),
          sheet.total?.length ? row(sheet.total, "cl-total") : null,
          (sheet.tallies ?? []).map((cells) => row(cells, "cl-tally")),
        ),
      ),
    ),
    sheet.legend ? h("p", { class: "cl-soft cl-legend", "aria-hidden": "true" }, sheet.legend) : null,
    sheet.note || sheet.rules?.length
      ? h("p", { class: "cl-soft" }, words(sheet.note ?? ""), " ", chips(sheet.rules))
      : null,
  ];
}

/* ---- 9 options ------------------------------------------------------------------------------------------------- */

function adoptOptions(view, state) {
  for (const group of state.book ?? [])
    for (const rule of group.rules) shared.rules.set(rule.id, { ...rule, lang: state.lang });
  shared.options = view;
  view.local.whys = {};
  view.local.numbers = {};
}

function drawOptions(state, view) {
  return [
    h(
      "section",
      { class: "cl-options-page", "aria-labelledby": "title-options" },
      heading("title-options", state.title),
      presetRow(state, view),
      variantBox(state, view),
      h(
        "div",
        { class: "cl-two" },
        h(
          "div",
          {},
          (state.groups ?? []).map((group, at) => optionGroup(group, at, view)),
        ),
        ruleColumn(state, view),
      ),
    ),
  ];
}

function presetRow(state, view) {
  return h(
    "div",
    { class: "cl-presets", role: "group", "aria-label": say("presets") },
    h("span", { class: "cl-soft", "aria-hidden": "true" }, say("presets")),
    (state.presets ?? []).map((it) =>
      h(
        "button",
        {
          key: it.id,
          type: "button",
          class: "cl-pill",
          "data-preset": it.id,
          title: it.note,
          "aria-pressed": it.active ? "true" : "false",
          onclick: () => ask(view, { do: "preset", id: it.id }),
        },
        words(it.label),
      ),
    ),
  );
}

function variantBox(state, view) {
  return h(
    "div",
    { class: "cl-box cl-variant" },
    h("p", { class: "cl-overline" }, state.label ?? ""),
    h("p", { class: "cl-sentence", role: "status" }, words(state.text ?? "")),
    state.code && h("code", {}, state.code),
    h("div", { role: "alert" }, sayBox(state.say)),
    buttonRow(state.buttons, (it) => pressOptions(view, it.do)),
  );
}

function pressOptions(view, what) {
  if (what === "copy") return openShare();
  ask(view, { do: what });
  if (what === "use") goTo("free");
}

function optionGroup(group, at, view) {
  return h(
    "fieldset",
    { key: group.title ?? at },
    h("legend", {}, words(group.title ?? "")),
    group.options.map((it) => optionRow(it, view)),
  );
}

function optionRow(option, view) {
  const why = view.local.whys[option.name];
  return h(
    "div",
    { key: option.name, class: `cl-option${option.idle ? " cl-idle" : ""}`, "data-option": option.name },
    h(
      "div",
      { class: "cl-option-label", id: `option-${option.name}` },
      h("span", {}, words(option.label)),
      option.changed && h("span", { class: "cl-changed" }, say("changed")),
    ),
    optionControl(option, view),
    option.note && h("p", { class: "cl-why" }, "○ ", words(option.note)),
    h("div", { role: "alert" }, why && h("p", { class: "cl-why cl-warned" }, words(why))),
  );
}

/** Few short values stand side by side, others in a list. */
function optionControl(option, view) {
  if (option.kind === "number") return numberOption(option, view);
  const length = option.values.reduce((sum, value) => sum + width(value.label) + 3, 0);
  return option.values.length <= 6 && length <= 34 ? radioOption(option, view) : selectOption(option, view);
}

const width = (text) => [...text].reduce((sum, sign) => sum + (sign > "⺀" ? 2 : 1), 0);

function choose(option, view, value) {
  const picked = option.values.find((it) => String(it.value) === String(value));
  if (!picked) return;
  if (picked.disabled) {
    view.local.whys[option.name] = picked.why ?? "";
    return draw(view);
  }
  ask(view, { do: "set", name: option.name, value: picked.value });
}

function radioOption(option, view) {
  return h(
    "div",
    { class: "cl-seg cl-radios", role: "radiogroup", "aria-labelledby": `option-${option.name}` },
    option.values.map((it) =>
      h(
        "label",
        { key: String(it.value), class: it.disabled ? "cl-off" : "", title: it.disabled ? it.why : undefined },
        h("input", {
          type: "radio",
          name: `cl-${view.id}-${option.name}`,
          "data-value": String(it.value),
          "aria-disabled": it.disabled ? "true" : undefined,
          checked: Boolean(it.active),
          onchange: () => choose(option, view, it.value),
        }),
        h("span", {}, h("span", {}, words(it.label))),
      ),
    ),
  );
}

function selectOption(option, view) {
  const active = option.values.find((it) => it.active) ?? option.values[0];
  return h(
    "select",
    {
      "aria-labelledby": `option-${option.name}`,
      "data-name": option.name,
      onchange: (event) => choose(option, view, event.target.value),
      value: String(active?.value),
    },
    option.values.map((it) =>
      h("option", { key: String(it.value), value: String(it.value), disabled: Boolean(it.disabled) }, it.label),
    ),
  );
}

function numberOption(option, view) {
  return h("input", {
    type: "number",
    class: "cl-number",
    "aria-labelledby": `option-${option.name}`,
    "data-name": option.name,
    min: option.min,
    max: option.max,
    step: "1",
    value: view.local.numbers[option.name] ?? String(option.value),
    oninput: (event) => (view.local.numbers[option.name] = event.target.value),
    onchange: (event) => ask(view, { do: "set", name: option.name, value: event.target.value }),
  });
}

function ruleColumn(state, view) {
  const whole = Boolean(view.local.whole);
  const choices = [
    ["changes", say("changes")],
    ["whole", say("whole")],
  ];
  return h(
    "div",
    { class: "cl-box cl-rules" },
    h(
      "div",
      { class: "cl-rules-head" },
      h("h3", {}, words(state.text_head ?? "")),
      segments(state.text_head ?? "", choices, whole ? "whole" : "changes", (value) => {
        view.local.whole = value === "whole";
        draw(view);
      }),
    ),
    state.counts && h("p", { class: "cl-counts", role: "status" }, words(state.counts)),
    whole ? wholeText(state) : (state.changes ?? []).map(changeBlock),
  );
}

const CHANGE_SIGNS = { added: "+", removed: "−", replaced: "⇄" };

function changeBlock(change) {
  return h(
    "div",
    { key: change.rule.id, class: "cl-change", "data-rule": change.rule.id },
    h("p", { class: "cl-change-rule" }, chip(change.rule)),
    change.items.map(changeItem),
  );
}

function changeItem(item) {
  if (!(item.kind in CHANGE_SIGNS)) return h("p", { class: "cl-same" }, words(item.new || item.old || ""));
  return h(
    "div",
    { class: `cl-sentence-change cl-${item.kind}` },
    h(
      "span",
      { class: "cl-change-sign" },
      h("b", { "aria-hidden": "true" }, CHANGE_SIGNS[item.kind]),
      h("span", {}, item.label),
    ),
    h("div", {}, item.old && h("del", {}, words(item.old)), item.new && h("ins", {}, words(item.new))),
  );
}

function wholeText(state) {
  return h(
    "div",
    { key: "book", class: "cl-book" },
    (state.book ?? []).map((group) =>
      h(
        "div",
        { key: group.title },
        h("h4", {}, words(group.title)),
        group.rules.map((rule) =>
          h(
            "div",
            { key: rule.id, id: `rule-${rule.id}`, class: "cl-book-rule", "data-rule": rule.id },
            h(
              "h5",
              { tabindex: "-1" },
              words(rule.title),
              rule.changed && h("span", { class: "cl-changed" }, say("changed")),
            ),
            h("div", { class: "cl-prose", html: rule.html ?? "" }),
            h("p", { class: "cl-source" }, rule.source && `${rule.source} · `, h("code", {}, rule.id)),
          ),
        ),
      ),
    ),
  );
}

/* ---- 10 page --------------------------------------------------------------------------------------------------- */

const LANGUAGES = [
  ["en", "English", { lang: "en" }],
  ["ja", "日本語", { lang: "ja" }],
];

function startPage(view) {
  shared.pageView = view;
  view.bar = barPlace(view);
  view.hello = true;
  view.goneTo = null;
  const game = view.state.game ?? "";
  tell(view, {
    do: "hello",
    search: location.search,
    stored: load(game),
    settings: load("settings"),
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
  });
  view.showAnyway = setTimeout(() => reveal(view), 3000);
  view.stopListening = listenForPage(view);
}

/** The bar stands before the main part: in the place the template keeps for it, else at the top of the body. */
function barPlace(view) {
  const inLab =
    view.el.closest(".jp-Notebook, .jp-NotebookPanel") && document.querySelector(".jp-LabShell, #main.jp-LabShell");
  const kept = document.querySelector("[data-cl-bar]");
  const bar = kept ?? document.createElement("header");
  bar.classList.add("cl", "cl-bar");
  view.ownBar = !kept;
  if (inLab) view.el.prepend(bar);
  else if (!kept) document.body.insertBefore(bar, afterSkipLink());
  view.inLab = Boolean(inLab);
  view.barSize = new ResizeObserver(() => {
    document.documentElement.style.setProperty("--cl-bar", `${inLab ? 0 : bar.offsetHeight}px`);
    fitBar(bar);
  });
  view.barSize.observe(bar);
  return bar;
}

/** The title is never cut: where it would be, the dots give way to a count. */
function fitBar(bar) {
  bar.classList.remove("cl-tight");
  const title = bar.querySelector(".cl-bar-title");
  bar.classList.toggle("cl-tight", Boolean(title && title.scrollWidth > title.clientWidth));
}

function afterSkipLink() {
  const first = document.body.firstElementChild;
  return first?.matches('a[href^="#"]') ? first.nextElementSibling : first;
}

function stopPage(view) {
  clearTimeout(view.showAnyway);
  view.barSize?.disconnect();
  view.stopListening?.();
  if (view.ownBar) view.bar?.remove();
  else if (view.bar) patch(view.bar, []);
  if (shared.pageView === view) shared.pageView = null;
}

/** Popovers close by Escape and by a press outside. */
function listenForPage(view) {
  const outside = (event) => view.local.open && !event.target.closest?.(".cl-pop-holder") && openPanel(view, null);
  const escape = (event) => {
    if (event.key !== "Escape" || !view.local.open) return;
    const holder = view.bar.querySelector(`[data-panel="${view.local.open}"]`);
    openPanel(view, null);
    holder?.focus();
  };
  document.addEventListener("pointerdown", outside);
  document.addEventListener("keydown", escape);
  return () => {
    document.removeEventListener("pointerdown", outside);
    document.removeEventListener("keydown", escape);
  };
}

function openPanel(view, name) {
  view.local.open = view.local.open === name ? null : name;
  view.local.sure = false;
  draw(view);
}

function adoptPage(view, state, last) {
  const looks = (it) => JSON.stringify([it?.lang, it?.settings, Object.keys(it?.ui ?? {}).length]);
  const other = looks(shared.page) !== looks(state);
  shared.page = state;
  setDocument(view, state);
  if (last && view.hello) reveal(view);
  if (shared.shown) remember(view, state);
  if (state.goto && state.goto_n !== view.goneTo) arrive(view, state);
  if (other) for (const one of shared.views) if (one !== view) draw(one);
}

function setDocument(view, state) {
  const root = document.documentElement;
  if (state.lang) root.lang = state.lang;
  if (state.title && !view.inLab) document.title = state.title;
  root.dataset.cl = view.inLab ? "lab" : "page";
  root.dataset.colours = String(state.settings?.colours ?? 2);
  root.dataset.size = state.settings?.size ?? "M";
}

/** Show the widgets, once language and settings are the reader's own. */
function reveal(view) {
  if (shared.shown) return;
  shared.shown = true;
  clearTimeout(view.showAnyway);
  for (const one of shared.views) draw(one);
}

function remember(view, state) {
  const save = JSON.stringify(state.save ?? {});
  if (save !== view.saved && save !== "{}") store(state.game, state.save);
  view.saved = save;
  const settings = JSON.stringify(state.settings ?? {});
  if (settings !== view.savedSettings && settings !== "{}") store("settings", state.settings);
  view.savedSettings = settings;
}

/** Come back to a step: wait for its widget, stay there while the page still grows, leave the reader alone after. */
function arrive(view, state) {
  view.goneTo = state.goto_n;
  view.stopArriving?.();
  const began = performance.now();
  let focused = false;
  const settle = () => {
    const place = shared.places.get(state.goto);
    if (!place || !shared.shown) return;
    place.scrollIntoView({ behavior: "instant", block: "start" });
    if (!focused) place.querySelector("h2")?.focus({ preventScroll: true });
    focused = true;
    if (performance.now() - began > 4000) stop();
  };
  const growth = new ResizeObserver(settle);
  const stop = () => {
    growth.disconnect();
    shared.arrivals.delete(settle);
    for (const type of ["wheel", "touchmove", "keydown", "pointerdown"]) removeEventListener(type, stop);
    view.stopArriving = null;
  };
  view.stopArriving = stop;
  shared.arrivals.add(settle);
  growth.observe(document.body);
  for (const type of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(type, stop, { passive: true });
  setTimeout(() => focused && stop(), 2500);
  settle();
}

/** Tell Python where the reader is; not for every step he scrolls past. */
function reportPlace(id) {
  const view = shared.pageView;
  if (!view || shared.place === id || (view.stopArriving && id !== view.state.goto)) return;
  shared.place = id;
  clearTimeout(shared.placeTimer);
  shared.placeTimer = setTimeout(() => {
    if (!shared.pageView) return;
    tell(shared.pageView, { do: "at", step: id });
    draw(shared.pageView);
  }, 400);
}

function watchPlaces() {
  return (shared.watcher ??= new IntersectionObserver(
    (entries) => {
      const inside = entries.filter((entry) => entry.isIntersecting && shared.shown);
      const last = inside[inside.length - 1];
      if (last && !(performance.now() - shared.worked < 1000)) reportPlace(last.target.dataset.place);
    },
    { rootMargin: "-25% 0px -65% 0px" },
  ));
}

function drawPage(state, view) {
  patch(view.bar, barParts(state, view));
  fitBar(view.bar);
  view.bar.lang = state.lang ?? "";
  const other = state.lang === "ja" ? "en" : "ja";
  return [
    h(
      "div",
      { class: "cl-intro-page" },
      h("h1", {}, words(state.title ?? ""), state.other && [" ", h("span", { lang: other }, state.other)]),
      state.sub && h("p", { class: "cl-sub" }, words(state.sub)),
      state.first &&
        h("p", { class: "cl-first" }, words(state.first.text), " ", h("a", { href: state.first.href }, state.first.label)),
      noticeBox(state, view),
      glance(state.glance),
    ),
  ];
}

function noticeBox(state, view) {
  const hidden = view.local.dismissed === state.notice?.text;
  const dismiss = h(
    "button",
    {
      type: "button",
      class: "cl-icon-button",
      "data-do": "dismiss",
      "aria-label": say("dismiss") || "✕",
      onclick: () => {
        view.local.dismissed = state.notice.text;
        draw(view);
      },
    },
    "✕",
  );
  return h("div", { key: "notice", role: "status" }, hidden ? null : sayBox(state.notice, undefined, dismiss));
}

function glance(rows) {
  if (!rows?.length) return null;
  return h(
    "dl",
    { class: "cl-glance" },
    rows.map((row) => h("div", {}, h("dt", {}, words(row.label)), h("dd", {}, words(row.text)))),
  );
}

function barParts(state, view) {
  const languages = segments(say("language"), LANGUAGES, state.lang, (value) => set(view, "lang", value));
  return [
    h(
      "div",
      { class: "cl-bar-row" },
      h(
        "a",
        { class: "cl-icon-button cl-home", href: state.home || "/", "aria-label": say("back") || "‹" },
        h("span", { "aria-hidden": "true" }, "‹"),
      ),
      h(
        "b",
        { class: "cl-bar-title" },
        state.title ?? "",
        state.other && h("span", { lang: state.lang === "ja" ? "en" : "ja" }, ` · ${state.other}`),
      ),
      stepsPanel(state, view),
      h("span", { class: "cl-space" }),
      variantPill(state, "cl-wide"),
      languages,
      sharePanel(state, view),
      settingsPanel(state, view),
    ),
  ];
}

function set(view, name, value) {
  ask(view, { do: "set", name, value });
}

function variantPill(state, look) {
  if (!state.variant?.label) return null;
  const changed = state.variant.changed ? " cl-has-changes" : "";
  return h(
    "button",
    {
      key: "pill",
      type: "button",
      class: `cl-pill ${look}${changed}`,
      "data-do": "variant",
      title: state.variant.text,
      onclick: () => goTo("options"),
    },
    words(state.variant.label),
  );
}

function panel(view, name, label, face, look, kids) {
  const open = view.local.open === name;
  return h(
    "div",
    { key: name, class: `cl-pop-holder ${look}` },
    h(
      "button",
      {
        type: "button",
        class: "cl-icon-button",
        "data-panel": name,
        "data-do": name,
        "aria-expanded": String(open),
        "aria-label": label,
        title: label,
        onclick: () => (name === "share" ? openShare() : openPanel(view, name)),
      },
      face,
    ),
    h("div", { class: "cl-pop", hidden: !open }, open ? kids : null),
  );
}

function stepsPanel(state, view) {
  const steps = state.steps ?? [];
  if (!steps.length) return null;
  const at = shared.place && steps.some((it) => it.id === shared.place) ? shared.place : state.at;
  const solved = steps.filter((it) => it.solved).length;
  const look = (it) => `${it.solved ? "cl-on" : ""}${it.id === at ? " cl-here" : ""}`;
  const face = [
    h(
      "span",
      { class: "cl-dots", "aria-hidden": "true" },
      steps.map((it) => h("i", { class: look(it) })),
    ),
    h("span", { class: "cl-dots-count", "aria-hidden": "true" }, `${solved} / ${steps.length}`),
  ];
  const list = h(
    "ol",
    { class: "cl-step-list" },
    steps.map((it) =>
      h(
        "li",
        { key: it.id },
        h(
          "a",
          {
            href: `#step-${it.id}`,
            "data-step": it.id,
            "aria-current": it.id === at ? "step" : undefined,
            onclick: (event) => {
              event.preventDefault();
              openPanel(view, null);
              goTo(it.id);
            },
          },
          h("i", { class: look(it), "aria-hidden": "true" }),
          h("span", {}, it.n ? `${it.n} ` : "", words(it.title)),
          it.solved && h("span", { class: "cl-tick", role: "img", "aria-label": say("solved") }, "✓"),
        ),
      ),
    ),
  );
  return panel(view, "steps", `${say("steps")} ${solved} / ${steps.length}`, face, "cl-steps", list);
}

const GEAR =
  "M12 8.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM10 2h4l.6 2.700 1.900.8 2.400-1.500 2.600 2.700-1.400 2.400.8 1.900 2.600.6v3.800l-2.700.6-.8 1.900 1.500 2.400-2.700 2.600-2.400-1.400-1.900.8L14 22h-4l-.6-2.700-1.900-.8-2.400 1.500-2.600-2.700 1.400-2.400-.8-1.900L.5 12.400V9.600l2.700-.6.8-1.900L2.500 4.700l2.700-2.600 2.400 1.400 1.900-.8z";
const SHARE =
  "M15 5.500 9 9.200m0 5.600 6 3.700M6 9.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600zM18 2a2.800 2.800 0 1 0 0 5.600A2.800 2.800 0 0 0 18 2zm0 14.400a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600z";
const icon = (path) =>
  h("svg", { class: "cl-line-icon", viewBox: "-1 -1 26 26", "aria-hidden": "true" }, h("path", { d: path }));

function settingsPanel(state, view) {
  const now = state.settings ?? {};
  const group = (name, values) =>
    h(
      "div",
      { class: "cl-setting" },
      h("span", { "aria-hidden": "true" }, say(name)),
      segments(say(name), values, now[name], (value) => set(view, name, value)),
    );
  return panel(view, "settings", say("settings"), icon(GEAR), "", [
    group("colours", [
      [2, say("colours_2"), { "data-set": "colours" }],
      [4, say("colours_4"), { "data-set": "colours" }],
    ]),
    group(
      "size",
      ["S", "M", "L"].map((size) => [size, say(`size_${size}`) || size, { "data-set": "size" }]),
    ),
    group(
      "pace",
      ["wait", "run"].map((pace) => [pace, say(`pace_${pace}`), { "data-set": "pace" }]),
    ),
    state.badges &&
      group(
        "badges",
        ["on", "off"].map((badges) => [badges, say(`badges_${badges}`), { "data-set": "badges" }]),
      ),
    h(
      "div",
      { class: "cl-narrow" },
      variantPill(state, ""),
      h("button", { type: "button", class: "cl-pill", "data-do": "share", onclick: () => openShare() }, say("share")),
    ),
    forgetRow(state, view),
  ]);
}

function forgetRow(state, view) {
  const sure = (value) => () => {
    view.local.sure = value;
    draw(view);
  };
  if (!view.local.sure)
    return h(
      "div",
      { class: "cl-forget" },
      h(
        "button",
        { key: "ask", type: "button", class: "cl-pill", "data-do": "forget", onclick: sure(true) },
        say("forget"),
      ),
    );
  const forget = () => {
    store(state.game, null);
    view.saved = undefined;
    openPanel(view, null);
    tell(view, { do: "forget" });
  };
  return h(
    "div",
    { class: "cl-forget", role: "group", "aria-label": say("forget") },
    h("p", {}, say("forget_sure")),
    h(
      "button",
      { key: "yes", type: "button", class: "cl-button cl-primary", "data-do": "forget-yes", onclick: forget },
      say("yes"),
    ),
    h(
      "button",
      { key: "no", type: "button", class: "cl-button", "data-do": "forget-no", onclick: sure(false) },
      say("no"),
    ),
  );
}

const fullLink = (state) => location.origin + location.pathname + (state.link ?? "");

function sharePanel(state, view) {
  return panel(view, "share", say("share"), icon(SHARE), "cl-share", [
    h("label", { for: "cl-link" }, say("link")),
    h("input", {
      id: "cl-link",
      type: "text",
      readonly: true,
      value: fullLink(state),
      onfocus: (event) => event.target.select(),
    }),
    h("p", { role: "status" }, view.local.copied ? say("copied") : ""),
  ]);
}

/** Copy the link of this very place, and show it: where copying is not allowed it can be taken by hand. */
async function openShare() {
  const view = shared.pageView;
  if (!view) return;
  const open = view.local.open !== "share";
  view.local.copied = false;
  view.local.open = open ? "share" : null;
  draw(view);
  if (!open) return;
  view.local.copied = await copy(fullLink(view.state));
  draw(view);
  view.bar.querySelector("#cl-link")?.focus();
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/* ---- 11 mounting ----------------------------------------------------------------------------------------------- */

/** The end of a lesson that is no game's. */
const drawOnward = (state) => [
  h(
    "section",
    { class: "cl-onward", "aria-labelledby": "title-onward" },
    heading("title-onward", state.title),
    h("p", {}, words(state.text ?? "")),
    linkCards(state.links),
  ),
];

const KINDS = {
  page: { draw: drawPage, adopt: adoptPage, start: startPage, stop: stopPage },
  step: { draw: drawStep, adopt: adoptStep, place: (state) => state.id },
  play: { draw: drawPlay, adopt: adoptPlay, place: (state) => state.id },
  onward: { draw: drawOnward, place: (state) => state.id },
  options: { draw: drawOptions, adopt: adoptOptions, place: () => "options" },
};

/** Where the focus is, in case its element goes away. */
function focusSpot(root) {
  const here = document.activeElement;
  if (!here || !root.contains(here)) return null;
  const zone = here.closest("[data-zone]");
  const index = zone ? [...zone.querySelectorAll(STOPS)].indexOf(here) : -1;
  return { here, zone: zone?.dataset.zone, index, does: here.dataset.do };
}

function restoreFocus(root, spot) {
  if (!spot || root.contains(document.activeElement)) return;
  if (spot.here.isConnected) return spot.here.focus({ preventScroll: true });
  const inZone = (name) => [...root.querySelectorAll(`[data-zone="${name}"] ${STOPS}`)];
  const cards = [spot.zone ?? "offers", "hand"].map(inZone).find((found) => found.length) ?? [];
  const same = spot.does && root.querySelector(`[data-do="${spot.does}"]`);
  const card = spot.zone ? cards[Math.min(spot.index, cards.length - 1)] : cards.find((it) => it.tabIndex === 0);
  const next = root.querySelector('.cl-primary:is([data-do="next"], [data-do="onward"])');
  const target =
    same || (!spot.zone && next) || card || next || root.querySelector(".cl-primary, .cl-buttons button, h2");
  target?.focus({ preventScroll: true });
}

function draw(view) {
  const { state, root } = view;
  const kind = KINDS[state.kind];
  const spot = focusSpot(root);
  let parts;
  try {
    parts = kind ? kind.draw(state, view) : [brokenLine(state, `kind: ${state.kind}`)];
  } catch (error) {
    console.warn("cardlib:", error);
    parts = [brokenLine(state, error.message)];
  }
  setProps(root, {
    class: `cl cl-${state.kind}${shared.shown ? "" : " cl-hidden"}`,
    id: view.placeId ? `step-${view.placeId}` : undefined,
    "data-kind": state.kind,
    "data-v": state.v,
    "data-place": view.placeId,
    lang: state.lang,
  });
  patch(root, [...parts.filter(isDrawn), statusLine(state, view)]);
  for (const zone of root.querySelectorAll(".cl-hand")) layHand(zone);
  for (const log of root.querySelectorAll(".cl-log")) log.scrollTop = log.scrollHeight;
  restoreFocus(root, spot);
}

/** What went wrong, or takes long; there before it is needed. */
function statusLine(state, view) {
  const trouble = state.error ? sayBox({ tone: "bad", text: state.error }) : null;
  return h(
    "div",
    { key: "status", class: "cl-status", role: "status" },
    trouble,
    view.slow ? sayBox({ tone: "note", text: say("slow") || "…" }) : null,
  );
}

const brokenLine = (state, detail) =>
  h("p", { key: "broken", class: "cl-say cl-bad", role: "alert" }, [say("broken"), detail].filter(Boolean).join(" "));

/** Letters work while the focus is inside the widget and nobody is writing. */
function onLetter(event, view) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
  const wanted = [...view.root.querySelectorAll("[aria-keyshortcuts]")];
  const found = wanted.find(
    (it) =>
      it.getAttribute("aria-keyshortcuts") === event.key.toUpperCase() && it.getAttribute("aria-disabled") !== "true",
  );
  if (!found) return;
  event.preventDefault();
  found.click();
}

let count = 0;

function mount(model, el) {
  const root = document.createElement("div");
  el.append(root);
  const view = { id: ++count, model, el, root, state: model.get("state") ?? {}, local: {}, waiting: 0, slow: false };
  const kind = KINDS[view.state.kind];
  const adopt = (last) => {
    try {
      KINDS[view.state.kind]?.adopt?.(view, view.state, last);
    } catch (error) {
      console.warn("cardlib:", error);
    }
  };
  const change = () => {
    const last = view.state;
    view.state = model.get("state") ?? {};
    answered(view);
    adopt(last);
    draw(view);
  };
  shared.views.add(view);
  takePlace(view, kind);
  kind?.start?.(view);
  adopt(null);
  draw(view);
  model.on("change:state", change);
  root.addEventListener("keydown", (event) => onLetter(event, view));
  const resize = new ResizeObserver(() => root.querySelectorAll(".cl-hand").forEach(layHand));
  resize.observe(root);
  for (const arrival of [...shared.arrivals]) arrival();
  return () => unmount(view, kind, model, change, resize);
}

function takePlace(view, kind) {
  view.placeId = kind?.place?.(view.state);
  if (!view.placeId) return;
  shared.places.set(view.placeId, view.root);
  watchPlaces().observe(view.root);
}

function unmount(view, kind, model, change, resize) {
  model.off("change:state", change);
  resize.disconnect();
  clearTimeout(view.waiting);
  clearTimeout(view.pace);
  shared.views.delete(view);
  shared.watcher?.unobserve(view.root);
  if (shared.places.get(view.placeId) === view.root) shared.places.delete(view.placeId);
  if (shared.options === view) shared.options = null;
  kind?.stop?.(view);
  view.root.remove();
}

function render({ model, el }) {
  const cardlib = hub();
  const stop = mount(model, el);
  cardlib.resolve?.(mount);
  cardlib.ready = Promise.resolve(mount);
  return stop;
}

export default { render };
