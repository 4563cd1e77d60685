// Answers the search of the theme, which asks a worker. Browsers refuse workers to pages from disk, so the
// page itself answers. The index is a script, because such pages can't load anything else, and it
// comes with the first search.
(() => {
  const [setup, ready, query, result] = [0, 1, 2, 3];
  const address = new URL("search-index.js", document.currentScript.src);
  const escaped = (text) =>
    text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

  let index = null;
  const load = () =>
    (index ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = () =>
        resolve(new Ranking.Index(window.searchIndex.map((page) => ({
          ...page, text: page.sections.map(([, , text]) => text).join("\n"),
        }))));
      script.onerror = () => {
        // The next search tries again.
        index = null;
        reject(new Error(`can't load ${address}`));
      };
      document.head.append(script);
    }));

  /** Text as HTML, with marks around the words of the question. */
  const marked = (text, found) =>
    text.split(/([\p{L}\p{N}_-]+)/u).map((part, i) =>
      i % 2 && Ranking.wordsOf(part).some((word) => found.has(word))
        ? `<mark>${escaped(part)}</mark>` : escaped(part)).join("");

  /** The lines of a text around the first one with most words of the question. */
  const excerpt = (text, found) => {
    const lines = text.split("\n");
    const counts = lines.map((line) =>
      new Set(Ranking.wordsOf(line).filter((word) => found.has(word))).size);
    let line = lines[Math.max(0, counts.indexOf(Math.max(...counts)))];
    const most = 220;
    if (line.length > most) {
      const parts = line.replace(/([.:;,]) /g, "$1\n").split("\n");
      const first = parts.findIndex((part) => Ranking.wordsOf(part).some((word) => found.has(word)));
      const start = parts.slice(0, Math.max(0, first)).join(" ").length;
      const rest = line.slice(start);
      const cut = rest.length > most ? `${rest.slice(0, most).replace(/\s+\S*$/, "")} …` : rest;
      line = (start ? "… " : "") + cut;
    }
    return `<p>${marked(line, found)}</p>`;
  };

  /** A page and its best section, as the theme shows them. */
  const items = ({ thing: page, score, words, name, found }) => {
    const count = ([, title, text]) =>
      new Set(Ranking.wordsOf(`${title} ${text}`).filter((word) => found.has(word))).size;
    const anchor = name?.[2];
    const counts = page.sections.map(count);
    const section = anchor ? page.sections.find(([id]) => id === anchor)
      : name ? page.sections[0] : page.sections[counts.indexOf(Math.max(...counts))];
    const terms = Object.fromEntries(words);
    const item = ([id, title, text], itemScore, itsTerms) => ({
      location: id ? `${page.location}#${id}` : page.location,
      title: marked(title, found), text: excerpt(text, found), score: itemScore, terms: itsTerms,
    });
    // What a page is called elsewhere says why it's here.
    const isIn = (text) => Ranking.wordsOf(text).every((word) => found.has(word));
    const elsewhere = page.words.filter((word) => isIn(word) && !isIn(page.title));
    const first = item(section, score, terms);
    const last = section[0] ? [item(page.sections[0], 0, {})] : [];
    if (elsewhere.length) {
      first.text = `<p>Also called: ${marked(elsewhere.join(", "), found)}</p>${first.text}`;
    }
    return [first, ...last];
  };

  // Where a reader can look who has found nothing.
  const overviews = ["docs/cheat-sheet.html", "docs/operators/index.html", "docs/glossary.html"];
  const help = document.createElement("div");
  help.className = "search-help";

  /** Offers the words that are nearest to those of a question, and the overviews. */
  const offer = (ranking, question) => {
    const input = document.querySelector("[data-md-component=search-query]");
    const buttons = ranking.nearest(question, 3).map((word) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = word;
      button.addEventListener("click", () => {
        input.value = word;
        input.dispatchEvent(new Event("keyup"));
        input.focus();
      });
      return button;
    });
    const links = overviews.map((location) => {
      const link = document.createElement("a");
      link.href = new URL(`../${location}`, address);
      link.textContent = window.searchIndex.find((page) => page.location === location)?.title;
      return link;
    });
    const line = (label, elements) => {
      const result = document.createElement("p");
      result.append(label, ...elements.flatMap((element) => [" ", element]));
      return result;
    };
    help.replaceChildren(
      ...(buttons.length ? [line("Did you mean:", buttons)] : []), line("Look it up:", links));
    document.querySelector(".md-search-result__meta").after(help);
  };

  window.Worker = class extends EventTarget {
    #count = 0;

    postMessage({ type, data }) {
      if (type === setup) this.#reply(ready);
      else if (type === query) this.#answer(data);
    }

    async #answer(question) {
      const number = ++this.#count;
      const isEmpty = !question.trim();
      // Without the index, nothing is found.
      const ranking = isEmpty ? null : await load().catch(() => null);
      const found = ranking ? ranking.search(question, 0.05).slice(0, 12).map(items) : [];
      if (number !== this.#count) return;
      this.#reply(result, { items: found });
      if (ranking && !found.length) offer(ranking, question);
      else help.remove();
    }

    #reply(type, data) {
      // A worker replies later.
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: { type, data } })));
    }

    terminate() {}
  };

  document.addEventListener("focusin", ({ target }) => {
    // A search that can't load it tries again.
    if (target.matches("[data-md-component=search-query]")) load().catch(() => {});
  });
})();
