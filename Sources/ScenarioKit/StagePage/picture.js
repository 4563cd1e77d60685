// The picture: what happens in each row, and what follows from what.

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

const letter = 6.7;

/** The first signs of a text, if not all fit. */
const cut = (text, count) =>
  text.length <= count ? text : count < 2 ? "" : `${text.slice(0, count - 1)}…`;

/** The start and the end of a text, if not all fits: names and addresses differ at their ends. */
function shortened(text, count, tail = Math.floor((count - 1) * 0.6)) {
  if (text.length <= count) return text;
  return count < 3 ? "" : `${text.slice(0, count - 1 - tail)}…${text.slice(text.length - tail)}`;
}

/** How many letters of a name have room left of the axis, or on a phone above a row. */
const nameRoom = () => Math.floor((axis.isWide ? axis.left - 30 : axis.right - 16) / 7.25);

/** The words of an event, without what every one of its kind says. */
const wordsOf = (event) =>
  event.kind === "response" ? event.text.split(" ")[0] : event.text.replace(/^value /, "");

/** The words in a box. Long ones break near the middle, at a comma or a space. */
function linesOf(event) {
  if (!["value", "response", "printed"].includes(event.kind)) return [];
  const words = wordsOf(event);
  if (words.length <= 14) return [words];
  const middle = words.length / 2;
  const [best] = [...words.matchAll(/[ ,]+(?=\S)/g)].map((match) => match.index + match[0].length)
    .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  return best ? [words.slice(0, best).trimEnd(), words.slice(best)] : [words];
}

/** The words of a failure, where it begins. */
function failureOf(event, run) {
  const cause = run.numbered.get(event.cause);
  return cause && ["failure", "request-failed"].includes(cause.kind) ? ""
    : event.text.replace(/^(failed|failure):? ?/, "");
}

/** How wide a mark is, with its words, if it has room. */
function widthOf(event) {
  const lines = linesOf(event);
  if (lines.length) return Math.min(150, Math.max(...lines.map((one) => one.length)) * letter + 10);
  if (event.kind === "failure" || event.kind === "request-failed") {
    return 16 + Math.min(150, failureOf(event, stage.run).length * letter);
  }
  return event.kind.includes("cancelled") ? 12 : 5;
}

/** The events of a life that have a mark. */
function shownEvents(life) {
  // The chunks of a body that comes with its response or its end say nothing more.
  const isAlone = (event) => event.kind !== "chunk" || !life.events.some((other) =>
    other !== event && other.nanoseconds === event.nanoseconds && other.kind !== "chunk");
  return life.events.filter((event) => isAlone(event)
    && !["request", "subscription", "request-started"].includes(event.kind));
}

/** Draws a run. Returns the picture, and its height. */
function drawRun(run, named) {
  const [lines, marks, names] = [draw("g"), draw("g"), draw("g")];
  const places = new Map();
  let bottom = 8;
  const yOf = new Map(rows.all.map((name) => {
    bottom += rowHeight(name);
    return [name, bottom - (rows.high.has(name) ? 23 : 17)];
  }));
  for (const name of rows.all) {
    const y = yOf.get(name);
    const row = named.get(name);
    names.append(draw("text", {
      class: row ? "lane" : "lane gone", "data-lane": row?.lives[0].lane, x: axis.isWide ? 12 : 8,
      y: axis.isWide ? y + 4 : y - (rows.high.has(name) ? 21 : 15),
    }, draw("title", {}, name), shortened(name, nameRoom())));
    row?.lives.forEach((life, index) => {
      const after = row.lives[index + 1];
      const right = after ? xOfEvent(after.events[0]) - 10 : axis.right;
      drawLife(life, { y, right }, { run, marks, lines, places });
    });
  }
  for (const wait of run.waits) {
    const row = [...named.values()].find(({ lives }) => lives.some(({ lane, events: [first] }) =>
      lane === wait.lane && (first.subscription ?? null) === (wait.subscription ?? null)));
    if (!row || wait.end <= wait.start) continue;
    const [x, end, y] = [xOf(wait.start), xOf(wait.end), yOf.get(row.name) + 13];
    lines.prepend(draw("path", { class: `wait ${wait.ending}`, d: `M${x} ${y}H${end}` }));
  }
  for (const event of run.events) drawArrows(event, { run, lines, places });
  return { group: draw("g", {}, lines, marks, names), height: bottom + 8 };
}

/** Draws a life in its row, whose next one begins at the right. */
function drawLife(life, { y, right }, { run, marks, lines, places }) {
  const isRequest = life.role === "request";
  const start = xOfEvent(life.events[0]);
  const end = life.isOver ? xOfEvent(life.events.at(-1))
    : axis.columns ? axis.right : xOf(life.end);
  lines.append(draw("path", {
    class: isRequest ? "life request" : "life", d: `M${start} ${y}H${end}`,
  }));
  if (life.role !== "console") {
    // A mark at the start would cover it.
    const isCovered = shownEvents(life).some((event) => xOfEvent(event) === start);
    const at = start - (isCovered ? 14 : 8);
    // The end of the life before stays in sight.
    marks.prepend(draw("path", {
      class: "start", d: `M${at} ${y - 6}l9 6l-9 6z`, "data-number": life.events[0].number,
    }));
  }
  if (isRequest) {
    marks.append(draw("text", {
      class: "number", x: start + 3, y: y + 14, "data-number": life.events[0].number,
    }, life.lane.split(" ")[1]));
  }
  for (const event of life.events) places.set(event.number, { x: xOfEvent(event), y, event });
  // Marks of one place stand next to each other, and shrink before they'd cover the next ones.
  const shown = shownEvents(life);
  let taken = -Infinity;
  shown.forEach((event, index) => {
    const x = xOfEvent(event);
    const after = shown.slice(index + 1);
    const next = after.find((other) => xOfEvent(other) > x);
    const until = next ? xOfEvent(next) - 5 : right;
    const left = Math.max(x - 5, taken + 2);
    // Those of one instant have their widths, or else the same room.
    const here = next ? after.slice(0, after.indexOf(next)) : after;
    const widths = here.reduce((sum, other) => sum + widthOf(other) + 2, 0);
    const mark = markOf(event, {
      run, y, x, taken, until: Math.max(until - widths, left + (until - left) / (here.length + 1)),
    });
    taken = mark.taken;
    marks.append(draw("g", { class: "mark", "data-number": event.number },
      draw("title", {}, `${event.sentence} ${event.time}`), ...mark.parts));
  });
}

/** Half the height of a box. */
const halfOf = (event) => (linesOf(event).length > 1 ? 17 : 11);

/** The sign of an event, right of what's taken already. */
function markOf(event, { run, x, y, taken, until }) {
  const lines = linesOf(event);
  if (lines.length) {
    const left = Math.max(x - 5, taken + 2);
    const count = Math.floor((Math.min(Math.max(16, until - left), 150) - 8) / letter);
    // Values often differ in their first or last sign, such as “photo 1”.
    const words = lines.map((line) => count < 5 ? cut(line, count) : shortened(line, count, 2));
    const width = Math.max(12, Math.max(...words.map((line) => line.length)) * letter + 10);
    const half = halfOf(event);
    const tint = tintOf(event);
    return {
      taken: left + width,
      parts: [
        draw("rect", {
          class: tint == null ? "value" : `value v${tint}`, x: left, y: y - half, width,
          height: 2 * half, rx: event.kind === "value" ? 6 : 2,
        }),
        ...words.map((line, index) => draw("text", {
          class: "words", x: left + 5, y: y + 4 + 12.5 * (index - (lines.length - 1) / 2),
        }, line)),
      ],
    };
  }
  switch (event.kind) {
  case "finished":
  case "request-finished": {
    const at = Math.max(x, taken + 3);
    return { taken: at + 3, parts: [draw("path", { class: "end", d: `M${at} ${y - 10}v20` })] };
  }
  case "failure":
  case "request-failed": {
    const at = Math.max(x, taken + 9);
    const words = cut(failureOf(event, run), Math.floor(Math.min(150, until - at - 8) / letter));
    return {
      taken: at + 10 + words.length * letter,
      parts: [draw("path", { class: "fail", d: `M${at - 6} ${y - 6}l12 12m0-12l-12 12` }),
        draw("text", { class: "words failed", x: at + 10, y: y + 4 }, words)],
    };
  }
  case "cancelled":
  case "request-cancelled": {
    const at = Math.max(x, taken + 8);
    return {
      taken: at + 6,
      parts: [draw("rect", { class: "cancel", x: at - 5, y: y - 5, width: 10, height: 10 })],
    };
  }
  default: {
    const at = Math.max(x, taken + 3);
    return { taken: at + 3, parts: [draw("circle", { class: "dot", cx: at, cy: y, r: 2.5 })] };
  }
  }
}

/**
 * The values of which one is made, if each is from another row. Of a sum of many, only the last one
 * counts, which is the cause too.
 */
function newestOf(numbers, places) {
  const heights = numbers?.map((number) => places.get(number)?.y) ?? [];
  return new Set(heights).size === heights.length ? numbers : null;
}

/**
 * Arrows to an event from another row: solid from each value that it's made of, and dotted from
 * what else made it happen.
 */
function drawArrows(event, { run, lines, places }) {
  const to = places.get(event.number);
  if (!to || event.kind === "request" || event.kind === "subscription") return;
  const parents = event.kind === "value" ? newestOf(event.from, places) ?? [event.cause] : [];
  for (const number of new Set([...parents, event.cause])) {
    const from = places.get(number);
    if (!from || from.y === to.y) continue;
    const isMadeOf = parents.includes(number);
    // A value's own tint, and not what a response before it has.
    const tint = isMadeOf ? tintOf(from.event) ?? tintOf(event) : null;
    const way = Math.sign(to.y - from.y);
    const [start, end] = [from.y + halfOf(from.event) * way, to.y - (halfOf(event) + 1) * way];
    const isStraight = Math.abs(to.x - from.x) < 0.5;
    const path = isStraight ? `M${from.x} ${start}V${end}`
      : `M${from.x} ${start}V${end - 5 * way}H${to.x - 3}V${end}`;
    lines.append(draw("path", {
      class: ["arrow", isMadeOf ? "" : "other", tint == null ? "" : `a${tint}`].join(" "), d: path,
      "data-number": event.number,
    }));
  }
}

let picture = null;

/** Draws the track and the picture of the run. */
function render({ rescales = false } = {}) {
  if (!stage.run) return;
  if (rescales || !axis.right) {
    placeScreen();
    chooseAxis();
    packTrack();
  }
  const width = byId("stage").clientWidth;
  const named = updateRows(stage.run);
  const show = (id, height, ...parts) => {
    const box = { viewBox: `0 0 ${width} ${height}`, width, height };
    const svg = draw("svg", { ...box, "aria-hidden": "true" }, ticks(height), ...parts,
      draw("path", { class: "playhead", "data-height": height }));
    byId(id).querySelector("svg")?.remove();
    byId(id).prepend(svg);
  };
  const rails = drawTrack();
  show("track", rails.height, rails.group);
  picture = drawRun(stage.run, named);
  show("picture", picture.height, picture.group);
  showMoment();
  tellPage();
}

/** On a phone, what the user sees stands below the track, so that it's in view while one drags. */
function placeScreen() {
  const isNarrow = matchMedia("(max-width: 760px)").matches;
  const card = byId("screen-card");
  if (isNarrow === byId("pinned").contains(card)) return;
  // It scrolls there.
  card.tabIndex = isNarrow ? 0 : -1;
  if (isNarrow) byId("pinned").append(card);
  else byId("differs").before(card);
}

/** A line for each tick of the axis, and for what comes behind its end. */
function ticks(height) {
  const lines = draw("g");
  if (axis.columns) return lines;
  for (let time = 0; time <= axis.longest; time += axis.step) {
    lines.append(draw("path", { class: "tick", d: `M${xOf(time)} 0V${height}` }));
  }
  for (const { x } of axis.later) {
    lines.append(draw("path", { class: "tick", d: `M${x} 0V${height}` }));
  }
  if (axis.later.length) {
    lines.append(draw("path", { class: "break", d: `M${axis.end + 3} 0V${height}` }));
  }
  return lines;
}

/** The place of the moment that's shown. */
function xOfMoment() {
  const event = eventNow();
  return event ? xOfEvent(event) : xOf(stage.moment.nanoseconds);
}

/** Scrolls the pane, or on a phone the page, so that the event that's described can be seen. */
function keepMarkInView(mark) {
  if (!mark || track.held) return;
  const box = mark.getBoundingClientRect();
  const pane = document.querySelector(".left");
  const isPane = getComputedStyle(pane).overflowY !== "visible";
  const top = byId("pinned").getBoundingClientRect().bottom + 24;
  const bottom = (isPane ? pane.getBoundingClientRect().bottom
    : document.querySelector(".bar").getBoundingClientRect().top) - 12;
  const way = box.top < top ? box.top - top : box.bottom > bottom ? box.bottom - bottom : 0;
  if (way) (isPane ? pane : window).scrollBy(0, way);
}
