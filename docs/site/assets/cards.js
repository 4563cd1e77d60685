// Finds operators by what a reader wants to do, with the ranking of the search. Below the box, the cards
// of the answers replace the index, which comes back when the box is empty.
(() => {
  const root = document.querySelector(".filter");
  if (!root) return;
  const found = root.querySelector("ul");
  const status = root.querySelector("[role=status]");
  const input = root.querySelector("input");
  const index = [];
  for (let next = root.nextElementSibling; next && next.tagName !== "H2";
    next = next.nextElementSibling) index.push(next);
  // Those that are needed every day stand in the index twice.
  const cards = new Map(
    index.flatMap((part) => [...part.querySelectorAll(".card")]).map((card) =>
      [card.querySelector("a").pathname, card]));
  const ranking = new Ranking.Index([...cards.values()].map((card) => ({
    card, text: card.dataset.about,
    names: [card.querySelector("b").textContent, ...JSON.parse(card.dataset.words),
      ...card.querySelector("span").textContent.split(" · ")].map((name) => [name, 1]),
  })));
  const filter = () => {
    const isAsked = input.value.trim() !== "";
    const results = isAsked ? ranking.search(input.value, 0.25) : [];
    found.replaceChildren(...results.map(({ thing }) => thing.card.cloneNode(true)));
    found.hidden = !results.length;
    for (const part of index) part.hidden = isAsked && results.length > 0;
    status.textContent = !isAsked ? ""
      : results.length ? `${results.length} of ${cards.size} operators`
      : "No operator has these words. Here are all of them:";
  };
  input.addEventListener("input", filter);
  // A link to a section of the index, such as one in the table of contents, shows all of it again.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.hidden) return;
    input.value = "";
    filter();
    target.scrollIntoView();
  });
  root.hidden = false;
  // The browser may have kept the text from an earlier visit.
  filter();
})();
