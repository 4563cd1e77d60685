// Filters the cards of operators by what a reader wants to do.
(() => {
  const root = document.querySelector(".cards");
  if (!root) return;
  const cards = [...root.querySelectorAll(".card")];
  const status = root.querySelector("[role=status]");
  const input = root.querySelector("input");
  const filter = () => {
    const words = input.value.toLowerCase().split(/\W+/).filter(Boolean);
    let count = 0;
    for (const card of cards) {
      card.hidden = !words.every((word) => card.dataset.words.includes(word));
      count += card.hidden ? 0 : 1;
    }
    status.textContent = words.length ? `${count} of ${cards.length} operators` : "";
  };
  input.addEventListener("input", filter);
  filter();
})();
