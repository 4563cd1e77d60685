// The address: the part, the flags, what's moved, and the event.

/** The time of the last write. Browsers refuse more than about 20 changes a second. */
const addressBar = { timer: 0 };

/** Puts what's on stage into the address, and leaves the history alone, so Back leaves the page. */
function writeAddress() {
  const { part, flags, moves, fault, schedule } = variationOf(stage);
  const words = new URLSearchParams();
  const { opening } = stage.program;
  if (part !== opening.part || String(flags) !== String(opening.flags)) {
    words.set("part", part);
    flags.forEach((flag) => words.append("flag", flag));
  }
  moves.forEach((move) => words.append("move", move));
  if (fault) words.set("fault", fault);
  if (schedule) words.set("schedule", schedule);
  const isAtEnd = !stage.run || indexNow() >= stage.run.events.length - 1;
  const event = stage.wanted ? stage.wanted.event : isAtEnd ? null : eventNow()?.number ?? 0;
  if (event != null) words.set("event", event);
  clearTimeout(addressBar.timer);
  addressBar.timer = setTimeout(() => history.replaceState(null, "", `#${words}`), 80);
}

/** The address and the time of a move, such as `taps value 2 to 300ms`. */
function readMove(text) {
  const [, address, number, unit, word] = /^(.*) to (?:([\d.]+)(ns|us|ms|s)|(never|0))$/.exec(text) ?? [];
  if (!address) return null;
  const factor = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[unit];
  return [address, number ? Math.round(number * factor) : word === "0" ? 0 : null];
}

/** Puts on stage what an address says, as far as the program has it. Returns whether that's new. */
function readAddress(text) {
  clearTimeout(addressBar.timer);
  const before = JSON.stringify(variationOf(stage));
  const words = new URLSearchParams(text.replace(/^#/, ""));
  const { parts, flags, opening } = stage.program;
  const missing = [];
  const known = ["part", "event", "flag", "move", "fault", "schedule"];
  for (const word of new Set(words.keys())) {
    if (!known.includes(word)) missing.push(`There's no “${word}” on this page.`);
  }
  stage.part = Number(words.get("part") ?? opening.part);
  if (!parts[stage.part - 1]) {
    missing.push(`There's no part ${words.get("part")} on this page; this is where it begins.`);
    stage.part = opening.part;
  }
  const names = flags.map(({ name }) => name);
  const isOpening = !words.has("part") && !words.has("flag");
  stage.flags = new Set(isOpening ? opening.flags
    : words.getAll("flag").filter((name) => names.includes(name)));
  for (const name of words.getAll("flag")) {
    if (!names.includes(name)) missing.push(`There's no flag “${name}” on this page.`);
  }
  const moves = words.getAll("move").map((move) => [move, readMove(move)]);
  stage.moves = new Map(moves.map(([, move]) => move).filter(Boolean));
  for (const [text, move] of moves) if (!move) missing.push(`“${text}” isn't a move.`);
  Object.assign(stage, { fault: words.get("fault"), schedule: words.get("schedule") });
  stage.wanted = { event: words.get("event"), missing };
  return before !== JSON.stringify(variationOf(stage));
}

/** Goes to the event that was asked for, once its run is on stage. It's the last one by default. */
function goToWanted() {
  const { event: number, missing } = stage.wanted;
  stage.wanted = null;
  const event = number === "0" ? beforeStart : stage.run.numbered.get(Number(number));
  if (number != null && !event) {
    missing.push(`There's no event ${number} in this part; this is the last one.`);
  }
  go(event ?? endOf(stage.run), { lines: missing });
}
