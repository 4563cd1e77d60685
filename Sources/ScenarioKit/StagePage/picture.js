// The picture: a row for each lane, and time from left to right on the track's own axis.

const svgName = "http://www.w3.org/2000/svg";

/** Makes an SVG element. */
function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgName, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/**
 * The rows of all runs so far, in the order of the first run that had them. A row keeps its place
 * while a reader moves something, so the eye can follow.
 */
const rows = { all: [], key: "" };

/** The rows of a run, by their lives: two subscriptions of a lane at the same time have a row each. */
function rowsOf(run) {
  const lives = new Map();
  for (const event of run.events) {
    if (event.role === "console") continue;
    const key = `${event.lane} ${event.subscription ?? ""}`;
    if (!lives.has(key)) {
      lives.set(key, { lane: event.lane, role: event.role, events: [], start: event.nanoseconds });
    }
    lives.get(key).events.push(event);
  }
  const found = [];
  for (const life of lives.values()) {
    const last = life.events.at(-1);
    life.isOver = ["finished", "failure", "cancelled", "request-finished", "request-failed",
      "request-cancelled"].includes(last.kind);
    life.end = life.isOver ? last.nanoseconds : run.end;
    const free = found.find((row) => row.lane === life.lane && row.until < life.start);
    const row = free ?? { lane: life.lane, role: life.role, lives: [], until: 0 };
    if (!free) found.push(row);
    row.lives.push(life);
    row.until = life.isOver ? life.end : Infinity;
  }
  const counts = new Map();
  for (const row of found) {
    const count = (counts.get(row.lane) ?? 0) + 1;
    counts.set(row.lane, count);
    row.name = count > 1 ? `${row.lane} ${count}` : row.lane;
  }
  return found;
}

/** Sorts rows from the source to the subscriber, with a request above what it leads to. */
function inOrder(found, run) {
  const rowOf = new Map();
  for (const row of found) {
    for (const life of row.lives) for (const event of life.events) rowOf.set(event.number, row);
  }
  const above = new Map(found.map((row) => [row, new Set()]));
  const link = (upper, lower) => upper && lower && upper !== lower && above.get(lower).add(upper);
  const carries = (event) => ["value", "finished", "failure"].includes(event.kind);
  for (const event of run.events) {
    const row = rowOf.get(event.number);
    const cause = run.numbered.get(event.cause);
    if (carries(event)) link(rowOf.get(event.cause), row);
    if (event.kind === "request-started") link(row, rowOf.get(event.cause));
    // A value that begins work stands above the subscriptions and requests of that.
    if (event.kind === "subscription" || event.kind === "request-started") {
      let first = cause;
      while (first && !carries(first)) first = run.numbered.get(first.cause);
      link(first && rowOf.get(first.number), row);
    }
  }
  // Of the rows that have all others above them, the one that began first comes next.
  const rest = [...found];
  const sorted = [];
  while (rest.length) {
    const isReady = (row) => [...above.get(row)].every((other) => sorted.includes(other));
    const next = Math.max(0, rest.findIndex(isReady));
    sorted.push(...rest.splice(next, 1));
  }
  return sorted;
}

function updateRows(run) {
  const key = `${stage.part} ${[...stage.flags].sort().join()}`;
  const now = inOrder(rowsOf(run), run);
  if (rows.key !== key) {
    rows.key = key;
    rows.all = now.map((row) => row.name);
  } else {
    now.forEach((row, index) => {
      if (rows.all.includes(row.name)) return;
      const before = index > 0 ? rows.all.indexOf(now[index - 1].name) + 1 : 0;
      rows.all.splice(before, 0, row.name);
    });
  }
  return new Map(now.map((row) => [row.name, row]));
}

/** The axis: linear, and the same for the track and the picture. It changes only between moves. */
const axis = { left: 0, width: 0, longest: 1e9, step: 1e8, margin: 50, isWide: true };
// On a phone, names stand above their rows.
const rowHeight = () => (axis.isWide ? 34 : 46);
const trackRowHeight = () => (axis.isWide ? 40 : 52);
const xOf = (nanoseconds) => axis.left + (nanoseconds / axis.longest) * axis.width;
const timeAt = (x) => ((x - axis.left) / axis.width) * axis.longest;

/** The distance of ticks, so that their words have room. */
function stepFor(longest, width) {
  const least = (longest * 74) / Math.max(width, 1);
  for (let power = 1e3; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power >= least) return factor * power;
  }
}

const letter = 6.7;

/** A text that fits into a width, if a part of it does. */
function shortened(text, width) {
  const count = Math.floor((width - 8) / letter);
  return text.length <= count ? text : count < 2 ? "" : text.slice(0, count - 1) + "…";
}

/** The words of a value: those of the event without what every value says. */
const wordsOf = (event) => event.text.replace(/^value /, "");

/** Draws a run. Returns the picture and its height. */
function drawRun(run, named, top) {
  const marks = draw("g");
  const lines = draw("g");
  const names = draw("g");
  const places = new Map();
  const yOf = new Map(rows.all.map((name, index) => [name, top + (index + 1) * rowHeight() - 17]));
  for (const name of rows.all) {
    const y = yOf.get(name);
    const row = named.get(name);
    names.append(draw("text", {
      class: row ? "lane" : "lane gone", "data-lane": row?.lane, x: 8, y: axis.isWide ? y + 4 : y - 17,
    }, axis.isWide ? shortened(name, axis.left - 8) : name));
    for (const life of row?.lives ?? []) drawLife(life, y, { run, marks, lines, places });
  }
  for (const wait of run.waits) {
    const row = [...named.values()].find((row) => row.lives.some((life) =>
      life.lane === wait.lane && (life.events[0].subscription ?? null) === (wait.subscription ?? null)));
    if (!row || wait.end <= wait.start) continue;
    const [x, end, y] = [xOf(wait.start), xOf(wait.end), yOf.get(row.name) + 13];
    lines.prepend(draw("path", { class: `wait ${wait.ending}`, d: `M${x} ${y}H${end}` }));
  }
  for (const event of run.events) drawArrow(event, { run, lines, places });
  return { group: draw("g", {}, lines, marks, names), height: rows.all.length * rowHeight(), places };
}

function drawLife(life, y, { run, marks, lines, places }) {
  const isRequest = life.role === "request";
  const [start, end] = [xOf(life.start), xOf(life.end)];
  lines.append(draw("path", { class: isRequest ? "life request" : "life", d: `M${start} ${y}H${end}` }));
  marks.append(draw("path", { class: "start", d: `M${start} ${y - 6}l8 6l-8 6z` }));
  // The chunks of a body that comes with its response or its end say nothing more.
  const isAlone = (event) => event.kind !== "chunk" || !life.events.some((other) =>
    other !== event && other.nanoseconds === event.nanoseconds && other.kind !== "chunk");
  const shownEvents = life.events.filter((event) => isAlone(event)
    && !["request", "subscription", "request-started"].includes(event.kind));
  for (const event of life.events) places.set(event.number, { x: xOf(event.nanoseconds), y });
  // Marks of one place stand next to each other, and shrink before they'd cover the next ones.
  let taken = -Infinity;
  shownEvents.forEach((event, index) => {
    const x = xOf(event.nanoseconds);
    const next = shownEvents.slice(index + 1).find((other) => other.nanoseconds > event.nanoseconds);
    const group = draw("g", { class: "mark", "data-number": event.number });
    group.append(draw("title", {}, `${event.sentence} ${event.time}`));
    if (event.kind === "value") {
      const left = Math.max(x - 5, taken + 2);
      const room = (next ? xOf(next.nanoseconds) - 5 : axis.left + axis.width + axis.margin) - left;
      const words = shortened(wordsOf(event), Math.min(Math.max(16, room), 150));
      const width = Math.max(12, words.length * letter + 10);
      const tint = tintOf(event);
      group.append(
        draw("rect", { class: tint == null ? "value" : `value v${tint}`, x: left, y: y - 11, width,
          height: 22, rx: 6 }),
        draw("text", { class: "words", x: left + 5, y: y + 4 }, words));
      taken = left + width;
    } else if (event.kind === "finished" || event.kind === "request-finished") {
      const at = Math.max(x, taken + 3);
      group.append(draw("path", { class: "end", d: `M${at} ${y - 10}v20` }));
      taken = at + 3;
    } else if (event.kind === "failure" || event.kind === "request-failed") {
      const at = Math.max(x, taken + 9);
      group.append(draw("path", { class: "fail", d: `M${at - 6} ${y - 6}l12 12m0-12l-12 12` }),
        draw("text", { class: "words failed", x: at + 10, y: y + 4 },
          shortened(event.text.replace(/^(failed|failure):? ?/, ""), 130)));
      taken = at + 10;
    } else if (event.kind.includes("cancelled")) {
      const at = Math.max(x, taken + 8);
      group.append(draw("rect", { class: "cancel", x: at - 5, y: y - 5, width: 10, height: 10 }));
      taken = at + 6;
    } else if (event.kind === "response") {
      const words = event.text.split(" ")[0];
      const at = Math.max(x - 5, taken + 2);
      const width = words.length * letter + 10;
      const tint = tintOf(event);
      group.append(
        draw("rect", { class: tint == null ? "value" : `value v${tint}`, x: at, y: y - 11, width,
          height: 22, rx: 2 }),
        draw("text", { class: "words", x: at + 5, y: y + 4 }, words));
      taken = at + width;
    } else {
      group.append(draw("circle", { class: "dot", cx: Math.max(x, taken + 3), cy: y, r: 2.5 }));
      taken = Math.max(x, taken + 3) + 3;
    }
    marks.append(group);
  });
}

/** An arrow from a cause to what follows in another row: solid for a value, dotted for all else. */
function drawArrow(event, { run, lines, places }) {
  const [to, from] = [places.get(event.number), places.get(event.cause)];
  if (!to || !from || to.y === from.y || event.kind === "request" || event.kind === "subscription") {
    return;
  }
  const tint = event.kind === "value" ? tintOf(event) : null;
  const way = Math.sign(to.y - from.y);
  const path = Math.abs(to.x - from.x) < 0.5
    ? `M${from.x} ${from.y + 12 * way}V${to.y - 13 * way}`
    : `M${from.x} ${from.y + 12 * way}V${to.y - 17 * way}H${to.x}V${to.y - 13 * way}`;
  lines.append(draw("path", {
    class: `arrow ${event.kind === "value" ? "" : "other"} ${tint == null ? "" : `a${tint}`}`,
    d: path, "data-number": event.number,
  }));
}
