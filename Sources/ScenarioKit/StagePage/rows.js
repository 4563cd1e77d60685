// The rows of the picture: a row for each lane, from the sources to the subscriber.

/**
 * The rows of all runs so far, in the order of the first run that had them. A row keeps its place
 * and its height while a reader moves something, so the eye can follow.
 */
const rows = { all: [], high: new Set(), key: "" };

const carries = (event) => ["value", "finished", "failure"].includes(event.kind);
const endings = ["finished", "failure", "cancelled", "request-finished", "request-failed",
  "request-cancelled"];

/** An address without what differs between requests to one place: its query and its number. */
const placeIn = (address) => address.replace(/ #\d+$/, "").replace(/\?.*$/, "");

/** The name of a request's row, such as `GET /search`: its host is said if there are several. */
function requestName(run, text) {
  const addresses = [stage.usual, run].flatMap((one) => one?.events ?? [])
    .filter((event) => event.kind === "request-started").map((event) => event.text);
  const hosts = new Set(addresses.map((address) => /\/\/([^/]*)/.exec(address)?.[1]));
  return placeIn(text.replace(hosts.size > 1 ? /\w+:\/\// : /\w+:\/\/[^/]*/, ""));
}

/** The lives of a run: each subscription, and each request. */
function livesOf(run) {
  const lives = new Map();
  const hasLanes = run.events.some((event) => event.role !== "console");
  for (const event of run.events) {
    // Without any lane, what the program prints is all there is to see.
    if (hasLanes && event.role === "console") continue;
    const key = `${event.lane} ${event.subscription ?? ""}`;
    if (!lives.has(key)) {
      const name = event.kind === "request-started" ? requestName(run, event.text) : event.lane;
      lives.set(key, { lane: event.lane, name, role: event.role, events: [],
        start: event.nanoseconds });
    }
    lives.get(key).events.push(event);
  }
  for (const life of lives.values()) {
    const last = life.events.at(-1);
    life.isOver = endings.includes(last.kind);
    life.end = life.isOver ? last.nanoseconds : run.end;
  }
  return [...lives.values()];
}

/** The rows of a run. Two lives of one name at the same time have a row each. */
function rowsOf(run) {
  const found = [];
  for (const life of livesOf(run)) {
    const free = found.find((row) => row.lane === life.name && row.until < life.start);
    const row = free ?? { lane: life.name, lives: [], until: 0 };
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

/**
 * What says that one row is above another, the surest signs first: what carries values, what makes
 * a request, what begins work, and who asks whom.
 */
function links(found, run) {
  const rowOf = new Map();
  for (const row of found) {
    for (const life of row.lives) for (const event of life.events) rowOf.set(event.number, row);
  }
  const signs = [[], [], [], []];
  for (const event of run.events) {
    const row = rowOf.get(event.number);
    const cause = run.numbered.get(event.cause);
    const above = rowOf.get(event.cause);
    if (carries(event)) {
      const parents = [...event.from ?? [], event.cause];
      signs[0].push(...parents.map((number) => [rowOf.get(number), row]));
    } else if (event.kind === "request-started") {
      signs[1].push(cause && carries(cause) ? [above, row] : [row, above]);
    } else {
      signs[3].push(event.kind === "subscription" && cause?.kind === "subscription"
        ? [above, row] : [row, above]);
    }
    if (event.kind === "subscription" || event.kind === "request-started") {
      let first = cause;
      while (first && !carries(first)) first = run.numbered.get(first.cause);
      if (first) signs[2].push([rowOf.get(first.number), row]);
    }
  }
  return signs.flat().filter(([upper, lower]) => upper && lower && upper !== lower);
}

/** Sorts rows from the sources to the subscriber. What contradicts surer signs is left out. */
function inOrder(found, run) {
  const above = new Map(found.map((row) => [row, new Set()]));
  const isAbove = (upper, lower) => {
    const all = new Set([lower]);
    for (const row of all) for (const next of above.get(row)) all.add(next);
    return all.has(upper);
  };
  for (const [upper, lower] of links(found, run)) {
    if (!above.get(lower).has(upper) && !isAbove(lower, upper)) above.get(lower).add(upper);
  }
  // Of the rows that have all others above them, the one that began first comes next.
  const rest = [...found];
  const sorted = [];
  while (rest.length) {
    const next = rest.findIndex((row) => [...above.get(row)].every((one) => sorted.includes(one)));
    sorted.push(...rest.splice(next, 1));
  }
  return sorted;
}

/** The rows of a run by name, after adding those that are new to all rows. */
function updateRows(run) {
  const key = `${stage.part} ${[...stage.flags].sort().join()}`;
  // A run is drawn often, and its rows stay the same.
  run.rows ??= inOrder(rowsOf(run), run);
  const now = run.rows;
  if (rows.key !== key) {
    Object.assign(rows, { key, all: now.map((row) => row.name), high: new Set() });
  }
  now.forEach((row, index) => {
    if (row.lives.some((life) => life.events.some((event) => linesOf(event).length > 1))) {
      rows.high.add(row.name);
    }
    if (rows.all.includes(row.name)) return;
    const before = index > 0 ? rows.all.indexOf(now[index - 1].name) + 1 : 0;
    rows.all.splice(before, 0, row.name);
  });
  return new Map(now.map((row) => [row.name, row]));
}

/** How high a row is: lower if there are many; on a phone, with room for its name above it. */
const rowHeight = (name) => (axis.isWide ? 34 : 44) - (rows.all.length > 9 ? 5 : 0)
  + (rows.high.has(name) ? 12 : 0);
