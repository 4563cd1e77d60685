// Why: the chain of causes of the present event.

/** Shows the causes if the reader asked for them, and lets them stand out in the picture. */
function showCauses(reasons) {
  const list = byId("causes");
  const isOpen = byId("because").getAttribute("aria-expanded") === "true" && reasons.size > 0;
  byId("because").disabled = !reasons.size;
  byId("stage").classList.toggle("because", isOpen);
  list.hidden = !isOpen;
  const hadFocus = list.contains(document.activeElement);
  placeCauses(list);
  const causes = isOpen ? [...reasons].sort((one, other) => other.number - one.number) : [];
  list.replaceChildren(...causes.map((cause) => {
    const button = make("button", { type: "button" }, make("time", {}, cause.time), " ",
      cause.sentence);
    button.addEventListener("click", () => go(cause));
    return make("li", {}, button);
  }), make("li", { class: "none" },
    "The program's own code did this, in the part or at a time of its script."));
  // The button that had the focus is gone.
  if (hadFocus) (list.querySelector("button") ?? byId("because")).focus();
}

/** On a phone, they stand above the buttons, because all else next to the picture is far below. */
function placeCauses(list) {
  const isNarrow = matchMedia("(max-width: 760px)").matches;
  const home = document.querySelector(isNarrow ? ".bar" : "aside");
  if (list.parentElement !== home) home.prepend(list);
}

function toggleCauses() {
  const isOpen = byId("because").getAttribute("aria-expanded") === "true";
  byId("because").setAttribute("aria-expanded", String(!isOpen));
  showMoment();
  // The list is the first thing next to the picture.
  document.querySelector("aside").scrollTop = 0;
}
