// The other endings: a button for each that a reader can tell from the others.

/** The buttons that are shown, each with its ending. */
const endingButtons = new Map();

/** What the user sees in the end, from the lines of an outcome: the last text of each label. */
function screenOf(outcome) {
  const count = outcome.findIndex((line) => line.startsWith("requests:"));
  const fields = new Map();
  for (const line of count < 0 ? outcome : outcome.slice(0, count)) {
    const [label, text] = labelled(line);
    fields.set(label, text);
  }
  return fields;
}

/**
 * How an ending differs from the usual one: in the end, or else on the way.
 *
 * The words tell all that differs on the screen, so that two endings with the same words look the
 * same to a user.
 */
function differenceOf(ending, usual) {
  const [now, before] = [screenOf(ending.outcome), screenOf(usual)];
  const labels = [...new Set([...before.keys(), ...now.keys()])]
    .filter((label) => now.get(label) !== before.get(label));
  // Text that has no label comes and goes. Only if nothing else differs, it tells an ending.
  const named = labels.some(Boolean) ? labels.filter(Boolean) : labels;
  if (named.length) {
    const tell = (label) =>
      label ? `${label}: ${now.get(label) ?? "nothing"}` : now.get(label) ?? "nothing is printed";
    // What's new tells more than what's gone.
    named.sort((one, other) => now.has(other) - now.has(one));
    return { isInTheEnd: true, words: named.map(tell).join("; ") };
  }
  const added = ending.outcome.find((line) => !usual.includes(line));
  const missing = usual.find((line) => !ending.outcome.includes(line));
  return {
    isInTheEnd: false,
    words: added ? `on the way, ${added.trim()}`
      : missing ? `without ${missing.trim()}` : "the same in another order",
  };
}

/** What leads to an ending: what moves, and to when. */
function titleOf(ending) {
  const moves = ending.moves.map(readMove);
  if (moves.length !== 1 || !moves[0]) return ending.title;
  const [address, time] = moves[0];
  const thing = stage.usual.things.find((other) => other.address === address);
  const when = time == null ? " never comes" : ` at ${shortTime(time)}`;
  const name = thing?.kind === "action" && thing.deed || address;
  // Long addresses differ in their last part.
  const last = name.length > 20 ? name.replace(/^.*(?=\/)/, "") : name;
  return shortened(last, 31 - when.length) + when;
}

/** Shows the endings. Of those that look the same, the first one stands for all. */
function showEndings() {
  const groups = new Map();
  for (const ending of stage.endings) {
    const { isInTheEnd, words } = differenceOf(ending, stage.usual.outcome);
    if (!groups.has(words)) groups.set(words, { isInTheEnd, words, all: [] });
    groups.get(words).all.push(ending);
  }
  const sorted = [...groups.values()].sort((one, other) => other.isInTheEnd - one.isInTheEnd);
  endingButtons.clear();
  for (const { isInTheEnd, words, all } of sorted) {
    const titles = all.map(titleOf);
    const button = make("button", {
      type: "button", class: isInTheEnd ? "differs" : null,
      title: [`${words}, with:`, ...titles.slice(0, 12)].join("\n"),
    }, make("b", {}, titles[0]), make("small", {}, words));
    button.addEventListener("click", () => choose(all[0]));
    endingButtons.set(button, all);
  }
  byId("endings").replaceChildren(...endingButtons.keys());
  markEnding();
}

/** Marks the ending that's on stage. */
function markEnding() {
  const now = JSON.stringify(variationOf(stage));
  for (const [button, all] of endingButtons) {
    const isOn = all.some(({ moves, fault = null, schedule = null }) =>
      now === JSON.stringify({ ...variationOf(stage), moves, fault, schedule }));
    button.setAttribute("aria-pressed", String(isOn));
  }
}
