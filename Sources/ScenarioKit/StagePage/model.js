// What is on stage: a program, one of its parts, a run of that part, and a moment of the run.

const byId = (id) => document.getElementById(id);

/** Makes an element. Texts become text, so nothing in a run can become markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const stage = {
  /** What the program says about itself. */
  program: { scenario: "", summary: "", parts: [], flags: [] },
  files: [],
  /** What the reader chose: a part from 1, names of flags, and times for things by address. */
  part: 1,
  flags: new Set(),
  moves: new Map(),
  fault: null,
  schedule: null,
  /** The run that's shown, and the one without moves, fault and schedule. */
  run: null,
  usual: null,
  /** The events up to this moment have happened; a time in nanoseconds and a place in its instant. */
  moment: null,
  /** The lane that's followed, and where an address leads as soon as there's a run. */
  lane: null,
  wanted: null,
};

/** Nanoseconds as milliseconds, for readers. */
const inMilliseconds = (nanoseconds) =>
  nanoseconds == null ? "never" : `${Math.round(nanoseconds / 1e4) / 100} ms`;

/** The time of a move, as the command line and tests write it. */
const inScript = (nanoseconds) =>
  nanoseconds == null ? "never"
    : nanoseconds % 1e6 === 0 ? `${nanoseconds / 1e6}ms` : `${nanoseconds}ns`;

const variationOf = ({ part, flags, moves, fault, schedule }) => ({
  part, flags: [...flags],
  moves: [...moves].map(([address, time]) => `${address} to ${inScript(time)}`),
  fault, schedule, files: stage.files.length,
});

const isUsual = () => !stage.moves.size && !stage.fault && !stage.schedule;

/** What's going on before the first event. */
const nothing = {
  pending: [], pendingLeftOut: 0, kept: [], keptLeftOut: 0, requests: [], demands: [],
};

/**
 * Writes out what a run leaves out: the numbers of events, their places in their instants, and what's
 * going on after an event if it's as before. Numbers of other events are distances in the data.
 */
function prepared(run) {
  run.hasStates = run.events[0]?.pending != null;
  let former = { number: 0, ...nothing };
  run.events = run.events.map((data) => {
    const event = { ...data, number: former.number + 1 + (data.skipped ?? 0) };
    event.place = event.nanoseconds === former.nanoseconds ? former.place + 1 : 1;
    event.time = inMilliseconds(event.nanoseconds);
    if (data.cause != null) event.cause = event.number - data.cause;
    event.from = data.from?.map((distance) => event.number - distance);
    event.pending = data.pending?.map((work) =>
      ({ ...work, since: work.since == null ? null : event.number - work.since }));
    for (const field of Object.keys(nothing)) event[field] ??= former[field];
    const rows = [...former.demands, ...event.demands].map((row) => [row.lane, row]);
    event.demands = [...new Map(rows).values()];
    former = event;
    return event;
  });
  // A table has that of the usual run only.
  run.numbered = new Map(run.events.map((event) => [event.number, event]));
  addOrigins(run);
  return run;
}

/**
 * The tints of first values, by what they are. A value keeps its tint while a reader moves things,
 * also if it comes in another order.
 */
const tints = new Map();

/** Gives each event the first values that it's made of. */
function addOrigins(run) {
  const counts = new Map();
  const requests = new Map();
  for (const event of run.events) {
    if (event.kind === "request-started") requests.set(event.lane, event.text);
    const parents = (event.from ?? [event.cause]).map((number) => run.numbered.get(number))
      .filter((parent) => parent?.origins.length);
    event.origins = [...new Set(parents.flatMap((parent) => parent.origins))];
    const isBorn = event.kind === "response" || event.kind === "value" && !event.origins.length;
    if (!isBorn) continue;
    const name = `${requests.get(event.lane) ?? event.lane} ${event.text}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    event.origins = [`${name} ${count}`];
    if (!tints.has(event.origins[0])) tints.set(event.origins[0], tints.size % 6);
  }
}

/** The tint of an event: that of the last first value that it's made of; `null` if there's none. */
const tintOf = (event) => tints.get(event.origins.at(-1)) ?? null;

// A moment is the time of an event and its place within that instant.
const beforeStart = { nanoseconds: 0, place: 0 };
const isBefore = (a, b) =>
  a.nanoseconds < b.nanoseconds || (a.nanoseconds === b.nanoseconds && a.place < b.place);

/** The index of the last event up to now, or -1. */
const indexNow = () =>
  stage.run ? stage.run.events.findLastIndex((event) => !isBefore(stage.moment, event)) : -1;

const eventNow = () => stage.run?.events[indexNow()];

/** The events that led to an event, and the values that it's made of. */
function chainOf(run, event) {
  const events = new Set();
  for (let next = event; next && !events.has(next); next = run.numbered.get(next.cause)) {
    events.add(next);
  }
  for (const value of events) {
    for (const number of value.from ?? []) {
      const parent = run.numbered.get(number);
      if (parent) events.add(parent);
    }
  }
  return events;
}

/** The label of a printed line, such as `on screen`, and its text. */
function labelled(line) {
  const [, label, text] = /^([^:“"\[({]{1,24}): (.*)$/s.exec(line) ?? [null, "", line];
  return [label, text];
}

/** What the user sees after an event: the last line of each label, such as `on screen: …`. */
function screenAfter(run, index) {
  const fields = new Map();
  for (const event of run.events.slice(0, index + 1)) {
    if (event.role !== "console") continue;
    // What the script itself prints answers nothing.
    const isScript = event.cause == null && event.nanoseconds === 0;
    const [label, text] = labelled(event.text);
    if (label || !isScript) fields.set(label, { text, event });
  }
  return fields;
}
