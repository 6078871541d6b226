// The language of the page: the link's, or what the reader chose last, or what the server took from the browser.
(() => {
  const page = document.documentElement, key = "cardlib/1/settings", known = ["en", "ja"];
  let settings = {};
  try {
    const stored = JSON.parse(localStorage.getItem(key));
    if (stored && typeof stored === "object") settings = stored;
  } catch { /* no storage, or nonsense in it: begin afresh */ }
  const asked = new URLSearchParams(location.search).get("lang");
  const lang = [asked, settings.lang, page.lang].find((name) => known.includes(name));
  page.lang = lang;
  if (settings.lang !== lang) try {
    localStorage.setItem(key, JSON.stringify({ ...settings, lang }));
  } catch { /* the choice then lasts for this page only */ }
})();
